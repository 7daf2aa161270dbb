"""Calls that give again what they gave: of functions that only compute and load.

::

    x = direct_call(@ll_find, d, k)     give the same if nothing between may write what the function
    y = direct_call(@ll_find, d, k)     reads: the fields of d, items of its arrays, keys

The first one has returned, so the second one neither raises nor runs forever.
"""

from __future__ import annotations

from collections.abc import Callable

from rpython.lltypesystem.operations.effects import HEAP, Locations
from rpython.lltypesystem.operations.llop import Derives, callees, row_of
from rpython.lltypesystem.primitives import Address, Bool, Void
from rpython.lltypesystem.types import Ptr, Struct
from rpython.translator.ir.model import FunctionGraph, SpaceOperation, Value
from rpython.translator.opt.facts import EFFECTS
from rpython.translator.opt.summaries import Fact, Summaries


def depends_on_operands_alone(op: SpaceOperation) -> bool:
    """Does the operation, which calls nothing, give the same whenever it is computed, also after
    objects have moved?"""
    row, T = row_of(op), op.result.concretetype
    effects = row.effects
    if effects.reads or effects.writes or effects.collects or row.varies or row.is_call:
        return False
    if isinstance(T, Ptr):
        return row.derives is Derives.SAME
    if T is Void or T is Address or any(arg.concretetype is Address for arg in op.args):
        return False
    return (
        T is Bool
        or row.form == "array_size"
        or not any(isinstance(arg.concretetype, Ptr) for arg in op.args)
    )


def _varies(op: SpaceOperation) -> bool:
    row = row_of(op)
    if row.is_call:
        return callees(op).external is not None
    if row.derives is Derives.INSIDE:
        return False  # nothing moves before the function ends
    return not (row.loads or depends_on_operands_alone(op))


def _graph_varies(graph: FunctionGraph, varies: Callable[[SpaceOperation], bool]) -> bool:
    inside: set[Value] = set()
    """Pointers into objects that the function has made from pointers to those."""
    for block in graph.iterblocks():
        for op in block.operations:
            if varies(op):
                return True
            row = row_of(op)
            if not (row.loads or row.derives) or not isinstance(op.args[0].concretetype, Ptr):
                continue
            known = _is_object(op.args[0].concretetype) or op.args[0] in inside
            if known and row.derives is Derives.INSIDE:
                inside.add(op.result)
            elif row.loads and not known:
                return True  # what is there may be anybody's
    return False


def _is_object(T: Ptr) -> bool:
    """Do only stores of the same type change what is there?"""
    weak = isinstance(T.TO, Struct) and "weak_fields" in T.TO._hints
    return T._gckind == "gc" and not weak


VARIES = Fact("varies", False, True, _varies, of_graph=_graph_varies)
"""May the result depend on more than the operands, and what is in the locations that are read?"""


def locations_read(op: SpaceOperation, summaries: Summaries) -> Locations | None:
    """Of a call that gives the same while nothing is written there; None: it may give something
    else, does something, or is no call of one function."""
    if not row_of(op).is_call or not callees(op).direct:
        return None
    T = op.result.concretetype
    if T in (Void, Address) or (isinstance(T, Ptr) and T._gckind != "gc"):
        return None
    effects = summaries.of_op(EFFECTS, op)
    if effects.writes or effects.collects or summaries.of_op(VARIES, op):
        return None
    return effects.reads if all(map(HEAP.contains, effects.reads)) else None
