"""Which graph a call gets, and where its parameters come from: what the annotator has decided,
found again from the operands."""


from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import SomeObject, SomeTuple
from rpython.annotator.lattice.vartuples import SomeVarTuple
from rpython.annotator.program.argument import (
    Arguments,
    CallKey,
    FromArg,
    FromDefault,
    FromItem,
    FromKeywords,
    FromMapping,
    FromStar,
    Source,
    StarMatch,
    call_key,
    match_arguments,
    split_arguments,
)
from rpython.annotator.program.constants import Constants
from rpython.annotator.program.declared import as_declared
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.program.variants import settled_variants, variant_apart, variant_key
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll import ll_error, ll_list
from rpython.rtyper.ll.ll_str import prebuilt_str
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import Repr
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import ComputedDefault
from rpython.translator.ir.model import Constant, Value
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span


@dataclass(frozen=True, slots=True)
class Operand:
    """One argument of a call: its low-level value, annotation and Repr."""

    v: Value
    s: SomeObject
    r: Repr


def split_operands(name: str, shape: CallShape, operands: Sequence[Operand]) -> Arguments:
    star_length: int | None = 0
    if shape.star:
        s_star = operands[-1].s
        assert isinstance(s_star, SomeTuple | SomeVarTuple)
        star_length = len(s_star.items) if isinstance(s_star, SomeTuple) else None
    mappings: dict[int, tuple[str, ...] | None] = {}
    for index, key in enumerate(shape.keywords, shape.positional):
        if key == "**":
            s_mapping = operands[index].s
            mappings[index] = s_mapping.names if isinstance(s_mapping, SomeKeywords) else None
    return split_arguments(name, shape, star_length, mappings)


def match_operands(
    constants: Constants, desc: FunctionDesc, shape: CallShape, operands: Sequence[Operand],
    place: Span | None,
) -> tuple[list[Source], CallKey | None]:  # fmt: skip
    """Where the parameters come from, and the key of the graph for that call."""
    sources = match_arguments(desc.name, desc.signature, split_operands(desc.name, shape, operands))
    args_s = [annotation_passed(constants, source, operands) for source in sources]
    args_s = as_declared(desc, args_s)
    if desc.specialisation is None:
        annotator = constants.annotator
        choose = variant_apart if annotator.refinement.is_apart(desc.func) else variant_key
        key = call_key(sources, None)
        chosen = choose(desc, key, args_s, annotator.boxes)
        settled = settled_variants(desc, key, args_s) if len(desc.graphs) > 1 else []
        return sources, settled[0] if settled and chosen not in settled else chosen
    key = call_key(sources, desc.specialisation.key(args_s), desc.place(place))
    return sources, desc.known_key(key)


def annotation_passed(
    constants: Constants, source: Source, operands: Sequence[Operand]
) -> SomeObject:
    """The annotation of what a parameter gets."""
    if isinstance(source, FromArg):
        return operands[source.index].s
    if isinstance(source, FromDefault):
        if isinstance(source.value, ComputedDefault):
            s_closure: Any = operands[0].s
            return constants.attribute(s_closure.classdef, source.value.attribute).s_value
        return constants.annotation_of(source.value)
    if isinstance(source, (FromStar, FromMapping)):
        s_items: Any = operands[source.index].s
        s_item: SomeObject = s_items.items[source.item]
        return s_item
    if isinstance(source, FromItem):
        s_star: Any = operands[source.index].s
        s_item = s_star.s_item
        if source.default is None:
            return s_item
        s_default = annotation_passed(constants, source.default, operands).without_const()
        return constants.annotator.join(s_item, s_default)
    items = tuple(annotation_passed(constants, item, operands) for item in source.items)
    if isinstance(source, FromKeywords):
        return items[0] if source.is_dict else SomeKeywords(source.names, items)
    if source.star is None:
        return SomeTuple(items)
    s_item = annotation_passed(constants, source.star, operands)
    for s_other in items:
        s_item = constants.annotator.join(s_item, s_other.without_const())
    return SomeVarTuple(s_item)


def require_items(llops: LowLevelOpList, match: StarMatch, star: Operand) -> None:
    """TypeError unless a tuple has as many items as there are parameters for."""
    r: Any = star.r
    v_length = r.length(llops, star.v)
    for have, message in enumerate(match.missing):
        v_is = llops.genop("int_eq", [v_length, Constant(have, Signed)], Bool)
        llops.raise_if(v_is, TypeError, message)
    if match.most is None:
        return
    v_over = llops.genop("int_gt", [v_length, Constant(match.most, Signed)], Bool)
    over, fine = llops.branch(v_over)
    llops.at(over)
    before, after = match.too_many
    if not after:
        llops.raise_constant(TypeError, before)
    else:
        v_given = llops.genop("int_add", [v_length, Constant(match.others, Signed)], Signed)
        texts = [Constant(prebuilt_str(text), STRPTR) for text in (before, after)]
        llops.gendirectcall(ll_error.ll_too_many_arguments, texts[0], v_given, texts[1])
        llops.unreachable()
    llops.at(fine)


def rest_of_star(
    llops: LowLevelOpList, items: Sequence[Operand], source: FromItem, star: Operand,
    r: Any,
) -> Value:  # fmt: skip
    """``*vararg``: these, and the items of a tuple of unknown length from one on."""
    r_star: Any = star.r
    v_items, v_length = r_star.contents_for(llops, star.v, r)
    if source.item:
        v_start = Constant(source.item, Signed)
        v_items = llops.gendirectcall(ll_list.ll_items_from, v_items, v_start)
        v_length = llops.genop("getarraysize", [v_items], Signed)
    if not items:
        rest: Value = v_items
        return rest
    r_first: Any = llops.rtyper.getrepr(SomeTuple(tuple(item.s for item in items)))
    v_first = r_first.build(llops, [(item.v, item.s, item.r) for item in items])
    v_first = llops.convertvar(v_first, r_first, r)
    v_count = Constant(len(items), Signed)
    return llops.gendirectcall(ll_list.ll_concat, v_first, v_count, v_items, v_length)
