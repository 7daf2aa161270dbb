"""The text of exceptions.

The message of an exception is a str; null for the empty one; or a ``LATER``, which looks like a
str of length -1 and has what it takes to make the text when somebody reads it:

    e = ValueError("no", items)     message = LATER(make=..., item0=items)
    items.append(3)
    str(e)                          make(message) -> "('no', [1, 2, 3])"
"""

from __future__ import annotations

from rpython.lltypesystem.lltype import FuncType, GcStruct, Ptr, _ptr, cast_pointer, malloc
from rpython.lltypesystem.rstr import STR, STRPTR
from rpython.rtyper.ll.ll_str import ll_strconcat, prebuilt_str

IS_LATER = -1
"""The length of a text that is still to be made."""
MAKER = Ptr(FuncType([STRPTR], STRPTR))
LATER = GcStruct("later_text", ("base", STR), ("make", MAKER))
"""``wide``: the text is always the same, nothing of the program runs to make it."""
LATERPTR = Ptr(LATER)


def _new_no_text() -> _ptr:
    p = malloc(LATER, immortal=True)
    p.base.length = IS_LATER
    return cast_pointer(STRPTR, p)


NO_TEXT = _new_no_text()
"""Of an exception with an argument that has no text here."""
NOT_AVAILABLE = "the text of this exception is not available"
"""What NotImplementedError says then."""
NONE_SHOWN = "<text not available>"
"""What reports say."""
FAILED = "<exception str() failed>"
NO_ARGUMENTS = prebuilt_str("()")


def ll_exception_repr(name: _ptr, shown: _ptr) -> _ptr:
    """``repr`` of an exception: the name of its class and the arguments in brackets (empty:
    none)."""
    if shown.length == 0:
        return ll_strconcat(name, NO_ARGUMENTS)
    return ll_strconcat(name, shown)
