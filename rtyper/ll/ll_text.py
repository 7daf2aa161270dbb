"""The text of exceptions."""

from __future__ import annotations

from lltypesystem.lltype import _ptr
from rtyper.ll.ll_str import EMPTY, prebuilt_str

NO_TEXT = prebuilt_str("<text not available>")
"""The message of an exception whose argument has no text here, or one that may change."""


def ll_exception_text(message: _ptr) -> _ptr:
    """``str`` of an exception with this message (null: none)."""
    if not message:
        return EMPTY
    if message == NO_TEXT:
        raise NotImplementedError("the text of this exception is not available")
    return message
