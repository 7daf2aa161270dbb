"""Simulated addresses and raw memory: what works, and what is caught."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rpython.lltypesystem import llmemory as M
from rpython.lltypesystem import lltype as L
from rpython.lltypesystem import rffi
from rpython.lltypesystem.rarithmetic import r_uint
from rpython.lltypesystem.simulated.leakfinder import no_leaks
from rpython.lltypesystem.simulated.offsets import field_place

THREE = L.FixedSizeArray(L.Signed, 3)
INNER = L.Struct("INNER", ("x", L.Signed), ("c", L.Char), ("three", THREE))
G = L.GcStruct("G", ("n", L.Signed), ("inner", INNER), ("p", L.Ptr(INNER)))
DERIVED = L.GcStruct("DERIVED", ("super", G), ("extra", L.Unsigned))
A = L.GcArray(L.Signed)
BARE = L.Array(L.Signed, hints={"nolength": True})
OTHER = L.malloc(A, 1)


def test_addresses_of_fields() -> None:
    g = L.malloc(G)
    adr = M.cast_ptr_to_adr(g)
    place = adr + M.offsetof(G, "inner") + M.offsetof(INNER, "three") + M.itemoffsetof(THREE, 1)
    place.signed[1] = 7
    assert g.inner.three[2] == 7
    assert place.signed[1] == 7
    (adr + M.offsetof(G, "inner") + M.offsetof(INNER, "c")).char[0] = "q"
    assert g.inner.c == "q"
    assert M.cast_adr_to_ptr(adr, L.Ptr(G)) == g
    assert M.cast_adr_to_ptr(place - (place - adr), L.Ptr(G)) == g
    assert L.typeOf(adr) == M.Address
    assert L.typeOf(place - adr) == M.Offset


def test_levels_of_a_struct_share_an_address() -> None:
    d = L.malloc(DERIVED)
    adr = M.cast_ptr_to_adr(d)
    assert adr == M.cast_ptr_to_adr(d.super)
    assert adr + M.offsetof(DERIVED, "super") == adr
    assert adr - M.offsetof(DERIVED, "super") == adr
    (adr + M.offsetof(DERIVED, "extra")).unsigned[0] = r_uint(5)
    (M.cast_ptr_to_adr(d.super) + M.offsetof(G, "n")).signed[0] = 6
    assert (d.extra, d.super.n) == (5, 6)
    assert M.cast_adr_to_ptr(adr, L.Ptr(G)) == d.super
    assert M.cast_adr_to_ptr(adr, L.Ptr(DERIVED)) == d


def test_pointers_into_containers_have_one_address() -> None:
    a = L.malloc(A, 5)
    start = M.cast_ptr_to_adr(a) + M.itemoffsetof(A)
    items = L.direct_arrayitems(a)
    assert M.cast_ptr_to_adr(items) == start
    third = L.direct_ptradd(items, 3)
    assert M.cast_ptr_to_adr(third) == start + M.sizeof(L.Signed) * 3
    assert M.cast_adr_to_ptr(start + 3 * M.sizeof(L.Signed), L.typeOf(third)) == third
    g = L.malloc(G)
    p = L.direct_fieldptr(g, "n")
    assert M.cast_ptr_to_adr(p) == M.cast_ptr_to_adr(g) + M.offsetof(G, "n")
    assert M.cast_adr_to_ptr(M.cast_ptr_to_adr(p), L.typeOf(p)) == p


def test_order_and_numbers() -> None:
    a = L.malloc(A, 3)
    adr = M.cast_ptr_to_adr(a)
    first = adr + M.itemoffsetof(A)
    last = first + M.sizeof(L.Signed) * 2
    assert adr < first < last
    assert last >= first
    assert last > first
    assert first <= first
    assert M.cast_adr_to_int(last) - M.cast_adr_to_int(first) == 16
    assert M.cast_adr_to_int(M.NULL) == 0
    assert adr > M.NULL
    assert len({adr, first, M.cast_ptr_to_adr(a)}) == 2
    with pytest.raises(TypeError, match="comparing an address"):
        assert adr != 5


def test_pointers_in_memory_are_addresses() -> None:
    g = L.malloc(G)
    inner = L.malloc(INNER, flavor="raw", zero=True)
    place = M.cast_ptr_to_adr(g) + M.offsetof(G, "p")
    assert not place.address[0]
    place.address[0] = M.cast_ptr_to_adr(inner)
    assert g.p == inner
    assert place.address[0] == M.cast_ptr_to_adr(inner)
    place.address[0] = M.NULL
    assert not g.p
    L.free(inner)


def test_pointers_to_anything() -> None:
    g = L.malloc(G)
    for adr in (
        M.cast_ptr_to_adr(g), M.cast_ptr_to_adr(g) + M.offsetof(G, "inner"),
        M.cast_ptr_to_adr(g) + M.offsetof(G, "n"),
    ):  # fmt: skip
        p = M.cast_adr_to_ptr(adr, rffi.VOIDP)
        assert L.typeOf(p) == rffi.VOIDP
        assert M.cast_ptr_to_adr(p) == adr


def test_functions_and_opaque_data_have_addresses() -> None:
    F = L.FuncType([], L.Signed)
    f, o = L.functionptr(F, "f"), L.opaqueptr(L.OpaqueType("thing"), "o")
    for p in (f, o):
        adr = M.cast_ptr_to_adr(p)
        assert M.cast_adr_to_ptr(adr, L.typeOf(p)) == p
        with pytest.raises(L.MemoryFault, match="holds no data"):
            assert adr.signed[0]
        with pytest.raises(L.MemoryFault, match="there is no GcStruct G"):
            M.cast_adr_to_ptr(adr, L.Ptr(G))


def test_offsets() -> None:
    one = M.sizeof(L.Signed)
    assert one * 3 - one * 2 == one
    assert one - one == M.CompositeOffset()
    assert M.itemoffsetof(A, 2) + one == M.itemoffsetof(A, 3)
    assert -(M.offsetof(G, "n") + one) == -one - M.offsetof(G, "n")
    assert M.sizeof(A, 4) == M.ArrayItemsOffset(A) + M.ItemOffset(L.Signed, 4)
    assert repr(M.offsetof(G, "n")) == "<offsetof(GcStruct G, n)>"
    assert len({one, M.ItemOffset(L.Signed), M.sizeof(L.Float)}) == 2
    with pytest.raises(L.MemoryFault, match="cannot be multiplied"):
        M.offsetof(G, "n") * 2
    with pytest.raises(TypeError, match="no number"):
        bool(one)
    assert one + 8 == one + M.sizeof(L.Char) * 8 == one - -8
    with pytest.raises(TypeError):
        one + "8"  # type: ignore[operator]
    with pytest.raises(TypeError):
        M.NULL + 8.0  # type: ignore[operator]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: M.sizeof(A), "no size of its own"),
        (lambda: M.sizeof(L.Void), "no size of its own"),
        (lambda: M.sizeof(L.FuncType([], L.Void)), "has no size"),
        (lambda: M.sizeof(INNER, 3), "no variable part"),
        (lambda: M.offsetof(G, "y"), "no field 'y'"),
        (lambda: M.offsetof(A, "y"), "no field 'y'"),
        (lambda: M.itemoffsetof(G, 1), "not an array"),
        (lambda: M.ArrayLengthOffset(BARE), "not an array with a length"),
        (lambda: M.raw_malloc(M.sizeof(G)), "is a GC type"),
        (lambda: M.cast_adr_to_ptr(M.NULL, L.Signed), "not a pointer type"),
    ],
)
def test_misuse_of_types(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda adr: adr.float[0], "is a Signed, not a Float"),
        (lambda adr: adr.address[0], "is a Signed, not a Address"),
        (lambda adr: adr.signed[5], "index 5 out of bounds"),
        (lambda adr: adr.signed[-1], "index -1 out of bounds"),
        (lambda adr: adr + M.sizeof(L.Signed) * 6, "address of item 6: 5 items"),
        (lambda adr: adr - M.sizeof(L.Signed), "address of item -1: 5 items"),
        (lambda adr: adr + M.sizeof(L.Float), "does not fit the Signed"),
        (lambda adr: adr + M.offsetof(G, "n"), "does not fit the Signed"),
        (lambda adr: adr - M.itemoffsetof(A, 1), "address of item -1"),
        (lambda adr: adr - M.cast_ptr_to_adr(OTHER), "two pieces of memory"),
        (lambda adr: M.cast_adr_to_ptr(adr, L.Ptr(G)), "there is no GcStruct G"),
        (lambda adr: M.raw_free(adr), "only raw memory|not where memory starts"),
        (lambda adr: M.raw_memclear(adr, M.sizeof(L.Signed) * 6), "5 items"),
        (lambda adr: M.raw_memclear(adr, M.sizeof(L.Float)), "is not <1"),
        (lambda adr: M.raw_memclear(adr, M.sizeof(A, 2)), "is not <items of"),
        (lambda adr: M.raw_memclear(adr, -M.sizeof(L.Signed)), "is not <-1"),
    ],
)
def test_wrong_uses_of_an_address(use: Callable[[Any], Any], message: str) -> None:
    a = L.malloc(A, 5)
    with pytest.raises((L.MemoryFault, TypeError), match=message):
        use(M.cast_ptr_to_adr(a) + M.itemoffsetof(A))


@pytest.mark.parametrize(
    "use",
    [
        lambda adr: adr.signed[0], lambda adr: adr.signed.__setitem__(0, 1),
        lambda adr: adr + M.offsetof(G, "n"), lambda adr: adr - adr, M.raw_free,
        lambda adr: M.raw_memclear(adr, M.sizeof(L.Signed)),
    ],
)  # fmt: skip
def test_null(use: Callable[[Any], Any]) -> None:
    assert not M.NULL
    assert M.cast_ptr_to_adr(L.nullptr(G)) == M.NULL
    assert not M.cast_adr_to_ptr(M.NULL, L.Ptr(G))
    with pytest.raises(L.MemoryFault, match="null address dereferenced"):
        use(M.NULL)


def test_wrong_values() -> None:
    a = L.malloc(A, 1)
    adr = M.cast_ptr_to_adr(a) + M.itemoffsetof(A)
    with pytest.raises(TypeError, match="expected Signed"):
        adr.signed[0] = "x"
    with pytest.raises(AttributeError, match="no attribute 'double'"):
        assert adr.double
    length = M.cast_ptr_to_adr(a) + M.ArrayLengthOffset(A)
    assert length.signed[0] == 1
    assert length - M.ArrayLengthOffset(A) == M.cast_ptr_to_adr(a)
    with pytest.raises(L.MemoryFault, match="does not change"):
        length.signed[0] = 2


def test_garbage_collected_memory() -> None:
    a = L.malloc(A, 1)
    adr = M.cast_ptr_to_adr(a) + M.itemoffsetof(A)
    del a
    with pytest.raises(L.MemoryFault, match="garbage-collected"):
        assert adr.signed[0]
    assert adr != M.NULL
    assert "garbage-collected" in repr(adr)


def test_raw_memory() -> None:
    with no_leaks():
        adr = M.raw_malloc(M.sizeof(INNER) * 3, zero=True)
        second = adr + M.sizeof(INNER)
        second.signed[0] = 9  # its first field
        (second + M.offsetof(INNER, "three") + M.itemoffsetof(THREE, 2)).signed[0] = 8
        M.raw_memcopy(second, adr + M.sizeof(INNER) * 2, M.sizeof(INNER))
        p = M.cast_adr_to_ptr(adr + 2 * M.sizeof(INNER), L.Ptr(INNER))
        assert (p.x, p.three[2], p.c) == (9, 8, "\0")
        M.raw_memclear(adr, M.sizeof(INNER) * 3)
        assert (p.x, p.three[2]) == (0, 0)
        M.raw_free(adr)
        for use in (lambda: adr.signed[0], lambda: second.signed[0], lambda: M.raw_free(adr)):
            with pytest.raises(L.MemoryFault, match="use after free"):
                use()


def test_copies_may_overlap_and_keep_what_is_not_initialised() -> None:
    adr = M.raw_malloc(M.sizeof(L.Signed) * 4)
    one = M.sizeof(L.Signed)
    for i in range(3):
        adr.signed[i] = i
    M.raw_memmove(adr, adr + one, one * 3)
    assert [adr.signed[i] for i in range(4)] == [0, 0, 1, 2]
    fresh = M.raw_malloc(one * 2)
    M.raw_memcopy(fresh, adr, one * 2)
    with pytest.raises(L.MemoryFault, match="not initialised"):
        assert adr.signed[1]
    floats = M.raw_malloc(M.sizeof(L.Float))
    M.raw_memcopy(adr + one * 2, floats, one)
    assert (floats.float[0], floats.char[0]) == (5e-324, "\1")
    with pytest.raises(L.MemoryFault, match=r"16 bytes at .*: 8 are there"):
        M.raw_memcopy(adr, floats, one * 2)
    for each in (adr, fresh, floats):
        M.raw_free(each)


@pytest.mark.parametrize(
    ("size", "error", "message"),
    [
        (M.sizeof(L.Signed) * -1, MemoryError, "-1 items"),
        (M.sizeof(L.Signed) * 2**60, MemoryError, "items"),
        (M.sizeof(L.Array(L.Signed), 2), L.MemoryFault, "who writes the length"),
        (-1, MemoryError, "-1 items"),
        (-M.itemoffsetof(BARE, 2), L.MemoryFault, "is no size"),
    ],
)
def test_impossible_sizes(size: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        M.raw_malloc(size)


def test_memory_for_anything() -> None:
    adr = M.raw_malloc(24)
    with pytest.raises(L.MemoryFault, match="nothing was written"):
        assert adr.signed[0]
    adr.signed[0], adr.float[1], (adr + 16).char[3] = 0x0102030405060708, 1.5, "x"
    assert [adr.char[i] for i in range(3)] == ["\x08", "\x07", "\x06"]
    assert (adr + 9 - 1).signed[0] == 0x3FF8000000000000
    assert (adr + M.sizeof(L.Signed) + 4 + 2).char[0] == "\xf8"
    with pytest.raises(L.ArrayBoundsError):
        assert (adr + 20).signed[0]
    (adr + 16).address[0] = adr + 8
    assert (adr + 16).address[0] == adr + 8 > adr
    assert (adr + 16).address[0].float[0] == 1.5
    assert len({adr, adr + 8, (adr + 16).address[0]}) == 2
    other = M.raw_malloc(M.sizeof(INNER) + 16, zero=True)
    M.raw_memcopy(adr, other + M.sizeof(INNER), 16)
    M.raw_memclear(adr, 9)
    assert (adr.signed[0], (other + M.sizeof(INNER)).float[1]) == (0, 1.5)
    assert M.cast_adr_to_ptr(adr + 8, L.Ptr(BARE))[0] == 0x3FF8000000000000 - 0
    p = M.cast_adr_to_ptr(adr + 8, L.Ptr(INNER))
    assert M.cast_ptr_to_adr(p) == adr + 8
    for each in (adr, other):
        M.raw_free(each)
    with pytest.raises(L.MemoryFault, match="use after free"):
        assert adr.signed[0]


def test_sizes_of_variable_parts() -> None:
    VAR = L.Struct("VAR", ("n", L.Signed), ("items", BARE))
    adr = M.raw_malloc(M.sizeof(VAR, 3), zero=True)
    (adr + M.sizeof(VAR, 2)).signed[0] = 5
    assert M.cast_adr_to_ptr(adr, L.Ptr(VAR)).items[2] == 5
    M.raw_free(adr)
    nothing = M.raw_malloc(M.sizeof(L.Signed) * 0)
    M.raw_memclear(nothing, M.sizeof(L.Signed) * 0)
    M.raw_free(nothing)


def test_addresses_are_values_of_memory() -> None:
    S = L.GcStruct("S", ("adr", L.Address), ("offset", L.Offset))
    s = L.malloc(S)
    assert s.adr == M.NULL
    assert s.offset == M.CompositeOffset()
    s.adr = M.cast_ptr_to_adr(s)
    s.offset = M.offsetof(S, "offset")
    assert (s.adr + s.offset) - s.adr == s.offset
    with pytest.raises(TypeError, match="expected Address"):
        s.adr = 0
    with pytest.raises(TypeError, match="expected Offset"):
        s.offset = 8


def test_what_raw_memory_refuses() -> None:
    adr = M.raw_malloc(M.sizeof(INNER) * 2, zero=True)
    with pytest.raises(L.MemoryFault, match="not where memory starts"):
        M.raw_free(adr + M.sizeof(INNER))
    with pytest.raises(L.MemoryFault, match="not where memory starts"):
        M.raw_free(adr + M.offsetof(INNER, "c"))
    M.raw_free(adr)
    f = L.functionptr(L.FuncType([], L.Signed), "f")
    with pytest.raises(L.MemoryFault, match="holds no data"):
        M.raw_memclear(M.cast_ptr_to_adr(f), M.sizeof(L.Signed))
    with pytest.raises(AttributeError, match="has no field"):
        field_place(INNER, "y")


def test_a_copy_that_leaves_the_struct() -> None:
    ODD = L.Struct("ODD", ("a", L.Signed), ("b", L.Char))
    one, other = (L.malloc(T, flavor="raw", zero=True) for T in (ODD, INNER))
    with pytest.raises(L.MemoryFault, match="bytes at .*: 16 are there"):
        M.raw_memcopy(M.cast_ptr_to_adr(other), M.cast_ptr_to_adr(one), M.sizeof(INNER))
    M.raw_memcopy(M.cast_ptr_to_adr(one), M.cast_ptr_to_adr(one), M.sizeof(ODD))
    for p in (one, other):
        L.free(p)
