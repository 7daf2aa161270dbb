"""What surrounds the entry point of an executable: arguments in, exception text out."""

from __future__ import annotations

import sys

from rpython.lltypesystem.foreign.external import CCHARP, llexternal, make_charp
from rpython.lltypesystem.lltype import Signed, _ptr, malloc
from rpython.lltypesystem.rstr import BYTES
from rpython.rtyper.ll.ll_bytes import EMPTY_BYTES
from rpython.rtyper.ll.ll_encode import ll_is_surrogate, ll_put_byte, ll_put_utf8
from rpython.rtyper.ll.ll_os import ll_from_system
from rpython.rtyper.ll.ll_repr import ll_put_escape
from rpython.rtyper.ll.ll_str import ll_alloc, ll_ord_at
from rpython.rtyper.ll.ll_text import FAILED, NONE_SHOWN, NOT_AVAILABLE


def host_argument(index: int) -> _ptr:
    return make_charp(sys.argv[index].encode("utf-8", "surrogateescape"))


c_argc = llexternal("rpy_argc", [], Signed, lambda: len(sys.argv), ["rpy_args.h"])
c_argv = llexternal("rpy_argv", [Signed], CCHARP, host_argument, ["rpy_args.h"])


def ll_argc() -> int:
    return c_argc()


def ll_argument(index: int) -> _ptr:
    """Argument ``index`` of the command line as a str."""
    return ll_from_system(c_argv(index))


# -- the text of an uncaught exception ----------------------------------------------------------

ESCAPE_SIZE = 6


WHAT_METHODS_RAISE = (Exception,)
"""``__str__`` of the program may raise anything."""


def exception_text(error: BaseException) -> str:
    """What the last line of a traceback says of an exception; annotated like user code,
    because it may call methods of the program."""
    try:
        return str(error)
    except NotImplementedError as e:
        return NONE_SHOWN if str(e) == NOT_AVAILABLE else FAILED
    except WHAT_METHODS_RAISE:
        return FAILED


def exception_notes(error: BaseException) -> str:
    """The lines below that: the notes of ``error.add_note(note)``; annotated like user code."""
    notes = getattr(error, "__notes__", None)
    if notes is None:
        return ""
    return "".join([note + "\n" for note in notes])


def ll_message_bytes(message: _ptr) -> _ptr:
    """A message (or null) as UTF-8 bytes for the terminal; lone surrogates as CPython's
    stderr shows them, escaped."""
    if not message:
        return EMPTY_BYTES
    size = 0
    i = 0
    while i < message.length:
        size += ll_shown_size(ll_ord_at(message, i))
        i += 1
    result = malloc(BYTES, size)
    at = 0
    i = 0
    while i < message.length:
        code = ll_ord_at(message, i)
        if ll_is_surrogate(code):
            escape = ll_alloc(ESCAPE_SIZE, False)
            ll_put_escape(escape, 0, code, ESCAPE_SIZE)
            k = 0
            while k < ESCAPE_SIZE:
                ll_put_byte(result.chars, at, ll_ord_at(escape, k))
                at += 1
                k += 1
        else:
            at = ll_put_utf8(result.chars, at, code)
        i += 1
    return result


def ll_shown_size(code: int) -> int:
    """How many bytes a character takes in ``ll_message_bytes``."""
    if code < 0x80:
        return 1
    if code < 0x800:
        return 2
    if ll_is_surrogate(code):
        return ESCAPE_SIZE
    if code < 0x10000:
        return 3
    return 4
