"""Allocation for the LLInterpreter: one function per GC type, without the checks that
``lltype.malloc`` makes and the typed checker made before."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.simulated.containers import container_class
from rpython.lltypesystem.simulated.memory import MAX_SIMULATED_ITEMS, make_ptr
from rpython.lltypesystem.types import Array, ContainerType, Ptr, Struct


def allocator(T: Any) -> Callable[..., Any] | None:
    """A function that does what ``lltype.malloc(T)``, or ``malloc(T, n)`` for a
    variable-sized type, does; None for types that need the general one."""
    if T._gckind != "gc":
        return None
    cls = container_class(T)
    if isinstance(T, Array):
        return None if isinstance(T.OF, ContainerType) else _array_allocator(cls, T)
    assert isinstance(T, Struct)
    if not cls._inlined:
        return _struct_allocator(cls, T)
    if len(cls._inlined) == 1 and T._is_varsize():
        slot, A = cls._inlined[0]
        if not isinstance(A.OF, ContainerType):
            return _varsize_allocator(cls, T, slot, A)
    return None


def _struct_allocator(cls: Any, T: Struct) -> Callable[[], Any]:
    zeroes, TYPE = cls._zeroes, Ptr(T)

    def allocate() -> Any:
        obj = cls()
        obj.__dict__.update(zeroes)
        return make_ptr(TYPE, obj)

    return allocate


def _array_allocator(cls: Any, T: Array) -> Callable[[int], Any]:
    zero, TYPE = T.OF._defl(), Ptr(T)

    def allocate(n: int) -> Any:
        if not 0 <= n <= MAX_SIMULATED_ITEMS:
            raise MemoryError(f"malloc: {n} items")
        obj = cls()
        obj.items = [zero] * n
        return make_ptr(TYPE, obj)

    return allocate


def _varsize_allocator(cls: Any, T: Struct, slot: str, A: Array) -> Callable[[int], Any]:
    zeroes, TYPE = cls._zeroes, Ptr(T)
    array_cls, zero = container_class(A), A.OF._defl()

    def allocate(n: int) -> Any:
        if not 0 <= n <= MAX_SIMULATED_ITEMS:
            raise MemoryError(f"malloc: {n} items")
        obj = cls()
        array = array_cls()
        array.items = [zero] * n
        array._parent = weakref.ref(obj)
        array._parentkey = slot
        fields = obj.__dict__
        fields.update(zeroes)
        fields[slot] = array
        return make_ptr(TYPE, obj)

    return allocate
