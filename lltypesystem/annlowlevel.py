"""Between the values of restricted code and low-level ones, for code written over low-level
types.  Each function works untranslated too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR
from rpython.lltypesystem.rstr import BYTES, STR, make_bytes, make_str, read_bytes, read_str
from rpython.lltypesystem.simulated.casts import cast_opaque_ptr
from rpython.lltypesystem.simulated.memory import _ptr, functionptr, make_ptr, malloc, nullptr

C = TypeVar("C")


def llhelper(F: Any, func: Callable[..., Any]) -> _ptr:
    """A pointer of type ``F`` (``Ptr(FuncType(...))``) to a function of the program."""
    return functionptr(F.TO, func.__name__, _callable=func)


def llstr(text: str | None) -> _ptr:
    """The ``Ptr(STR)`` of a str; null for None."""
    return nullptr(STR) if text is None else make_str(text)


def hlstr(p: _ptr) -> str | None:
    """The str of a ``Ptr(STR)``; None for null."""
    return read_str(p) if p else None


def llbytes(data: bytes | None) -> _ptr:
    """The ``Ptr(BYTES)`` of bytes; null for None."""
    return nullptr(BYTES) if data is None else make_bytes(data)


def hlbytes(p: _ptr) -> bytes | None:
    """The bytes of a ``Ptr(BYTES)``, which must not be written to any more; None for null."""
    return read_bytes(p) if p else None


_stand_ins: WeakValueDictionary[int, Any] = WeakValueDictionary()
"""Untranslated: the container that stands for an instance, by the instance's id."""


def cast_instance_to_base_ptr(instance: Any) -> _ptr:
    """The pointer that an instance (or None) of a class of the program is, as OBJECTPTR."""
    if instance is None:
        return nullptr(OBJECT)
    stand_in = _stand_ins.get(id(instance))
    if stand_in is None:
        stand_in = malloc(OBJECT)._obj
        stand_in._instance = instance
        _stand_ins[id(instance)] = stand_in
    return make_ptr(OBJECTPTR, stand_in)


def cast_base_ptr_to_instance(cls: type[C], p: _ptr) -> C | None:
    """Back again; raises TypeError when the instance is of another class."""
    instance = p._obj._instance if p else None
    if instance is not None and not isinstance(instance, cls):
        raise TypeError("the pointer is to an instance of another class")
    return instance


def cast_instance_to_gcref(instance: Any) -> _ptr:
    """The same as a GCREF."""
    return cast_opaque_ptr(GCREF, cast_instance_to_base_ptr(instance))


def cast_gcref_to_instance(cls: type[C], p: _ptr) -> C | None:
    """Back again; raises TypeError when the instance is of another class."""
    return cast_base_ptr_to_instance(cls, cast_opaque_ptr(OBJECTPTR, p))
