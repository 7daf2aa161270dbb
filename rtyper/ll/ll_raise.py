"""Raising a built-in exception whose message is computed."""

from __future__ import annotations

from typing import NoReturn

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Void, _ptr, malloc
from rpython.lltypesystem.rstr import BYTES, read_str
from rpython.rtyper.ll.ll_str import ll_find_char, ll_slice


def raise_with_message(exception: type[BaseException], message: _ptr) -> NoReturn:
    """``raise exception(message)`` in a helper; ``message`` is a STRPTR.

    Translated, ``rtyper.builtins.raising`` makes the instance.
    """
    error = exception.__new__(exception)  # some constructors want more than a message
    error.args = (read_str(message),)
    raise error


def raise_decode_error(
    message: _ptr, start: int, end: int, data: _ptr, length: int
) -> NoReturn:
    """The same for a UnicodeDecodeError about ``data[start:end]``, of ``length`` bytes."""
    raise_with_message(UnicodeDecodeError, message)


def raise_encode_error(message: _ptr, start: int, end: int, s: _ptr) -> NoReturn:
    """The same for a UnicodeEncodeError about ``s[start:end]``, a STRPTR."""
    raise_with_message(UnicodeEncodeError, message)


def ll_copy_bytes(data: _ptr, length: int) -> _ptr:
    """A new BYTES object."""
    result = malloc(BYTES, length)
    llop.copy_array_items(Void, data, result.chars, 0, 0, length)
    return result


def ll_codec_of(message: _ptr) -> _ptr:
    """The codec in the message of a UnicodeError: ``'ascii' codec can't ...``"""
    return ll_slice(message, 1, ll_find_char(message, "'", 1, message.length))


def ll_reason_of(message: _ptr) -> _ptr:
    """What it says behind the colon."""
    return ll_slice(message, ll_find_char(message, ":", 0, message.length) + 2, message.length)
