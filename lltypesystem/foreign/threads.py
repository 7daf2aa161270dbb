"""Threads: the C functions (``rpy_thread.h``), and what they are in the LLInterpreter.

There a thread is one of the host's.  One at a time runs, the one that has the ``Turn``; it
gives that to the one that has waited longest at safe points now and then, and when it waits for
something itself.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.primitives import Float, Signed, Void
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import FuncType, Ptr

STEPS = 200
"""Safe points that a thread comes to before another one is let run."""

MAIN = 0
"""The number of the main thread."""


class Gil:
    """The threads of one program: who runs, who waits for that or for something else."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._taken = True
        self._holder = threading.get_ident()
        self._waiting: deque[threading.Event] = deque()
        self._steps = 0
        self._numbers = threading.local()
        self._sleepers: dict[int, deque[threading.Event]] = {}

    def take(self) -> None:
        """Wait until it is this thread's turn."""
        mine = threading.Event()
        with self._mutex:
            waits = self._taken
            self._taken = True
            if waits:
                self._waiting.append(mine)
        if waits:
            mine.wait()
        self._holder = threading.get_ident()

    def give(self) -> None:
        """Let the next one run."""
        self._holder = 0
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False

    @contextmanager
    def away(self) -> Iterator[None]:
        """The others may run meanwhile."""
        self.give()
        try:
            yield
        finally:
            self.take()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """The program's own code, called by C: it is this thread's turn meanwhile."""
        if self._holder == threading.get_ident():
            yield
            return
        self.take()
        try:
            yield
        finally:
            self.give()

    def step(self) -> None:
        """A safe point."""
        self._steps += 1
        if self._steps >= STEPS and self._waiting:
            self._steps = 0
            self.give()
            self.take()

    @property
    def number(self) -> int:
        """Of the running thread."""
        number: int = getattr(self._numbers, "value", MAIN)
        return number

    def begin(self, number: int) -> None:
        """A new thread's first step, on that thread."""
        self._numbers.value = number
        self.take()

    def wait(self, place: int, seconds: float) -> None:
        """Until somebody wakes one who waits there, or the time is over."""
        mine = threading.Event()
        line = self._sleepers.setdefault(place, deque())
        line.append(mine)
        with self.away():
            mine.wait(None if seconds < 0 else min(seconds, threading.TIMEOUT_MAX))
        if not mine.is_set():
            line.remove(mine)

    def wake(self, place: int) -> None:
        """Wake the one that has waited longest."""
        line = self._sleepers.get(place)
        if line:
            line.popleft().set()


class Interpreter(Protocol):
    """What is needed of the LLInterpreter; ``gil`` is None before the first thread."""

    gil: Gil | None

    def call_in_thread(self, funcptr: _ptr, number: int) -> str:
        """Call a function; what exception it raises, if any."""


def _gil(interpreter: Interpreter) -> Gil:
    if interpreter.gil is None:
        interpreter.gil = Gil()
    return interpreter.gil


def _start(
    interpreter: Interpreter, run: _ptr, failed: _ptr, done: _ptr, number: int, daemon: int
) -> int:
    gil = _gil(interpreter)

    def body() -> None:
        gil.begin(number)
        try:
            error = interpreter.call_in_thread(run, number)
            if error:
                interpreter.call_in_thread(failed, number)
                sys.stderr.write(f"{error}\n")
            interpreter.call_in_thread(done, number)
        finally:
            gil.give()

    thread = threading.Thread(target=body, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return -1
    return thread.ident or -1


def _number(interpreter: Interpreter) -> int:
    return MAIN if interpreter.gil is None else interpreter.gil.number


def _wait(interpreter: Interpreter, place: int, seconds: float) -> None:
    _gil(interpreter).wait(place, seconds)


def _wake(interpreter: Interpreter, place: int) -> None:
    _gil(interpreter).wake(place)


def _set_stack_size(size: int) -> int:
    return threading.stack_size(size)


def _never() -> int:
    """How often the program has forked: not at all where it can go on afterwards."""
    return 0


_HEADERS = ("rpy_thread.h", "rpy_gil.h")
THREAD_FUNCTION = Ptr(FuncType([Signed], Void))

c_start = llexternal(
    "rpy_thread_start", [THREAD_FUNCTION, THREAD_FUNCTION, THREAD_FUNCTION, Signed, Signed], Signed,
    _start, _HEADERS, interpreted=True,
)  # fmt: skip
c_number = llexternal("rpy_thread_number", [], Signed, _number, _HEADERS, interpreted=True)
c_identity = llexternal("rpy_thread_identity", [], Signed, threading.get_ident, _HEADERS)
c_native_identity = llexternal(
    "rpy_thread_native_identity", [], Signed, threading.get_native_id, _HEADERS
)
c_wait = llexternal(
    "rpy_thread_wait", [Signed, Float], Void, _wait, _HEADERS, interpreted=True
)
c_wake = llexternal("rpy_thread_wake", [Signed], Void, _wake, _HEADERS, interpreted=True)
c_set_stack_size = llexternal(
    "rpy_thread_set_stack_size", [Signed], Signed, _set_stack_size, _HEADERS
)
c_forks = llexternal("rpy_thread_forks", [], Signed, _never, _HEADERS)


_GIVING_THE_LOCK = ("rpy_thread_wait", "rpy_io_write")


def runs_others(func: Any) -> bool:
    """May other threads run while the external function does, so that they collect?"""
    return bool(func.blocking) or func.c_name in _GIVING_THE_LOCK
