"""What ``queue`` has.

The classes of a program's queues are copies of these, one for each place where some are made
(``annotator.library_threads``): each has items of its own kind.
"""

from __future__ import annotations

import queue
from types import FunctionType
from typing import Any

from rpython.rlib._locks import Line, _end, _left


def methods_of(cls: type) -> dict[str, Any]:
    """The functions of the class and its bases."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        found.update((k, v) for k, v in vars(base).items() if isinstance(v, FunctionType))
    return found


class AnyQueue:
    """Some queue."""

    _rpython_keeps_members_ = True

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


class Queue(AnyQueue):
    """``queue.Queue``"""

    _rpython_keeps_members_ = True

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


class LifoQueue(Queue):
    """``queue.LifoQueue``"""

    _rpython_keeps_members_ = True

    def _take(self) -> Any:
        return self._items.pop()


class PriorityQueue(Queue):
    """``queue.PriorityQueue``"""

    _rpython_keeps_members_ = True

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


class SimpleQueue(AnyQueue):
    """``queue.SimpleQueue``"""

    _rpython_keeps_members_ = True

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
