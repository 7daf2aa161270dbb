"""Views of memory that Python has.

A view is of ``memory`` or, where it has been made of bytes of native code, of ``data``.  Item
``i`` is at ``start + i * step``, counted in items.  When the call that got it has ended, Python may
free the memory: its address is NULL then, and each use of a view of it raises ValueError.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.llmemory import NULL
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Address,
    Bool,
    Char,
    Float,
    GcForwardReference,
    GcStruct,
    Int8,
    Int16,
    Int32,
    Ptr,
    Signed,
    SingleFloat,
    UInt8,
    UInt16,
    UInt32,
    Unsigned,
    Void,
    cast_primitive,
    malloc,
    nullptr,
)
from rpython.lltypesystem.rstr import BYTES, BYTESPTR

MEMORY: Any = GcForwardReference()
MEMORY.become(
    GcStruct(
        "outside_memory", ("address", Address), ("ticket", Signed), ("next", Ptr(MEMORY)),
    )
)  # fmt: skip
VIEW = GcStruct(
    "outside_view",
    ("data", BYTESPTR), ("memory", Ptr(MEMORY)),
    ("start", Signed), ("step", Signed), ("length", Signed),
    ("format", Signed), ("writable", Bool), ("what", Signed),
    hints={"immutable": True},
)  # fmt: skip
"""``format``: the letter in ``struct``; ``what``: one for the kind of object, for messages."""
MEMORYVIEW, BYTES_OBJECT, BYTEARRAY = ord("m"), ord("b"), ord("B")
INT8, UINT8, INT16, UINT16, INT32, UINT32 = map(ord, "bBhHiI")
INT64, LONG, UINT64, FLOAT32, FLOAT64 = map(ord, "qlQfd")


def ll_view_of_bytes(data: Any) -> Any:
    """A view of bytes of native code."""
    view = malloc(VIEW)
    view.data, view.memory = data, nullptr(MEMORY)
    view.start, view.step, view.length = 0, 1, len(data.chars)
    view.format, view.writable, view.what = UINT8, False, MEMORYVIEW
    return view


def ll_view_again(view: Any) -> Any:
    """``memoryview(x)``: of the same memory, whatever x is."""
    return ll_part(view, 0, 1, view.length)


def ll_part(view: Any, start: int, step: int, count: int) -> Any:
    part = malloc(VIEW)
    part.data, part.memory = view.data, view.memory
    part.start, part.step, part.length = view.start + start * view.step, view.step * step, count
    part.format, part.writable, part.what = view.format, view.writable, MEMORYVIEW
    return part


def ll_address(view: Any) -> Any:
    address = view.memory.address
    if llop.adr_eq(Bool, address, NULL):
        raise ValueError("operation forbidden on released memoryview object")
    return address


def ll_outside(view: Any) -> None:
    """An index is wrong."""
    if view.what == MEMORYVIEW:
        raise IndexError("index out of bounds on dimension 1")
    if view.what == BYTES_OBJECT:
        raise IndexError("index out of range")
    if view.what == BYTEARRAY:
        raise IndexError("bytearray index out of range")
    raise IndexError("array index out of range")


def ll_require_writable(view: Any) -> None:
    if not view.writable:
        raise TypeError("cannot modify read-only memory")


# -- bytes ------------------------------------------------------------------------------------


def ll_char_at(view: Any, index: int) -> Any:
    index = view.start + index * view.step
    if view.memory:
        return llop.raw_load(Char, ll_address(view), index)
    return view.data.chars[index]


def ll_byte_at(view: Any, index: int) -> int:
    return llop.cast_char_to_int(Signed, ll_char_at(view, index))


def ll_put_char(view: Any, index: int, char: Any) -> None:
    llop.raw_store(Void, Char, ll_address(view), view.start + index * view.step, char)


def ll_tobytes(view: Any) -> Any:
    n = view.length
    result = malloc(BYTES, n)
    i = 0
    while i < n:
        result.chars[i] = ll_char_at(view, i)
        i += 1
    return result


def ll_assign(view: Any, start: int, step: int, count: int, chars: Any, length: int) -> None:
    """``view[start::step] = chars``, which are a copy where they are of the same memory."""
    if count != length:
        raise ValueError(
            "memoryview assignment: lvalue and rvalue have different structures"
        )
    i = 0
    while i < count:
        ll_put_char(view, start + i * step, chars[i])
        i += 1


# -- numbers ----------------------------------------------------------------------------------


def ll_float_at(view: Any, index: int) -> float:
    index = view.start + index * view.step
    if view.format == FLOAT64:
        return llop.raw_load(Float, ll_address(view), index)
    single = llop.raw_load(SingleFloat, ll_address(view), index)
    return llop.cast_singlefloat_to_float(Float, single)


def ll_put_float(view: Any, index: int, value: float) -> None:
    index = view.start + index * view.step
    if view.format == FLOAT64:
        llop.raw_store(Void, Float, ll_address(view), index, value)
    else:
        single = llop.cast_float_to_singlefloat(SingleFloat, value)
        llop.raw_store(Void, SingleFloat, ll_address(view), index, single)


def ll_int_at(view: Any, index: int) -> int:
    index = view.start + index * view.step
    address = ll_address(view)
    code = view.format
    if code == INT64 or code == LONG:
        return llop.raw_load(Signed, address, index)
    if code == INT32:
        return cast_primitive(Signed, llop.raw_load(Int32, address, index))
    if code == UINT8:
        return cast_primitive(Signed, llop.raw_load(UInt8, address, index))
    if code == INT8:
        return cast_primitive(Signed, llop.raw_load(Int8, address, index))
    if code == INT16:
        return cast_primitive(Signed, llop.raw_load(Int16, address, index))
    if code == UINT16:
        return cast_primitive(Signed, llop.raw_load(UInt16, address, index))
    if code == UINT32:
        return cast_primitive(Signed, llop.raw_load(UInt32, address, index))
    number = llop.cast_uint_to_int(Signed, llop.raw_load(Unsigned, address, index))
    if number < 0:
        raise OverflowError("an item of a memoryview does not fit in 64 bits")
    return number


def ll_put_int(view: Any, index: int, value: int) -> None:
    index = view.start + index * view.step
    address = ll_address(view)
    code = view.format
    if code == INT64 or code == LONG:
        llop.raw_store(Void, Signed, address, index, value)
    elif code == INT32:
        if value != cast_primitive(Signed, cast_primitive(Int32, value)):
            raise ValueError("memoryview: invalid value for format 'i'")
        llop.raw_store(Void, Int32, address, index, cast_primitive(Int32, value))
    elif code == UINT8:
        if value != cast_primitive(Signed, cast_primitive(UInt8, value)):
            raise ValueError("memoryview: invalid value for format 'B'")
        llop.raw_store(Void, UInt8, address, index, cast_primitive(UInt8, value))
    elif code == INT8:
        if value != cast_primitive(Signed, cast_primitive(Int8, value)):
            raise ValueError("memoryview: invalid value for format 'b'")
        llop.raw_store(Void, Int8, address, index, cast_primitive(Int8, value))
    elif code == INT16:
        if value != cast_primitive(Signed, cast_primitive(Int16, value)):
            raise ValueError("memoryview: invalid value for format 'h'")
        llop.raw_store(Void, Int16, address, index, cast_primitive(Int16, value))
    elif code == UINT16:
        if value != cast_primitive(Signed, cast_primitive(UInt16, value)):
            raise ValueError("memoryview: invalid value for format 'H'")
        llop.raw_store(Void, UInt16, address, index, cast_primitive(UInt16, value))
    elif code == UINT32:
        if value != cast_primitive(Signed, cast_primitive(UInt32, value)):
            raise ValueError("memoryview: invalid value for format 'I'")
        llop.raw_store(Void, UInt32, address, index, cast_primitive(UInt32, value))
    elif value < 0:
        ll_negative(code)
    else:
        llop.raw_store(Void, Signed, address, index, value)


def ll_negative(code: Any) -> None:
    if code == UINT64:
        raise ValueError("memoryview: invalid value for format 'Q'")
    raise ValueError("memoryview: invalid value for format 'L'")


def ll_itemsize(view: Any) -> int:
    code = view.format
    if code == INT8 or code == UINT8:
        return 1
    if code == INT16 or code == UINT16:
        return 2
    if code == INT32 or code == UINT32 or code == FLOAT32:
        return 4
    return 8


# -- calls ------------------------------------------------------------------------------------


def ll_read_view(state: Any, reader: Any) -> Any:
    """From words: the address, the length, a ticket, and what is in a view as it is."""
    position = reader.position
    reader.position = position + 4
    words = reader.words
    memory = malloc(MEMORY)
    memory.address = llop.raw_load(Address, llop.cast_ptr_to_adr(Address, words), position)
    memory.ticket = words[position + 2]
    memory.next = state.memory
    state.memory = memory
    facts = words[position + 3]
    view = malloc(VIEW)
    view.data, view.memory = nullptr(BYTES), memory
    view.start, view.step, view.length = 0, 1, words[position + 1]
    view.format = facts & 255
    view.what = llop.int_rshift(Signed, facts, 8) & 255
    view.writable = llop.int_rshift(Signed, facts, 16) != 0
    return view


def ll_release(state: Any, ticket: int) -> None:
    """The memory with this ticket is Python's alone again, if it has ever been known."""
    memory = state.memory
    before = nullptr(MEMORY)
    while memory:
        if memory.ticket == ticket:
            memory.address = NULL
            if before:
                before.next = memory.next
            else:
                state.memory = memory.next
            return
        before = memory
        memory = memory.next
