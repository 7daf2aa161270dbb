"""Assertions, debug output and promises to the translation."""

from __future__ import annotations

import os
from typing import Any, NoReturn, TypeVar

from rpython.rlib._debuglog import log
from rpython.rlib.marks import means, means_first_argument

T = TypeVar("T")


def ll_assert_not_none(x: T | None) -> T:
    """``x``.  Raises AssertionError if it is None."""
    if x is None:
        raise AssertionError("ll_assert_not_none")
    return x


def ll_assert(x: bool, msg: str) -> None:
    """Raises AssertionError, with this text, unless ``x`` is true."""
    if not x:
        raise AssertionError(msg)


def check_nonneg(x: int) -> None:
    """Raises AssertionError for a negative number (RPython: refuses the program)."""
    if x < 0:
        raise AssertionError("check_nonneg: a negative number")


def fatalerror(msg: str) -> NoReturn:
    """Write the text to standard error and end the process, by SystemExit."""
    os.write(2, b"fatal error: " + msg.encode("utf-8") + b"\n")
    raise SystemExit(134)


def fatalerror_notb(msg: str) -> NoReturn:
    """The same."""
    fatalerror(msg)


def name_of_kind(x: object) -> str | None:
    """None where ``str(x)`` is of use.  Else, known when the program is translated, what kind of
    thing it is."""
    return None


def _per_arguments(function: Any) -> Any:
    """Decorator: the function has a graph for every kind of argument."""
    function._rpython_per_arguments_ = True
    return function


@_per_arguments
def _text(x: Any) -> str:
    name = name_of_kind(x)
    return str(x) if name is None else name


@_per_arguments
def _texts(args: Any) -> str:
    if len(args) == 0:
        return ""
    if len(args) == 1:
        return _text(args[0])  # type: ignore[no-any-return]
    return _text(args[0]) + " " + _texts(args[1:])  # type: ignore[no-any-return]


@_per_arguments
def debug_print(*args: Any) -> None:
    """Write a line to the log, if there is one: see ``rpython.rlib._debuglog``."""
    where = log()
    if where.shows():
        where.write(_texts(args))


def debug_start(category: str, timestamp: bool = False) -> int:
    """The beginning of a section of the log.  The time if ``timestamp``, else 42."""
    where = log()
    where.sections.append(where.wants(category))
    return where.mark("{" + category, timestamp)


def debug_stop(category: str, timestamp: bool = False) -> int:
    """The end of a section.  The time if ``timestamp``, else 42."""
    where = log()
    if len(where.sections) == 0:
        return 42
    result = where.mark(category + "}", timestamp)
    where.sections.pop()
    return result


@means(None)
def debug_flush() -> None:
    """Write what is buffered: nothing is."""


def have_debug_prints() -> bool:
    """Would ``debug_print`` write now?"""
    return log().shows()


def have_debug_prints_for(category_prefix: str) -> bool:
    """Would it in a section of such a category?"""
    return log().wants(category_prefix)


def debug_offset() -> int:
    """Where in the log we are, -1: there is none, or it has no places."""
    where = log()
    if where.fd < 0:
        return -1
    try:
        return os.lseek(where.fd, 0, 1)
    except OSError:
        return -1


@means(None)
def debug_print_traceback() -> None:
    """There is nothing to print: uncaught exceptions print their traceback."""


@means(None)
def attach_gdb() -> None:
    """Does nothing: start the program in a debugger."""


def make_sure_not_resized(lst: T) -> T:
    """``lst``; a program that may change its length is refused."""
    return lst


def make_sure_not_modified(lst: T) -> T:
    """``lst``; a program that may change it is refused."""
    return lst


@means_first_argument
def mark_dict_non_null(d: T) -> T:
    """``d``, whose keys and values are never None."""
    return d


