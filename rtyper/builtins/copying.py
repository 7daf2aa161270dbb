"""What the functions for copies of instances do (``rpython.stdlib.copy``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.lltypesystem.llmemory import GCREF
from rpython.lltypesystem.lltype import Bool
from rpython.rtyper.kinds.attribute_order import order_fields
from rpython.rtyper.kinds.instance import InstanceRepr, void
from rpython.rtyper.registry import BUILTINS
from rpython.stdlib import copy
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(copy.same_again)
def same_again(hop: HighLevelOp) -> Value:
    r, llops, classes = hop.r_result, hop.llops, hop.rtyper.classes
    assert isinstance(r, InstanceRepr)
    v = classes.downcast(hop.inputarg(hop.args_r[0], 0), r.classdef, llops)
    v_new = r.allocate(llops)
    for classdef in r.classdef.mro():
        r_home = hop.rtyper.instance_repr(classdef)
        v_from, v_to = (classes.cast(x, r_home.lowleveltype, llops) for x in (v, v_new))
        fields = {f"inst_{name}": r_field for name, (_, r_field) in r_home.fields.items()}
        fields |= {f"has_{name}": Bool for name in r_home.unset_flags}
        fields |= dict(order_fields(r_home))
        for name, kind in fields.items():
            v_field = hop.genop("getfield", [v_from, void(name)], kind)
            llops.genop("setfield", [v_to, void(name), v_field])
    hop.rtyper.finalizers.register_new(llops, v_new, r.classdef)
    return v_new


@BUILTINS.register(copy.as_reference)
def as_reference(hop: HighLevelOp) -> Value:
    return hop.genop("cast_opaque_ptr", [hop.inputarg(hop.args_r[0], 0)], GCREF)


@BUILTINS.register(copy.referred)
def referred(hop: HighLevelOp) -> Value:
    return hop.genop("cast_opaque_ptr", [hop.inputarg(hop.args_r[0], 0)], hop.r_result)
