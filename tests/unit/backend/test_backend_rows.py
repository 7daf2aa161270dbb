"""Every row of the low-level operation table that has a C template: compiled C against
the row's ``eval``, on edge values and generated ones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem import rclass
from rpython.lltypesystem.operations.llop import LLOp, UndefinedOperation
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import (
    Address,
    Bool,
    Char,
    Float,
    Int128,
    LowLevelType,
    Offset,
    Primitive,
    Signed,
    SingleFloat,
    UInt128,
    UniChar,
    Void,
)
from rpython.lltypesystem.program import Program
from rpython.translator.ir.builder import GraphBuilder
from tests.support.lowlevel import CTYPES, Native, World, native

CONVERTIBLE = [T for T in CTYPES if T is not Void]


def has_128_bits(row: LLOp) -> bool:
    """Such rows cannot be called through ctypes; tests/laws passes operands in memory."""
    return not {Int128, UInt128}.isdisjoint({*(row.args or ()), row.result})


def instances(row: LLOp) -> Iterator[tuple[list[LowLevelType], LowLevelType]]:
    """Operand and result types to try a row with; none for rows on pointers."""
    if row.name == "cast_primitive":
        for A, R in itertools.product(CONVERTIBLE, repeat=2):
            yield [A], R
    elif row.name == "same_as":
        for A in CONVERTIBLE:
            yield [A], A
    elif (
        row.args is not None
        and not has_128_bits(row)
        and all(isinstance(A, Primitive) and A not in (Void, Address, Offset) for A in row.args)
    ):
        if row.args and row.result is not None:
            yield [A for A in row.args if isinstance(A, Primitive)], row.result


CASES: list[tuple[str, LLOp, list[LowLevelType], LowLevelType]] = [
    (f"op{number}_{row.name}", row, args, R)
    for number, (row, (args, R)) in enumerate(
        (row, types) for row in LLOPS if row.c is not None for types in instances(row)
    )
]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Native:
    """One library with one function per case."""
    exports = {}
    for name, row, args, R in CASES:
        b = GraphBuilder(name, [(f"a{i}", A) for i, A in enumerate(args)], R, rclass.OBJECTPTR)
        b.ret(b.op(row, b.args, R))
        exports[name] = b.graph
    program = Program(next(iter(exports.values())), exports, World().instances)
    where: Path = tmp_path_factory.mktemp("rows")
    return native(program, where, optimise="-O2")


def values_of(T: LowLevelType) -> st.SearchStrategy[Any]:
    if T in (Float, SingleFloat):
        floats = st.floats(width=32) if T is SingleFloat else st.floats()
        return floats | st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan, 1.5, -2.5])
    if T is Bool:
        return st.booleans()
    if T is Char:
        return st.characters(max_codepoint=255)
    if T is UniChar:
        return st.characters()
    assert isinstance(T, Primitive)
    near = [n for e in (T.min, T.max, 0) for n in range(e - 2, e + 3) if T.min <= n <= T.max]
    return st.sampled_from(near) | st.integers(0, 70) | st.integers(T.min, T.max)


def expected(row: LLOp, args: list[Any], R: LowLevelType) -> Any:
    assert row.eval is not None
    try:
        return row.eval(R, *args) if row.typed else row.eval(*args)
    except tuple(row.raises) as e:
        return f"<{type(e).__name__}>"


@pytest.mark.parametrize(("name", "row", "args", "R"), CASES, ids=[case[0] for case in CASES])
def test_row(rows: Native, name: str, row: LLOp, args: list[LowLevelType], R: LowLevelType) -> None:
    @given(st.tuples(*map(values_of, args)))
    def check(values: tuple[Any, ...]) -> None:
        try:
            meaning = expected(row, list(values), R)
        except UndefinedOperation:
            return
        result = rows.call(name, *values)
        if isinstance(meaning, float) and math.isnan(meaning):
            assert math.isnan(result)
        else:
            assert type(result) is type(meaning)
            assert result == meaning
            assert not isinstance(meaning, float) or str(result) == str(meaning)

    check()


def test_enough_rows_are_covered() -> None:
    tried = {row.name for _, row, _, _ in CASES}
    missing = {row.name for row in LLOPS if row.c is not None and not has_128_bits(row)} - tried
    # on pointers and the machine: tested one by one in test_backend_c, test_backend_gc,
    # cases/lowlevel, cases/functions/gc.case, cases/objects/finalizers.case and cases/stdlib
    assert missing <= {
        "direct_ptradd", "runtime_type_info", "adr_add", "adr_sub", "adr_delta", "adr_eq",
        "adr_ne", "adr_lt", "adr_le", "adr_gt", "adr_ge", "offset_add", "offset_neg",
        "offset_mul", "cast_ptr_to_adr", "cast_adr_to_ptr", "cast_adr_to_int", "raw_load",
        "raw_free", "raw_memclear", "raw_memcopy",
        "ptr_eq", "ptr_ne", "ptr_nonzero", "ptr_iszero", "cast_pointer", "cast_opaque_ptr",
        "cast_ptr_to_int", "gc_identityhash", "gc_collect", "stack_check", "keepalive",
        "gc_register_finalizer", "gc_finalizers_due", "gc_next_dead", "gc_dead_number",
        "gc_finalizers_waiting", "gc_condemn", "gc_set_max_heap_size",
        "report_handled", "report_of",
    }  # fmt: skip


def test_signed_edge_pairs(rows: Native) -> None:
    edges = [Signed.min, Signed.min + 1, -2, -1, 0, 1, 2, Signed.max - 1, Signed.max]
    for name, row, args, R in CASES:
        if args == [Signed, Signed]:
            for x, y in itertools.product(edges, repeat=2):
                try:
                    meaning = expected(row, [x, y], R)
                except UndefinedOperation:
                    continue
                assert rows.call(name, x, y) == meaning, (row.name, x, y)
