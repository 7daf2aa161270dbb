"""Which graphs a program consists of and which graph calls which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rpython.lltypesystem.layout import holds_pointers
from rpython.lltypesystem.operations.llop import callees, row_of
from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.program import Program
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECT
from rpython.lltypesystem.simulated.containers import _array, _container, _func, _struct
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import Array, ContainerType, FuncType, Ptr
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value

_TYPEPTR = OBJECT._slots["typeptr"]
_LEADING_ON = (Ptr, ContainerType)
"""The classes of the types of items that may lead to other containers."""


class CallGraph:
    """The graphs reachable from ``roots``, through calls and prebuilt data, in the order
    met.

    ``calls``: what each graph calls directly, or indirectly with known targets, each once.
    ``calls_unknown``: graphs with an indirect call of unknown targets, which may be any
    of ``taken``, the graphs whose address is taken.  A table of functions from which a graph takes
    no more than what it calls, one of a known set, is none of anybody's business: those in it are
    called there, and nowhere else for all that.
    ``prebuilt_classes``: the vtables of prebuilt instances.  ``instances_unknown``: there are some
    whose vtable cannot be told.
    """

    def __init__(self, roots: Iterable[FunctionGraph], prebuilt: Iterable[_ptr] = ()) -> None:
        self.roots = list(roots)
        self.graphs: list[FunctionGraph] = []
        self.calls: dict[FunctionGraph, list[FunctionGraph]] = {}
        self.calls_unknown: set[FunctionGraph] = set()
        self.taken: dict[FunctionGraph, None] = {}
        self.prebuilt_classes: dict[_ptr, None] = {}
        self.instances_unknown = False
        self._seen_data: set[int] = set()
        self._holds_pointers: dict[LowLevelType, bool] = {}
        self._todo: list[FunctionGraph] = []
        for graph in self.roots:
            self._reach(graph)
        for p in prebuilt:
            self._take(p)
        while self._todo:
            self._scan(self._todo.pop())

    def _reach(self, graph: FunctionGraph) -> None:
        if graph not in self.calls:
            self.calls[graph] = []
            self.graphs.append(graph)
            self._todo.append(graph)

    def _scan(self, graph: FunctionGraph) -> None:
        found: dict[FunctionGraph, None] = {}
        tables = _tables_of_calls(graph)
        for block in graph.iterblocks():
            for op in block.operations:
                args = op.args
                if row_of(op).callees is not None:
                    called = callees(op)
                    found.update(dict.fromkeys(called.graphs))
                    if called.anybody:
                        self.calls_unknown.add(graph)
                    args = args[called.direct :]
                elif op in tables:
                    continue
                self._scan_values(args)
            for link in block.exits:
                self._scan_values(link.args)
                if isinstance(link.llexitcase, _ptr):
                    self._take(link.llexitcase)
        self.calls[graph] = list(found)
        for callee in found:
            self._reach(callee)

    def _scan_values(self, values: Iterable[Value]) -> None:
        for value in values:
            if isinstance(value, Constant) and isinstance(value.value, _ptr):
                self._take(value.value)

    def _take(self, p: _ptr) -> None:
        """Note every function that can be reached through ``p``."""
        work = [p._obj]
        while work:
            obj = work.pop()
            if obj is None or id(obj) in self._seen_data:
                continue
            self._seen_data.add(id(obj))
            if isinstance(obj, _func):
                if obj.graph is not None:
                    self.taken[obj.graph] = None
                    self._reach(obj.graph)
            else:
                if isinstance(obj, _struct):
                    self._note_class(obj)
                work.extend(self._neighbours(obj))

    def _note_class(self, obj: _container) -> None:
        """Note the class of a prebuilt instance."""
        vtable = obj.__dict__.get(_TYPEPTR)
        if isinstance(vtable, _ptr):
            if vtable._TYPE == CLASSTYPE and vtable:
                self.prebuilt_classes[vtable] = None
        elif _is_instance(obj._TYPE):
            self.instances_unknown = True  # it was cast to another type, or is not filled in

    def _neighbours(self, obj: _container) -> list[Any]:
        """The containers that ``obj`` points to, those inlined in it, and its parent."""
        result = [] if obj._parent is None else [obj._parentstructure()]
        T = obj._TYPE
        shared = obj.__dict__.get("_shared")
        if shared is None:
            leads_on = self._holds_pointers.get(T)
            if leads_on is None:
                leads_on = self._holds_pointers[T] = holds_pointers(T)
            if not leads_on:
                return result  # as the rows of a table, which may be many
        values: Iterable[Any] = ()
        if isinstance(obj, _struct):
            values = [value for name, value in obj.__dict__.items() if not name.startswith("_")]
        elif isinstance(obj, _array) and isinstance(T.OF, _LEADING_ON):
            values = obj.items
        if shared is not None:
            simple = isinstance(obj, _array) and not isinstance(T.OF, ContainerType)
            inlined = [] if simple else values
            values = [*inlined, *shared.pointers.values()]
        for value in values:
            if isinstance(value, _ptr):
                result.append(value._obj)
            elif isinstance(value, _container):
                result.append(value)
        return result


def _is_instance(T: Any) -> bool:
    while T._parent_field is not None:
        T = T._flds[T._parent_field]
    return bool(T == OBJECT)


def _tables_of_calls(graph: FunctionGraph) -> set[SpaceOperation]:
    """The operations that load a function from a table only to call it, where each function in the
    table is among those that this may call."""
    loads = {op.result: op for _, op in graph.iterblockops() if _loads_from_table(op)}
    if not loads:
        return set()
    called = dict.fromkeys(loads, False)
    kept: set[Value] = {arg for link in graph.iterlinks() for arg in link.args}
    for _, op in graph.iterblockops():
        for place, arg in enumerate(op.args):
            if arg in loads:
                possible = callees(op).graphs if place == 0 else ()
                table: Any = loads[arg].args[0]
                if all(not p or p._obj.graph in possible for p in table.value._obj.items):
                    called[arg] = True
                else:
                    kept.add(arg)
    return {op for v, op in loads.items() if called[v] and v not in kept}


def _loads_from_table(op: SpaceOperation) -> bool:
    T = op.result.concretetype
    if not isinstance(T, Ptr) or not isinstance(T.TO, FuncType) or not row_of(op).loads:
        return False
    table = op.args[0]
    return isinstance(table, Constant) and isinstance(table.value._TYPE.TO, Array)


def call_graph(program: Program) -> CallGraph:
    """The call graph of a whole program."""
    roots = dict.fromkeys([program.entry, *program.exports.values()])
    return CallGraph(roots, program.exceptions.values())


def reachable(graphs: Iterable[FunctionGraph]) -> list[FunctionGraph]:
    """The graphs and those that they call, as far as that is known."""
    found = dict.fromkeys(graphs)
    todo = list(found)
    while todo:
        for _, op in todo.pop().iterblockops():
            for target in callees(op).graphs:
                if target not in found:
                    found[target] = None
                    todo.append(target)
    return list(found)
