"""Drives the standard library's heapq: ``heaps.py SEED``."""

from __future__ import annotations

import sys

from pure import pure_module

heapq = pure_module("heapq", "_heapq")
heapq_pairs = pure_module("heapq", "_heapq")


def numbers(seed: int, count: int) -> list[int]:
    result = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2147483648
        result.append(seed // 65536 % 1000)
    return result


def sort(values: list[int]) -> list[int]:
    heap: list[int] = []
    for value in values:
        heapq.heappush(heap, value)
    return [heapq.heappop(heap) for _ in range(len(heap))]


def entry_point(argv: list[str]) -> int:
    values = numbers(int(argv[1]) if len(argv) > 1 else 1, 200)
    print(sort(values))
    heap = list(values)
    heapq.heapify(heap)
    print(heap)
    print(heapq.heapreplace(heap, 17), heapq.heappushpop(heap, 3), heap[:10])
    heapq._heapify_max(heap)
    print([heapq._heappop_max(heap) for _ in range(20)], heapq._heapreplace_max(heap, 1))
    jobs: list[tuple[int, str]] = []
    for i, value in enumerate(values[:20]):
        heapq_pairs.heappush(jobs, (value % 7, f"job {i}"))
    while jobs:
        priority, name = heapq_pairs.heappop(jobs)
        print(priority, name)
    try:
        heapq.heappop(heap[:0])
    except IndexError as error:
        print(error)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
