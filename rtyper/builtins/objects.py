"""Built-in functions about instances: ``hasattr``, ``getattr`` with a default, ``callable``,
``int(x)`` of an instance, ..."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from rpython.annotator.conversions import of_function
from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.overlay.instances import function_of_instance
from rpython.annotator.program.classdef import ClassDef, is_slot
from rpython.lltypesystem.lltype import Bool
from rpython.lltypesystem.rclass import CLASSTYPE
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.rtyper.rmodel import NullableRepr
from rpython.stdlib._attributes import set_attribute
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(hasattr)
def rtype_hasattr(hop: HighLevelOp) -> Value:
    if hop.s_result.is_constant():
        return hop.result_constant()
    llops = hop.llops
    r: Any = hop.args_r[0]
    name = hop.args_s[1].value
    if not isinstance(r, NullableRepr):
        return _has_attribute(hop, r, hop.inputarg(r, 0), name)
    v = hop.inputarg(r, 0)
    done = llops.new_join(Bool)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, Constant(hasattr(None, name), Bool))
    llops.at(other)
    inner: Any = r.inner
    llops.goto(done, _has_attribute(hop, inner, v, name))
    llops.at(done)
    return done.inputargs[0]


def _has_attribute(hop: HighLevelOp, r: InstanceRepr, v: Value, name: str) -> Value:
    """Does the instance have the attribute?  A Bool."""
    llops, classes = hop.llops, hop.rtyper.classes
    has = {
        classdef: _has(hop, classdef, name)
        for classdef in r.classdef.concrete(r.members)
        if classdef.instantiated or classdef.prebuilt
    }
    if len(set(has.values())) < 2:
        return _answer(hop, next(iter(has.values()), False), v, name)
    done = llops.new_join(Bool)
    v_class = classes.typeptr(v, llops)
    for classdef, where in has.items():
        vtable = Constant(classes.vtable(classdef), CLASSTYPE)
        yes, no = llops.branch(llops.genop("ptr_eq", [v_class, vtable], Bool))
        llops.at(yes)
        llops.goto(done, _answer(hop, where, v, name))
        llops.at(no)
    llops.unreachable()
    llops.at(done)
    return done.inputargs[0]


def _has(hop: HighLevelOp, classdef: ClassDef, name: str) -> bool | InstanceRepr:
    """Do instances of exactly that class have the attribute?  Or: the Repr with the flag."""
    attribute = classdef.find_attribute(name)
    if attribute is None:
        found = None if classdef.hides(name) else classdef.class_value(name)
        return (found is not None and not is_slot(found[1])) or hasattr(object, name)
    home: InstanceRepr = hop.rtyper.instance_repr(attribute.homedef)
    if name not in home.fields:
        return False
    return home if name in home.unset_flags else True


def _answer(hop: HighLevelOp, where: bool | InstanceRepr, v: Value, name: str) -> Value:
    if isinstance(where, bool):
        return Constant(where, Bool)
    v_home = hop.rtyper.classes.cast(v, where.lowleveltype, hop.llops)
    return hop.llops.genop("getfield", [v_home, void(f"has_{name}")], Bool)


@BUILTINS.register(getattr)
def rtype_getattr(hop: HighLevelOp) -> Value:
    """With a default, with a name known at run time, or a constant that the annotator knows."""
    if hop.s_result.is_constant():
        return hop.result_constant()
    llops = hop.llops
    r: Any = hop.args_r[0]
    if not isinstance(r, InstanceRepr):
        return hop.inputarg(hop.r_result, 2)
    name = hop.args_s[1].value
    attribute = r.classdef.find_attribute(name)
    if attribute is None or hop.nb_args < 3:
        return r.rtype_getattr(hop)
    home = r.home(name)
    if name not in home.fields:
        return hop.inputarg(hop.r_result, 2)
    if name not in home.unset_flags:
        return r.rtype_getattr(hop)
    done = llops.new_join(hop.r_result.lowleveltype)
    yes, no = llops.branch(_answer(hop, home, hop.inputarg(r, 0), name))
    llops.at(yes)
    llops.goto(done, r.rtype_getattr(hop))
    llops.at(no)
    llops.goto(done, hop.inputarg(hop.r_result, 2))
    llops.at(done)
    return done.inputargs[0]


@BUILTINS.register(set_attribute)
@BUILTINS.register(object.__setattr__)
def rtype_object_setattr(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    v: Value = r.rtype_setattr(hop)
    return v


@BUILTINS.register(dataclasses.is_dataclass)
def rtype_is_dataclass(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@BUILTINS.register(callable)
def rtype_callable(hop: HighLevelOp) -> Value:
    """Where the annotator does not know, it depends on whether the value is None, or on the
    class of the instance."""
    if hop.s_result.is_constant():
        return hop.result_constant()
    llops = hop.llops
    r: Any = hop.args_r[0]
    v = hop.inputarg(r, 0)
    if isinstance(r, InstanceRepr):
        return r.test_method(llops, v, "__call__")
    done = llops.new_join(Bool)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, Constant(False, Bool))
    llops.at(other)
    v_callable: Value = Constant(True, Bool)
    if isinstance(r.inner, InstanceRepr):
        v_callable = r.inner.test_method(llops, v, "__call__")
    llops.goto(done, v_callable)
    llops.at(done)
    return done.inputargs[0]


@HOST_CALLS.append
def call_by_method(hop: HighLevelOp, function: Any) -> Value | None:
    """``divmod(x, y)``, ``hex(x)``, ... of an instance."""
    twin = function_of_instance(function, hop.args_s)
    return None if twin is None else call_overlay(hop, twin)


@HOST_CALLS.append
def convert_instance(hop: HighLevelOp, function: Any) -> Value | None:
    """``int(x)``, ``abs(x)``, ... of an instance."""
    conversion = of_function(function)
    if conversion is None or hop.nb_args != 1:
        return None
    if not isinstance(without_none(hop.args_s[0]), SomeInstance):
        return None
    r: Any = hop.args_r[0]
    if not conversion.is_all(r.method_called(conversion)):
        return None
    v: Value = r.converted(hop.llops, hop.inputarg(r, 0), conversion, hop.s_result)
    return v
