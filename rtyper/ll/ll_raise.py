"""Raising a built-in exception whose message is computed."""

from __future__ import annotations

from typing import NoReturn

from lltypesystem.lltype import _ptr
from lltypesystem.rstr import read_str


def raise_with_message(exception: type[BaseException], message: _ptr) -> NoReturn:
    """``raise exception(message)`` in a helper; ``message`` is a STRPTR.

    Translated, ``rtyper.r_raise`` makes the instance.
    """
    error = exception.__new__(exception)  # some constructors want more than a message
    error.args = (read_str(message),)
    raise error
