"""Bounds tests of indexing, written into the caller so that they cost a comparison.

    v_index = checked_index(hop, 1, v_length, "index out of range")

gives

    nonneg index:          if i >= n: raise
    any index:             if (unsigned) i >= n (seldom): i += n; if (unsigned) i >= n: raise
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeBool, SomeInteger
from rpython.lltypesystem.lltype import Bool, Signed, Unsigned
from rpython.rtyper.kinds.slice import index_arg
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList


def checked_index(hop: HighLevelOp, arg: int, v_length: Value, message: str) -> Value:
    """Operand ``arg`` as an index with 0 <= index < length; IndexError otherwise."""

    def fail(v_bad: Value) -> None:
        hop.llops.raise_if(v_bad, IndexError, message)

    return tested_index(hop, arg, v_length, fail)


def tested_index(
    hop: HighLevelOp, arg: int, v_length: Value, fail: Callable[[Value], None]
) -> Value:
    """The same; ``fail`` emits what raises the exception where a Bool is true."""
    llops = hop.llops
    s_index = hop.args_s[arg]
    v_index = index_arg(hop, arg)
    if isinstance(v_index, Constant) and v_index.value < 0:
        v_index = llops.genop("int_add", [v_length, v_index], Signed)
        v_bad = llops.genop("int_lt", [v_index, Constant(0, Signed)], Bool)
        fail(v_bad)
        return v_index
    if isinstance(s_index, SomeBool) or (isinstance(s_index, SomeInteger) and s_index.nonneg):
        v_bad = llops.genop("int_ge", [v_index, v_length], Bool)
        fail(v_bad)
        return v_index
    v_limit = llops.genop("cast_int_to_uint", [v_length], Unsigned)
    done = llops.new_join(Signed)
    outside, inside = llops.branch(_is_outside(llops, "index_outside", v_index, v_limit))
    llops.at(inside)
    llops.goto(done, v_index)
    llops.at(outside)
    v_from_end = llops.genop("int_add", [v_index, v_length], Signed)
    v_outside = _is_outside(llops, "uint_ge", v_from_end, v_limit)
    fail(v_outside)
    llops.goto(done, v_from_end)
    llops.at(done)
    return done.inputargs[0]


def _is_outside(llops: LowLevelOpList, name: str, v_index: Value, v_limit: Value) -> Value:
    v_unsigned = llops.genop("cast_int_to_uint", [v_index], Unsigned)
    return llops.genop(name, [v_unsigned, v_limit], Bool)
