"""Pointers to objects, and raw pointers that lead into objects.

An object moves, and what points into it with it: ``direct_arrayitems(a)``.  Such a pointer is made
again from the object.  One that comes from elsewhere, as an argument or from several blocks, cannot
be made again: the collector has to look for its object (an *inner* pointer).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rpython.lltypesystem.operations.llop import callees, row_of, stores
from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.types import Array, FixedSizeArray, FuncType, Ptr, Struct
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value, Variable

Passed = defaultdict[Variable, list[Variable]]


def is_gc_pointer(T: LowLevelType) -> bool:
    """Is a value of this type a pointer to an object with a header?"""
    return isinstance(T, Ptr) and T.TO._gckind == "gc"


def is_raw_pointer(T: LowLevelType) -> bool:
    return isinstance(T, Ptr) and not isinstance(T.TO, FuncType) and T.TO._gckind != "gc"


def writes_pointers(op: SpaceOperation) -> bool:
    """Does the operation itself store pointers to objects?"""
    if stores(op):
        return is_gc_pointer(op.args[-1].concretetype)
    return op.opname == "copy_array_items" and copies_pointers(op)


def copies_pointers(op: SpaceOperation) -> bool:
    """Are the items that a ``copy_array_items`` copies pointers to objects?"""
    T = op.args[1].concretetype
    assert isinstance(T, Ptr)
    assert isinstance(T.TO, Array | FixedSizeArray)
    return is_gc_pointer(T.TO.OF)


def is_weak(op: SpaceOperation) -> bool:
    """Does the operation read or write a field that does not keep the object?"""
    if op.opname not in ("getfield", "setfield"):
        return False
    T, name = op.args[0].concretetype, op.args[1]
    assert isinstance(T, Ptr)
    assert isinstance(name, Constant)
    return isinstance(T.TO, Struct) and name.value in T.TO._hints.get("weak_fields", ())


def reads_pointer(op: SpaceOperation) -> bool:
    """Does the operation give a pointer to an object that is in memory?"""
    return row_of(op).loads and is_gc_pointer(op.result.concretetype)


def in_raw_memory(op: SpaceOperation) -> BuildError:
    return BuildError(
        "an object is stored in raw memory, where the collector does not find it", op.span
    )


class InnerParameters:
    """The parameters of the functions of a program that may lead into objects."""

    def __init__(self, graphs: Iterable[FunctionGraph]) -> None:
        passed: Passed = defaultdict(list)
        starts: list[Variable] = []
        for graph in graphs:
            starts += _flow(graph, passed)
            for _, op in graph.iterblockops():
                for target in callees(op).graphs:
                    _note(passed, op.args[1:], target.getargs())
        self._inner = _closure(starts, passed)

    def of(self, graph: FunctionGraph) -> list[int]:
        """The numbers of those of one of the graphs."""
        return [i for i, v in enumerate(graph.getargs()) if v in self._inner]


class Pointers:
    """The pointers of one graph.  ``inner``: the raw ones that may lead into objects, given the
    numbers of the parameters that may."""

    def __init__(self, graph: FunctionGraph, parameters: Iterable[int]) -> None:
        passed: Passed = defaultdict(list)
        starts = _flow(graph, passed)
        args = graph.getargs()
        self.inner = _closure([*starts, *(args[i] for i in parameters)], passed)
        self.made_by = {
            op.result: op for _, op in graph.iterblockops()
            if derives(op) and is_raw_pointer(op.result.concretetype)
        }  # fmt: skip
        """For each pointer into something, the operation that makes it."""
        self._bases: dict[Variable, Value | None] = {}

    def base(self, v: Value) -> Value | None:
        """The object that a pointer points into, or to; None when that is raw memory, or not
        known."""
        if is_gc_pointer(v.concretetype):
            return v
        if not isinstance(v, Variable):
            return None
        if v not in self._bases:
            op = self.made_by.get(v)
            self._bases[v] = None if op is None else self.base(op.args[0])
        return self._bases[v]

    def needed(self, v: Value) -> tuple[Variable, ...]:
        """The variables that have to be kept so that ``v`` can be used."""
        if not isinstance(v, Variable):
            return ()
        if is_gc_pointer(v.concretetype):
            return (v,)
        if v not in self.inner:
            return ()
        base = self.base(v)
        return (v, base) if isinstance(base, Variable) else (v,)


def derives(op: SpaceOperation) -> bool:
    """Is the result a pointer into what operand 0 points to, or the same pointer?"""
    return row_of(op).derives is not None


def _flow(graph: FunctionGraph, passed: Passed) -> list[Variable]:
    """Note where raw pointers go; the result is those that are made from objects."""
    starts = []
    for link in graph.iterlinks():
        _note(passed, link.args, link.target.inputargs)
    for _, op in graph.iterblockops():
        if derives(op) and is_raw_pointer(op.result.concretetype):
            _note(passed, op.args[:1], [op.result])
            if is_gc_pointer(op.args[0].concretetype):
                starts.append(op.result)
    return starts


def _note(passed: Passed, args: Iterable[Value], params: Iterable[Variable]) -> None:
    for arg, param in zip(args, params):
        if isinstance(arg, Variable) and is_raw_pointer(param.concretetype):
            passed[arg].append(param)


def _closure(starts: Iterable[Variable], passed: Passed) -> set[Variable]:
    result: set[Variable] = set()
    todo = list(starts)
    while todo:
        v = todo.pop()
        if v not in result:
            result.add(v)
            todo += passed[v]
    return result
