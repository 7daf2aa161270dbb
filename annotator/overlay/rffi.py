"""``lltype.scoped_alloc`` in restricted code, a class for each type of memory; functions on the
fields of C structs."""

from __future__ import annotations

import functools
from typing import Any

from rpython.lltypesystem.lltype import (
    FixedSizeArray,
    LowLevelType,
    Ptr,
    Signed,
    Struct,
    free,
    malloc,
)
from rpython.lltypesystem.rffi import cast, field_type
from rpython.rlib.unroll import unrolling_iterable


@functools.cache
def scoped_class(T: LowLevelType, zero: bool) -> type:
    """The class of context managers that allocate a ``T``; of a length, if it has one."""

    def init(self: Any) -> None:
        self.buf = malloc(T, flavor="raw", zero=zero)

    def init_sized(self: Any, n: int) -> None:
        self.buf = malloc(T, n, flavor="raw", zero=zero)

    def enter(self: Any) -> Any:
        return self.buf

    def leave(self: Any, kind: Any, error: Any, traceback: Any) -> None:
        free(self.buf, flavor="raw")

    cls = type("scoped_alloc", (), {"__module__": __name__})
    start: Any = init_sized if T._is_varsize() else init
    for name, method in (("__init__", start), ("__enter__", enter), ("__exit__", leave)):
        method.__name__, method.__qualname__ = name, f"scoped_alloc.{name}"
        setattr(cls, name, method)
    return cls


@functools.cache
def setter(T: Ptr, name: str) -> Any:
    """``rffi.setintfield`` of that field."""
    F = field_type(T, name)

    def setintfield(pdst: Any, fieldname: str, value: int) -> None:
        setattr(pdst, name, cast(F, value))

    return setintfield


@functools.cache
def getter(T: Ptr, name: str) -> Any:
    """``rffi.getintfield`` of that field."""
    field_type(T, name)

    def getintfield(pdst: Any, fieldname: str) -> Any:
        return cast(Signed, getattr(pdst, name))

    return getintfield


@functools.cache
def maker(S: Struct) -> Any:
    """``rffi.make`` of that struct."""
    names = unrolling_iterable(S._flds)

    def make(STRUCT: Any, **fields: Any) -> Any:
        p = malloc(S, flavor="raw")
        for name in names:
            if name in fields:
                setattr(p, name, fields[name])
        return p

    make._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    return make


@functools.cache
def copier(S: Struct) -> Any:
    """``rffi.structcopy`` of such structs."""
    plain, arrays, structs = [], [], []
    for name, F in S._flds.items():
        if isinstance(F, Struct):
            structs.append((name, copier(F)))
        elif isinstance(F, FixedSizeArray):
            arrays.append((name, F.length))
        else:
            plain.append(name)
    fields, arrays_inside = unrolling_iterable(plain), unrolling_iterable(arrays)
    structs_inside = unrolling_iterable(structs)

    def structcopy(pdst: Any, psrc: Any) -> None:
        for name in fields:
            setattr(pdst, name, getattr(psrc, name))
        for name, length in arrays_inside:
            for i in range(length):
                getattr(pdst, name)[i] = getattr(psrc, name)[i]
        for name, copy in structs_inside:
            copy(getattr(pdst, name), getattr(psrc, name))

    return structcopy
