"""Between the values of restricted code and low-level ones: mostly the same value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import s_Bytes, s_None, s_Str
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.rules.annlowlevel import plain_functions
from rpython.annotator.rules.lowlevel import annotation_in, lltype_to_annotation
from rpython.lltypesystem import annlowlevel, lltype
from rpython.lltypesystem.lltype import Bool, Ptr, nullptr
from rpython.lltypesystem.rclass import OBJECT, OBJECTPTR
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.lltype import check_type
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList


@BUILTINS.register(annlowlevel.llhelper)
def llhelper(hop: HighLevelOp) -> Value:
    F, constants = hop.args_s[0].value, hop.rtyper.annotator.constants
    pointers = {}
    for desc in plain_functions(hop.args_s[1]):
        s = constants.annotation_of(desc.func)
        r = hop.rtyper.getrepr(s)
        function = Operand(r.inputconst(desc.func), s, r)
        pointers[desc] = function_pointer(hop, function, F)
    if len(pointers) == 1:
        return next(iter(pointers.values()))
    v_number = hop.inputarg(hop.args_r[1], 1)
    done = hop.llops.new_join(F)
    for desc, pointer in pointers.items():
        known = hop.args_r[1].inputconst(desc.func)
        yes, no = hop.llops.branch(hop.llops.genop("int_eq", [v_number, known], Bool))
        hop.llops.at(yes)
        hop.llops.goto(done, pointer)
        hop.llops.at(no)
    hop.llops.unreachable()
    hop.llops.at(done)
    return done.inputargs[0]


def function_pointer(hop: HighLevelOp, function: Operand, F: Ptr) -> Value:
    """A pointer to a function of low-level values that calls ``function``."""
    rtyper, caller = hop.rtyper, hop.llops.graphtyper.graph
    args_r = tuple(rtyper.getrepr(lltype_to_annotation(A)) for A in F.TO.ARGS)

    def build(llops: LowLevelOpList, args: list[Value]) -> Value:
        passed = []
        for v, r_arg, A in zip(args, args_r, F.TO.ARGS):
            s = annotation_in(caller.is_helper, A)
            r = rtyper.getrepr(s)
            passed.append(Operand(llops.convertvar(v, r_arg, r), s, r))
        made = rtyper.calls.apply(llops, function, passed)
        return llops.convertvar(made.v, made.r, rtyper.primitive_repr(F.TO.RESULT))

    name = function.s.value.__name__
    key = ("llhelper", hop.spaceop, function.s.value)
    helper = rtyper.items.make(key, name, args_r, F.TO.RESULT, build, caller)
    return Constant(helper.pointer, F)


@BUILTINS.register(annlowlevel.llstr, annlowlevel.llbytes)
def text_as_pointer(hop: HighLevelOp) -> Value:
    s_text = s_Str if hop.host_function is annlowlevel.llstr else s_Bytes
    return hop.inputarg(hop.rtyper.getrepr(hop.rtyper.annotator.join(s_text, s_None)), 0)


@BUILTINS.register(annlowlevel.hlstr, annlowlevel.hlbytes)
def pointer_as_text(hop: HighLevelOp) -> Value:
    return hop.inputarg(hop.args_r[0], 0)


@BUILTINS.register(annlowlevel.cast_instance_to_base_ptr)
def cast_instance_to_base_ptr(hop: HighLevelOp) -> Value:
    if without_none(hop.args_s[0]).kinds == 0:
        return Constant(nullptr(OBJECT), OBJECTPTR)
    return hop.rtyper.classes.cast(hop.inputarg(hop.args_r[0], 0), OBJECTPTR, hop.llops)


@BUILTINS.register(annlowlevel.cast_instance_to_gcref)
def cast_instance_to_gcref(hop: HighLevelOp) -> Value:
    return hop.genop("cast_opaque_ptr", [cast_instance_to_base_ptr(hop)], hop.r_result)


@BUILTINS.register(annlowlevel.cast_base_ptr_to_instance)
def cast_base_ptr_to_instance(hop: HighLevelOp) -> Value:
    return _checked_instance(hop, hop.inputarg(OBJECTPTR, 1))


@BUILTINS.register(annlowlevel.cast_gcref_to_instance)
def cast_gcref_to_instance(hop: HighLevelOp) -> Value:
    v = hop.inputarg(hop.args_r[1], 1)
    check_type(hop, v, OBJECTPTR)
    v = hop.genop("cast_opaque_ptr", [v], OBJECTPTR)
    return _checked_instance(hop, v)


def _checked_instance(hop: HighLevelOp, v: Value) -> Value:
    llops, classes = hop.llops, hop.rtyper.classes
    classdef = hop.rtyper.annotator.constants.classdef(hop.args_s[0].value)
    done = llops.new_join(hop.r_result.lowleveltype)
    there, null = llops.branch(llops.genop("ptr_nonzero", [v], Bool))
    llops.at(null)
    llops.goto(done, Constant(nullptr(_target(hop)), hop.r_result.lowleveltype))
    llops.at(there)
    fits = classes.isinstance_test(v, classdef, llops)
    v_wrong = llops.genop("bool_not", [fits], Bool)
    llops.raise_if(v_wrong, TypeError, "the pointer is to an instance of another class")
    llops.goto(done, classes.downcast(v, classdef, llops))
    llops.at(done)
    return done.inputargs[0]


def _target(hop: HighLevelOp) -> lltype.ContainerType:
    T = hop.r_result.lowleveltype
    assert isinstance(T, Ptr)
    target: lltype.ContainerType = T.TO
    return target
