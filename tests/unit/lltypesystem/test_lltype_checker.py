"""The checker of types in low-level graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.rarithmetic import r_uint
from rpython.translator.ir.errors import VerifyError
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation
from tests.support.llworld import COLLATZ, World


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: setattr(g.getargs()[0], "concretetype", None), "no low-level type"),
        (lambda g: setattr(g.getargs()[0], "concretetype", L.Float), "value 0 is Float"),
        (lambda g: _first_op(g).args.pop(), "takes 2 operands, has 1"),
        (lambda g: setattr(_first_op(g).result, "concretetype", L.Signed), "must be Bool"),
        (
            lambda g: _first_op(g).args.__setitem__(1, Constant(2.0, L.Float)),
            "operand 1 must be Signed, is Float",
        ),
        (
            lambda g: _first_op(g).args.__setitem__(1, Constant(2**63, L.Signed)),
            "out of the range of Signed",
        ),
        (
            lambda g: _first_op(g).args.__setitem__(1, Constant(r_uint(1), L.Signed)),
            "plain ints",
        ),
        (lambda g: g.startblock.exits[0].args.pop(), "1 values for 2 block arguments"),
        (lambda g: setattr(g.exceptblock.inputargs[0], "concretetype", L.Signed), "except block"),
    ],
)  # fmt: skip
def test_checker(world: World, change: Callable[[FunctionGraph], Any], message: str) -> None:
    graph = world.parse(COLLATZ)["collatz"]
    change(graph)
    with pytest.raises(VerifyError, match=message) as info:
        check_graph(graph, "mypass")
    assert "mypass: graph collatz" in str(info.value)


def _first_op(graph: FunctionGraph) -> SpaceOperation:
    return graph.startblock.exits[0].target.operations[0]


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ('x: Float = getfield(null(*s), "x")', "the result must be Signed, is Float"),
        ('x: Signed = getfield(null(*s), "y")', "has no field 'y'"),
        ('setfield(null(*s), "x", 1.0)', "the value must be Signed, is Float"),
        ("x: Signed = getarrayitem(null(*s), 0)", "must be a constant"),
        ("x = getarraysize(null(*s))", "has no length"),
        ("x: *t = cast_pointer(null(*s))", "neither contains the other"),
        ("x: *s = malloc(type t, {'flavor': 'gc'})", "the result must be"),
        ("x: *s = malloc(type s, {'flavor': 'raw'})", "does not fit"),
        ("x: *s = malloc(type s, {'flavour': 'gc'})", "unknown malloc flags"),
        ("free(null(*s), {'flavor': 'raw'})", "only raw memory"),
        ("x: Signed = direct_call(@f, 1.0)", "argument 0 must be Signed"),
        ("x: Signed = direct_call(@f)", "takes 1 arguments, 0 are given"),
        ("x: Signed = indirect_call(@f, n, n)", "constant list"),
        ("x = ptr_eq(null(*s), null(*t))", "operand 1 must be"),
        ("copy_array_items(null(*s), null(*s), 0, 0, 0)", "not an array"),
        ("x: Float = same_as(n)", "turns Signed into Float"),
        ("x: Address = cast_primitive(n)", "cannot convert"),
        ("x: Signed = cast_adr_to_ptr(null(Address))", "the result must be a pointer"),
        ("x: *FixedSizeArray(Signed, 1) = direct_fieldptr(null(*s), void)", "has no field None"),
        ('x: *FixedSizeArray(Float, 1) = direct_fieldptr(null(*s), "x")', "the result must be"),
        ("x: *FixedSizeArray(Signed, 1) = direct_arrayitems(null(*s))", "is not an array"),
        ("x: *s = direct_ptradd(null(*s), 1)", "is not a bare array"),
        ("x = gc_is_instance(null(*s), type Signed)", "must be a constant GC type"),
        ("x = runtime_type_info(null(*GcArray(Signed)))", "is not a GcStruct"),
        ("x: *s = cast_opaque_ptr(null(*t))", "neither"),
        ("x: *Array(Signed) = cast_opaque_ptr(null(*t))", "cannot cast"),
        ("x: Void = raw_load(n, 0)", "operand 0 must be Address"),
        ("raw_store(type Signed, n, 0, n)", "operand 1 must be Address"),
        ("x = raw_malloc(n, {'zero': True})", "operand 0 must be Offset"),
    ],
)  # fmt: skip
def test_operation_signatures(world: World, op: str, message: str) -> None:
    text = f"""
    gcstruct s {{ x: Signed }}
    gcstruct t {{ x: Float }}
    graph f(n: Signed) -> Signed {{
    b0(n):
        {op}
        return n
    }}
    """
    with pytest.raises(VerifyError) as info:
        world.parse(text)
    assert message in str(info.value)
    assert "graph f: block b0" in str(info.value)
