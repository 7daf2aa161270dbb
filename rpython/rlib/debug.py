"""Assertions, debug output and promises to the translation."""

from __future__ import annotations

import os
import sys
from typing import NoReturn, TypeVar

from rpython.rlib.marks import means, means_first_argument

T = TypeVar("T")


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


@means(None)
def debug_print(*args: object) -> None:
    """Under CPython: write to standard error.  In a translated program: nothing."""
    print(*args, file=sys.stderr)


@means(0)
def debug_start(category: str, timestamp: bool = False) -> int:
    """The beginning of a section of debug output; a time, always 0."""
    return 0


@means(0)
def debug_stop(category: str, timestamp: bool = False) -> int:
    """The end of a section of debug output; a time, always 0."""
    return 0


@means(None)
def debug_flush() -> None:
    """Write what is buffered."""


@means(False)
def have_debug_prints() -> bool:
    """Is debug output shown?  True under CPython, False in a translated program."""
    return True


@means(False)
def have_debug_prints_for(category_prefix: str) -> bool:
    """The same for the categories that begin like that."""
    return True


@means(0)
def debug_offset() -> int:
    """Where in the log we are: there is no log."""
    return 0


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


