"""What ``threading`` has for waiting: locks, conditions, events, semaphores.

Written for one thread that runs at a time and is not interrupted here (``_threadcalls``): a lock
is a field that says whether somebody has it.  The messages are CPython 3.11's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rpython.rlib import _threadcalls

TIMEOUT_MAX = 9223372036.0


class _Places:
    """The places where threads wait."""

    def __init__(self) -> None:
        self.last = 0


_PLACES = _Places()


class Line:
    """Those who wait for something."""

    def __init__(self) -> None:
        self._place = 0
        self._count = 0

    def wait(self, seconds: float) -> None:
        """Wait until somebody wakes this one, at most that long unless it is negative; it may
        be shorter."""
        if self._place == 0:
            _PLACES.last += 1
            self._place = _PLACES.last
        self._count += 1
        _threadcalls.wait(self._place, seconds)
        self._count -= 1
        try:
            _threadcalls.poll()
        except KeyboardInterrupt:
            self.wake()  # another one, in place of this
            raise

    def wake(self) -> None:
        """Wake the one that has waited longest."""
        if self._count > 0:
            _threadcalls.wake(self._place)

    def wake_all(self) -> None:
        count = self._count
        while count > 0:
            _threadcalls.wake(self._place)
            count -= 1


def _end(seconds: float) -> float:
    """When so many seconds are over; negative: never."""
    return -1.0 if seconds < 0.0 else time.monotonic() + seconds


def _left(end: float) -> float:
    """How long it is until then; negative: for ever."""
    return -1.0 if end < 0.0 else max(end - time.monotonic(), 0.0)


def _checked_timeout(blocking: bool, timeout: float) -> float:
    """How long to wait for a lock; 0: not at all, negative: for ever."""
    if timeout != timeout:
        raise ValueError("Invalid value NaN (not a number)")
    if timeout > TIMEOUT_MAX or timeout < -TIMEOUT_MAX:
        raise OverflowError("timestamp out of range for platform time_t")
    if not blocking:
        if timeout != -1.0:
            raise ValueError("can't specify a timeout for a non-blocking call")
        return 0.0
    if timeout < 0.0 and timeout != -1.0:
        raise ValueError("timeout value must be positive")
    return timeout


class AnyLock:
    """What a ``Condition`` can have."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        raise NotImplementedError

    def release(self) -> None:
        raise NotImplementedError

    def release_wholly(self) -> int:
        """Release it however often it was acquired; how often that was."""
        raise NotImplementedError

    def acquire_again(self, count: int) -> None:
        """The opposite."""
        raise NotImplementedError

    def is_owned(self) -> bool:
        """Has this thread it?  (Of a lock that does not know: has anybody?)"""
        raise NotImplementedError


class Lock(AnyLock):
    """``threading.Lock``"""

    def __init__(self) -> None:
        self._taken = False
        self._line = Line()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        seconds = _checked_timeout(blocking, float(timeout))
        if self._taken:
            end = _end(seconds)
            while self._taken:
                left = _left(end)
                if left == 0.0:
                    return False
                self._line.wait(left)
        self._taken = True
        return True

    def release(self) -> None:
        if not self._taken:
            raise RuntimeError("release unlocked lock")
        self._taken = False
        self._line.wake()

    def locked(self) -> bool:
        return self._taken

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.release()

    def release_wholly(self) -> int:
        self.release()
        return 1

    def acquire_again(self, count: int) -> None:
        self.acquire()

    def is_owned(self) -> bool:
        return self._taken


class RLock(AnyLock):
    """``threading.RLock``"""

    def __init__(self) -> None:
        self._owner = 0
        self._count = 0
        self._line = Line()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        seconds = _checked_timeout(blocking, float(timeout))
        me = _threadcalls.identity()
        if self._count > 0 and self._owner != me:
            end = _end(seconds)
            while self._count > 0:
                left = _left(end)
                if left == 0.0:
                    return False
                self._line.wait(left)
        self._owner = me
        self._count += 1
        return True

    def release(self) -> None:
        if not self.is_owned():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if self._count == 0:
            self._line.wake()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.release()

    def release_wholly(self) -> int:
        count = self._count
        self._count = 1
        self.release()
        return count

    def acquire_again(self, count: int) -> None:
        self.acquire()
        self._count = count

    def is_owned(self) -> bool:
        return self._count > 0 and self._owner == _threadcalls.identity()


class _Waiter:
    """One that waits for a condition."""

    def __init__(self) -> None:
        self.notified = False
        self.line = Line()


class Condition:
    """``threading.Condition``"""

    def __init__(self, lock: AnyLock | None = None) -> None:
        self._lock: AnyLock = RLock() if lock is None else lock
        self._waiters: list[_Waiter] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        return self._lock.acquire(blocking, timeout)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        seconds = -1.0 if timeout is None else max(float(timeout), 0.0)
        if not self._lock.is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = _Waiter()
        self._waiters.append(waiter)
        count = self._lock.release_wholly()
        try:
            _wait_for_notice(waiter, seconds)
        finally:
            self._lock.acquire_again(count)
            if not waiter.notified:
                self._waiters.remove(waiter)
        return waiter.notified

    def wait_for(self, predicate: Callable[[], Any], timeout: float | None = None) -> Any:
        end = -1.0 if timeout is None else _end(max(float(timeout), 0.0))
        result = predicate()
        while not result:
            left = _left(end)
            if left == 0.0:
                break
            self.wait(None if left < 0.0 else left)
            result = predicate()
        return result

    def notify(self, n: int = 1) -> None:
        if not self._lock.is_owned():
            raise RuntimeError("cannot notify on un-acquired lock")
        while n > 0 and self._waiters:
            waiter = self._waiters.pop(0)
            waiter.notified = True
            waiter.line.wake()
            n -= 1

    def notify_all(self) -> None:
        self.notify(len(self._waiters))


def _wait_for_notice(waiter: _Waiter, seconds: float) -> None:
    end = _end(seconds)
    while not waiter.notified:
        left = _left(end)
        if left == 0.0:
            break
        waiter.line.wait(left)


class Event:
    """``threading.Event``"""

    def __init__(self) -> None:
        self._flag = False
        self._set = 0
        self._line = Line()

    def is_set(self) -> bool:
        return self._flag

    def set(self) -> None:
        self._flag = True
        self._set += 1
        self._line.wake_all()

    def clear(self) -> None:
        self._flag = False

    def wait(self, timeout: float | None = None) -> bool:
        """True when it is set, even if that is over by the time this thread runs."""
        if self._flag:
            return True
        end = -1.0 if timeout is None else _end(max(float(timeout), 0.0))
        before = self._set
        while self._set == before:
            left = _left(end)
            if left == 0.0:
                return False
            self._line.wait(left)
        return True


class Semaphore:
    """``threading.Semaphore``"""

    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value
        self._line = Line()

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        end = -1.0 if timeout is None else _end(max(float(timeout), 0.0))
        while self._value == 0:
            left = _left(end)
            if not blocking or left == 0.0:
                return False
            self._line.wait(left)
        self._value -= 1
        return True

    def release(self, n: int = 1) -> None:
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n
        while n > 0:
            self._line.wake()
            n -= 1

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    """``threading.BoundedSemaphore``"""

    def __init__(self, value: int = 1) -> None:
        Semaphore.__init__(self, value)
        self._initial = value

    def release(self, n: int = 1) -> None:
        if n < 1:
            raise ValueError("n must be one or more")
        if self._value + n > self._initial:
            raise ValueError("Semaphore released too many times")
        Semaphore.release(self, n)
