"""``queue``: the queues of each place of a program have items of their own kind."""

from __future__ import annotations

import queue
from typing import Any

from rpython.rlib._locks import Line, _end, _left
from rpython.stdlib._registry import Refused, per_site, replaces


class AnyQueue:
    """Some queue."""

    _rpython_keeps_members_ = True

    _rpython_final_ = ("_init", "_qsize", "_put", "_get")

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        if x.qsize():
            raise Refused(
                f"this {type(x).__name__} has items already when the program starts: put them "
                "there in a function"
            )
        return cls() if isinstance(x, queue.SimpleQueue) else cls(x.maxsize)

    def _begin(self) -> None:
        self._items: list[Any] = []
        self._first = 0
        self._readers = Line()

    def qsize(self) -> int:
        return len(self._items) - self._first

    def empty(self) -> bool:
        return self.qsize() == 0

    def _take(self) -> Any:
        item = self._items[self._first]
        self._first += 1
        if self._first > 32 and 2 * self._first > len(self._items):
            del self._items[: self._first]
            self._first = 0
        return item

    def _next(self, block: bool, timeout: float | None) -> Any:
        """What ``get`` takes, when there is something."""
        end = -1.0
        if block and timeout is not None:
            if timeout < 0:
                raise ValueError("'timeout' must be a non-negative number")
            end = _end(float(timeout))
        while self.qsize() == 0:
            left = _left(end)
            if not block or left == 0.0:
                raise queue.Empty
            self._readers.wait(left)
        return self._take()


@replaces(queue.Queue)
@per_site()
class Queue(AnyQueue):
    def __init__(self, maxsize: int = 0) -> None:
        self._begin()
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self._writers = Line()
        self._joiners = Line()

    def full(self) -> bool:
        return 0 < self.maxsize <= self.qsize()

    def _add(self, item: Any) -> None:
        self._items.append(item)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        if self.maxsize > 0:
            end = -1.0
            if block and timeout is not None:
                if timeout < 0:
                    raise ValueError("'timeout' must be a non-negative number")
                end = _end(float(timeout))
            while self.qsize() >= self.maxsize:
                left = _left(end)
                if not block or left == 0.0:
                    raise queue.Full
                self._writers.wait(left)
        self._add(item)
        self.unfinished_tasks += 1
        self._readers.wake()

    def put_nowait(self, item: Any) -> None:
        self.put(item, False)

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        item = self._next(block, timeout)
        self._writers.wake()
        return item

    def get_nowait(self) -> Any:
        return self.get(False)

    def task_done(self) -> None:
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1
        if self.unfinished_tasks == 0:
            self._joiners.wake_all()

    def join(self) -> None:
        while self.unfinished_tasks > 0:
            self._joiners.wait(-1.0)


@replaces(queue.LifoQueue)
@per_site()
class LifoQueue(Queue):
    def _take(self) -> Any:
        return self._items.pop()


@replaces(queue.PriorityQueue)
@per_site()
class PriorityQueue(Queue):
    def _add(self, item: Any) -> None:
        """Put it at the end of the heap and let it rise."""
        items = self._items
        items.append(item)
        at = len(items) - 1
        while at > 0:
            above = (at - 1) >> 1
            if not item < items[above]:
                break
            items[at] = items[above]
            at = above
        items[at] = item

    def _take(self) -> Any:
        """The first; the last takes its place: it sinks to a leaf, always to the smaller
        side, and rises from there (Knuth, "Sorting and Searching", exercise 5.2.3-18)."""
        items = self._items
        last = items.pop()
        if not items:
            return last
        first = items[0]
        at = 0
        below = 1
        while below < len(items):
            if below + 1 < len(items) and not items[below] < items[below + 1]:
                below += 1
            items[at] = items[below]
            at = below
            below = 2 * at + 1
        while at > 0:
            above = (at - 1) >> 1
            if not last < items[above]:
                break
            items[at] = items[above]
            at = above
        items[at] = last
        return first


@replaces(queue.SimpleQueue)
@per_site()
class SimpleQueue(AnyQueue):
    def __init__(self) -> None:
        self._begin()

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        self._items.append(item)
        self._readers.wake()

    def put_nowait(self, item: Any) -> None:
        self._items.append(item)
        self._readers.wake()

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        return self._next(block, timeout)

    def get_nowait(self) -> Any:
        return self.get(False)
