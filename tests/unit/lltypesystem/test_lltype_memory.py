"""Simulated memory: what works, and what is caught."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem import rclass, rstr
from rpython.lltypesystem.annlowlevel import cast_base_ptr_to_instance, cast_instance_to_base_ptr
from rpython.lltypesystem.foreign import external
from rpython.lltypesystem.rarithmetic import r_int8, r_singlefloat, r_uint

POINT = L.GcStruct("point", ("x", L.Signed), ("y", L.Signed))
RAW = L.Struct("raw", ("x", L.Signed), ("inner", L.Struct("inner", ("z", L.Float))))
MIXED = L.GcStruct(
    "mixed",
    ("u", L.Unsigned), ("i8", L.Int8), ("f", L.Float), ("s", L.SingleFloat), ("c", L.Char),
    ("w", L.UniChar), ("b", L.Bool), ("v", L.Void), ("p", L.Ptr(POINT)),
)  # fmt: skip


def test_the_documented_example() -> None:
    p = L.malloc(POINT)
    assert str(p) == "* GcStruct point { x=0, y=0 }"
    p.x = 5
    assert p.x == 5
    assert p.y == 0
    assert L.typeOf(p) == L.Ptr(POINT)
    BIZARRE = L.GcStruct("bizarre", ("p1", L.Ptr(POINT)), ("p2", L.Ptr(POINT)))
    b = L.malloc(BIZARRE)
    assert not b.p1
    b.p1 = b.p2 = p
    b.p1.y = 42
    assert b.p2.y == 42
    assert b.p1 == b.p2


def test_typeOf() -> None:
    values: list[tuple[Any, Any]] = [
        (5, L.Signed), (True, L.Bool), (1.5, L.Float), ("x", L.Char), ("\u1234", L.UniChar),
        (None, L.Void), (r_uint(12), L.Unsigned), (r_int8(1), L.Int8),
        (r_singlefloat(1.0), L.SingleFloat),
    ]  # fmt: skip
    for value, T in values:
        assert L.typeOf(value) == T
    with pytest.raises(OverflowError):
        L.typeOf(2**63)
    for bad in ("two", b"x", [], object()):
        with pytest.raises(TypeError, match="no low-level type"):
            L.typeOf(bad)


def test_fields_keep_low_level_values_and_show_boxed_ones() -> None:
    m = L.malloc(MIXED)
    m.u = r_uint(2**64 - 1)
    assert type(m.u) is r_uint
    assert m.u == 2**64 - 1
    assert type(m._obj._getfield(MIXED, "u")) is int
    m.u = 7
    m.i8 = r_int8(-3)
    assert type(m.i8) is r_int8
    assert m.i8 == -3
    m.s = r_singlefloat(0.1)
    assert isinstance(m.s, r_singlefloat)
    assert float(m.s) != 0.1
    m.w = "\U00010000"
    m.c = "\xff"
    m.b = True
    assert (m.w, m.c, m.b, m.f) == ("\U00010000", "\xff", True, 0.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("u", -1), ("u", r_int8(1)), ("u", True), ("i8", 128), ("f", 1), ("c", "\u0100"),
        ("c", "ab"), ("c", 65), ("b", 1), ("p", None), ("p", 0), ("s", 1),
    ],
)  # fmt: skip
def test_wrong_values_are_refused(field: str, value: Any) -> None:
    m = L.malloc(MIXED)
    with pytest.raises(TypeError, match=f"field '{field}' of GcStruct mixed"):
        setattr(m, field, value)


def test_pointers_of_another_type_are_refused() -> None:
    m = L.malloc(MIXED)
    with pytest.raises(TypeError, match="expected"):
        m.p = L.malloc(MIXED)
    with pytest.raises(TypeError, match="two types"):
        assert m != L.malloc(POINT)
    with pytest.raises(TypeError, match="comparing"):
        assert m != 5
    with pytest.raises(AttributeError, match="no field"):
        m.zzz = 1
    with pytest.raises(AttributeError, match="it has: u, i8"):
        assert m.zzz


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: L.malloc(RAW), "not a GC type"),
        (lambda: L.malloc(POINT, flavor="raw"), "is a GC type"),
        (lambda: L.malloc(POINT, 3), "no length is allowed"),
        (lambda: L.malloc(L.GcArray(L.Signed)), "needs a length"),
        (lambda: L.malloc(L.GcArray(L.Signed), 1.0), "must be an int"),
        (lambda: L.malloc(L.Signed), "cannot allocate"),
        (lambda: L.malloc(POINT, flavor="stack"), "unknown flavor"),
        (lambda: L.free(L.malloc(POINT)), "only raw memory"),
    ],
)
def test_misuse_of_malloc(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize("n", [-1, 2**40, -(2**63)])
def test_impossible_lengths(n: int) -> None:
    with pytest.raises(MemoryError):
        L.malloc(L.GcArray(L.Char), n)


def test_arrays() -> None:
    a = L.malloc(L.GcArray(L.Unsigned), 3)
    a[2] = r_uint(5)
    assert len(a) == 3
    assert list(a) == [0, 0, 5]
    assert type(a[2]) is r_uint
    for index in (3, -1):
        with pytest.raises(L.ArrayBoundsError):
            a[index]
        with pytest.raises(IndexError):
            a[index] = 1
    with pytest.raises(TypeError):
        a[0] = "x"
    with pytest.raises(TypeError, match="must be an int"):
        a["x"]
    structs = L.malloc(L.GcArray(("x", L.Signed), ("y", L.Char)), 2)
    structs[1].x = 7
    assert structs[1].x == 7
    assert structs[0].x == 0
    with pytest.raises(TypeError, match="inlined"):
        structs[0] = structs[1]
    bare = L.malloc(L.Array(L.Char, hints={"nolength": True}), 2, flavor="raw", zero=True)
    with pytest.raises(TypeError, match="no length"):
        len(bare)


def test_null_pointers() -> None:
    null = L.nullptr(POINT)
    assert not null
    assert null == L.nullptr(POINT)
    assert null != L.malloc(POINT)
    with pytest.raises(L.MemoryFault, match="null pointer"):
        assert null.x
    with pytest.raises(L.MemoryFault, match="null pointer"):
        null.x = 1
    with pytest.raises(L.MemoryFault, match="null pointer"):
        L.nullptr(L.GcArray(L.Char))[0]


def test_use_after_free() -> None:
    p = L.malloc(RAW, flavor="raw", zero=True)
    inner = p.inner
    inner.z = 1.0
    L.free(p)
    for use in (
        lambda: p.x, lambda: p.inner, lambda: inner.z, lambda: setattr(p, "x", 1),
        lambda: setattr(inner, "z", 1.0), lambda: L.free(p),
    ):  # fmt: skip
        with pytest.raises(L.MemoryFault, match="use after free"):
            use()
    assert "DEAD" in repr(p)


def test_free_of_memory_that_was_never_written() -> None:
    p = L.malloc(L.Array(L.Signed, hints={"nolength": True}), 4, flavor="raw")
    L.free(p)


def test_what_cannot_be_freed() -> None:
    p = L.malloc(RAW, flavor="raw")
    with pytest.raises(L.MemoryFault, match="not allocated by malloc"):
        L.free(p.inner)
    with pytest.raises(L.MemoryFault, match="immortal"):
        L.free(L.malloc(RAW, immortal=True))


def test_raw_memory_starts_uninitialised() -> None:
    p = L.malloc(RAW, flavor="raw")
    with pytest.raises(L.MemoryFault, match="not initialised"):
        assert p.x
    p.x = 3
    assert p.x == 3
    a = L.malloc(L.Array(L.Signed), 2, flavor="raw")
    with pytest.raises(L.MemoryFault, match="not initialised"):
        a[0]
    assert L.malloc(L.Array(L.Signed), 2, flavor="raw", zero=True)[0] == 0


def test_interior_pointers_do_not_keep_gc_memory_alive() -> None:
    s = L.malloc(rstr.STR1, 3)
    chars = s.chars
    assert chars[0] == "\0"
    assert L.parentlink(chars._obj) == (s._obj, "chars_1")
    assert L.top_container(chars._obj) is s._obj
    del s
    with pytest.raises(L.MemoryFault, match="garbage-collected"):
        chars[0]


def test_inheritance() -> None:
    A = rclass.make_instance_type("A", rclass.OBJECT, ("x", L.Signed))
    B = rclass.make_instance_type("B", A, ("x2", L.Float))
    C = rclass.make_instance_type("C", A, ("x2", L.Float))
    b = L.malloc(B)
    a = L.cast_pointer(L.Ptr(A), b)
    a.x = 3
    assert b.super.x == 3
    assert b.super == a
    assert a._obj is b._obj
    root = L.cast_pointer(rclass.OBJECTPTR, b)
    assert b.super.super == root
    assert L.cast_pointer(L.Ptr(B), root) == b
    assert L.normalizeptr(root) == b
    assert L.cast_pointer(L.Ptr(A), root) == a
    with pytest.raises(L.MemoryFault, match="is a GcStruct B, not a GcStruct C"):
        L.cast_pointer(L.Ptr(C), root)
    with pytest.raises(TypeError, match="neither contains"):
        L.cast_pointer(L.Ptr(C), b)
    assert not L.cast_pointer(L.Ptr(C), L.nullptr(rclass.OBJECT))


def test_equal_types_made_twice_are_interchangeable() -> None:
    def make() -> tuple[L.GcStruct, L.GcStruct]:
        A = L.GcStruct("A", ("x", L.Signed))
        return A, L.GcStruct("B", ("super", A), ("y", L.Signed))

    (A1, B1), (A2, B2) = make(), make()
    p = L.malloc(B1)
    p.y = 4
    q = L.cast_pointer(L.Ptr(B2), L.cast_pointer(L.Ptr(A2), p))
    assert q.y == 4
    assert q == p
    assert A1 == A2


def test_opaque_pointers() -> None:
    ANY = L.Ptr(L.GcOpaqueType("any"))
    p = L.malloc(POINT)
    o = L.cast_opaque_ptr(ANY, p)
    assert L.typeOf(o) == ANY
    assert L.cast_opaque_ptr(L.Ptr(POINT), o) == p
    with pytest.raises(L.MemoryFault, match="is no GcArray"):
        L.cast_opaque_ptr(L.Ptr(L.GcArray(L.Signed)), o)
    with pytest.raises(TypeError, match="cannot cast"):
        L.cast_opaque_ptr(L.Ptr(MIXED), p)
    assert not L.cast_opaque_ptr(ANY, L.nullptr(POINT))
    x, y = L.opaqueptr(L.OpaqueType("t"), "x"), L.opaqueptr(L.OpaqueType("t"), "y")
    assert x == x
    assert x != y


def test_functions() -> None:
    F = L.FuncType([L.Signed, L.Signed], L.Signed)
    f = L.functionptr(F, "add", _callable=lambda x, y: x + y)
    assert f(3, 4) == 7
    assert f._obj._name == "add"
    assert L.typeOf(f) == L.Ptr(F)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        f(1)
    with pytest.raises(TypeError, match="argument 1 of add"):
        f(1, "x")
    with pytest.raises(TypeError, match="no _callable"):
        L.functionptr(F, "g")(1, 2)
    graph = object()
    first, second = (L.functionptr(F, "h", graph=graph) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != f
    with pytest.raises(TypeError, match="not a function"):
        L.malloc(POINT)(1)


def test_direct_pointers() -> None:
    p = L.malloc(RAW, flavor="raw", zero=True)
    x = L.direct_fieldptr(p, "x")
    x[0] = 9
    assert p.x == 9
    assert x == L.direct_fieldptr(p, "x")
    with pytest.raises(L.ArrayBoundsError):
        x[1]
    with pytest.raises(TypeError, match="inlined"):
        L.direct_fieldptr(p, "inner")
    a = L.malloc(L.Array(L.Signed), 4, flavor="raw", zero=True)
    items = L.direct_arrayitems(a)
    items[3] = 5
    assert a[3] == 5
    third = L.direct_ptradd(items, 2)
    assert third[1] == 5
    third[0] = 6
    assert a[2] == 6
    with pytest.raises(L.ArrayBoundsError):
        third[2]
    with pytest.raises(L.ArrayBoundsError):
        L.direct_ptradd(items, 5)
    L.free(a)
    for dead in (items, third):
        with pytest.raises(L.MemoryFault):
            dead[0]


def test_adt_methods() -> None:
    def total(p: Any) -> Any:
        return p.x + p.y

    def kind(T: Any, suffix: str) -> str:
        return str(T._name) + suffix

    S = L.GcStruct(
        "s", ("x", L.Signed), ("y", L.Signed),
        adtmeths={"total": total, "kind": L.typeMethod(kind), "SIZE": 2},
    )  # fmt: skip
    p = L.malloc(S)
    p.x, p.y = 3, 4
    assert p.total() == 7
    assert p.kind("!") == "s!"
    assert p.SIZE == 2
    assert S.SIZE == 2


def test_identity_hash() -> None:
    p = L.malloc(POINT)
    assert p._obj._identityhash is None
    h = L.identityhash(p)
    assert h == L.identityhash(p) == p._obj._identityhash
    q = L.malloc(POINT)
    L.init_identity_hash(q, 123)
    assert L.identityhash(q) == 123
    with pytest.raises(ValueError, match="already"):
        L.init_identity_hash(q, 5)
    with pytest.raises(TypeError, match="not a GC pointer"):
        L.identityhash(L.malloc(RAW, immortal=True))


def test_runtime_type_info() -> None:
    S = L.GcStruct("typed", ("x", L.Signed))
    with pytest.raises(TypeError, match="was not called"):
        L.getRuntimeTypeInfo(S)
    Q = L.FuncType([L.Ptr(S)], L.Ptr(L.RuntimeTypeInfo))
    query = L.functionptr(Q, "query", _callable=lambda p: L.getRuntimeTypeInfo(S))
    info = L.attachRuntimeTypeInfo(S, query)
    assert info == L.getRuntimeTypeInfo(S)
    assert info._obj.query_funcptr == query
    with pytest.raises(TypeError, match="must take one"):
        L.attachRuntimeTypeInfo(POINT, query)


def test_cast_primitive() -> None:
    assert L.cast_primitive(L.Signed, r_uint(2**64 - 1)) == -1
    assert type(L.cast_primitive(L.UInt8, 300)) is not int
    assert L.cast_primitive(L.UInt8, 300) == 44
    assert L.cast_primitive(L.Signed, "a") == 97
    assert L.cast_primitive(L.Char, 97) == "a"
    assert L.cast_primitive(L.Float, 3) == 3.0
    assert L.cast_primitive(L.Signed, -3.9) == -3
    with pytest.raises(TypeError):
        L.cast_primitive(L.Void, 3)


@pytest.mark.parametrize("text", ["", "abc", "\xff\0", "\u0100", "a\U0010ffff\xe9"])
def test_strings(text: str) -> None:
    p = rstr.make_str(text)
    assert rstr.read_str(p) == text
    assert p.length == len(text)
    assert p.wide == any(c > "\xff" for c in text)


def test_bytes_and_char_pointers() -> None:
    p = rstr.make_bytes(b"a\0\xff")
    assert rstr.read_bytes(p) == b"a\0\xff"
    assert len(p.chars) == 3
    c = external.make_charp(b"xyz")
    assert external.read_charp(c) == b"xyz"
    assert external.read_charp(c, 2) == b"xy"
    L.free(c)


def test_classes() -> None:
    A = rclass.make_vtable(rclass.OBJECT_VTABLE, "A", 1, 5)
    B = rclass.make_vtable(rclass.OBJECT_VTABLE, "B", 2, 3)
    T = rclass.make_instance_type("inst_B", rclass.OBJECT)
    b = L.cast_pointer(rclass.OBJECTPTR, rclass.make_instance(T, B))
    assert rclass.ll_isinstance(b, A)
    assert rclass.ll_isinstance(b, B)
    assert rclass.is_subclass(B, A)
    assert not rclass.is_subclass(A, B)
    assert rclass.read_class_name(b.typeptr) == "B"


# ---------------------------------------------------------------- interior pointers, run-time types


def test_interior_pointers_are_canonical() -> None:
    a = L.malloc(L.GcArray(L.Signed), 5)
    p = L.direct_arrayitems(a)
    assert L.direct_ptradd(L.direct_ptradd(p, 1), 2) == L.direct_ptradd(p, 3)
    assert L.direct_ptradd(L.direct_ptradd(p, 3), -3) == p
    assert L.direct_arrayitems(a) == p
    with pytest.raises(L.ArrayBoundsError, match="beyond the 5 items"):
        L.direct_ptradd(L.direct_ptradd(p, 3), 3)
    with pytest.raises(L.ArrayBoundsError, match="beyond the 5 items"):
        L.direct_ptradd(p, -1)


def test_dead_interior_pointers() -> None:
    p = L.malloc(POINT)
    field = L.direct_fieldptr(p, "x")
    field[0] = 4
    assert p.x == 4
    with pytest.raises(L.ArrayBoundsError, match="a pointer to one field"):
        field._obj.items[1]
    del p
    with pytest.raises(L.MemoryFault, match="garbage-collected"):
        assert field[0]
    rows = L.malloc(L.Array(RAW), 2, flavor="raw", zero=True)
    second = L.direct_ptradd(L.direct_arrayitems(rows), 1)
    second[0].x = 3
    assert rows[1].x == 3
    L.free(rows)
    with pytest.raises(L.MemoryFault, match="use after free"):
        assert second[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: L.direct_fieldptr(L.malloc(POINT), "z"), "no field 'z'"),
        (lambda: L.direct_fieldptr(L.malloc(MIXED), "v"), "is Void: it has no memory"),
        (lambda: L.direct_fieldptr(L.malloc(RAW, flavor="raw"), "inner"), "use p.inner"),
        (lambda: L.direct_arrayitems(L.malloc(POINT)), "not an array"),
        (lambda: L.direct_ptradd(L.malloc(L.GcArray(L.Signed), 2), 1), "not a bare array"),
        (lambda: L.getRuntimeTypeInfo(POINT), "was not called"),
        (lambda: L.getRuntimeTypeInfo(RAW), "not a GcStruct"),
        (lambda: L.attachRuntimeTypeInfo(RAW), "not a GcStruct"),
        (lambda: L.runtime_type_info(L.malloc(L.GcArray(L.Signed), 1)), "not a pointer to"),
        (lambda: L.render_immortal(L.malloc(POINT)), "only raw memory"),
        (
            lambda: L.attachRuntimeTypeInfo(
                L.GcStruct("s"), L.functionptr(L.FuncType([], L.Void), "query")
            ),
            "must take one",
        ),
    ],
)
def test_misuse_of_pointers(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_exact_types_at_run_time() -> None:
    BASE = L.GcStruct("base", ("tag", L.Signed), rtti=True)
    DERIVED = L.GcStruct("derived", ("super", BASE))
    info = L.attachRuntimeTypeInfo(DERIVED)
    up = L.cast_pointer(L.Ptr(BASE), L.malloc(DERIVED))
    assert L.runtime_type_info(up) == info == L.getRuntimeTypeInfo(DERIVED)
    assert L.runtime_type_info(L.malloc(BASE)) == L.getRuntimeTypeInfo(BASE) != info
    assert L.getRuntimeTypeInfo(L.GcStruct("base", ("tag", L.Signed), rtti=True)) == (
        L.getRuntimeTypeInfo(BASE)
    )


def test_the_query_function_is_believed_only_when_it_is_right() -> None:
    BASE = L.GcStruct("base", ("tag", L.Signed))
    DERIVED = L.GcStruct("derived", ("super", BASE), rtti=True)

    def query(p: Any) -> Any:
        return L.getRuntimeTypeInfo(DERIVED if p.tag else BASE)

    F = L.FuncType([L.Ptr(BASE)], L.Ptr(L.RuntimeTypeInfo))
    L.attachRuntimeTypeInfo(BASE, L.functionptr(F, "query", _callable=query))
    derived = L.malloc(DERIVED)
    with pytest.raises(RuntimeError, match="does not say"):
        L.runtime_type_info(derived.super)
    derived.super.tag = 1
    assert L.runtime_type_info(derived.super) == L.getRuntimeTypeInfo(DERIVED)


def test_methods_of_types() -> None:
    def grow(p: Any, by: int, times: int = 1) -> Any:
        p.x += by * times
        return p

    @L.typeMethod
    def make(T: Any, n: int) -> Any:
        return L.malloc(T, n)

    S = L.GcStruct("s", ("x", L.Signed), adtmeths={"grow": grow, "K": 5})
    V = L.GcArray(L.Char, adtmeths={"make": make})
    p = L.malloc(S)
    assert p.grow(2, times=3).grow(p.K).x == 11
    assert len(L.malloc(V, 1).make(4)) == 4
    assert len(V.make(3)) == 3
    with pytest.raises(AttributeError, match="no field 'K'"):
        p.K = 6
    assert L.GcStruct("s", ("x", L.Signed)) != S


def test_memory_that_is_never_freed() -> None:
    p = L.malloc(RAW, flavor="raw", zero=True)
    L.render_immortal(p)
    with pytest.raises(L.MemoryFault, match="immortal"):
        L.free(p)
    assert L.cast_ptr_to_int(p) != 0
    assert L.cast_ptr_to_int(L.nullptr(RAW)) == 0


# ------------------------------------------------------------------------ rules and their messages

LIVING = L.malloc(POINT)
NUMBERS = L.malloc(L.GcArray(L.Signed), 3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: LIVING[0], TypeError, "GcStruct point has no items"),
        (lambda: LIVING(1), TypeError, "GcStruct point is not a function"),
        (lambda: len(L.malloc(POINT)), TypeError, "has no length"),
        (lambda: L.functionptr(POINT, "f"), TypeError, "is not a FuncType"),
        (lambda: L.opaqueptr(POINT, "o"), TypeError, "is not an OpaqueType"),
        (lambda: L.nullptr(L.Signed), TypeError, "can only point to a container type"),
        (lambda: L.cast_pointer(POINT, L.malloc(POINT)), TypeError, "must be a Ptr type and"),
        (lambda: L.cast_primitive(L.Void, 1), TypeError, "not a primitive type with values"),
        (lambda: L.cast_primitive(L.Address, 1), TypeError, "cannot convert"),
        (lambda: L.cast_primitive(L.Int8, 128.0), OverflowError, "out of the range of Int8"),
        (lambda: L.cast_primitive(L.Char, -1.0), OverflowError, "out of the range of Char"),
        (lambda: L.cast_primitive(L.Signed, float("nan")), OverflowError, "range of Signed"),
        (lambda: L.cast_primitive(L.UniChar, 0x110000), ValueError, "not in range"),
        (lambda: POINT._defl(), TypeError, "is a container: it has no value"),
        (lambda: hash(L.ForwardReference()), TypeError, "not hashable before become"),
        (lambda: L.identityhash(L.malloc(RAW, flavor="raw")), TypeError, "is not a GC pointer"),
        (
            lambda: L.direct_ptradd(L.direct_arrayitems(NUMBERS), 1)[2],
            L.ArrayBoundsError,
            "index 2 out of bounds: 2 items",
        ),
    ],
)
def test_rules(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_wrong_stand_in_for_an_instance() -> None:
    class A:
        pass

    a = A()
    p = cast_instance_to_base_ptr(a)
    assert cast_base_ptr_to_instance(A, p) is a
    with pytest.raises(TypeError, match="an instance of another class"):
        cast_base_ptr_to_instance(str, p)
