"""toposort==1.10: an order of what depends on one another."""

from toposort import CircularDependencyError, toposort, toposort_flatten


def main():
    graph = {2: {11}, 9: {11, 8, 10}, 10: {11, 3}, 11: {7, 5}, 8: {7, 3}}
    for level in toposort(graph):
        print(sorted(level))
    print(toposort_flatten(graph))
    try:
        print(list(toposort({1: {2}, 2: {1}})))
    except CircularDependencyError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
