"""Drives toposort (PyPI): ``order.py`` reads lines ``item: dependency ...``."""

from __future__ import annotations

import sys

from toposort import CircularDependencyError, toposort, toposort_flatten


def entry_point(argv: list[str]) -> int:
    graph: dict[str, set[str]] = {}
    for line in sys.stdin:
        item, _, rest = line.partition(":")
        graph[item.strip()] = set(rest.split())
    try:
        for layer in toposort(graph):
            print(sorted(layer))
        print(toposort_flatten(graph))
    except CircularDependencyError as error:
        print("circular:", sorted(error.data))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
