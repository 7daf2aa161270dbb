"""Classes at run time, and helpers for instances."""

from __future__ import annotations

from typing import NoReturn

from lltypesystem.lltype import Ptr, Struct, _ptr, cast_pointer
from lltypesystem.rclass import CLASS_NAME, OBJECT_VTABLE
from lltypesystem.rstr import STRPTR
from rtyper.ll.ll_raise import raise_with_message
from rtyper.ll.ll_str import ll_strconcat

CLASS_VTABLE = Struct(
    "class_vtable", ("super", OBJECT_VTABLE), ("pyname", STRPTR), ("full_name", Ptr(CLASS_NAME)),
    hints={"immutable": True},
)  # fmt: skip
"""What every class of a translated program has: ``pyname`` is its ``__name__``, ``full_name`` what
tracebacks call it."""
CLASS_VTABLE_PTR = Ptr(CLASS_VTABLE)


def ll_no_attribute(obj: _ptr, before: _ptr, after: _ptr) -> NoReturn:
    """Raise AttributeError; the message has the name of the instance's class in between."""
    name = cast_pointer(CLASS_VTABLE_PTR, obj.typeptr).pyname
    raise_with_message(AttributeError, ll_strconcat(ll_strconcat(before, name), after))


def ll_right_first(left: _ptr, right: _ptr) -> bool:
    """Is the right operand of a proper subclass of the left one's class?  (Either may be
    null.)"""
    if not left or not right:
        return False
    above = left.typeptr
    below = right.typeptr
    if above == below:
        return False
    number = below.subclassrange_min
    return above.subclassrange_min <= number and number < above.subclassrange_max


def ll_types_differ(left: _ptr, right: _ptr) -> bool:
    """Are the operands (either may be null) of different classes?"""
    if not left or not right:
        return True
    return left.typeptr != right.typeptr


def ll_type_name(obj: _ptr, none: _ptr) -> _ptr:
    """The name of the class of an instance, ``none`` for null."""
    if not obj:
        return none
    return cast_pointer(CLASS_VTABLE_PTR, obj.typeptr).pyname


def ll_unsupported(before: _ptr, left: _ptr, between: _ptr, right: _ptr, after: _ptr) -> NoReturn:
    """Raise the TypeError about two operands; the message consists of these parts."""
    message = ll_strconcat(ll_strconcat(before, left), between)
    raise_with_message(TypeError, ll_strconcat(ll_strconcat(message, right), after))
