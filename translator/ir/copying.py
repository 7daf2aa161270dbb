"""``copy_graph``: a second graph like a given one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span


class _Copier:
    """``variables``: what becomes of those that are known already."""

    def __init__(
        self, value_of: Callable[[Any], Any], span_of: Callable[[Span], Span]
    ) -> None:
        self._value_of = value_of
        self._span_of = span_of
        self.variables: dict[Variable, Variable] = {}

    def value(self, v: Value) -> Value:
        if isinstance(v, Variable):
            return self.variable(v)
        constant = Constant(self._value_of(v.value), v.concretetype, v.span)
        constant.annotation = v.annotation
        return constant

    def variable(self, v: Variable) -> Variable:
        known = self.variables.get(v)
        if known is None:
            known = self.variables[v] = v.copy()
        return known

    def values(self, values: list[Value]) -> list[Value]:
        """Copies of them, the known ones without a call: most are."""
        known: dict[Any, Variable] = self.variables
        return [known.get(v) or self.value(v) for v in values]

    def fill(self, block: Block, copy: Block, blocks: dict[Block, Block]) -> None:
        copy.inputargs = [self.variable(v) for v in block.inputargs]
        span_of = self._span_of
        copy.operations = [
            SpaceOperation(
                op.opdef, self.values(op.args), self.variable(op.result), span_of(op.span)
            )
            for op in block.operations
        ]
        switch = block.exitswitch
        copy.exitswitch = self.variable(switch) if isinstance(switch, Variable) else switch
        copy.recloseblock(*(self.link(link, blocks[link.target]) for link in block.exits))

    def link(self, link: Link, target: Block) -> Link:
        copy = Link(self.values(link.args), target, link.exitcase)
        copy.llexitcase = self._value_of(link.llexitcase)
        copy.again = link.again
        copy.span = None if link.span is None else self._span_of(link.span)
        copy.depth = link.depth
        if link.last_exc_value is not None:
            copy.last_exc_value = self.variable(link.last_exc_value)
        return copy


def copy_blocks(
    blocks: Collection[Block],
) -> tuple[dict[Block, Block], dict[Variable, Variable]]:
    """Copies of these blocks, and of the variables that they define; links between the blocks are
    copied, those that lead elsewhere lead there again."""
    copier = _Copier(_same, _same)
    copies = {block: Block([]) for block in blocks}
    used: set[Value] = set()
    made: dict[Variable, Variable] = {}
    for block in blocks:
        caught = (link.last_exc_value for link in block.exits)
        made.update(
            (v, v.copy())
            for v in (*block.inputargs, *(op.result for op in block.operations), *caught)
            if v is not None
        )
        used.update(arg for op in block.operations for arg in op.args)
        used.update(arg for link in block.exits for arg in link.args)
        if isinstance(block.exitswitch, Variable):
            used.add(block.exitswitch)
    copier.variables.update((v, v) for v in used if isinstance(v, Variable))
    copier.variables.update(made)
    targets = {link.target: link.target for block in blocks for link in block.exits}
    targets.update(copies)
    for block, its_copy in copies.items():
        copier.fill(block, its_copy, targets)
    return copies, made


def _same(value: Any) -> Any:
    return value


def copy_graph(
    graph: FunctionGraph,
    value_of: Callable[[Any], Any] = _same,
    span_of: Callable[[Span], Span] = _same,
) -> FunctionGraph:
    """A graph with blocks, variables and constants of its own; operations' definitions are shared.
    ``value_of``, ``span_of``: as for ``fill_copy``; by default values and spans are shared, too."""
    copy = FunctionGraph(graph.name, Block([]), None, graph.func, graph.span)
    fill_copy(graph, copy, value_of, span_of)
    return copy


def fill_copy(
    graph: FunctionGraph, copy: FunctionGraph, value_of: Callable[[Any], Any],
    span_of: Callable[[Span], Span] = _same,
) -> None:  # fmt: skip
    """Make ``copy``, an empty graph, like ``graph``; ``value_of`` gives the value of a constant in
    it for the one in ``graph``, ``span_of`` the place of an operation."""
    copy.is_helper, copy.stage = graph.is_helper, graph.stage
    copy.argument_bounds, copy.result_bounds = dict(graph.argument_bounds), graph.result_bounds
    blocks = {block: Block([]) for block in graph.iterblocks()}
    blocks[graph.startblock] = copy.startblock
    blocks[graph.returnblock] = copy.returnblock
    blocks[graph.exceptblock] = copy.exceptblock
    copier = _Copier(value_of, span_of)
    for block, its_copy in blocks.items():
        copier.fill(block, its_copy, blocks)
