"""Dijkstar==2.6.0 six==1.17.0: the shortest path."""

from dijkstar import Graph, find_path


def main():
    graph = Graph()
    for start, end, cost in [(1, 2, 110), (2, 3, 125), (3, 4, 108), (2, 4, 300), (1, 3, 250)]:
        graph.add_edge(start, end, cost)
    found = find_path(graph, 1, 4)
    print(found.nodes, found.edges, found.costs, found.total_cost)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
