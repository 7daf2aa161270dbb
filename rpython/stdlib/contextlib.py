"""``contextlib.suppress``, of classes that are known when the program is translated, and
``contextlib.contextmanager``: each function made by it has managers of a class of their own."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any

from rpython.stdlib._registry import at_translation, converts, per_arguments, replaces


@replaces(contextlib.suppress)
@at_translation("*exceptions", what="the exception classes of suppress")
def suppress(*classes: type[BaseException]) -> Any:
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

    GeneratorContextManager.__module__ = "contextlib"
    GeneratorContextManager.__name__ = "_GeneratorContextManager"
    return per_arguments(helper)
