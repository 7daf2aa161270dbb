"""``traceback``: the texts of exceptions, as they are printed."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from rpython.rlib import _tracebacks
from rpython.stdlib._registry import per_arguments, replaces


def _print(text: str, file: Any) -> None:
    if file is None:
        sys.stderr.write(text)
    else:
        file.write(text)


@replaces(traceback.format_exc)
def format_exc() -> str:
    return _tracebacks.handled_text()


@replaces(traceback.print_exc)
@per_arguments
def print_exc(*, file: Any = None) -> None:
    _print(_tracebacks.handled_text(), file)


@replaces(traceback.format_exception)
def format_exception(exc: BaseException, /) -> list[str]:
    return _tracebacks.text_of(exc).splitlines(True)


@replaces(traceback.print_exception)
@per_arguments
def print_exception(exc: BaseException, /, *, file: Any = None) -> None:
    _print(_tracebacks.text_of(exc), file)


@replaces(traceback.format_exception_only)
@per_arguments
def format_exception_only(exc: Any, /, value: BaseException | None = None) -> list[str]:
    error: BaseException = exc if value is None else value
    module, name, text = type(error).__module__, type(error).__qualname__, str(error)
    if module not in ("builtins", "__main__"):
        name = f"{module}.{name}"
    return [f"{name}: {text}\n" if text else f"{name}\n"]
