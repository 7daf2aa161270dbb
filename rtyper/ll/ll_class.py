"""Classes at run time, and helpers for instances."""

from __future__ import annotations

from typing import NoReturn

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Ptr, Signed, Struct, Unsigned, _ptr, cast_pointer
from rpython.lltypesystem.rclass import CLASS_NAME, OBJECT_VTABLE
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_number import ll_digits
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import ll_alloc1, ll_strconcat, prebuilt_str

OPEN = prebuilt_str("<")
OBJECT_AT = prebuilt_str(" object at 0x")
CLOSE = prebuilt_str(">")
LETTER_A = 97

CLASS_VTABLE = Struct(
    "class_vtable", ("super", OBJECT_VTABLE), ("pyname", STRPTR), ("full_name", Ptr(CLASS_NAME)),
    hints={"immutable": True},
)  # fmt: skip
"""What every class of a translated program has: ``pyname`` is its ``__name__``, ``full_name`` what
tracebacks and the texts of instances call it."""
CLASS_VTABLE_PTR = Ptr(CLASS_VTABLE)


def ll_no_attribute(obj: _ptr, before: _ptr, after: _ptr) -> NoReturn:
    """Raise AttributeError; the message has the name of the instance's class in between."""
    name = cast_pointer(CLASS_VTABLE_PTR, obj.typeptr).pyname
    raise_with_message(AttributeError, ll_strconcat(ll_strconcat(before, name), after))


def ll_no_method(obj: _ptr, before: _ptr, after: _ptr) -> NoReturn:
    """The same with TypeError, for an operation whose special method the class lacks."""
    name = cast_pointer(CLASS_VTABLE_PTR, obj.typeptr).pyname
    raise_with_message(TypeError, ll_strconcat(ll_strconcat(before, name), after))


def ll_object_repr(obj: _ptr) -> _ptr:
    """``<module.Class object at 0x...>``"""
    name = cast_pointer(CLASS_VTABLE_PTR, obj.typeptr).full_name
    length = 0
    while llop.cast_char_to_int(Signed, name[length]) != 0:
        length += 1
    shown = ll_alloc1(length)
    i = 0
    while i < length:
        shown.chars[i] = name[i]
        i += 1
    number = llop.cast_int_to_uint(Unsigned, llop.gc_identityhash(Signed, obj))
    before = ll_strconcat(OPEN, cast_pointer(STRPTR, shown))
    after = ll_strconcat(ll_digits(number, 16, LETTER_A, 1), CLOSE)
    return ll_strconcat(ll_strconcat(before, OBJECT_AT), after)


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
