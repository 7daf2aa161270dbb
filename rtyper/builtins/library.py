"""Callables of the standard library; see ``annotator.library``."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import SomeTuple
from rpython.annotator.library import merged_keywords
from rpython.annotator.library_contextlib import suppress
from rpython.rtyper.callables import Operand
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(functools.partial)
def make_partial(hop: HighLevelOp) -> Value:
    """An instance made from the function, a tuple and keyword arguments."""
    rtyper = hop.rtyper
    operands = [Operand(*hop.operand(i)) for i in range(hop.nb_args)]
    count = hop.nb_args - len(hop.keywords)
    s_args = SomeTuple(tuple(operand.s for operand in operands[1:count]))
    s_keywords = SomeKeywords(tuple(hop.keywords), tuple(op.s for op in operands[count:]))
    r_args: Any = rtyper.getrepr(s_args)
    r_keywords: Any = rtyper.getrepr(s_keywords)
    v_args = r_args.build(hop.llops, [(op.v, op.s, op.r) for op in operands[1:count]])
    v_keywords = r_keywords.r_items.build(
        hop.llops, [(op.v, op.s, op.r) for op in operands[count:]]
    )
    parts = [
        operands[0], Operand(v_args, s_args, r_args), Operand(v_keywords, s_keywords, r_keywords),
    ]  # fmt: skip
    constants = rtyper.annotator.constants
    s_class = constants.annotation_of(constants.library.partial_class(hop.spaceop))
    r_class: Any = rtyper.getrepr(s_class)
    made: Value = r_class.call(hop, CallShape(3), parts)
    return made


@BUILTINS.register(merged_keywords)
def merge_keywords(hop: HighLevelOp) -> Value:
    places: dict[str, tuple[int, int]] = {}
    for arg, r in enumerate(hop.args_r):
        names: Any = r.names  # type: ignore[attr-defined]
        places.update((name, (arg, i)) for i, name in enumerate(names))
    items = []
    for arg, i in places.values():
        s: Any = hop.args_s[arg]
        r_items: Any = hop.args_r[arg].r_items  # type: ignore[attr-defined]
        v_item = r_items.getitem(hop.llops, hop.args_v[arg], i)
        items.append((v_item, s.items[i].without_const(), r_items.items_r[i]))
    r_result: Any = hop.r_result
    merged: Value = r_result.r_items.build(hop.llops, items)
    return merged


@BUILTINS.register(
    operator.itemgetter, operator.attrgetter, operator.methodcaller, functools.cmp_to_key,
    suppress,
)  # fmt: skip
def make_function(hop: HighLevelOp) -> Value:
    return hop.result_constant()
