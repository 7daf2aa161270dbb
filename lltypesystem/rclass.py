"""The low-level shape of instances and classes.

Every instance is a GcStruct whose first field ``super`` is the parent's struct, down to
``OBJECT``, which points to the vtable.  Classes are numbered so that the subclasses of
one class are a range: ``subclassrange_min <= x.subclassrange_min < subclassrange_max``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rpython.lltypesystem.primitives import Char, LowLevelType, Signed
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr, malloc
from rpython.lltypesystem.types import Array, GcStruct, Ptr, Struct

CLASS_NAME = Array(Char, hints={"nolength": True, "immutable": True})
"""The class name, zero-terminated."""

OBJECT_VTABLE = Struct(
    "object_vtable",
    ("subclassrange_min", Signed),
    ("subclassrange_max", Signed),
    ("name", Ptr(CLASS_NAME)),
    hints={"immutable": True},
)
CLASSTYPE = Ptr(OBJECT_VTABLE)
OBJECT = GcStruct("object", ("typeptr", CLASSTYPE))
OBJECTPTR = Ptr(OBJECT)
TRACE = "trace"
"""The field of exceptions by which a program's runtime finds their tracebacks; 0 at first."""
TWIN = "twin"
"""The field of a prebuilt exception with the next one like it: they are raised in turn."""


def make_class_name(name: str) -> _ptr:
    """``name`` as immortal zero-terminated text (characters above U+00FF become '?')."""
    p = malloc(CLASS_NAME, len(name) + 1, immortal=True)
    for i, char in enumerate(name):
        p[i] = char if char <= "\xff" else "?"
    return p


def read_class_name(vtable: _ptr) -> str:
    """The name of the class with this vtable (any vtable pointer)."""
    chars = cast_pointer(CLASSTYPE, vtable).name
    return "".join(chars._obj.items[:-1]) if chars else "?"


def make_vtable(VTABLE: Struct, name: str, minimum: int, maximum: int) -> _ptr:
    """A new immortal vtable of type ``VTABLE`` (OBJECT_VTABLE or extending it)."""
    vtable = malloc(VTABLE, immortal=True)
    base = cast_pointer(CLASSTYPE, vtable)
    base.subclassrange_min = minimum
    base.subclassrange_max = maximum
    base.name = make_class_name(name)
    return vtable


def is_subclass(cls: _ptr, parent: _ptr) -> bool:
    """Is the class with vtable ``cls`` the one with vtable ``parent`` or below it?"""
    number: int = cls.subclassrange_min
    low: int = parent.subclassrange_min
    high: int = parent.subclassrange_max
    return low <= number < high


def class_number(obj: _ptr) -> int:
    """The number of the class of the non-null instance ``obj`` (OBJECTPTR)."""
    number: int = obj.typeptr.subclassrange_min
    return number


def ll_isinstance(obj: _ptr, vtable: _ptr) -> bool:
    """Is the non-null instance ``obj`` (OBJECTPTR) of the class with ``vtable``?"""
    return is_subclass(obj.typeptr, vtable)


def make_instance_type(
    name: str,
    parent: GcStruct,
    *fields: tuple[str, LowLevelType],
    hints: Mapping[str, Any] | None = None,
) -> GcStruct:
    """The GcStruct of a class below the one with struct ``parent``."""
    return GcStruct(name, ("super", parent), *fields, hints=hints or {})


def make_instance(T: GcStruct, vtable: _ptr) -> _ptr:
    """A prebuilt zeroed instance of struct ``T``; returns a ``Ptr(T)``."""
    p = malloc(T, immortal=True)
    cast_pointer(OBJECTPTR, p).typeptr = cast_pointer(CLASSTYPE, vtable)
    return p
