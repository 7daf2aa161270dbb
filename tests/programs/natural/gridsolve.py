# maze generation, A*, flood fill, union find, game of life, all in one file
import heapq, random, math
from collections import deque, defaultdict
from functools import lru_cache
from typing import Dict, Iterable, List, Optional, Set, Tuple

Cell = Tuple[int, int]


class DisjointSet:
    def __init__(self, items=()):
        self.parent = {x: x for x in items}
        self.size = dict.fromkeys(self.parent, 1)

    def find(self, x):
        root = x
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[x] != root:
            self.parent[x], x = root, self.parent[x]
        return root

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size.pop(b)
        return True


class Maze:
    def __init__(self, w, h, seed=0):
        self.w, self.h = w, h
        rng = random.Random(seed)
        cells = [(x, y) for y in range(h) for x in range(w)]
        edges = [((x, y), (x + dx, y + dy)) for x, y in cells for dx, dy in ((1, 0), (0, 1)) if x + dx < w and y + dy < h]
        rng.shuffle(edges)
        ds = DisjointSet(cells)
        self.open: Dict[Cell, Set[Cell]] = defaultdict(set)
        for a, b in edges:
            if ds.union(a, b):
                self.open[a].add(b)
                self.open[b].add(a)

    def __str__(self):
        out = ["+" + "--+" * self.w]
        for y in range(self.h):
            mid, low = "|", "+"
            for x in range(self.w):
                mid += "  " + (" " if (x + 1, y) in self.open[x, y] else "|")
                low += ("  " if (x, y + 1) in self.open[x, y] else "--") + "+"
            out += [mid, low]
        return "\n".join(out)

    def astar(self, start, goal) -> Optional[List[Cell]]:
        def h(c):
            return math.dist(c, goal)
        frontier = [(h(start), 0, start, None)]
        came = {}
        cost = {start: 0}
        while frontier:
            _, g, cur, prev = heapq.heappop(frontier)
            if cur in came:
                continue
            came[cur] = prev
            if cur == goal:
                path = []
                while cur:
                    path.append(cur)
                    cur = came[cur]
                return path[::-1]
            for n in self.open[cur]:
                if g + 1 < cost.get(n, float("inf")):
                    cost[n] = g + 1
                    heapq.heappush(frontier, (g + 1 + h(n), g + 1, n, cur))

    def distances(self, start):
        dist = {start: 0}
        q = deque([start])
        while q:
            c = q.popleft()
            for n in self.open[c] - dist.keys():
                dist[n] = dist[c] + 1
                q.append(n)
        return dist


def life(cells: Set[Cell]) -> Set[Cell]:
    counts = defaultdict(int)
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    counts[x + dx, y + dy] += 1
    return {c for c, n in counts.items() if n == 3 or n == 2 and c in cells}


def edit_distance(a, b):
    @lru_cache(maxsize=None)
    def d(i, j):
        if not i or not j:
            return i or j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))
    return d(len(a), len(b))


def knapsack(items, capacity):
    best = [[0] * (capacity + 1) for _ in range(len(items) + 1)]
    for i, (name, weight, value) in enumerate(items, 1):
        for c in range(capacity + 1):
            best[i][c] = best[i - 1][c]
            if weight <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - weight] + value)
    chosen, c = [], capacity
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            chosen.append(items[i - 1][0])
            c -= items[i - 1][1]
    return best[-1][capacity], chosen[::-1]


def queens(n, row=0, cols=frozenset(), d1=frozenset(), d2=frozenset()):
    if row == n:
        yield ()
        return
    for c in range(n):
        if c not in cols and row + c not in d1 and row - c not in d2:
            for rest in queens(n, row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c}):
                yield (c, *rest)


maze = Maze(8, 4, seed=5)
print(maze)
path = maze.astar((0, 0), (7, 3))
print(len(path), path[:4], "->", path[-1])
dist = maze.distances((0, 0))
far = max(dist, key=lambda c: (dist[c], c))
print("farthest", far, dist[far], "average %.2f" % (sum(dist.values()) / len(dist)))
glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
for _ in range(4):
    glider = life(glider)
print(sorted(glider), min(glider), {x for x, _ in glider} & {3})
print(edit_distance("kitten", "sitting"), edit_distance("", "abc"))
value, names = knapsack([("ring", 1, 50.5), ("vase", 4, 100), ("tv", 10, 300), ("book", 2, 12)], 13)
print(value, names)
solutions = list(queens(6))
print(len(solutions), solutions[0], next(queens(8)))
print(Maze(2, 2).astar((0, 0), (5, 5)))
