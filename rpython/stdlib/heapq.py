"""``heapq``: what its source says in a way that needs values of several kinds in one list, and
where what it raises has another text than in C.

The algorithms are CPython's (``Lib/heapq.py``), so that the answer is the same where values have no
order, too.  An entry of a heap is ``(value, order)``: of equal values the first counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import replaces, twin_of

_heapify_max: Any = heapq._heapify_max
_heappop_max: Any = heapq._heappop_max  # type: ignore[attr-defined]
_heapreplace_max: Any = heapq._heapreplace_max  # type: ignore[attr-defined]
_heappop: Any = twin_of(heapq.heappop)
_heapreplace: Any = twin_of(heapq.heapreplace)


@replaces(heapq.heappop)
def heappop(heap: Any, /) -> Any:
    if not heap:
        raise IndexError("index out of range")
    return _heappop(heap)


@replaces(heapq.heapreplace)
def heapreplace(heap: Any, item: Any, /) -> Any:
    if not heap:
        raise IndexError("index out of range")
    return _heapreplace(heap, item)


@replaces(heapq.nsmallest)
def nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    if n == 1:
        return _first(iter(iterable), key, lambda value, best: value < best)
    if hasattr(iterable, "__len__") and n >= len(iterable):
        return sorted(iterable, key=key)
    it = iter(iterable)
    heap = []
    kept = {}
    for order, item in zip(range(n), it):
        heap.append((item if key is None else key(item), order))
        kept[order] = item
    if not heap:
        return list(kept.values())
    _heapify_max(heap)
    order = n
    for item in it:
        value = item if key is None else key(item)
        top, last = heap[0]
        if value < top:
            _heapreplace_max(heap, (value, order))
            del kept[last]
            kept[order] = item
            order += 1
    heap.sort()
    return [kept[order] for _, order in heap]


@replaces(heapq.nlargest)
def nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    if n == 1:
        return _first(iter(iterable), key, lambda value, best: value > best)
    if hasattr(iterable, "__len__") and n >= len(iterable):
        return sorted(iterable, key=key, reverse=True)
    it = iter(iterable)
    heap = []
    kept = {}
    for order, item in zip(range(0, -n, -1), it):
        heap.append((item if key is None else key(item), order))
        kept[order] = item
    if not heap:
        return list(kept.values())
    heapq.heapify(heap)
    order = -n
    for item in it:
        value = item if key is None else key(item)
        top, last = heap[0]
        if top < value:
            heapq.heapreplace(heap, (value, order))
            del kept[last]
            kept[order] = item
            order -= 1
    heap.sort(reverse=True)
    return [kept[order] for _, order in heap]


def _first(it: Any, key: Any, better: Any) -> Any:
    """The first of the best items, in a list."""
    found = []
    for best in it:
        best_value = best if key is None else key(best)
        for item in it:
            value = item if key is None else key(item)
            if better(value, best_value):
                best, best_value = item, value
        found.append(best)
    return found


@replaces(heapq.merge)
def merge(*iterables: Any, key: Any = None, reverse: bool = False) -> Iterator[Any]:
    direction = -1 if reverse else 1
    iterators = [iter(iterable) for iterable in iterables]
    heap = []
    values = {}
    for order, it in enumerate(iterators):
        try:
            value = next(it)
        except StopIteration:
            continue
        heap.append((value if key is None else key(value), order * direction))
        values[order] = value
    if reverse:
        _heapify_max(heap)
    else:
        heapq.heapify(heap)
    while len(heap) > 1:
        place = heap[0][1]
        order = place * direction
        yield values[order]
        try:
            value = next(iterators[order])
        except StopIteration:
            if reverse:
                _heappop_max(heap)
            else:
                heapq.heappop(heap)
            continue
        entry = (value if key is None else key(value), place)
        values[order] = value
        if reverse:
            _heapreplace_max(heap, entry)
        else:
            heapq.heapreplace(heap, entry)
    if heap:
        order = heap[0][1] * direction
        yield values[order]
        yield from iterators[order]
