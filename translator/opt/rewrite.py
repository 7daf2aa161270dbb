"""Changing low-level graphs: what several passes do, in one place."""

from __future__ import annotations

from collections.abc import Sequence

from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)


def may_rewrite(graph: FunctionGraph, op: SpaceOperation | None = None) -> bool:
    """May a pass do a rewrite of the graph, of that operation?  It asks before each one: not where
    ``rpython build --bisect-passes`` tries whether a program works without."""
    return graph.may_rewrite is None or graph.may_rewrite(op)


class Substitution:
    """Variables to be replaced by other values, everywhere at once."""

    def __init__(self) -> None:
        self._map: dict[Variable, Value] = {}

    def __bool__(self) -> bool:
        return bool(self._map)

    def add(self, old: Variable, new: Value) -> None:
        """Replace ``old`` by ``new``, which may itself be replaced, now or later."""
        self._map[old] = new

    def __getitem__(self, value: Value) -> Value:
        """What ``value`` becomes."""
        if not isinstance(value, Variable) or value not in self._map:
            return value
        path = []
        while isinstance(value, Variable) and value in self._map:
            path.append(value)
            value = self._map[value]
        for v in path:
            self._map[v] = value
        return value

    def values(self, values: Sequence[Value]) -> list[Value]:
        if self._map.keys().isdisjoint(values):
            return list(values)
        return [self[value] for value in values]

    def apply(self, graph: FunctionGraph) -> None:
        """Replace all uses; a branch on what became a constant becomes a goto."""
        if not self._map:
            return
        for block in list(graph.iterblocks()):
            for op in block.operations:
                op.args = self.values(op.args)
            for link in block.exits:
                link.args = self.values(link.args)
            if isinstance(block.exitswitch, Variable):
                switch = self[block.exitswitch]
                if isinstance(switch, Constant):
                    become_goto(block, block.exit_for(switch.value))
                else:
                    block.exitswitch = switch


def become_goto(block: Block, link: Link) -> None:
    """End ``block`` with ``link``, one of its exits, alone."""
    link.exitcase = None
    link.llexitcase = None
    block.exitswitch = None
    block.recloseblock(link)


def copy_exception_link(link: Link) -> Link:
    """The same exception link for another operation."""
    caught = link.last_exc_value
    v_exc = None if caught is None else caught.copy()
    args = [v_exc if v_exc is not None and arg is caught else arg for arg in link.args]
    result = Link(args, link.target, link.exitcase)
    result.llexitcase = link.llexitcase
    result.last_exc_value = v_exc
    result.depth = link.depth
    result.take_place_of(link)
    return result


def entry_counts(graph: FunctionGraph) -> dict[Block, int]:
    """How many links enter each reachable block; the call itself counts for the start."""
    counts = dict.fromkeys(graph.iterblocks(), 0)
    for link in graph.iterlinks():
        counts[link.target] += 1
    counts[graph.startblock] += 1
    return counts
