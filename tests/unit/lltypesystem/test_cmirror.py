"""Simulated raw memory that C sees: layouts, and pointers both ways."""

from __future__ import annotations

import pytest

from rpython.lltypesystem import lltype, rffi
from rpython.lltypesystem.layout import field_offset, layout
from rpython.lltypesystem.lltype import (
    Array,
    Char,
    FixedSizeArray,
    GcStruct,
    Int16,
    Int32,
    Ptr,
    Signed,
    Struct,
)
from rpython.lltypesystem.simulated.cmirror import MIRRORS, Mirrors
from rpython.lltypesystem.simulated.containers import MemoryFault

PART = Struct("part", ("c", Char), ("n", Int32))
WHOLE = Struct(
    "whole", ("b", Char), ("part", PART), ("h", Int16), ("several", FixedSizeArray(PART, 2)),
    ("p", Ptr(PART)),
)  # fmt: skip
NODE = lltype.ForwardReference()
NODE.become(Struct("node", ("value", Signed), ("next", Ptr(NODE))))

c_memcpy = rffi.llexternal("memcpy", [rffi.VOIDP, rffi.VOIDP, rffi.SIZE_T], rffi.VOIDP)
c_strchr = rffi.llexternal("strchr", [rffi.CCHARP, rffi.INT], rffi.CCHARP)


def raw(T: lltype.LowLevelType, n: int | None = None) -> lltype._ptr:
    return lltype.malloc(T, n, flavor="raw")


def copy(target: lltype._ptr, source: lltype._ptr, size: int) -> None:
    c_memcpy(rffi.cast(rffi.VOIDP, target), rffi.cast(rffi.VOIDP, source), size)


def test_layout_is_that_of_c() -> None:
    assert layout(PART) == (8, 4)
    assert layout(WHOLE) == (40, 8)
    assert [field_offset(WHOLE, name) for name in WHOLE._names] == [0, 4, 12, 16, 32]
    assert layout(rffi.CArray(Int16)) == (2, 2)
    with pytest.raises(TypeError, match="no layout"):
        layout(Array(Signed))


def test_nested_structs_and_what_is_not_initialised() -> None:
    a, b = raw(WHOLE), raw(WHOLE)
    a.b, a.h, a.part.n, a.several[1].n = "x", 7, 8, 9
    a.p = a.several[0]
    copy(b, a, rffi.sizeof(WHOLE))
    assert (b.b, b.h, b.part.n, b.several[1].n) == ("x", 7, 8, 9)
    assert b.p == a.several[0], "a pointer into the middle of another container"
    b.p.n = 5
    assert a.several[0].n == 5


def test_pointers_lead_to_more_memory() -> None:
    nodes = [raw(NODE) for _ in range(4)]
    for i, node in enumerate(nodes):
        node.value = i
        node.next = nodes[i + 1] if i < 3 else lltype.nullptr(NODE)
    other = raw(NODE)
    copy(other, nodes[0], rffi.sizeof(NODE))
    assert other.next == nodes[1]
    copy(other, nodes[3], rffi.sizeof(NODE))
    assert not other.next


def test_the_middle_of_an_array() -> None:
    p = rffi.str2charp("hello")
    q = c_strchr(p, ord("l"))
    assert q == lltype.direct_ptradd(p, 2)
    q[0] = "L"
    assert rffi.charp2str(p) == "heLlo"
    assert rffi.charp2str(c_strchr(q, ord("l"))) == "lo"
    lltype.free(p, flavor="raw")


def test_what_the_program_writes_between_calls_arrives() -> None:
    a, b = raw(rffi.CArray(Signed), 3), raw(rffi.CArray(Signed), 3)
    for value in (1, -5):
        a[1] = value
        a[0] = a[2] = 0
        copy(b, a, 24)
        assert b[1] == value


def test_unions() -> None:
    U = Struct("u", ("n", Signed), ("part", PART), ("p", Ptr(PART)), hints={"union": True})
    S = Struct("s", ("c", Char), ("u", U))
    assert (layout(U), layout(S), field_offset(U, "part")) == ((8, 8), (16, 8), 0)
    source, target, part = raw(S), raw(S), raw(PART)
    source.u.n = 0x1100000062
    copy(target, source, 16)
    assert (target.u.n, target.u.part.c, target.u.part.n) == (0x1100000062, "b", 0x11)
    source.u.p = part
    copy(target, source, 16)
    assert source.u.p == part
    with pytest.raises(MemoryFault, match="holds a pointer"):
        assert source.u.n


def test_freed_memory_is_not_looked_at() -> None:
    a, b = raw(rffi.CArray(Signed), 1), raw(rffi.CArray(Signed), 1)
    a[0] = 3
    copy(b, a, 8)
    lltype.free(a, flavor="raw")
    with pytest.raises(MemoryFault, match="use after free"):
        copy(b, a, 8)
    c = raw(rffi.CArray(Signed), 1)
    copy(c, b, 8)
    assert c[0] == 3


def test_memory_has_several_types() -> None:
    p = raw(rffi.CArray(Signed), 2)
    p[0], p[1] = 0x100000002, 3
    shifted, anything = lltype.direct_ptradd(p, 1), rffi.cast(rffi.VOIDP, p)
    assert rffi.cast(rffi.SIGNEDP, anything) == p
    numbers = rffi.cast(rffi.INTP, anything)
    assert [int(numbers[i]) for i in range(4)] == [2, 1, 3, 0]
    numbers[3] = 1
    assert (p[1], shifted[0]) == (0x100000003,) * 2
    assert rffi.cast(rffi.SIGNEDP, rffi.ptradd(anything, 8)) == shifted
    assert rffi.cast(rffi.VOIDP, shifted) == rffi.ptradd(anything, 8)
    with pytest.raises(MemoryFault, match="out of bounds"):
        numbers[4]
    part = rffi.cast(Ptr(PART), rffi.ptradd(numbers, 1))
    assert (part.c, part.n) == ("\x01", 3)
    lltype.free(p, flavor="raw")
    for use in (lambda: part.n, lambda: numbers[0], lambda: shifted[0]):
        with pytest.raises(MemoryFault):
            use()


def test_bytes_of_structs() -> None:
    a = raw(WHOLE)
    middle = lltype.direct_fieldptr(a.part, "n")
    a.part.n, a.several[1].c, a.p = 5, "y", a.several[0]
    numbers = rffi.cast(rffi.INTP, a)
    assert numbers[2] == 5
    numbers[2] = 6
    assert (a.part.n, middle[0]) == (6, 6)
    assert rffi.cast(rffi.CCHARP, a.several[1])[0] == "y"
    pointers = rffi.cast(rffi.VOIDPP, a)
    assert rffi.cast(Ptr(PART), pointers[4]) == a.several[0]
    with pytest.raises(MemoryFault, match="holds a pointer"):
        numbers[8]
    with pytest.raises(MemoryFault, match="nothing was written"):
        numbers[0]


def test_garbage_collected_memory_is_refused() -> None:
    S = GcStruct("s", ("x", Signed))
    with pytest.raises(TypeError, match="not raw memory"):
        Mirrors().address(lltype.malloc(S))


def test_arguments_are_checked_before_the_call() -> None:
    p = raw(rffi.CArray(Int32), 1)
    with pytest.raises(TypeError, match="expected a"):
        c_strchr(p, 1)
    with pytest.raises(TypeError, match="takes 2 arguments, 1 given"):
        c_strchr(p)
    with pytest.raises(AttributeError, match="no library has the function"):
        rffi.llexternal("no_such_function_anywhere", [], lltype.Void)()


def test_number_of_memory_that_refers_to_objects():
    """C gets no copy of it, which calls of C would have to fill, only because of its number."""
    OBJECT = GcStruct("object", ("x", Signed))
    HOLDER = Struct("holder", ("p", Ptr(OBJECT)), ("q", Ptr(OBJECT)))
    holder = lltype.malloc(HOLDER, flavor="raw", zero=True)
    holder.p = lltype.malloc(OBJECT)
    assert lltype.cast_ptr_to_int(holder) == lltype.cast_ptr_to_int(holder) != 0
    MIRRORS.copy_in()
    lltype.free(holder, flavor="raw")
