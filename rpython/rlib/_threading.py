"""``threading.Thread`` and what goes with it, for translated programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rpython.rlib import _threadcalls
from rpython.rlib._locks import Event, Line, _end, _left

if TYPE_CHECKING:
    from rpython.rlib._locals import Storage


def _per_arguments(function: Any) -> Any:
    """Decorator: the function has a graph for every kind of argument."""
    function._rpython_per_arguments_ = True
    return function


class Thread:
    """``threading.Thread``; what has a target is an instance of a subclass for it
    (``annotator.overlay.threads``)."""

    _initialized = False
    _target: Any = None

    @_per_arguments
    def __init__(
        self, group: None = None, target: Any = None, name: str | None = None, args: Any = (),
        *, daemon: bool | None = None,
    ) -> None:  # fmt: skip
        if target is not None:
            self._target = target
            self._args = args
        self._set_up(name, "" if target is None else _threadcalls.label(target), daemon)

    def _set_up(self, name: str | None, label: str, daemon: bool | None) -> None:
        """``label``: what a default name ends in."""
        self.name = _default_name(label) if name is None else name
        self._daemonic: bool = current_thread()._daemonic if daemon is None else daemon
        self._raw = False
        self.ident: int | None = None
        self.native_id: int | None = None
        self._number = -1
        self.storages: dict[int, Storage] = {}
        """What it has in objects like ``threading.local()``, by their keys."""
        self._started = False
        self._finished = False
        self._line = Line()
        self._initialized = True

    def run(self) -> None:
        """What the thread does."""
        if self._target is not None:
            self._target(*self._args)

    def start(self) -> None:
        if not self._initialized:
            raise RuntimeError("thread.__init__() not called")
        if self._started:
            raise RuntimeError("threads can only be started once")
        _after_fork()
        _THREADS.last_number += 1
        self._number = _THREADS.last_number
        _THREADS.running[self._number] = self
        self._started = True
        ident = _threadcalls.start(_run, _failed, _done, self._number, self._daemonic)
        if ident <= 0:
            del _THREADS.running[self._number]
            self._started = False
            raise RuntimeError("can't start new thread")
        self.ident = ident

    def join(self, timeout: float | None = None) -> None:
        if not self._initialized:
            raise RuntimeError("Thread.__init__() not called")
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")
        if self is current_thread():
            raise RuntimeError("cannot join current thread")
        _after_fork()
        end = -1.0 if timeout is None else _end(max(float(timeout), 0.0))
        while not self._finished:
            left = _left(end)
            if left == 0.0:
                break
            self._line.wait(left)

    def is_alive(self) -> bool:
        assert self._initialized, "Thread.__init__() not called"
        _after_fork()
        return self._started and not self._finished

    def _finish(self) -> None:
        self._finished = True
        self._line.wake_all()

    @property
    def daemon(self) -> bool:
        assert self._initialized, "Thread.__init__() not called"
        return self._daemonic

    @daemon.setter
    def daemon(self, daemonic: bool) -> None:
        if not self._initialized:
            raise RuntimeError("Thread.__init__() not called")
        if self._started:
            raise RuntimeError("cannot set daemon status of active thread")
        self._daemonic = daemonic


class _MainThread(Thread):
    """The thread that the program starts with, and others that it does not start."""

    def __init__(self) -> None:
        # not _set_up, which asks for the current thread
        self.name = "MainThread"
        self._daemonic = False
        self._raw = False
        self.ident: int | None = None
        self.native_id: int | None = None
        self._number = 0
        self.storages: dict[int, Storage] = {}
        self._started = True
        self._finished = False
        self._line = Line()
        self._initialized = True


class _Threads:
    """The threads of the program."""

    def __init__(self) -> None:
        self.last_number = 0
        self.names = 0
        self.forks = 0
        self.main = _MainThread()
        self.running: dict[int, Thread] = {}
        """Those that have been started, by their number."""


_THREADS = _Threads()


def _default_name(label: str) -> str:
    _THREADS.names += 1
    return "Thread-" + str(_THREADS.names) + label


def _run(number: int) -> None:
    """What a new thread executes."""
    thread = _THREADS.running[number]
    thread.native_id = _threadcalls.native_identity()
    try:
        thread.run()
    except SystemExit:
        return


def _failed(number: int) -> None:
    """An exception came out of it: print what comes before the traceback."""
    thread = _THREADS.running[number]
    title = "Exception in thread " + thread.name + ":\n"
    if thread._raw:
        title = "Exception ignored in thread started by: <function " + thread.name + ">\n"
    try:
        sys.stderr.write(title)
    except OSError:
        return


def _done(number: int) -> None:
    """Its last act."""
    thread = _THREADS.running[number]
    del _THREADS.running[number]
    thread.storages = {}
    thread._finish()


def _after_fork() -> None:
    """In the child of a fork only the thread that forked goes on, as the main thread."""
    forks = _threadcalls.forks()
    if forks == _THREADS.forks:
        return
    _THREADS.forks = forks
    me = _threadcalls.number()
    for number in list(_THREADS.running):
        if number != me:
            thread = _THREADS.running[number]
            del _THREADS.running[number]
            thread._finished = True


def current_thread() -> Thread:
    """``threading.current_thread()``"""
    number = _threadcalls.number()
    if number == 0:
        return main_thread()
    return _THREADS.running[number]


def main_thread() -> Thread:
    """``threading.main_thread()``"""
    main = _THREADS.main
    if main.ident is None and _threadcalls.number() == 0:
        main.ident = _threadcalls.identity()
        main.native_id = _threadcalls.native_identity()
    return main


def enumerate_threads() -> list[Thread]:
    """``threading.enumerate()``"""
    _after_fork()
    threads: list[Thread] = [main_thread()]
    for thread in _THREADS.running.values():
        if not thread._raw:
            threads.append(thread)
    return threads


def active_count() -> int:
    """``threading.active_count()``"""
    return len(enumerate_threads())


def get_ident() -> int:
    """``threading.get_ident()``"""
    return _threadcalls.identity()


def get_native_id() -> int:
    """``threading.get_native_id()``"""
    return _threadcalls.native_identity()


def stack_size(size: int = 0) -> int:
    """``threading.stack_size(size)``"""
    if size < 0:
        raise ValueError("size must be 0 or a positive value")
    if size != 0 and size < 32768:
        raise ValueError("size not valid: " + str(size) + " bytes")
    return _threadcalls.set_stack_size(size)


class Timer(Thread):
    """``threading.Timer``"""

    def set_up_timer(self, interval: float, label: str) -> None:
        """Like the initialisation of a thread."""
        self._set_up(None, label, None)
        self.interval = float(interval)
        self.finished = Event()

    def cancel(self) -> None:
        self.finished.set()


class RawThread(Thread):
    """What ``_thread.start_new_thread`` starts."""

    def start_raw(self, label: str) -> int:
        """Start it; its identity."""
        self._set_up(label, "", True)
        self._raw = True
        self.start()
        assert self.ident is not None
        return self.ident
