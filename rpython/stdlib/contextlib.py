"""``contextlib.suppress``, of classes that are known when the program is translated;
``contextlib.contextmanager``: each function made by it has managers of a class of their own;
``ExitStack``."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any

from rpython.stdlib._registry import at_translation, converts, per_arguments, replaces
from rpython.stdlib._seen import named_like


@replaces(contextlib.suppress)
@at_translation("*exceptions", what="the exception classes of suppress")
def suppress(*classes: type[BaseException]) -> Any:
    @named_like(contextlib.suppress)
    class Suppress:
        """It has no state."""

        def __enter__(self) -> None:
            return None

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None,
            traceback: TracebackType | None,
        ) -> bool:  # fmt: skip
            return isinstance(error, classes)

    return Suppress()


@converts(contextlib.suppress)
def suppressor_for(x: Any) -> Any:
    return suppress(*x._exceptions)


@contextlib.contextmanager
def _nothing() -> Any:
    yield


_MAKER = _nothing.__code__
"""The code of what the decorator makes."""


def makes_managers(x: Any) -> bool:
    """Was the function made by ``@contextlib.contextmanager``?  One that the program itself makes
    when it runs was not: it is a closure of ``contextmanager``, and wraps nothing yet."""
    return isinstance(x, FunctionType) and x.__code__ is _MAKER and "__wrapped__" in vars(x)


class Manager:
    """What all managers have in common."""


def manager_maker(made: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for such a function."""
    function = made.__wrapped__  # type: ignore[attr-defined]

    class GeneratorContextManager(Manager):
        def __init__(self, generator: Any) -> None:
            self._generator = generator

        def __enter__(self) -> Any:
            try:
                return next(self._generator)
            except StopIteration:
                raise RuntimeError("generator didn't yield") from None

        def __exit__(
            self, kind: type[BaseException] | None, error: BaseException | None,
            traceback: TracebackType | None,
        ) -> bool:  # fmt: skip
            if error is None:
                try:
                    next(self._generator)
                except StopIteration:
                    return False
                raise RuntimeError("generator didn't stop")
            try:
                self._generator.throw(error)
            except StopIteration as ended:
                return ended is not error
            except RuntimeError as other:
                if other is error:
                    return False
                if isinstance(error, StopIteration) and other.__cause__ is error:
                    return False
                raise
            except BaseException as other:
                if other is error:
                    return False
                raise
            raise RuntimeError("generator didn't stop after throw()")

    @functools.wraps(function)
    def helper(*args: Any, **keywords: Any) -> Any:
        return GeneratorContextManager(function(*args, **keywords))

    named_like(contextlib._GeneratorContextManager)(GeneratorContextManager)
    return per_arguments(helper)


@replaces(contextlib.ExitStack)
class ExitStack:
    """What is to be called when it is left, the last first."""

    def __init__(self) -> None:
        self._leave: list[Callable[..., bool]] = []

    def __enter__(self) -> ExitStack:
        return self

    @per_arguments
    def enter_context(self, cm: Any, /) -> Any:
        def leave(error: BaseException | None) -> bool:
            return bool(cm.__exit__(None if error is None else type(error), error, None))

        result = cm.__enter__()
        self._leave.append(leave)
        return result

    @per_arguments
    def push(self, exit: Any, /) -> Any:
        def leave(error: BaseException | None) -> bool:
            kind = None if error is None else type(error)
            if hasattr(exit, "__exit__"):
                return bool(exit.__exit__(kind, error, None))
            return bool(exit(kind, error, None))

        self._leave.append(leave)
        return exit

    @per_arguments
    def callback(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        def leave(error: BaseException | None) -> bool:
            function(*args, **keywords)
            return False

        self._leave.append(leave)
        return function

    def pop_all(self) -> ExitStack:
        other = ExitStack()
        other._leave = self._leave
        self._leave = []
        return other

    def close(self) -> None:
        self.__exit__(None, None, None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:  # fmt: skip
        handled = _being_handled()
        pending = error
        raised = suppressed = False
        while self._leave:
            leave = self._leave.pop()
            try:
                if leave(pending):
                    suppressed = True
                    raised = False
                    pending = None
            except BaseException as new:
                _come_from(new, pending, handled)
                raised = True
                pending = new
        if raised and pending is not None:
            context = pending.__context__
            try:
                raise pending
            except BaseException:
                pending.__context__ = context
                raise
        return error is not None and suppressed


def _being_handled() -> BaseException | None:
    """``sys.exc_info()[1]``, by what the context of another exception is here."""
    try:
        raise LookupError
    except LookupError as probe:
        return probe.__context__


def _come_from(
    new: BaseException, old: BaseException | None, handled: BaseException | None
) -> None:
    """Let the chain of contexts of ``new`` go on with ``old``, as if the ``with`` statement of
    what raised it were inside that of ``old``; as it is it goes on with what the caller
    handles."""
    at = new
    while True:
        context = at.__context__
        if context is None or context is old:
            return
        if context is handled:
            at.__context__ = old
            return
        at = context
