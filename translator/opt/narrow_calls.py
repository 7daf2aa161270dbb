"""Calls of methods reach no class that has no instances.

::

    class Task:                                 @steps: Task.step, Worker.step
        def step(self):                         i = int_sub(n, 4)
            raise NotImplementedError           f = getarrayitem(@steps, i)
    class Worker(Task):                         y = indirect_call(f, t, [@Task.step, @Worker.step])
        def step(self): ...
                                          ->    @steps.2: null, Worker.step
                                                f = getarrayitem(@steps.2, i)
                                                y = indirect_call(f, t, [@Worker.step])

A class has instances where the program makes one, or a prebuilt object is one: "rapid type
analysis" (Bacon and Sweeney, "Fast Static Analysis of C++ Virtual Function Calls", 1996).  A call
of which one function is left becomes a direct one in the inliner.  A place without function stops
the program, should it be called for all that.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.operations.llop import callees
from rpython.lltypesystem.primitives import Signed
from rpython.lltypesystem.rclass import CLASSTYPE
from rpython.lltypesystem.simulated.casts import cast_pointer
from rpython.lltypesystem.simulated.memory import _ptr, malloc, nullptr
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value, Variable
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.callgraph import CallGraph
from rpython.translator.opt.exact_classes import is_numbered, names_class
from rpython.translator.opt.rewrite import may_rewrite


def narrow_calls(calls: CallGraph) -> list[FunctionGraph]:
    """Do that; the graphs that were changed."""
    instantiated = _classes_with_instances(calls)
    if instantiated is None:
        return []
    tables: dict[tuple[int, int], Constant] = {}
    changed: dict[FunctionGraph, None] = {}
    for graph in calls.graphs:
        if graph.stage == "optimised":
            continue
        for call in _virtual_calls(graph):
            if call.narrow(graph, instantiated, tables):
                changed[graph] = None
    return list(changed)


def _classes_with_instances(calls: CallGraph) -> set[int] | None:
    """Their numbers; None: nobody knows which these are."""
    vtables: list[_ptr] = list(calls.prebuilt_classes)
    for graph in calls.graphs:
        for _, op in graph.iterblockops():
            if op.opname == "setfield" and names_class(op):
                if not isinstance(op.args[2], Constant):
                    return None
                vtables.append(op.args[2].value)
    if calls.instances_unknown or not all(map(is_numbered, vtables)):
        return None
    return {_number(vtable) for vtable in vtables}


def _number(vtable: _ptr) -> int:
    cls: Any = cast_pointer(CLASSTYPE, vtable)
    number: int = cls.subclassrange_min
    return number


@dataclass(frozen=True, slots=True)
class _VirtualCall:
    """``load``: of the function, from a table with a place for each class from number ``first``."""

    op: SpaceOperation
    load: SpaceOperation
    first: int

    def narrow(
        self, graph: FunctionGraph, instantiated: set[int],
        tables: dict[tuple[int, int], Constant],
    ) -> bool:  # fmt: skip
        """Leave out what it does not reach: was there anything?  ``tables``: those made already."""
        table: Any = self.load.args[0]
        items = table.value._obj.items
        kept = [
            pointer if self.first + place in instantiated else None
            for place, pointer in enumerate(items)
        ]
        left = dict.fromkeys(pointer._obj.graph for pointer in kept if pointer)
        if len(left) == len(callees(self.op).graphs) or not left:
            return False
        if not may_rewrite(graph, self.op):
            return False
        key = (id(table.value._obj), self.first)
        if key not in tables:
            tables[key] = _table_of(table, kept)
        self.load.args = [tables[key], self.load.args[1]]
        self.op.args = [*self.op.args[:-1], Constant(list(left), self.op.args[-1].concretetype)]
        return True


def _table_of(table: Constant, pointers: list[Any]) -> Constant:
    A: Any = table.concretetype
    made = malloc(A.TO, len(pointers), immortal=True)
    for place, pointer in enumerate(pointers):
        made[place] = pointer or nullptr(A.TO.OF.TO)
    return Constant(made, A)


def _virtual_calls(graph: FunctionGraph) -> list[_VirtualCall]:
    """The calls of a graph through tables of methods; nobody else uses what they load."""
    virtual = [op for _, op in graph.iterblockops() if op.opname == "indirect_call"]
    if not virtual:
        return []
    made_by: dict[Value, SpaceOperation] = {op.result: op for _, op in graph.iterblockops()}
    uses: dict[Value, int] = {}
    for _, op in graph.iterblockops():
        for arg in op.args:
            uses[arg] = uses.get(arg, 0) + 1
    for link in graph.iterlinks():
        for arg in link.args:
            uses[arg] = uses.get(arg, 0) + 1
    found = []
    for op in virtual:
        load = made_by.get(op.args[0])
        if load is None or load.opname != "getarrayitem" or uses[op.args[0]] > 1:
            continue
        table, place = load.args
        if not isinstance(table, Constant) or not table.concretetype.TO._hints.get("called"):
            continue
        first = _first_number(place, made_by)
        if first is not None:
            found.append(_VirtualCall(op, load, first))
    return found


def _first_number(place: Value, made_by: dict[Value, SpaceOperation]) -> int | None:
    """The number of the class that has place 0; None: the place is none of a class."""
    if not isinstance(place, Variable):
        return None
    op = made_by.get(place)
    first = 0
    if op is not None and op.opname == "int_sub" and isinstance(op.args[1], Constant):
        assert op.args[1].concretetype is Signed
        first = op.args[1].value
        op = made_by.get(op.args[0])
    if op is None or op.opname != "getfield" or op.args[0].concretetype != CLASSTYPE:
        return None
    name = op.args[1]
    return first if isinstance(name, Constant) and name.value == "subclassrange_min" else None
