"""Properties without a setter or a deleter: assigning or deleting raises what CPython raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import s_Str
from rpython.annotator.program.classdef import Lookup, function_of
from rpython.annotator.rules.instances import values_below
from rpython.rtyper.ll import ll_class
from rpython.translator.ir.model import Block, Value

if TYPE_CHECKING:
    from rpython.rtyper.kinds.instance import InstanceRepr
    from rpython.rtyper.oplist import LowLevelOpList

PARTS = {"fset": "setter", "fdel": "deleter"}


def require_part(r: InstanceRepr, llops: LowLevelOpList, v_self: Value, lookup: Lookup) -> bool:
    """Raise AttributeError unless the property of the instance's class has the part that the
    lookup wants; the result says whether there is one in any class."""
    points = sorted(values_below(r.classdef, lookup), key=lambda point: -point[0].depth)
    has = [function_of(value, lookup.part) is not None for _, value in points]
    if all(has):
        return True
    good, bad = Block([]), Block([])
    for (classdef, _), there in zip(points, has):
        if classdef is r.classdef:
            llops.goto(good if there else bad)
            break
        yes, no = llops.branch(r.rtyper.classes.isinstance_test(v_self, classdef, llops))
        llops.at(yes)
        llops.goto(good if there else bad)
        llops.at(no)
    else:
        llops.goto(bad)
    llops.at(bad)
    r_str = r.rtyper.getrepr(s_Str)
    before = r_str.inputconst(f"property '{lookup.name}' of '")
    after = r_str.inputconst(f"' object has no {PARTS[lookup.part]}")
    v_base = r.rtyper.classes.upcast(v_self, llops)
    llops.gendirectcall(ll_class.ll_no_attribute, v_base, before, after)
    llops.unreachable()
    llops.at(good)
    return any(has)
