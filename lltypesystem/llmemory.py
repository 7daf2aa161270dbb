"""Addresses and symbolic offsets under RPython's names, and pointers whose target type is left
open."""

from __future__ import annotations

from rpython.lltypesystem.primitives import Address, Offset
from rpython.lltypesystem.simulated.addresses import (
    NULL,
    cast_adr_to_int,
    cast_adr_to_ptr,
    cast_ptr_to_adr,
    fakeaddress,
)
from rpython.lltypesystem.simulated.offsets import (
    AddressOffset,
    ArrayItemsOffset,
    ArrayLengthOffset,
    CompositeOffset,
    FieldOffset,
    ItemOffset,
    itemoffsetof,
    offsetof,
    sizeof,
)
from rpython.lltypesystem.simulated.rawmemory import raw_free, raw_malloc, raw_memclear, raw_memcopy
from rpython.lltypesystem.types import GcOpaqueType, Ptr

raw_memmove = raw_memcopy

GCREF = Ptr(GcOpaqueType("GCREF"))
"""A pointer to any GC object; ``lltype.cast_opaque_ptr`` goes there and back."""

__all__ = [
    "GCREF",
    "NULL",
    "Address",
    "AddressOffset",
    "ArrayItemsOffset",
    "ArrayLengthOffset",
    "CompositeOffset",
    "FieldOffset",
    "ItemOffset",
    "Offset",
    "cast_adr_to_int",
    "cast_adr_to_ptr",
    "cast_ptr_to_adr",
    "fakeaddress",
    "itemoffsetof",
    "offsetof",
    "raw_free",
    "raw_malloc",
    "raw_memclear",
    "raw_memcopy",
    "raw_memmove",
    "sizeof",
]
