"""When each attribute of an instance was set: for programs that ask for ``x.__dict__``.

    GcStruct A { super: object, attributes_set: Signed, inst_x, order_x: Signed, ... }

``attributes_set``, in the most general class, counts; ``order_x`` is what it was when ``x`` was
set, 0 where it is not.  Values of classes are not set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.lltypesystem.lltype import Bool, LowLevelType, Signed, Void
from rpython.rtyper.registry import BUILTINS
from rpython.stdlib._attributes import attribute_order, reserve_attribute
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.kinds.instance import InstanceRepr
    from rpython.rtyper.oplist import LowLevelOpList

_COUNT = Constant("attributes_set", Void)
_ZERO, _ONE = Constant(0, Signed), Constant(1, Signed)


def is_ordered(r: InstanceRepr) -> bool:
    return r.classdef.root() in r.rtyper.annotator.notes.ordered


def order_fields(r: InstanceRepr) -> list[tuple[str, LowLevelType]]:
    """The fields for the order of the attributes of this very class."""
    if not is_ordered(r):
        return []
    count = [] if r.classdef.base is not None else [("attributes_set", Signed)]
    return [*count, *((f"order_{name}", Signed) for name in r.fields)]


def note_set(llops: LowLevelOpList, r: InstanceRepr, v_home: Value, name: str) -> None:
    """The attribute of that class has been assigned."""
    if not is_ordered(r):
        return
    field = Constant(f"order_{name}", Void)
    v_order = llops.genop("getfield", [v_home, field], Signed)
    new, known = llops.branch(llops.genop("int_eq", [v_order, _ZERO], Bool))
    llops.at(new)
    root: Any = r.rtyper.instance_repr(r.classdef.root())
    v_root = r.rtyper.classes.cast(v_home, root.lowleveltype, llops)
    v_count = llops.genop("getfield", [v_root, _COUNT], Signed)
    v_count = llops.genop("int_add", [v_count, _ONE], Signed)
    llops.genop("setfield", [v_root, _COUNT, v_count])
    llops.genop("setfield", [v_home, field, v_count])
    done = llops.new_join(Void)
    llops.goto(done, Constant(None, Void))
    llops.at(known)
    llops.goto(done, Constant(None, Void))
    llops.at(done)


def note_deleted(llops: LowLevelOpList, r: InstanceRepr, v_home: Value, name: str) -> None:
    if is_ordered(r):
        llops.genop("setfield", [v_home, Constant(f"order_{name}", Void), _ZERO])


def fill_order(r: InstanceRepr, home: Any, own: dict[str, Any]) -> None:
    """Fill in the fields of a prebuilt instance with these attributes."""
    if not is_ordered(r):
        return
    for number, name in enumerate(own, 1):
        if name in r.fields:
            setattr(home, f"order_{name}", number)
    if r.classdef.base is None:
        home.attributes_set = len(own)


@BUILTINS.register(attribute_order)
def rtype_attribute_order(hop: HighLevelOp) -> Value:
    if hop.rtyper.exception_constructors is not None:
        raise TyperError("__dict__ in an extension module: Python does not count what it sets")
    r: Any = hop.args_r[0]
    name = hop.args_s[1].value
    if r.classdef.find_attribute(name) is None:
        return _ZERO
    home = r.home(name)
    if name not in home.fields:
        return _ZERO
    v_home = hop.rtyper.classes.cast(hop.inputarg(r, 0), home.lowleveltype, hop.llops)
    return hop.genop("getfield", [v_home, Constant(f"order_{name}", Void)], Signed)


@BUILTINS.register(reserve_attribute)
def rtype_reserve_attribute(hop: HighLevelOp) -> Value:
    r: Any = hop.args_r[0]
    name = hop.args_s[1].value
    if is_ordered(r) and r.classdef.find_attribute(name) is not None:
        home = r.home(name)
        if name in home.fields:
            v_self = hop.inputarg(r, 0)
            v_home = hop.rtyper.classes.cast(v_self, home.lowleveltype, hop.llops)
            note_set(hop.llops, home, v_home, name)
    return Constant(None, Void)
