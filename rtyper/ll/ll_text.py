"""The text of exceptions."""

from __future__ import annotations

from lltypesystem.lltype import _ptr
from rtyper.ll.ll_str import EMPTY, ll_strconcat, prebuilt_str

NO_TEXT = prebuilt_str("<text not available>")
"""The message of an exception whose argument has no text here, or one that may change."""


NO_ARGUMENTS = prebuilt_str("()")


def ll_exception_text(message: _ptr) -> _ptr:
    """``str`` of an exception with this message (null: none)."""
    if not message:
        return EMPTY
    if message == NO_TEXT:
        raise NotImplementedError("the text of this exception is not available")
    return message


def ll_exception_repr(name: _ptr, shown: _ptr) -> _ptr:
    """``repr`` of an exception: the name of its class and the arguments in brackets (null:
    none)."""
    if not shown:
        return ll_strconcat(name, NO_ARGUMENTS)
    if shown == NO_TEXT:
        raise NotImplementedError("the repr of this exception is not available")
    return ll_strconcat(name, shown)
