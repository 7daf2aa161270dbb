"""Facts about every row of the low-level operation table."""

from __future__ import annotations

import pytest

from rpython.backend_c.ops import OpWriter
from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.interp.codegen import GraphCoder
from rpython.lltypesystem.operations import lowered
from rpython.lltypesystem.operations.effects import (
    ANY_EXCEPTION,
    EVERYTHING,
    NOTHING,
    Effects,
    covers,
)
from rpython.lltypesystem.operations.integers import PY_NAMES
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.translator.ir.model import Constant, SpaceOperation, Variable

CALLS = {"direct_call", "indirect_call"}
STRUCTURAL = """
    malloc malloc_varsize free getfield setfield getsubstruct getarrayitem setarrayitem
    getarraysize getarraysubstruct getinteriorfield setinteriorfield getinteriorarraysize
    copy_array_items copy_array_bytes debug_fatalerror direct_call indirect_call
    direct_fieldptr direct_ptradd direct_arrayitems raw_malloc raw_store gc_is_instance
    stack_check safepoint class_number
    gc_exchange gc_store_weak gc_copy_items nursery_malloc nursery_malloc_varsize
    collecting_malloc collecting_malloc_varsize
    set_cause forget_traceback print_traceback
"""

MACHINE = {row.name for row in lowered.rows() if row.eval is None}
MACHINE |= {"handler_enter", "handler_leave", "raised_here", "exception_context", "set_context"}
"""They speak of a state of the machine: only the LLInterpreter and C run them."""

CONTRACT = """
    int_add int_sub int_mul int_neg int_abs int_invert int_and int_or int_xor int_lshift
    int_rshift int_lt int_le int_eq int_ne int_gt int_ge int_is_true int_floordiv int_mod
    int_add_ovf int_sub_ovf int_mul_ovf int_neg_ovf int_abs_ovf int_lshift_ovf
    uint_add uint_sub uint_mul uint_neg uint_abs uint_invert uint_and uint_or uint_xor
    uint_lshift uint_rshift uint_lt uint_le uint_eq uint_ne uint_gt uint_ge uint_is_true
    uint_floordiv uint_mod
    float_add float_sub float_mul float_truediv float_neg float_abs float_lt float_le
    float_eq float_ne float_gt float_ge float_is_true
    bool_not char_eq char_ne char_lt char_le char_gt char_ge
    unichar_eq unichar_ne unichar_lt unichar_le unichar_gt unichar_ge
    ptr_eq ptr_ne ptr_nonzero ptr_iszero
    cast_bool_to_int cast_bool_to_uint cast_bool_to_float cast_int_to_uint cast_uint_to_int
    cast_int_to_float cast_uint_to_float cast_float_to_int cast_float_to_uint
    cast_char_to_int cast_int_to_char cast_unichar_to_int cast_int_to_unichar cast_primitive
    cast_pointer cast_opaque_ptr cast_ptr_to_int convert_float_bytes_to_longlong
    convert_longlong_bytes_to_float same_as
    malloc malloc_varsize free getfield setfield getsubstruct getarrayitem setarrayitem
    getarraysize getarraysubstruct getinteriorfield setinteriorfield getinteriorarraysize
    direct_call indirect_call copy_array_items gc_identityhash stack_check keepalive
    debug_fatalerror
"""


def test_the_documented_operations_exist() -> None:
    assert set(CONTRACT.split()) <= {row.name for row in LLOPS}


@pytest.mark.parametrize("row", list(LLOPS), ids=lambda row: row.name)
def test_row(row: LLOp) -> None:
    assert isinstance(row.effects, Effects)
    assert (row.c is None) == (row.name in STRUCTURAL.split() or row.name in MACHINE)
    assert (row.eval is None) == (row.name in CALLS or row.name in MACHINE)
    if row.name in CALLS:
        assert row.raises == ANY_EXCEPTION
    elif row.name in MACHINE:
        assert row.py is not None
    else:
        assert row.raises <= {OverflowError, MemoryError, RecursionError, KeyboardInterrupt}
        assert len(row.raises) <= 1, "a C template is the condition of one exception"
    assert row.args is not None or row.check is not None
    assert row.result is not None or row.check is not None
    if row.refine is not None:
        assert row.effects.reads or row.effects.writes
    if row.c is not None and row.args is not None:
        operands = [f"a{i}" for i in range(len(row.args))]
        text = row.c.format(*operands, R="R", r="r")
        assert all(a in text for a, A in zip(operands, row.args) if A is not L.Void)
        assert ("{r}" in row.c) == (row.raises == {OverflowError})


def test_back_ends_write_what_the_table_says() -> None:
    writers = {row.writer for row in LLOPS}
    assert {name for name in vars(GraphCoder) if name.startswith("py_")} <= {
        f"py_{name}" for name in writers
    }
    structural = {row.writer for row in LLOPS if row.structural}
    unwritten = {name for name in structural if not callable(getattr(OpWriter, name, None))}
    assert unwritten == {"stack_check", "safepoint"}, "the passes of lower replace these"
    assert all(callable(function) for function in PY_NAMES.values())


def test_the_table_is_frozen_and_refuses_duplicates() -> None:
    with pytest.raises(TypeError, match="frozen"):
        LLOPS.add(LLOPS["int_add"])


S = L.GcStruct("S", ("x", L.Signed), ("items", L.Array(L.Float)))
T = L.GcStruct("T", ("x", L.Signed))
A = L.GcArray(L.Signed)
INSTANCES = [
    ("getfield", [Variable("p", L.Ptr(S)), Constant("x", L.Void)], L.Signed),
    ("setfield", [Variable("p", L.Ptr(S)), Constant("x", L.Void), Constant(1, L.Signed)], L.Void),
    ("getarrayitem", [Variable("a", L.Ptr(A)), Constant(0, L.Signed)], L.Signed),
    ("setarrayitem", [Variable("a", L.Ptr(A)), *[Constant(0, L.Signed)] * 2], L.Void),
    (
        "getinteriorfield",
        [Variable("p", L.Ptr(S)), Constant("items", L.Void), Constant(0, L.Signed)],
        L.Float,
    ),
    (
        "copy_array_items",
        [*[Variable("a", L.Ptr(A))] * 2, *[Constant(0, L.Signed)] * 3],
        L.Void,
    ),
]


@pytest.mark.parametrize(("name", "args", "RESULT"), INSTANCES, ids=lambda x: str(x)[:20])
def test_refined_effects_are_within_the_declared_ones(name: str, args: list, RESULT: object):
    row = LLOPS[name]
    assert row.mismatch(args, RESULT) is None
    refined = row.effects_of(SpaceOperation(row, args, Variable("r", RESULT)))
    assert refined.raises <= row.raises
    assert refined.collects <= row.effects.collects
    assert refined.reads | refined.writes != NOTHING
    for location in refined.reads:
        assert covers(row.effects.reads, location)
    for location in refined.writes:
        assert covers(row.effects.writes, location)
        assert covers([EVERYTHING], location)


def test_fields_of_two_structs_do_not_interfere() -> None:
    def field(STRUCT: object, name: str) -> Effects:
        args = [Variable("p", L.Ptr(STRUCT)), Constant("x", L.Void), Constant(1, L.Signed)]
        args = args[: 3 if name == "setfield" else 2]
        return LLOPS[name].effects_of(SpaceOperation(LLOPS[name], args, Variable("r")))

    assert field(S, "setfield").conflicts(field(S, "getfield"))
    assert not field(S, "setfield").conflicts(field(T, "getfield"))
    assert not field(S, "getfield").conflicts(field(S, "getfield"))
