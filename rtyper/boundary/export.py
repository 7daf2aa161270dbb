"""The graphs that stand between C callers and the functions of a shared library.

    repeat(times: int, text: str) -> str

becomes, with C's types and the conversions in it,

    rpy_export_repeat(times: Signed, text: char *, text_length: Signed, length: Signed *) -> char *
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeObject
from rpython.lltypesystem.foreign.external import CCHARP
from rpython.lltypesystem.lltype import (
    Array,
    Char,
    FuncType,
    LowLevelType,
    Ptr,
    Signed,
    UniChar,
    Void,
)
from rpython.lltypesystem.primitives import Float, Int128, Primitive, UInt128
from rpython.lltypesystem.rstr import BYTESPTR, STRPTR
from rpython.rtyper.boundary.handles import Handles
from rpython.rtyper.boundary.marshal import Frame, counting
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.list import BaseListRepr
from rpython.rtyper.kinds.str import CharRepr
from rpython.rtyper.ll import ll_export
from rpython.rtyper.ll.ll_str import ll_chr2str
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import ImpossibleRepr, NoneRepr, NullableRepr, Repr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import FunctionGraph, Value
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper

PREFIX = "rpy_export_"
WHAT_CROSSES = (
    "int, float, bool, str, bytes, list[int], list[float], objects, None for a str, bytes or"
    " object, sized integers and low-level types can be passed"
)


@dataclass(frozen=True)
class Export:
    """A function of a library: its annotated graph, what the caller passes to it, its name
    in C; ``lowlevel``: its result is left as it is; ``codes``: C gets a code for exceptions;
    ``by_value``: the arguments, by index, that are pointers to structs which C passes by value."""

    graph: FunctionGraph
    args_s: Sequence[SomeObject]
    c_name: str
    lowlevel: bool = False
    codes: bool = False
    by_value: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Exported:
    """What became of it: the graph for C, the name of each parameter and whether it is memory
    that is only read; ``sized``: the last is where the length of the result goes; ``handles``: the
    classes of parameters that are handles, by index (-1: of the result); ``by_value``: the
    parameters that are structs."""

    graph: FunctionGraph
    parameters: list[tuple[str, bool]]
    sized: bool
    handles: dict[int, str] = field(default_factory=dict)
    by_value: frozenset[int] = frozenset()


def export(rtyper: RPythonTyper, what: Export, handles: Handles) -> Exported:
    """The graph that C calls.  Raises TyperError for values that C cannot have."""
    names = [str(v.name) for v in what.graph.getargs()]
    r_result = rtyper.bindingrepr(what.graph.getreturnvar())
    types: list[LowLevelType] = []
    parameters: list[tuple[str, bool]] = []
    kinds = [rtyper.getrepr(s) for s in what.args_s]
    classes: dict[int, str] = {}
    values: set[int] = set()
    for i, (r, name) in enumerate(zip(kinds, names)):
        own: list[LowLevelType] | None = _argument_types(r)
        if (classdef := handles.class_of(r)) is not None:
            own = [Signed]
            classes[len(types)] = classdef.cls.__name__
        if own is None:
            raise _refusal(what, f"the argument {name!r}", r)
        if i in what.by_value:
            values.add(len(types))
        types += own
        parameters += [(name, len(own) > 1), (f"{name}_length", False)][: len(own)]
    result, sized = _result_type(r_result, what.lowlevel)
    made = handles.class_of(r_result)
    if made is not None:
        result = Signed
        classes[-1] = made.cls.__name__
    if result is None:
        raise _refusal(what, "the result", r_result)
    if sized:
        types.append(ll_export.SIZEPTR)
        parameters.append(("result_length", False))
    frame = Frame(rtyper, PREFIX + what.c_name, FuncType(types, result))
    left: list[Value] = [*frame.args]
    args = []
    for r, v_arg in zip(kinds, what.graph.getargs()):
        if handles.class_of(r) is not None:
            v = handles.from_c(frame.llops, r, left.pop(0))
        else:
            parts = [left.pop(0) for _ in _argument_types(r) or ()]
            v = _from_c(frame.llops, r, parts)
        args.append(frame.llops.convertvar(v, r, rtyper.bindingrepr(v_arg)))
    v_result = frame.llops.call_pointer(rtyper.graph_pointer(what.graph), args)
    if made is not None:
        v_c = handles.to_c(frame.llops, r_result, v_result)
    elif what.lowlevel or not sized:
        v_c = v_result if result is not Void else void(None)
    else:
        v_c = _to_c(frame.llops, r_result, v_result, left[0])
    return Exported(frame.finish(v_c), parameters, sized, classes, frozenset(values))


def _refusal(what: Export, which: str, r: Repr) -> TyperError:
    return TyperError(
        f"{which} of {what.c_name} is {r!r}, which C cannot have",
        what.graph.span,
        hint=WHAT_CROSSES,
    )


def _array(r: Repr) -> Ptr | None:
    """The type of the array that is a list of numbers in C."""
    if isinstance(r, BaseListRepr) and r.r_item.lowleveltype in (Signed, Float):
        return Ptr(Array(r.r_item.lowleveltype, hints={"nolength": True}))
    return None


def _is_plain(T: LowLevelType) -> bool:
    """Is a value of this type the same thing in C?"""
    if isinstance(T, Ptr):
        return bool(T.TO._gckind == "raw")
    return isinstance(T, Primitive) and T not in (Void, Int128, UInt128)


def _argument_types(r: Repr) -> list[LowLevelType] | None:
    """The types of an argument's parameters in C; None when it cannot have any."""
    array = _array(r)
    if array is not None:
        return [array, Signed]
    if r.lowleveltype in (STRPTR, BYTESPTR):
        return [CCHARP, Signed]
    if isinstance(r, CharRepr):
        return [Char]
    return [r.lowleveltype] if _is_plain(r.lowleveltype) else None


def _result_type(r: Repr, lowlevel: bool) -> tuple[LowLevelType | None, bool]:
    """The type of the result in C, None when it cannot have one, and whether its length
    is told, too."""
    array = _array(r)
    if isinstance(r, (NoneRepr, ImpossibleRepr)):
        return Void, False
    if lowlevel and _is_plain(r.lowleveltype):
        return r.lowleveltype, False
    if array is not None:
        return array, True
    if r.lowleveltype in (STRPTR, BYTESPTR) or isinstance(r, CharRepr):
        return CCHARP, True
    return (r.lowleveltype if _is_plain(r.lowleveltype) else None), False


def _from_c(llops: LowLevelOpList, r: Repr, parts: list[Value]) -> Value:
    if isinstance(r, BaseListRepr):
        return _list_from_c(llops, r, *parts)
    if isinstance(r, CharRepr):
        v_code = llops.genop("cast_char_to_int", parts, Signed)
        return llops.genop("cast_int_to_unichar", [v_code], UniChar)
    if len(parts) == 1:
        return parts[0]
    optional = isinstance(r, NullableRepr)
    if r.lowleveltype == STRPTR:
        helper = ll_export.ll_optional_str_from_c if optional else ll_export.ll_str_from_c
    else:
        helper = ll_export.ll_optional_bytes_from_c if optional else ll_export.ll_bytes_from_c
    return llops.gendirectcall(helper, *parts)


def _list_from_c(
    llops: LowLevelOpList, r: BaseListRepr, v_items: Value, v_given: Value
) -> Value:
    v_length = llops.gendirectcall(ll_export.ll_list_length, v_items, v_given)
    v_list = r.newlist(llops, v_length)
    for v_index in counting(llops, v_length):
        v_item = llops.genop("getarrayitem", [v_items, v_index], r.r_item.lowleveltype)
        r.setitem(llops, v_list, v_index, v_item)
    return v_list


def _to_c(llops: LowLevelOpList, r: Repr, v: Value, v_size: Value) -> Value:
    if isinstance(r, BaseListRepr):
        return _list_to_c(llops, r, v, v_size)
    if isinstance(r, CharRepr):
        v = llops.gendirectcall(ll_chr2str, v)
        return llops.gendirectcall(ll_export.ll_str_to_c, v, v_size)
    helper = ll_export.ll_str_to_c if r.lowleveltype == STRPTR else ll_export.ll_bytes_to_c
    return llops.gendirectcall(helper, v, v_size)


def _list_to_c(llops: LowLevelOpList, r: BaseListRepr, v: Value, v_size: Value) -> Value:
    v_length = r.length(llops, v)
    array = _array(r)
    assert array is not None
    v_items = llops.gendirectcall(ll_export.ll_new_items, void(array.TO), v_length, v_size)
    for v_index in counting(llops, v_length):
        llops.genop("setarrayitem", [v_items, v_index, r.getitem(llops, v, v_index)])
    return v_items
