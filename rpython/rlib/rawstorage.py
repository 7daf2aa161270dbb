"""Raw memory of bytes, read and written as numbers of any type.

    storage = alloc_raw_storage(16)
    raw_storage_setitem(storage, 8, rffi.cast(rffi.INT, 5))
    n = raw_storage_getitem(rffi.INT, storage, 8)
    free_raw_storage(storage)

Indices are in bytes, and nothing tests them in compiled programs.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem import lltype, rffi
from rpython.rlib.objectmodel import specialize

RAW_STORAGE_PTR = rffi.CCHARP
RAW_STORAGE = RAW_STORAGE_PTR.TO

misaligned_is_fine = True
"""The processor reads what is not aligned, only slower."""


class AlignmentError(NotImplementedError):
    """What is read is not aligned; nobody raises it here."""


@specialize.arg(1, 2)
def alloc_raw_storage(size: int, track_allocation: bool = True, zero: bool = False) -> Any:
    """New memory of so many bytes.  Raises MemoryError."""
    return lltype.malloc(
        RAW_STORAGE, size, flavor="raw", zero=zero, track_allocation=track_allocation
    )


@specialize.arg(1)
def free_raw_storage(storage: Any, track_allocation: bool = True) -> None:
    """Free what ``alloc_raw_storage`` gave."""
    lltype.free(storage, flavor="raw", track_allocation=track_allocation)


@specialize.arg(0)
def raw_storage_getitem(TP: Any, storage: Any, index: int) -> Any:
    """The value of type ``TP`` at a byte."""
    return rffi.cast(rffi.CArrayPtr(TP), rffi.ptradd(storage, index))[0]


@specialize.ll()
def raw_storage_setitem(storage: Any, index: int, item: Any) -> None:
    """Put a number or pointer of a low-level type at a byte."""
    rffi.cast(rffi.CArrayPtr(lltype.typeOf(item)), rffi.ptradd(storage, index))[0] = item


@specialize.arg(0)
def raw_storage_getitem_unaligned(TP: Any, storage: Any, index: int) -> Any:
    """The same where the byte may be any."""
    if index & (rffi.sizeof(TP) - 1) == 0:
        return raw_storage_getitem(TP, storage, index)
    with lltype.scoped_alloc(rffi.CArray(TP), 1) as item:
        chars = rffi.cast(RAW_STORAGE_PTR, item)
        for i in range(rffi.sizeof(TP)):
            chars[i] = storage[index + i]
        return item[0]


@specialize.ll()
def raw_storage_setitem_unaligned(storage: Any, index: int, item: Any) -> None:
    """The same where the byte may be any."""
    TP = lltype.typeOf(item)
    if index & (rffi.sizeof(TP) - 1) == 0:
        raw_storage_setitem(storage, index, item)
        return
    with lltype.scoped_alloc(rffi.CArray(TP), 1) as aligned:
        aligned[0] = item
        chars = rffi.cast(RAW_STORAGE_PTR, aligned)
        for i in range(rffi.sizeof(TP)):
            storage[index + i] = chars[i]


@specialize.arg(0)
def str_storage_supported(TP: Any) -> bool:
    """Can values of the type be read from a ``str``?"""
    return True


@specialize.arg(0)
def str_storage_getitem(TP: Any, s: str, index: int) -> Any:
    """The value of type ``TP`` that the characters from ``index`` on are, as bytes.  Raises
    IndexError, and ValueError for characters beyond U+00FF."""
    with lltype.scoped_alloc(rffi.CArray(TP), 1) as item:
        chars = rffi.cast(RAW_STORAGE_PTR, item)
        for i in range(rffi.sizeof(TP)):
            number = ord(s[index + i])
            if number > 255:
                raise ValueError("a character beyond 255 is no byte")
            chars[i] = rffi.cast(rffi.CHAR, number)
        return item[0]
