"""``isinstance``, ``type`` and ``super``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject, s_Bool
from rpython.annotator.lattice.parts import (
    class_of_kind,
    constant_classes,
    kinds_of_class,
    may_be_same_class,
    same_classes,
    without_none,
)
from rpython.annotator.program.hostclasses import counts_as
from rpython.lltypesystem.lltype import Bool, Signed
from rpython.lltypesystem.rclass import CLASSTYPE
from rpython.rtyper.kinds.callable import MixedCallableRepr
from rpython.rtyper.kinds.instance import InstanceRepr
from rpython.rtyper.kinds.int import BoolRepr
from rpython.rtyper.kinds.mixed import MixedRepr, split
from rpython.rtyper.kinds.pbc import ClassRepr, FunctionRepr, switch_class
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import PAIRS, HostRepr, NullableRepr, Repr, not_null
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(isinstance)
def rtype_isinstance(hop: HighLevelOp) -> Value:
    """Instances and None; for every other kind the annotator knows the answer."""
    classes = constant_classes(hop.args_s[1])
    if classes is None:
        return _any_of(hop, 1, _instance_of)
    return _instance_of(hop, tuple(classes))


Test = Callable[["HighLevelOp", tuple[type, ...]], Value]


def _any_of(hop: HighLevelOp, arg: int, test: Test) -> Value:
    """The test for operand ``arg``, a class chosen at run time or a tuple with some."""
    classes, llops = constant_classes(hop.args_s[arg]), hop.llops
    if classes is not None:
        return test(hop, tuple(classes))
    r: Any = hop.args_r[arg]
    v = hop.inputarg(r, arg)
    if isinstance(r, TupleRepr):
        v_result: Value = Constant(False, Bool)
        for i, (s_item, r_item) in enumerate(zip(r.items_s, r.items_r, strict=True)):
            inner = hop.copy()
            inner.replace_arg(arg, r.getitem(llops, v, i), s_item, r_item)
            v_result = llops.either(v_result, _any_of(inner, arg, test))
        return v_result
    inner = hop.copy()
    inner.r_result = hop.rtyper.getrepr(s_Bool)
    r_tested: Any = hop.args_r[0]
    if all(hop.rtyper.classes.is_solid(desc.classdef.cls) for desc in r.descs):
        if isinstance(r_tested, InstanceRepr):
            v_class = hop.rtyper.classes.typeptr(hop.inputarg(r_tested, 0), llops)
            return hop.rtyper.classes.below_class(v_class, v, llops)
    return switch_class(inner, v, r.descs, lambda desc: test(inner, (desc.classdef.cls,)))


def _instance_of(hop: HighLevelOp, wanted: tuple[type, ...]) -> Value:
    r: Any = hop.args_r[0]
    if not isinstance(r, NullableRepr):
        return _test(hop, wanted)
    llops = hop.llops
    v = hop.inputarg(r, 0)
    done = llops.new_join(Bool)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, Constant(type(None) in wanted, Bool))
    llops.at(other)
    inner = hop.copy()
    inner.replace_arg(0, v, without_none(hop.args_s[0]), r.inner)
    llops.goto(done, _test(inner, wanted))
    llops.at(done)
    return done.inputargs[0]


def _test(hop: HighLevelOp, classes: tuple[type, ...]) -> Value:
    r: Any = hop.args_r[0]
    if isinstance(r, InstanceRepr):
        cls = r.classdef.cls
        if any(counts_as(cls, wanted) for wanted in classes):
            return Constant(True, Bool)
        return r.test_class(hop, classes)
    if isinstance(r, (MixedCallableRepr, MixedRepr)):
        return _test_parts(hop, r, classes)
    # a value of a built-in kind or None
    host = class_of_kind(hop.args_s[0])
    if host is not None:
        return Constant(issubclass(host, classes), Bool)
    return Constant(any(hop.args_s[0].kinds & kinds_of_class(cls) for cls in classes), Bool)


def _test_parts(
    hop: HighLevelOp, r: MixedCallableRepr | MixedRepr, classes: tuple[type, ...]
) -> Value:
    """The test for the part that is there."""
    llops = hop.llops
    v = hop.inputarg(r, 0)
    done = llops.new_join(Bool)
    for which, block in enumerate(r.cases(llops, v)):
        llops.at(block)
        inner = hop.copy()
        inner.replace_arg(0, r.part(llops, v, which), r.parts_s[which], r.parts_r[which])
        llops.goto(done, _test(inner, classes))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_", BoolRepr, BoolRepr)
def same_bool(hop: HighLevelOp) -> Value:
    """There is one True and one False."""
    v_left, v_right = (
        hop.genop("cast_bool_to_int", [v], Signed) for v in hop.inputargs(Bool, Bool)
    )
    return hop.genop("int_eq", [v_left, v_right], Bool)


@BUILTINS.register(type)
def rtype_type(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    if hop.s_result.is_constant():
        return hop.result_constant()
    if not_null(r).is_mixed:
        return _class_of_mixed(hop)
    if isinstance(r, NullableRepr):
        if isinstance(r.inner, InstanceRepr):
            return r.inner.class_or_none(hop, r)
        return _class_of_optional(hop, r)
    return hop.rtyper.classes.typeptr(hop.inputarg(r, 0), hop.llops)


def _class_of_mixed(hop: HighLevelOp) -> Value:
    """The class of operand 0, of any kind."""
    llops = hop.llops
    done = llops.new_join(CLASSTYPE)

    def give(part: tuple[Value, SomeObject, Repr]) -> None:
        v, s, r = part
        if isinstance(r, InstanceRepr):
            own = r.classdef.seen_as is r.classdef.cls
            v_class = hop.rtyper.classes.typeptr(v, llops) if own else (
                hop.r_result.inputconst(r.classdef.seen_as)
            )  # fmt: skip
            llops.goto(done, v_class)
        else:
            llops.goto(done, hop.r_result.inputconst(class_of_kind(s)))

    split(llops, (hop.inputarg(hop.args_r[0], 0), hop.args_s[0], hop.args_r[0]), give)
    llops.at(done)
    return done.inputargs[0]


def _class_of_optional(hop: HighLevelOp, r: NullableRepr) -> Value:
    """The class of operand 0, of a built-in kind or None."""
    llops = hop.llops
    cls = class_of_kind(without_none(hop.args_s[0]))
    done = llops.new_join(CLASSTYPE)
    null, other = llops.branch(r.is_null(hop.inputarg(r, 0), llops))
    llops.at(null)
    llops.goto(done, hop.r_result.inputconst(type(None)))
    llops.at(other)
    llops.goto(done, hop.r_result.inputconst(cls))
    llops.at(done)
    return done.inputargs[0]


@PAIRS.register("is_ eq ne", ClassRepr, HostRepr)
def compare_with_builtin_class(hop: HighLevelOp) -> Value:
    """``type(x) is str``"""
    r_class, _ = hop.args_r
    if not may_be_same_class(*hop.args_s):
        return Constant(hop.opname == "ne", Bool)
    v_wanted = r_class.inputconst(hop.args_s[1].value)
    operation = "ptr_ne" if hop.opname == "ne" else "ptr_eq"
    return hop.genop(operation, [hop.inputarg(r_class, 0), v_wanted], Bool)


@PAIRS.register("is_ eq ne", HostRepr, ClassRepr)
def compare_builtin_class(hop: HighLevelOp) -> Value:
    hop.swap_fst_snd_args()
    return compare_with_builtin_class(hop)


@PAIRS.register("is_ eq ne", ClassRepr, FunctionRepr)
def compare_with_functions(hop: HighLevelOp) -> Value:
    """``type(x) in [int, str]``: these are functions to call, too."""
    r_class, r_function = hop.args_r
    v_class, v_function = hop.inputargs(r_class, r_function)
    v_same: Value = Constant(False, Bool)
    for cls in same_classes(*hop.args_s):
        v_of_class = hop.genop("ptr_eq", [v_class, r_class.inputconst(cls)], Bool)
        v_by_number = hop.genop("int_eq", [v_function, r_function.inputconst(cls)], Bool)
        v_same = hop.llops.either(v_same, hop.llops.both(v_of_class, v_by_number))
    return hop.genop("bool_not", [v_same], Bool) if hop.opname == "ne" else v_same


@PAIRS.register("is_ eq ne", FunctionRepr, ClassRepr)
def compare_functions(hop: HighLevelOp) -> Value:
    hop.swap_fst_snd_args()
    return compare_with_functions(hop)


@BUILTINS.register(issubclass)
def rtype_issubclass(hop: HighLevelOp) -> Value:
    """A class in a variable."""
    return _any_of(hop, 1, _subclass_of)


def _subclass_of(hop: HighLevelOp, wanted: tuple[type, ...]) -> Value:
    llops, classes = hop.llops, hop.rtyper.classes
    v_class = hop.inputarg(hop.args_r[0], 0)
    v_result: Value = Constant(object in wanted, Bool)
    for cls in wanted:
        for root in hop.rtyper.annotator.constants.classdefs:
            for classdef in root.tops(cls) if root.base is None else ():
                v_test = classes.subclass_test(v_class, classdef, llops)
                v_result = llops.either(v_result, v_test)
    return v_result


@BUILTINS.register(super)
def rtype_super(hop: HighLevelOp) -> Value:
    r_super: Any = hop.r_result
    return hop.inputarg(r_super.r_self, 1)
