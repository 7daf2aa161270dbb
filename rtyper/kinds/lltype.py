"""The functions of ``lltype``: each is one low-level operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.lltypesystem import lltype
from rpython.lltypesystem.lltype import (
    Bool,
    Char,
    Float,
    GcArray,
    GcStruct,
    MemoryFault,
    Primitive,
    Ptr,
    Signed,
    SingleFloat,
    UniChar,
    Unsigned,
    castable,
    frozendict,
    range_of,
)
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.ptr import converted, is_user_code, live_pointer
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.model import Block, Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(lltype.malloc)
def rtype_malloc(hop: HighLevelOp) -> Value:
    T = hop.args_s[0].value
    given = {key: hop.args_s[arg].value for key, arg in hop.keywords.items() if key != "n"}
    immortal = bool(given.get("immortal", False))
    flags = {"flavor": "raw" if immortal and T._gckind == "raw" else given.get("flavor", "gc")}
    if given.get("zero", immortal):
        flags["zero"] = True
    v_flags = void(frozendict(flags))
    position = hop.keywords.get("n", 1)
    if position < hop.nb_args and T._is_varsize():
        r_length = hop.args_r[position]
        v_length = hop.inputarg(r_length, position)
        if r_length.lowleveltype is not Signed:
            v_length = hop.genop("cast_primitive", [v_length], Signed)
        return hop.genop("malloc_varsize", [void(T), v_flags, v_length], Ptr(T))
    return hop.genop("malloc", [void(T), v_flags], Ptr(T))


@BUILTINS.register(lltype.free)
def rtype_free(hop: HighLevelOp) -> Value:
    hop.genop("free", [live_pointer(hop, 0)])
    return void(None)


@BUILTINS.register(lltype.render_immortal)
def rtype_render_immortal(hop: HighLevelOp) -> Value:
    live_pointer(hop, 0)
    return void(None)


@BUILTINS.register(lltype.nullptr, lltype.typeOf, Ptr)
def rtype_constant(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@BUILTINS.register(lltype.getRuntimeTypeInfo, lltype.attachRuntimeTypeInfo)
def rtype_runtime_type(hop: HighLevelOp) -> Value:
    """The annotator does not know that it is the same pointer each time."""
    return hop.r_result.inputconst(lltype.getRuntimeTypeInfo(hop.args_s[0].value))


@BUILTINS.register(lltype.cast_pointer)
def rtype_cast_pointer(hop: HighLevelOp) -> Value:
    v, TARGET = hop.inputarg(hop.args_r[1], 1), hop.r_result.lowleveltype
    assert isinstance(TARGET, Ptr) and isinstance(v.concretetype, Ptr)
    if castable(TARGET, v.concretetype) < 0:
        check_type(hop, v, TARGET)
    return hop.rtyper.classes.cast(v, TARGET, hop.llops)


def check_type(hop: HighLevelOp, v: Value, TARGET: Ptr) -> None:
    """In user code: is an object of the garbage-collected heap what it is said to be?"""
    llops, T = hop.llops, TARGET.TO
    if not is_user_code(hop) or not isinstance(T, GcStruct | GcArray):
        return
    done = Block([])
    there, null = llops.branch(hop.genop("ptr_nonzero", [v], Bool))
    llops.at(null)
    llops.goto(done)
    llops.at(there)
    v_other = hop.genop("bool_not", [hop.genop("gc_is_instance", [v, void(T)], Bool)], Bool)
    name = hop.host_function.__name__
    llops.raise_if(v_other, MemoryFault, f"{name}: the object is not a {T._short_name()}")
    llops.goto(done)
    llops.at(done)


@BUILTINS.register(lltype.cast_opaque_ptr)
def rtype_cast_opaque_ptr(hop: HighLevelOp) -> Value:
    v = hop.inputarg(hop.args_r[1], 1)
    if v.concretetype == hop.r_result.lowleveltype:
        return v
    assert isinstance(hop.r_result.lowleveltype, Ptr)
    check_type(hop, v, hop.r_result.lowleveltype)
    return hop.genop("cast_opaque_ptr", [v], hop.r_result)


@BUILTINS.register(lltype.cast_primitive)
def rtype_cast_primitive(hop: HighLevelOp) -> Value:
    T = hop.args_s[0].value
    return converted(hop, cast_to_primitive(hop, hop.inputarg(hop.args_r[1], 1), T), T)


def cast_to_primitive(hop: HighLevelOp, v: Value, T: Primitive) -> Value:
    """A primitive value as one of another type; in user code, OverflowError or ValueError where it
    does not fit a float's or a character's."""
    limits = range_of(T)
    if is_user_code(hop) and limits is not None and not isinstance(v, Constant):
        if v.concretetype in (Float, SingleFloat):
            _check_float(hop, v, T, *limits)
        elif T is UniChar and v.concretetype not in (Char, UniChar, Bool):
            v_number = hop.genop("cast_primitive", [v], Unsigned)
            v_wrong = hop.genop("uint_gt", [v_number, Constant(limits[1], Unsigned)], Bool)
            message = "chr() arg not in range(0x110000)"
            hop.llops.raise_if(v_wrong, ValueError, message)
    return hop.genop("cast_primitive", [v], T)


def _check_float(hop: HighLevelOp, v: Value, T: Primitive, low: int, high: int) -> None:
    """OverflowError unless ``low <= int(v) <= high``."""
    if v.concretetype is SingleFloat:
        v = hop.genop("cast_singlefloat_to_float", [v], Float)
    below, above = float(low) - 1, float(high + 1)
    above_lowest = "float_gt" if below < low else "float_ge"  # no float is between the two
    v_low = hop.genop(above_lowest, [v, Constant(below, Float)], Bool)
    v_high = hop.genop("float_lt", [v, Constant(above, Float)], Bool)
    for v_fits in (v_low, v_high):
        v_wrong = hop.genop("bool_not", [v_fits], Bool)
        message = f"cast_primitive: the float is out of the range of {T}"
        hop.llops.raise_if(v_wrong, OverflowError, message)


@BUILTINS.register(lltype.cast_ptr_to_int)
def rtype_cast_ptr_to_int(hop: HighLevelOp) -> Value:
    return hop.genop("cast_ptr_to_int", [hop.inputarg(hop.args_r[0], 0)], Signed)


@BUILTINS.register(lltype.identityhash)
def rtype_identityhash(hop: HighLevelOp) -> Value:
    return hop.genop("gc_identityhash", [live_pointer(hop, 0)], Signed)


@BUILTINS.register(lltype.runtime_type_info)
def rtype_runtime_type_info(hop: HighLevelOp) -> Value:
    return hop.genop("runtime_type_info", [live_pointer(hop, 0)], hop.r_result)


# -- pointers into the middle of containers -----------------------------------------------------


@BUILTINS.register(lltype.direct_fieldptr)
def rtype_direct_fieldptr(hop: HighLevelOp) -> Value:
    name = void(hop.args_s[1].value)
    return hop.genop("direct_fieldptr", [live_pointer(hop, 0), name], hop.r_result)


@BUILTINS.register(lltype.direct_arrayitems)
def rtype_direct_arrayitems(hop: HighLevelOp) -> Value:
    return hop.genop("direct_arrayitems", [live_pointer(hop, 0)], hop.r_result)


@BUILTINS.register(lltype.direct_ptradd)
def rtype_direct_ptradd(hop: HighLevelOp) -> Value:
    v = live_pointer(hop, 0)
    return hop.genop("direct_ptradd", [v, hop.inputarg(Signed, 1)], hop.r_result)
