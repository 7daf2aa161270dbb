"""bisect, heapq, graphlib, colorsys."""

import bisect
import colorsys
import graphlib
import heapq


def main():
    scores = [33, 99, 77, 70, 89, 90, 100]
    print(["FDCBA"[bisect.bisect([60, 70, 80, 90], score)] for score in scores])
    print(heapq.nsmallest(3, scores), list(heapq.merge([1, 4], [2, 3])))
    print(
        list(graphlib.TopologicalSorter({"D": {"B", "C"}, "B": {"A"}, "C": {"B"}}).static_order())
    )
    print(colorsys.rgb_to_hsv(0.2, 0.4, 0.4))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
