"""Which functions may raise, which always do, and what a raising function is traced as.

The exception state is one pointer, ``rpy_exc``.  After a call that may raise the caller
tests it; a function that cannot raise is never tested after.  The answer is a fixpoint
over the call graph:

    f: x = int_add_ovf(a, b)            raises by itself (its row says so)
    g: direct_call(f)                   raises because f does
    h: direct_call(f), all caught       does not raise
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from backend_c.collect import CFunction, Contents, called_graph
from lltypesystem.llop import LLOp
from lltypesystem.memory import _ptr
from translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from translator.ir.span import Span
from translator.ir.traversal import predecessors

HANDLER_MARKS = ("handler_enter", "handler_leave")
"""The operations that tell which exceptions a function is handling."""


def called_external(op: SpaceOperation) -> Any:
    """The external function a ``direct_call`` goes to, or None."""
    if op.opname != "direct_call" or not isinstance(op.args[0], Constant):
        return None
    func = op.args[0].value._obj
    return func if func.graph is None else None


def possible_graphs(op: SpaceOperation) -> list[FunctionGraph] | None:
    """The graphs an ``indirect_call`` may reach; None when it may be any."""
    last = op.args[-1]
    assert isinstance(last, Constant)
    graphs: list[FunctionGraph] | None = last.value
    return graphs


def catches_everything(block: Block) -> bool:
    """Does some handler of the block take any exception?"""
    return any(link.exitcase is BaseException for link in block.exits[1:])


def static_handler(block: Block, cls: type[BaseException]) -> Link | None:
    """The link that catches an exception known to be of class ``cls``, if any."""
    for link in block.exits[1:]:
        if issubclass(cls, link.exitcase):
            return link
    return None


def stands_for_library(graph: FunctionGraph) -> bool:
    """Is the function a part of the toolchain that stands for what CPython's library brings
    along?  Tracebacks leave it out: they would name files that nobody knows."""
    module = str(getattr(graph.func, "__globals__", {}).get("__name__", ""))
    return module.startswith(("rpython.rlib._", "annotator.library"))


class RaiseAnalysis:
    """For every function of a program: ``may_raise(graph)``, ``always_raises(graph)``."""

    def __init__(self, contents: Contents) -> None:
        self._callers: defaultdict[FunctionGraph, list[FunctionGraph]] = defaultdict(list)
        self._raising = self._find_raising(contents.functions)
        self._always: set[FunctionGraph] = set()
        self._find_always_raising(contents.functions)

    def may_raise(self, graph: FunctionGraph) -> bool:
        return graph in self._raising

    def always_raises(self, graph: FunctionGraph) -> bool:
        """Does the function never return normally (and is therefore cold)?"""
        return graph in self._always

    def op_may_raise(self, op: SpaceOperation) -> bool:
        """May the operation leave an exception pending, or ask for one to be raised?"""
        row = op.opdef
        assert isinstance(row, LLOp)
        callee = called_graph(op)
        if callee is not None:
            return callee in self._raising
        if called_external(op) is not None:
            return False
        if op.opname == "indirect_call":
            graphs = possible_graphs(op)
            return graphs is None or any(graph in self._raising for graph in graphs)
        return bool(row.effects_of(op).raises)

    def op_always_raises(self, op: SpaceOperation) -> bool:
        return called_graph(op) in self._always

    def _find_raising(self, functions: list[CFunction]) -> set[FunctionGraph]:
        """Start from the functions that raise by themselves, go up to their callers."""
        raising: set[FunctionGraph] = set()
        callers = self._callers
        for function in functions:
            graph = function.graph
            for block in graph.iterblocks():
                if any(link.target is graph.exceptblock for link in block.exits):
                    raising.add(graph)
                for op in block.operations:
                    caught = block.canraise and op is block.operations[-1]
                    if caught and catches_everything(block):
                        continue
                    callee = called_graph(op)
                    if callee is not None:
                        callers[callee].append(graph)
                    elif op.opname == "indirect_call":
                        graphs = possible_graphs(op)
                        if graphs is None:
                            raising.add(graph)
                        for possible in graphs or ():
                            callers[possible].append(graph)
                    elif called_external(op) is None:
                        assert isinstance(op.opdef, LLOp)
                        raises = op.opdef.effects_of(op).raises
                        if any(
                            not (caught and static_handler(block, cls)) for cls in raises
                        ):
                            raising.add(graph)
        todo = list(raising)
        while todo:
            for caller in callers[todo.pop()]:
                if caller not in raising:
                    raising.add(caller)
                    todo.append(caller)
        return raising

    def _find_always_raising(self, functions: list[CFunction]) -> None:
        """A function always raises when every way to its return block leads through a
        call that always does; finding one may find its callers."""
        todo = [function.graph for function in functions if function.graph in self._raising]
        while todo:
            graph = todo.pop()
            if graph not in self._always and not self._can_return(graph):
                self._always.add(graph)
                todo += [caller for caller in self._callers[graph] if caller in self._raising]

    def _can_return(self, graph: FunctionGraph) -> bool:
        todo = [graph.startblock]
        seen = set(todo)
        while todo:  # in nearly every function this finds the return block soon
            block = todo.pop()
            if block is graph.returnblock:
                return True
            if any(self.op_always_raises(op) for op in self._uncaught_ops(block)):
                continue
            for link in block.exits:
                if link.target not in seen:
                    seen.add(link.target)
                    todo.append(link.target)
        # A loop that never ends raises nothing, but is not cold either.
        return graph.startblock not in self.cold_blocks(graph)

    def cold_blocks(self, graph: FunctionGraph) -> set[Block]:
        """The blocks from which every way ends in an exception that leaves the function."""
        entering = predecessors(graph)
        raising = [
            block for block in entering
            if block is graph.exceptblock
            or any(self.op_always_raises(op) for op in self._uncaught_ops(block))
        ]  # fmt: skip
        cold: set[Block] = set()
        todo = raising
        while todo:
            block = todo.pop()
            if block in cold:
                continue
            cold.add(block)
            for link in entering[block]:
                before = link.prevblock
                if before is not None and all(exit.target in cold for exit in before.exits):
                    todo.append(before)
        return cold

    @staticmethod
    def _uncaught_ops(block: Block) -> list[SpaceOperation]:
        return block.operations[:-1] if block.canraise else block.operations


class CaughtValues:
    """The values of a graph that are an exception it caught, or of which an operation said where
    they are raised: raising one of them continues its traceback instead of starting one."""

    def __init__(self, graph: FunctionGraph) -> None:
        caught = {link.last_exc_value for link in graph.iterlinks() if link.last_exc_value}
        passed: defaultdict[Value, list[Variable]] = defaultdict(list)
        for link in graph.iterlinks():
            for arg, param in zip(link.args, link.target.inputargs):
                passed[arg].append(param)
        for _, op in graph.iterblockops():
            if op.opname in ("same_as", "cast_pointer"):
                passed[op.args[0]].append(op.result)
        self._caught: set[Value] = set()
        todo: list[Value] = [*caught, *_raised_here(graph)]
        while todo:
            v = todo.pop()
            if v not in self._caught:
                self._caught.add(v)
                todo += passed[v]

    def __contains__(self, value: Value) -> bool:
        return value in self._caught


def _raised_here(graph: FunctionGraph) -> Iterator[Value]:
    made_by = {op.result: op for _, op in graph.iterblockops()}
    for _, op in graph.iterblockops():
        if op.opname == "raised_here":
            value = op.args[0]
            yield value
            while isinstance(value, Variable) and value in made_by:
                made = made_by[value]
                if made.opname not in ("same_as", "cast_pointer"):
                    break
                value = made.args[0]
                yield value


def raising_span(graph: FunctionGraph, block: Block) -> Span:
    """Where the ``raise`` that ends ``block`` is in the source: its last operation that
    has a place, else that of a block before it, else the function's."""
    seen: set[Block] = set()
    entering = predecessors(graph)
    current: Block | None = block
    while current is not None and current not in seen:
        seen.add(current)
        for op in reversed(current.operations):
            if op.span.line > 0:
                return op.span
        links = entering[current]
        current = links[0].prevblock if links else None
    return graph.span


def class_range(vtable: _ptr) -> tuple[int, int]:
    """The numbers ``[min, max)`` of the subclasses of the class with this vtable."""
    obj: Any = vtable._obj
    root = list(obj._TYPE._ancestors())[-1]
    return (
        obj._getfield(root, "subclassrange_min"),
        obj._getfield(root, "subclassrange_max"),
    )
