"""Classes of threads, which have to be known to the annotator: what a thread calls it calls with
arguments of the kinds that this place of the program gives.

    class Worker(threading.Thread)          a class with the same methods that extends
                                            _threading.Thread
    threading.Thread(target=f, args=...)    an instance of a subclass that this operation has
                                            for itself: so f and its arguments need not be
                                            like those elsewhere
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

from rpython.annotator.program.local_classes import init_of, local_class_like, prebuilt_local
from rpython.rlib import _locals, _locks, _threadcalls, _threading
from rpython.stdlib._registry import Refused
from rpython.stdlib.threading import LOCKS

# -- a class for an operation -------------------------------------------------------------------


def _thread_init(
    self: Any, target: Any, args: Any, name: str | None, daemon: bool | None
) -> None:
    self._site_target = target
    self._site_args = args
    self._set_up(name, "" if target is None else _threadcalls.label(target), daemon)


def _thread_run(self: Any) -> None:
    if self._site_target is not None:
        self._site_target(*self._site_args)


def _thread_init_with_keywords(
    self: Any, target: Any, args: Any, name: str | None, daemon: bool | None, kwargs: Any
) -> None:
    self._site_target = target
    self._site_args = args
    self._site_kwargs = kwargs
    self._set_up(name, "" if target is None else _threadcalls.label(target), daemon)


def _thread_run_with_keywords(self: Any) -> None:
    if self._site_target is not None:
        self._site_target(*self._site_args, **self._site_kwargs)


def _raw_init(self: Any, target: Any, args: Any) -> None:
    self._site_target = target
    self._site_args = args


def _timer_init(self: Any, interval: Any, function: Any, args: Any) -> None:
    self._site_target = function
    self._site_args = args
    # of the method that CPython's has as its target, no name
    self.set_up_timer(interval, "")


def _timer_run(self: Any) -> None:
    self.finished.wait(self.interval)
    if not self.finished.is_set():
        self._site_target(*self._site_args)
    self.finished.set()


def _copied(functions: dict[str, Any], owner: str) -> dict[str, Any]:
    """Functions of their own, for one class."""
    result = {}
    for name, func in functions.items():
        copy = FunctionType(
            func.__code__, func.__globals__, name, func.__defaults__, func.__closure__
        )
        copy.__kwdefaults__ = func.__kwdefaults__
        copy.__qualname__ = f"{owner}.{name}"
        result[name] = copy
    return result


_BASES: dict[Any, type] = {
    threading.Thread: _threading.Thread, threading.Timer: _threading.Timer,
    threading.local: _locals.Local,
}  # fmt: skip


STARTED = (threading.local, threading.Thread)
"""What a program may start with, or is told that it cannot, besides locks."""

_EXTENDED = (
    threading.Thread, threading.local, threading.Condition, threading.Event, threading.Semaphore,
)  # fmt: skip
"""Classes of which the program may have subclasses, or is told that it cannot."""


def tested_class(cls: Any) -> Any:
    """The class of the program's objects that are instances of a host class."""
    return _BASES.get(cls, cls) if isinstance(cls, type) else cls


class ThreadClasses:
    """The classes of one program."""

    def __init__(self, of: Callable[[Any], Any]) -> None:
        self.of = of
        self._makers: dict[Any, Any] = {}
        self._classes: dict[Any, type] = {}
        self.started = False
        """Does the program start threads?"""

    def thread_maker(self, key: Any) -> Any:
        """What makes the threads of one place of the program."""
        maker = self._makers.get(key)
        if maker is None:
            methods = _copied({"__init__": _thread_init, "run": _thread_run}, "Thread")
            names = {**methods, "__module__": "threading"}
            cls: Any = type("Thread", (_threading.Thread,), names)

            def make(target: Any, args: Any, name: str | None, daemon: bool | None) -> Any:
                return cls(target, args, name, daemon)

            maker = self._makers[key] = make
        return maker

    def thread_maker_with_keywords(self, key: Any) -> Any:
        """The same where they have keyword arguments."""
        maker = self._makers.get(key)
        if maker is None:
            functions = {"__init__": _thread_init_with_keywords, "run": _thread_run_with_keywords}
            names = {**_copied(functions, "Thread"), "__module__": "threading"}
            cls: Any = type("Thread", (_threading.Thread,), names)

            def make(
                target: Any, args: Any, name: str | None, daemon: bool | None, kwargs: Any
            ) -> Any:
                return cls(target, args, name, daemon, kwargs)

            maker = self._makers[key] = make
        return maker

    def timer_maker(self, key: Any) -> Any:
        """What makes the timers of one place."""
        maker = self._makers.get(key)
        if maker is None:
            methods = _copied({"__init__": _timer_init, "run": _timer_run}, "Timer")
            names = {**methods, "__module__": "threading"}
            cls: Any = type("Timer", (_threading.Timer,), names)

            def make(interval: Any, function: Any, args: Any = ()) -> Any:
                return cls(interval, function, args)

            maker = self._makers[key] = make
        return maker

    def raw_starter(self, key: Any) -> Any:
        """What starts the threads of a call of ``start_new_thread``."""
        maker = self._makers.get(key)
        if maker is None:
            methods = {"__init__": _raw_init, "run": _thread_run}
            names = {**_copied(methods, "RawThread"), "__module__": "_thread"}
            cls: Any = type("RawThread", (_threading.RawThread,), names)

            def start(function: Any, args: Any) -> Any:
                return cls(function, args).start_raw(_threadcalls.label(function))

            maker = self._makers[key] = start
        return maker

    def local_maker(self, key: Any) -> Any:
        """What makes the ``threading.local()`` of one place."""
        maker = self._makers.get(key)
        if maker is None:
            cls: Any = self.local_class(key)

            def make() -> Any:
                return cls()

            maker = self._makers[key] = make
        return maker

    def local_class(self, key: Any) -> type:
        """The class of these."""
        cls = self._classes.get(key)
        if cls is None:
            cls = self._classes[key] = local_class_like("_local", (_locals.Local,), {}, None)
        return cls

    # -- what stands for objects --

    def overlay(self, x: Any) -> Any:
        """What the program has in place of a class or an object, itself in most cases.  Raises
        Refused."""
        if isinstance(x, type):
            return self._class(x)
        if isinstance(x, threading.local):
            cls = self.local_class(("local", id(x))) if type(x) is threading.local else type(x)
            return prebuilt_local(self.of(cls), x)
        if isinstance(x, threading.Thread):
            raise Refused(
                f"the {type(x).__name__} {x.name!r} was made when the module was imported: make "
                "it in a function"
            )
        return self._lock(x) if type(x) in LOCKS else x

    def _class(self, cls: type) -> type:
        own = cls in _BASES or cls.__module__ == "threading"
        if own or not issubclass(cls, _EXTENDED):
            return cls
        if threading.Timer in cls.__bases__:
            raise Refused(
                f"class {cls.__name__} extends Timer, which is not supported: keep one in an "
                "attribute"
            )
        bases = tuple(_BASES.get(base) or self.of(base) for base in cls.__bases__)
        names = {
            name: value for name, value in vars(cls).items()
            if name not in ("__dict__", "__weakref__")
        }  # fmt: skip
        if issubclass(cls, threading.local):
            found = local_class_like(cls.__name__, bases, names, init_of(cls))
        else:
            metaclass: Any = type(cls)
            found = metaclass(cls.__name__, bases, names)
        found.__qualname__ = cls.__qualname__
        return found

    def _lock(self, x: Any) -> Any:
        """An object that is there when the program starts."""
        if isinstance(x, threading.Condition):
            made: Any = _locks.Condition(self.of(x._lock))  # type: ignore[attr-defined]
            busy = bool(x._waiters)  # type: ignore[attr-defined]
        elif isinstance(x, threading.Event):
            made, busy = _locks.Event(), False
            if x.is_set():
                made.set()
        elif isinstance(x, threading.BoundedSemaphore):
            made, busy = _locks.BoundedSemaphore(x._initial_value), False  # type: ignore[attr-defined]
            made._value = x._value
        elif isinstance(x, threading.Semaphore):
            made, busy = _locks.Semaphore(x._value), False
        else:
            made = LOCKS[type(x)]()
            busy = "unlocked" not in repr(x)
        if busy:
            raise Refused(f"somebody has this {type(x).__name__} when the program starts")
        return made
