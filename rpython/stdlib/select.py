"""Python's ``select`` in translated programs: ``select`` and ``poll``."""

from __future__ import annotations

import errno
import select as host
from typing import Any

from rpython.rlib._sockets import (
    POLLERR,
    POLLHUP,
    POLLIN,
    POLLNVAL,
    POLLOUT,
    POLLPRI,
    deadline_after,
    failure,
    poll_until,
)
from rpython.rlib.objectmodel import specialize
from rpython.stdlib._registry import replaces

READABLE = POLLIN | POLLHUP | POLLERR
WRITABLE = POLLOUT | POLLERR


@specialize.argtype(0)
def descriptor_of(x: Any) -> int:
    """Of an int, or of anything with ``fileno()``.  Raises ValueError."""
    fd: int = x if isinstance(x, int) else x.fileno()
    if fd < 0:
        raise ValueError(f"file descriptor cannot be a negative integer ({fd})")
    return fd


class _Events:
    """Which events of which descriptors are waited for, and which there are."""

    def __init__(self) -> None:
        self.wanted: dict[int, int] = {}
        self.found: dict[int, int] = {}

    def add(self, fd: int, events: int) -> None:
        self.wanted[fd] = self.wanted.get(fd, 0) | events

    def wait(self, seconds: float) -> None:
        """Raises OSError when one of them is no descriptor."""
        deadline = deadline_after(seconds)
        self.found = poll_until(list(self.wanted.keys()), list(self.wanted.values()), deadline)
        for fd in self.found:
            if self.found[fd] & POLLNVAL:
                raise failure(errno.EBADF)

    def has(self, fd: int, events: int) -> bool:
        return self.found.get(fd, 0) & events != 0


def _seconds(timeout: Any) -> float:
    if timeout is None:
        return -1.0
    seconds = float(timeout)
    if seconds < 0:
        raise ValueError("timeout must be non-negative")
    return seconds


_seconds._rpython_per_arguments_ = True  # type: ignore[attr-defined]


@replaces(host.select)
def select(rlist: Any, wlist: Any, xlist: Any, timeout: Any = None, /) -> Any:
    readers = list(rlist)
    writers = list(wlist)
    others = list(xlist)
    events = _Events()
    for x in readers:
        events.add(descriptor_of(x), POLLIN)
    for x in writers:
        events.add(descriptor_of(x), POLLOUT)
    for x in others:
        events.add(descriptor_of(x), POLLPRI)
    events.wait(_seconds(timeout))
    return (
        [x for x in readers if events.has(descriptor_of(x), READABLE)],
        [x for x in writers if events.has(descriptor_of(x), WRITABLE)],
        [x for x in others if events.has(descriptor_of(x), POLLPRI)],
    )


class Poll:
    """What ``select.poll()`` gives."""

    def __init__(self) -> None:
        self._events: dict[int, int] = {}

    @specialize.argtype(1)
    def register(self, fd: Any, eventmask: int = POLLIN | POLLPRI | POLLOUT, /) -> None:
        self._events[descriptor_of(fd)] = eventmask

    @specialize.argtype(1)
    def modify(self, fd: Any, eventmask: int, /) -> None:
        number = descriptor_of(fd)
        if number not in self._events:
            raise failure(errno.ENOENT)
        self._events[number] = eventmask

    @specialize.argtype(1)
    def unregister(self, fd: Any, /) -> None:
        del self._events[descriptor_of(fd)]

    @specialize.argtype(1)
    def poll(self, timeout: Any = None, /) -> list[tuple[int, int]]:
        milliseconds = -1.0 if timeout is None else float(timeout)
        deadline = deadline_after(milliseconds / 1000.0)
        found = poll_until(list(self._events.keys()), list(self._events.values()), deadline)
        return [(fd, found[fd]) for fd in self._events if fd in found]


@replaces(host.poll)
def poll() -> Poll:
    return Poll()
