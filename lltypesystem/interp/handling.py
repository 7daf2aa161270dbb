"""Which exceptions a program is handling in the LLInterpreter, and the contexts of those that it
raises meanwhile.

    except KeyError as e:       enter(e, 0)       the frame handles e
        raise IndexError        started(i)        e is the context of i
                                                  the frame is left: it handles nothing any more

What is known of an exception is found by its *trace* field, as in ``rpy_traceback.c``: a copy of an
exception has what is known of the original.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR, TRACE, TWIN
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr, nullptr
from rpython.lltypesystem.types import Struct
from rpython.translator.ir.model import FunctionGraph


def handles_exceptions(graph: FunctionGraph) -> bool:
    """Does the function say which exceptions it is handling?"""
    return any(op.opname == "handler_enter" for _, op in graph.iterblockops())


Reference = Callable[[_ptr], None]


def _ignore(exc: _ptr) -> None:
    """Nobody counts references."""


class _Stack(threading.local):
    def __init__(self) -> None:
        self.handled: list[_ptr] = []
        self.heights: list[int] = [0]


class Handling:
    """The state of one program; each thread has a stack of its own.  ``acquire`` and ``release``
    are called with each exception that it keeps, and keeps no more."""

    def __init__(self, acquire: Reference = _ignore, release: Reference = _ignore) -> None:
        self._acquire, self._release = acquire, release
        self._stack = _Stack()
        self._contexts: dict[int, _ptr] = {}
        self._serial = 0
        self._in_use = False

    def frame(
        self, function: Callable[..., Any], catchable: tuple[type[BaseException], ...],
        left: Callable[[BaseException], BaseException],
    ) -> Callable[..., Any]:  # fmt: skip
        """A function that handles exceptions, in a frame of its own.  ``left``: gives what the
        caller gets in place of one of the ``catchable``, as long as it is known what is handled."""

        def framed(*args: Any) -> Any:
            stack = self._stack
            stack.heights.append(len(stack.handled))
            try:
                return function(*args)
            except catchable as error:
                raise left(error) from None
            finally:
                self._forget(stack.heights.pop())

        return framed

    # -- operations

    def enter(self, exc: _ptr, height: int) -> None:
        """The frame handles ``height`` exceptions and this one."""
        self.leave(height)
        self._in_use = True
        if _number_of(exc) == 0:
            self._give_number(exc)
        self._acquire(exc)
        self._stack.handled.append(exc)

    def leave(self, height: int) -> None:
        """The frame handles ``height`` exceptions only."""
        self._forget(self._stack.heights[-1] + height)

    def _forget(self, height: int) -> None:
        handled = self._stack.handled
        while len(handled) > height:
            self._release(handled.pop())

    def kept(self) -> list[_ptr]:
        """The exceptions to which it has references."""
        return [*self._stack.handled, *self._contexts.values()]

    def raised_here(self, exc: _ptr) -> None:
        """A ``raise`` statement raises it, once more perhaps."""
        if _number_of(exc) == 0:
            self._give_number(exc)
        self._set_context(exc)

    def context(self, exc: _ptr) -> _ptr:
        """What was being handled when it was raised; null if nothing was."""
        found = self._contexts.get(_number_of(exc))
        return nullptr(OBJECT) if found is None else cast_pointer(OBJECTPTR, found)

    def set_context(self, exc: _ptr, context: _ptr) -> None:
        """The program says what it came from; null: from nothing."""
        if _number_of(exc) == 0:
            self._give_number(exc)
        number = _number_of(exc)
        replaced = self._contexts.pop(number, None)
        if context:
            self._acquire(context)
            self._contexts[number] = context
        if replaced is not None:
            self._release(replaced)

    # -- what the machine does

    def raised(self, exc: _ptr) -> None:
        """A function is left by it."""
        if self._in_use and (_number_of(exc) == 0 or _field(exc, TWIN)):
            self.started(exc)

    def started(self, exc: _ptr) -> None:
        """It is raised, and has not been before: what is prebuilt stands for a new one."""
        if self._in_use and _level(exc) is not None:
            self._give_number(exc)
            self._set_context(exc)

    def _give_number(self, exc: _ptr) -> None:
        self._serial += 1
        level = _level(exc)
        assert level is not None
        exc._obj._setfield(level, TRACE, self._serial)

    def _set_context(self, exc: _ptr) -> None:
        handled = self._stack.handled
        number = _number_of(exc)
        if not handled or _number_of(handled[-1]) == number:
            return
        at = _number_of(handled[-1])
        passed: set[int] = set()
        while at in self._contexts and at not in passed:  # the program may have made a circle
            passed.add(at)
            before = _number_of(self._contexts[at])
            if before == number:  # a circle otherwise
                self._release(self._contexts.pop(at))
                break
            at = before
        self._acquire(handled[-1])
        replaced = self._contexts.get(number)
        self._contexts[number] = handled[-1]
        if replaced is not None:
            self._release(replaced)


def _level(exc: _ptr) -> Struct | None:
    """The part of an exception that BaseException has."""
    T = exc._obj._TYPE
    return next((S for S in (T, *T._ancestors()) if TRACE in S._names), None)


def _field(exc: _ptr, name: str) -> Any:
    level = _level(exc)
    return None if level is None else exc._obj._getfield(level, name)


def _number_of(exc: _ptr) -> int:
    return _field(exc, TRACE) or 0
