"""Raising a built-in exception whose message is computed."""

from __future__ import annotations

from typing import NoReturn

from lltypesystem.lltype import _ptr
from lltypesystem.rstr import read_str
from rtyper.ll.ll_str import ll_find_char, ll_slice


def raise_with_message(exception: type[BaseException], message: _ptr) -> NoReturn:
    """``raise exception(message)`` in a helper; ``message`` is a STRPTR.

    Translated, ``rtyper.r_raise`` makes the instance.
    """
    error = exception.__new__(exception)  # some constructors want more than a message
    error.args = (read_str(message),)
    raise error


def raise_unicode_error(
    exception: type[UnicodeError], message: _ptr, start: int, end: int
) -> NoReturn:
    """The same for an error of a codec at ``start:end``."""
    raise_with_message(exception, message)


def ll_codec_of(message: _ptr) -> _ptr:
    """The codec in the message of a UnicodeError: ``'ascii' codec can't ...``"""
    return ll_slice(message, 1, ll_find_char(message, "'", 1, message.length))


def ll_reason_of(message: _ptr) -> _ptr:
    """What it says behind the colon."""
    return ll_slice(message, ll_find_char(message, ":", 0, message.length) + 2, message.length)
