"""Low-level types: equality, hashing, legality, forward references, text."""

from __future__ import annotations

import pickle

import pytest

from rpython.lltypesystem import lltype as L


def node(name: str = "node") -> L.GcStruct:
    ref = L.GcForwardReference()
    N = L.GcStruct(name, ("value", L.Signed), ("next", L.Ptr(ref)))
    ref.become(N)
    return N


def test_structural_equality() -> None:
    P = L.GcStruct("p", ("x", L.Signed), ("y", L.Float))
    Q = L.GcStruct("p", ("x", L.Signed), ("y", L.Float))
    assert P == Q
    assert hash(P) == hash(Q)
    assert P is not Q
    assert L.Ptr(P) == L.Ptr(Q)
    assert hash(L.Ptr(P)) == hash(L.Ptr(Q))
    assert L.GcStruct("q", ("x", L.Signed), ("y", L.Float)) != P
    assert L.GcStruct("p", ("x", L.Signed), ("z", L.Float)) != P
    assert L.GcStruct("p", ("x", L.Signed), ("y", L.Signed)) != P
    assert L.Struct("p", ("x", L.Signed), ("y", L.Float)) != P
    assert L.GcStruct("p", ("x", L.Signed), ("y", L.Float), hints={"immutable": True}) != P
    assert L.GcArray(L.Ptr(P)) == L.GcArray(L.Ptr(Q)) != L.GcArray(L.Signed)
    assert L.FuncType([L.Ptr(P)], L.Void) == L.FuncType([L.Ptr(Q)], L.Void)
    assert L.FuncType([L.Signed], L.Void) != L.FuncType([L.Signed], L.Signed)
    assert L.FixedSizeArray(L.Signed, 3) == L.FixedSizeArray(L.Signed, 3)
    assert L.FixedSizeArray(L.Signed, 3) != L.FixedSizeArray(L.Signed, 4)
    assert L.OpaqueType("a") == L.OpaqueType("a") != L.OpaqueType("b")
    assert L.GcOpaqueType("a") != L.OpaqueType("a")


def test_pointer_types_are_shared() -> None:
    P = L.GcStruct("p", ("x", L.Signed))
    assert L.Ptr(P) is L.Ptr(P)


def test_recursive_types() -> None:
    A, B = node(), node()
    assert A == B
    assert hash(A) == hash(B)
    assert L.Ptr(A) == L.Ptr(B)
    assert A.next.TO == A
    assert A.next == L.Ptr(A)
    assert node("other") != A
    assert "node" in str(A)
    assert "next" in repr(A)


def test_mutually_recursive_types_that_differ_deep_inside() -> None:
    def pair(last: L.LowLevelType) -> L.GcStruct:
        first, second = L.GcForwardReference(), L.GcForwardReference()
        X = L.GcStruct("x", ("y", L.Ptr(second)))
        Y = L.GcStruct("y", ("x", L.Ptr(first)), ("last", last))
        first.become(X)
        second.become(Y)
        return X

    assert pair(L.Signed) == pair(L.Signed)
    assert pair(L.Signed) != pair(L.Float)


def test_forward_references() -> None:
    ref = L.GcForwardReference()
    pointer = L.Ptr(ref)
    with pytest.raises(TypeError, match="not hashable"):
        hash(pointer)
    with pytest.raises(TypeError, match="only be used inside a Ptr"):
        L.GcStruct("s", ("inline", ref))
    with pytest.raises(TypeError, match="cannot become"):
        ref.become(L.Struct("raw"))
    with pytest.raises(TypeError, match="not a container"):
        ref.become(L.Signed)  # type: ignore[arg-type]
    S = L.GcStruct("s", ("x", L.Signed))
    ref.become(S)
    assert ref == S
    assert pointer == L.Ptr(S)
    assert pointer.TO.x == L.Signed
    assert L.Ptr(S) is pointer


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: L.Struct("s", ("_x", L.Signed)), "do not start with '_'"),
        (lambda: L.Struct("s", ("x", L.Signed), ("x", L.Signed)), "repeated"),
        (lambda: L.Struct("s", ("x", int)), "not a low-level type"),
        (lambda: L.Struct("s", ("a", L.Array(L.Char)), ("x", L.Signed)), "only be the last field"),
        (lambda: L.Struct("s", ("a", L.GcArray(L.Char))), "GcArray cannot be inlined"),
        (lambda: L.Struct("s", ("g", L.GcStruct("g"))), "first field of a GcStruct"),
        (
            lambda: L.GcStruct("s", ("x", L.Signed), ("g", L.GcStruct("g"))),
            "first field of a GcStruct",
        ),
        (
            lambda: L.GcStruct("s", ("v", L.GcStruct("v", ("a", L.Array(L.Char))))),
            "variable-sized struct cannot be inlined",
        ),
        (lambda: L.Struct("s", ("f", L.FuncType([], L.Void))), "cannot inline"),
        (lambda: L.Array(L.Array(L.Char)), "items must be"),
        (lambda: L.Array(L.GcStruct("g")), "first field of a GcStruct"),
        (lambda: L.Array(5), "takes one type"),
        (lambda: L.Array(), "takes one type"),
        (lambda: L.Ptr(L.Signed), "can only point to a container"),
        (lambda: L.FuncType([L.Struct("s")], L.Void), "primitive or a pointer"),
        (lambda: L.GcStruct("u", ("x", L.Signed), hints={"union": True}), "a union is raw memory"),
        (
            lambda: L.Struct("u", ("g", L.Ptr(L.GcStruct("g"))), hints={"union": True}),
            "without GC pointers",
        ),
        (
            lambda: L.Struct("u", ("a", L.Array(L.Char)), hints={"union": True}),
            "of a fixed size",
        ),
    ],
)
def test_illegal_types(build: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        build()  # type: ignore[operator]


def test_array_shortcut_and_fields() -> None:
    A = L.GcArray(("x", L.Signed), ("y", L.Char))
    assert isinstance(A.OF, L.Struct)
    assert A.OF.y == L.Char
    S = L.GcStruct("s", ("n", L.Signed), ("items", L.Array(L.Char)))
    assert S._arrayfld == "items"
    assert S._is_varsize()
    assert S.items == L.Array(L.Char)
    with pytest.raises(AttributeError, match="no field 'zzz'"):
        _ = S.zzz


def test_castable() -> None:
    A = L.GcStruct("a", ("x", L.Signed))
    B = L.GcStruct("b", ("super", A))
    C = L.GcStruct("c", ("super", B), ("y", L.Signed))
    other = L.GcStruct("d", ("super", A), ("y", L.Signed))
    assert L.castable(L.Ptr(A), L.Ptr(C)) == 2
    assert L.castable(L.Ptr(C), L.Ptr(A)) == -2
    assert L.castable(L.Ptr(B), L.Ptr(B)) == 0
    with pytest.raises(TypeError, match="neither contains the other"):
        L.castable(L.Ptr(C), L.Ptr(other))
    raw = L.Struct("raw", ("x", L.Signed))
    with pytest.raises(TypeError, match="neither"):
        L.castable(L.Ptr(raw), L.Ptr(L.GcStruct("g", ("r", raw))))


def test_text() -> None:
    P = L.GcStruct("point", ("x", L.Signed), ("y", L.Signed))
    assert repr(L.Signed) == "<Signed>"
    assert repr(P) == "<GcStruct point { x: Signed, y: Signed }>"
    assert repr(L.Ptr(P)) == "<* GcStruct point { x: Signed, y: Signed }>"
    assert str(L.FuncType([L.Signed, L.Ptr(P)], L.Void)) == (
        "Func (Signed, * GcStruct point) -> Void"
    )


def test_frozendict() -> None:
    flags = L.frozendict({"flavor": "raw", "zero": True})
    assert flags == {"flavor": "raw", "zero": True}
    assert flags.get("nope") is None
    assert hash(flags) == hash(L.frozendict(zero=True, flavor="raw"))
    with pytest.raises(TypeError, match="cannot be changed"):
        flags["x"] = 1
    assert pickle.loads(pickle.dumps(dict(flags))) == flags
