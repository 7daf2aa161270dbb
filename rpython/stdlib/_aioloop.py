"""The event loop of ``asyncio`` in translated programs: handles that are ready, timers, and
descriptors that ``poll`` watches.

What the loop calls next is what CPython's calls: handles in the order in which they became ready,
and in one iteration those only that are ready when it begins.
"""

from __future__ import annotations

import asyncio
import collections
import heapq
import math
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.rlib._sockets import POLLERR, POLLHUP, POLLIN, POLLOUT, deadline_after, poll_until
from rpython.stdlib._registry import per_arguments, replaces

if TYPE_CHECKING:
    from rpython.stdlib._aiofutures import AnyFuture

READABLE = POLLIN | POLLHUP | POLLERR
WRITABLE = POLLOUT | POLLHUP | POLLERR
_CLOCK_RESOLUTION = 1e-09
"""As ``time.get_clock_info("monotonic")`` says."""
_LONGEST = 24 * 3600.0
"""Seconds that the loop sleeps at most."""


@replaces(asyncio.Handle)
class Handle:
    """What the loop is to call."""

    def __init__(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True

    def cancelled(self) -> bool:
        return self._cancelled

    def _call(self) -> None:
        raise NotImplementedError


class _Callback(Handle):
    def __init__(self, function: Callable[[], object]) -> None:
        self._cancelled = False
        self._function = function

    def _call(self) -> None:
        self._function()


class Step(Handle):
    """A task goes on."""

    def __init__(self, task: AnyFuture) -> None:
        self._cancelled = False
        self._task = task

    def _call(self) -> None:
        self._task._step()


@replaces(asyncio.TimerHandle)
class TimerHandle(Handle):
    def __init__(self, when: float, function: Callable[[], object]) -> None:
        self._cancelled = False
        self._when = when
        self._function = function

    def when(self) -> float:
        return self._when

    def _call(self) -> None:
        self._function()

    def __lt__(self, other: TimerHandle) -> bool:
        return self._when < other._when


class _Watch:
    """What is called when a descriptor is ready."""

    def __init__(self) -> None:
        self.reader: Handle | None = None
        self.writer: Handle | None = None

    def events(self) -> int:
        return (POLLIN if self.reader is not None else 0) | (
            POLLOUT if self.writer is not None else 0
        )


class Loop:
    """What ``asyncio.EventLoop`` of ``asyncio.py`` extends."""

    def __init__(self) -> None:
        self._ready: collections.deque[Handle] = collections.deque()
        self._timers: list[TimerHandle] = []
        self._watched: dict[int, _Watch] = {}
        self._tasks: dict[AnyFuture, None] = {}
        self._current: AnyFuture | None = None
        self._stopping = False
        self._running = False
        self._closed = False

    # -- what is called later

    @per_arguments
    def call_soon(self, callback: Any, *args: Any) -> Handle:
        self._check_closed()
        handle = _Callback(lambda: callback(*args))
        self._ready.append(handle)
        return handle

    @per_arguments
    def call_later(self, delay: Any, callback: Any, *args: Any) -> TimerHandle:
        return self.call_at(self.time() + delay, callback, *args)

    @per_arguments
    def call_at(self, when: Any, callback: Any, *args: Any) -> TimerHandle:
        self._check_closed()
        handle = TimerHandle(when + 0.0, lambda: callback(*args))
        heapq.heappush(self._timers, handle)
        return handle

    def time(self) -> float:
        return time.monotonic()

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def get_debug(self) -> bool:
        return False

    def stop(self) -> None:
        self._stopping = True

    def close(self) -> None:
        if self._running:
            raise RuntimeError("Cannot close a running event loop")
        self._closed = True
        self._ready.clear()
        del self._timers[:]

    def _check_closed(self) -> None:
        if self._closed:
            raise RuntimeError("Event loop is closed")

    # -- descriptors

    def _watch(self, fd: int) -> _Watch:
        if fd not in self._watched:
            self._watched[fd] = _Watch()
        return self._watched[fd]

    @per_arguments
    def _on_readable(self, fd: int, callback: Any) -> None:
        self._watch(fd).reader = _Callback(callback)

    @per_arguments
    def _on_writable(self, fd: int, callback: Any) -> None:
        self._watch(fd).writer = _Callback(callback)

    def _forget_readable(self, fd: int) -> bool:
        watch = self._watched.get(fd)
        if watch is None or watch.reader is None:
            return False
        watch.reader.cancel()
        watch.reader = None
        if watch.writer is None:
            del self._watched[fd]
        return True

    def _forget_writable(self, fd: int) -> bool:
        watch = self._watched.get(fd)
        if watch is None or watch.writer is None:
            return False
        watch.writer.cancel()
        watch.writer = None
        if watch.reader is None:
            del self._watched[fd]
        return True

    # -- running

    def run_forever(self) -> None:
        self._begin()
        try:
            while True:
                self._run_once()
                if self._stopping:
                    break
        finally:
            self._stopping = False
            self._running = False
            RUNNING.end()

    def _begin(self) -> None:
        self._check_closed()
        if self._running:
            raise RuntimeError("This event loop is already running")
        if RUNNING.loop() is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")
        self._running = True
        RUNNING.begin(self)

    def _run_once(self) -> None:
        timers = self._timers
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)
        seconds = -1.0
        if self._ready or self._stopping:
            seconds = 0.0
        elif timers:
            seconds = min(max(0.0, timers[0]._when - self.time()), _LONGEST)
        if self._watched or seconds != 0.0:
            self._poll(seconds)
        end = self.time() + _CLOCK_RESOLUTION if timers else 0.0
        while timers and timers[0]._when < end:
            self._ready.append(heapq.heappop(timers))
        for _ in range(len(self._ready)):
            handle = self._ready.popleft()
            if not handle._cancelled:
                _run(handle)

    def _poll(self, seconds: float) -> None:
        fds = list(self._watched.keys())
        events = [watch.events() for watch in self._watched.values()]
        rounded = math.ceil(seconds * 1e3) * 1e-3 if seconds > 0 else seconds
        found = poll_until(fds, events, deadline_after(rounded))
        for fd in fds:
            if fd in found:
                watch = self._watched[fd]
                if found[fd] & READABLE and watch.reader is not None:
                    self._ready.append(watch.reader)
                if found[fd] & WRITABLE and watch.writer is not None:
                    self._ready.append(watch.writer)


def _run(handle: Handle) -> None:
    """Errors of callbacks are reported, and the loop goes on."""
    failed: BaseException | None = None
    try:
        handle._call()
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        failed = error
    if failed is not None:
        report("Exception in callback", failed)


def report(message: str, error: BaseException) -> None:
    """What CPython's loop logs, on stderr, without addresses."""
    sys.stderr.write(message + "\n")
    traceback.print_exception(error)


class _Running:
    """Which loop runs, in each thread."""

    def __init__(self) -> None:
        self._loops: dict[int, Loop] = {}

    def loop(self) -> Loop | None:
        return self._loops.get(threading.get_ident())

    def begin(self, loop: Loop) -> None:
        self._loops[threading.get_ident()] = loop

    def end(self) -> None:
        self._loops.pop(threading.get_ident(), None)


RUNNING = _Running()


@replaces(asyncio.get_running_loop, asyncio._get_running_loop)
def get_running_loop() -> Loop:
    loop = RUNNING.loop()
    if loop is None:
        raise RuntimeError("no running event loop")
    return loop
