"""Shortest paths, spanning trees, topological order on small graphs."""
import heapq
from collections import deque

ROADS = """\
Arad Zerind 75
Arad Sibiu 140
Arad Timisoara 118
Zerind Oradea 71
Oradea Sibiu 151
Timisoara Lugoj 111
Lugoj Mehadia 70
Mehadia Drobeta 75
Drobeta Craiova 120
Craiova Pitesti 138
Craiova Rimnicu 146
Sibiu Fagaras 99
Sibiu Rimnicu 80
Rimnicu Pitesti 97
Fagaras Bucharest 211
Pitesti Bucharest 101
"""


class Graph:
    def __init__(self, directed=False):
        self.directed = directed
        self.adj = {}

    def add_edge(self, u, v, weight=1):
        self.adj.setdefault(u, {})[v] = weight
        self.adj.setdefault(v, {})
        if not self.directed:
            self.adj[v][u] = weight

    def __len__(self):
        return len(self.adj)

    def __contains__(self, node):
        return node in self.adj

    def __iter__(self):
        return iter(self.adj)

    def edges(self):
        for u, targets in self.adj.items():
            for v, w in targets.items():
                if self.directed or u < v:
                    yield u, v, w

    def bfs(self, start):
        seen = {start: 0}
        queue = deque([start])
        while queue:
            node = queue.popleft()
            for other in self.adj[node]:
                if other not in seen:
                    seen[other] = seen[node] + 1
                    queue.append(other)
        return seen

    def dijkstra(self, start):
        dist = {node: float("inf") for node in self}
        dist[start] = 0
        prev = {}
        heap = [(0, start)]
        while heap:
            d, node = heapq.heappop(heap)
            if d > dist[node]:
                continue
            for other, w in self.adj[node].items():
                nd = d + w
                if nd < dist[other]:
                    dist[other] = nd
                    prev[other] = node
                    heapq.heappush(heap, (nd, other))
        return dist, prev

    def path(self, start, goal):
        dist, prev = self.dijkstra(start)
        if dist[goal] == float("inf"):
            return None, []
        path = [goal]
        while path[-1] != start:
            path.append(prev[path[-1]])
        return dist[goal], path[::-1]


class UnionFind:
    def __init__(self, items):
        self.parent = {x: x for x in items}
        self.size = dict.fromkeys(self.parent, 1)

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return True


def kruskal(graph):
    uf = UnionFind(graph)
    tree = []
    for u, v, w in sorted(graph.edges(), key=lambda e: (e[2], e[0])):
        if uf.union(u, v):
            tree.append((u, v, w))
    return tree


def topological(graph):
    indegree = {n: 0 for n in graph}
    for _, v, _ in graph.edges():
        indegree[v] += 1
    ready = sorted(n for n, d in indegree.items() if d == 0)
    order = []
    while ready:
        node = ready.pop(0)
        order.append(node)
        for v in graph.adj[node]:
            indegree[v] -= 1
            if indegree[v] == 0:
                ready.append(v)
        ready.sort()
    if len(order) != len(graph):
        raise ValueError("graph has a cycle")
    return order


def main():
    roads = Graph()
    for line in ROADS.splitlines():
        a, b, km = line.split()
        roads.add_edge(a, b, int(km))
    print(len(roads), "cities,", sum(1 for _ in roads.edges()), "roads")
    km, path = roads.path("Arad", "Bucharest")
    print(f"{km} km: {' -> '.join(path)}")
    hops = roads.bfs("Arad")
    print({city: n for city, n in hops.items() if n >= 3})
    tree = kruskal(roads)
    print("spanning tree:", sum(w for *_, w in tree), "km")
    for u, v, w in tree[:3]:
        print(f"  {u}-{v}: {w}")
    roads.add_edge("Island", "Islet", 5)
    print(roads.path("Arad", "Islet"))
    tasks = Graph(directed=True)
    for before, after in [("shop", "cook"), ("cook", "eat"), ("set table", "eat"), ("eat", "wash up")]:
        tasks.add_edge(before, after)
    print(topological(tasks))
    tasks.add_edge("wash up", "cook")
    try:
        topological(tasks)
    except ValueError as err:
        print("error:", err)
    print("Arad" in roads, "Paris" in roads)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
