"""Class attributes that the program assigns: fields of prebuilt holders, which
``annotator.program.state`` describes.

    D.made           holder_D.inst_made if holder_D.has_made else holder_C.inst_made
    cls.made = x     if cls == D: holder_D.inst_made = x, holder_D.has_made = True; elif ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.state import is_assigned
from rpython.lltypesystem.lltype import Bool, Void
from rpython.lltypesystem.rclass import CLASSTYPE
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.kinds.instance import InstanceRepr
    from rpython.rtyper.rmodel import Repr
    from rpython.rtyper.rtyper import RPythonTyper


def held_in(rtyper: RPythonTyper, classdef: ClassDef, name: str) -> list[Any]:
    """The holders that ``ProgramState.holders`` gives."""
    return rtyper.annotator.constants.state.holders(classdef.cls, name)


def varies(rtyper: RPythonTyper, classdef: ClassDef, name: str) -> bool:
    """Do instances of this class or a subclass find such an attribute under that name?"""
    if rtyper.annotator.constants.state.assigned_near(classdef.cls, name) is None:
        return False
    return any(held_in(rtyper, subdef, name) for subdef in classdef.subtree())


def read_varying(hop: HighLevelOp, r: InstanceRepr, name: str) -> Value:
    """The same, through operand 0, an instance."""

    def typeptr() -> Value:
        return hop.rtyper.classes.typeptr(hop.inputarg(r, 0), hop.llops)

    return read_class_attribute(hop, typeptr, list(r.classdef.subtree()))


def read_class_attribute(
    hop: HighLevelOp, read_class: Callable[[], Value], classdefs: Sequence[ClassDef]
) -> Value:
    """The attribute that operand 1 names, of the class (one of these) that ``read_class`` gives."""
    name = hop.args_s[1].value
    ways: dict[tuple[int, ...], list[ClassDef]] = {}
    for classdef in classdefs:
        holders = held_in(hop.rtyper, classdef, name)
        key = tuple(map(id, holders)) if holders else (-1, id(classdef))
        ways.setdefault(key, []).append(classdef)
    if len(ways) == 1:
        return _read(hop, classdefs[0], name, hop.r_result)
    llops = hop.llops
    v_class = read_class()
    done = llops.new_join(hop.r_result.lowleveltype)
    for same in ways.values():
        _switch(hop, v_class, same, lambda way=same[0]: llops.goto(  # type: ignore[misc]
            done, _read(hop, way, name, hop.r_result)
        ))  # fmt: skip
    llops.unreachable()
    llops.at(done)
    return done.inputargs[0]


def write_class_attribute(hop: HighLevelOp, classdefs: Sequence[ClassDef]) -> Value:
    """Assign operand 2 to the attribute that operand 1 names of the class that is operand 0."""
    name = hop.args_s[1].value
    state = hop.rtyper.annotator.constants.state
    if len(classdefs) == 1:
        _write(hop, state.of_class(classdefs[0].cls), name)
        return Constant(None, Void)
    llops = hop.llops
    v_class = hop.inputarg(hop.args_r[0], 0)
    done = llops.new_join(Void)

    def assign(classdef: ClassDef) -> None:
        _write(hop, state.of_class(classdef.cls), name)
        llops.goto(done, Constant(None, Void))

    for classdef in classdefs:
        _switch(hop, v_class, [classdef], lambda classdef=classdef: assign(classdef))  # type: ignore[misc]
    llops.unreachable()
    llops.at(done)
    return Constant(None, Void)


def _switch(
    hop: HighLevelOp, v_class: Value, classdefs: list[ClassDef], emit: Callable[[], None]
) -> None:
    """``emit`` what is done for each of these classes, and go on where it is none of them."""
    for classdef in classdefs:
        vtable = Constant(hop.rtyper.classes.vtable(classdef), CLASSTYPE)
        yes, no = hop.llops.branch(hop.llops.genop("ptr_eq", [v_class, vtable], Bool))
        hop.llops.at(yes)
        emit()
        hop.llops.at(no)


def _home(hop: HighLevelOp, holder: Any, name: str) -> tuple[Constant, InstanceRepr, Repr]:
    """A holder as a constant, and the Reprs of it and of its field."""
    classdef = hop.rtyper.annotator.constants.classdef(type(holder))
    r: InstanceRepr = hop.rtyper.instance_repr(classdef)
    return r.inputconst(holder), r, r.fields[name][1]


def _read(hop: HighLevelOp, classdef: ClassDef, name: str, r_result: Repr) -> Value:
    """The attribute of that very class."""
    llops = hop.llops
    holders = held_in(hop.rtyper, classdef, name)
    if not holders:
        found = classdef.class_value(name)
        assert found is not None
        return r_result.inputconst(found[1])
    done = llops.new_join(r_result.lowleveltype)
    for holder in holders:
        if not is_assigned(hop.rtyper.annotator.constants.classdef(type(holder)), holder, name):
            llops.goto(done, r_result.inputconst(getattr(holder, name)))
            break
        v_holder, _, r_field = _home(hop, holder, name)
        unset = None
        if holder is not holders[-1]:
            field = Constant(f"has_{name}", Void)
            there, unset = llops.branch(llops.genop("getfield", [v_holder, field], Bool))
            llops.at(there)
        field = Constant(f"inst_{name}", Void)
        v = llops.genop("getfield", [v_holder, field], r_field.lowleveltype)
        llops.goto(done, llops.convertvar(v, r_field, r_result))
        if unset is not None:
            llops.at(unset)
    llops.at(done)
    return done.inputargs[0]


def _write(hop: HighLevelOp, holder: Any, name: str) -> None:
    v_holder, r, r_field = _home(hop, holder, name)
    v_value = hop.inputarg(r_field, 2)
    hop.genop("setfield", [v_holder, Constant(f"inst_{name}", Void), v_value])
    if name in r.unset_flags:
        hop.genop("setfield", [v_holder, Constant(f"has_{name}", Void), Constant(True, Bool)])
