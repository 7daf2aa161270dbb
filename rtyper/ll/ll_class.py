"""Classes at run time, and helpers for instances."""

from __future__ import annotations

from typing import NoReturn

from lltypesystem.lltype import Ptr, Struct, _ptr, cast_pointer
from lltypesystem.rclass import OBJECT_VTABLE
from lltypesystem.rstr import STRPTR
from rtyper.ll.ll_raise import raise_with_message
from rtyper.ll.ll_str import ll_strconcat

CLASS_VTABLE = Struct(
    "class_vtable", ("super", OBJECT_VTABLE), ("pyname", STRPTR), hints={"immutable": True}
)
"""What every class of a translated program has: ``pyname`` is its ``__name__``."""
CLASS_VTABLE_PTR = Ptr(CLASS_VTABLE)


def ll_no_attribute(obj: _ptr, before: _ptr, after: _ptr) -> NoReturn:
    """Raise AttributeError; the message has the name of the instance's class in between."""
    name = cast_pointer(CLASS_VTABLE_PTR, obj.typeptr).pyname
    raise_with_message(AttributeError, ll_strconcat(ll_strconcat(before, name), after))


def ll_right_first(left: _ptr, right: _ptr) -> bool:
    """Is the right operand (may be null) of a proper subclass of the left one's class?"""
    if not right:
        return False
    above = left.typeptr
    below = right.typeptr
    if above == below:
        return False
    number = below.subclassrange_min
    return above.subclassrange_min <= number and number < above.subclassrange_max
