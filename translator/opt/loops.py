"""The loops of a graph: what is in them, what comes before them, and which of them count.

::

    b0(n):                      entering: the link from b0
        goto b1(0)
    b1(i: Signed):              header; counter i, step 1, limit n
        t0 = int_lt(i, n)
        if t0 goto b2() else return i
    b2():                       body: b1 and b2
        i1 = int_add(i, 1)
        goto b1(i1)
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.primitives import Signed
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.traversal import natural_loops
from rpython.translator.opt.relations import SWAPPED

Producers = Mapping[Value, SpaceOperation]
"""The operation that makes a variable."""


@dataclass(frozen=True, slots=True)
class Loop:
    """``header`` comes before all other blocks of the loop.  ``entering``: the links to it from
    outside."""

    header: Block
    body: set[Block]
    entering: list[Link]

    def in_order(self) -> list[Block]:
        """The blocks of the loop, those that come before others first."""
        result: list[Block] = []
        seen = {self.header}
        stack = [(self.header, iter(self.header.exits))]
        while stack:
            block, links = stack[-1]
            for link in links:
                if link.target in self.body and link.target not in seen:
                    seen.add(link.target)
                    stack.append((link.target, iter(link.target.exits)))
                    break
            else:
                stack.pop()
                result.append(block)
        return result[::-1]

    def defined(self) -> set[Value]:
        """The variables that the loop computes."""
        result: set[Value] = set()
        for block in self.body:
            result.update(block.inputargs)
            result.update(op.result for op in block.operations)
        return result

    def insert_before(self, with_arguments: bool = False) -> Block:
        """A new block that is entered instead of the header, from outside.  ``with_arguments``: it
        has those of the header."""
        single = len(self.entering) == 1 and self.entering[0].last_exc_value is None
        if single and not with_arguments:
            before = Block([])
            args, self.entering[0].args = self.entering[0].args, []
        else:
            before = Block([v.copy() for v in self.header.inputargs])
            args = [*before.inputargs]
        before.closeblock(Link(args, self.header))
        for link in self.entering:
            link.target = before
        self.entering[:] = before.exits
        return before


def loops_of(graph: FunctionGraph, tree: DominatorTree) -> list[Loop]:
    """The loops that are entered at one block only, inner ones before those around them."""
    result = []
    for header, body in sorted(natural_loops(graph), key=lambda loop: len(loop[1])):
        if header is not graph.startblock and all(tree.dominates(header, b) for b in body):
            entering = [link for link in tree.predecessors[header] if link.prevblock not in body]
            result.append(Loop(header, body, entering))
    return result


def producers(graph: FunctionGraph) -> dict[Value, SpaceOperation]:
    return {op.result: op for _, op in graph.iterblockops()}


@dataclass(frozen=True, slots=True)
class Count:
    """A loop goes on while ``relation`` (``lt``, ``le`` or ``ne``; with ``down`` ``gt``, ``ge`` or
    ``ne``) holds between ``counter``, an argument of its header, and ``limit``.  ``step`` is added
    to it each time, or with ``down`` subtracted: more than zero, or not known.  ``test``: that
    comparison, of which ``limit`` is the operand of that number.  ``wraps``: may the counter go on
    from the other end of the numbers?"""

    counter: Variable
    step: Value
    limit: Value
    test: Variable
    relation: str
    down: bool
    operand: int
    wraps: bool

    @property
    def is_plain(self) -> bool:
        """Is it ``i < limit``, with a step that is known?"""
        return self.relation == "lt" and isinstance(self.step, Constant)

    def is_invariant(self, defined: Container[Value]) -> bool:
        """Does the loop, which computes ``defined``, change neither limit nor step?"""
        return self.limit not in defined and self.step not in defined


def count_of(header: Block, body: set[Block], made: Producers) -> Count | None:
    """How the loop counts, if it does and does not end in the middle of its header."""
    switch = header.exitswitch
    test = made.get(switch) if isinstance(switch, Variable) else None
    if test is None or len(header.exits) != 2 or header.exits[0].target in body:
        return None
    relation = row_of(test).relation
    if not relation or test.args[0].concretetype is not Signed:
        return None
    operand = 1 if test.args[0] in header.inputargs else 0
    counter, limit = test.args[1 - operand], test.args[operand]
    if not isinstance(counter, Variable) or counter not in header.inputargs:
        return None
    added = adding(header, body, made, counter)
    steps = [_step(op, counter) for op in added]
    different = {(by.value if isinstance(by, Constant) else by, down) for by, down in steps}
    if len(different) != 1:
        return None
    step, down = steps[0]
    if operand == 0:
        relation = SWAPPED[relation]
    ends = relation == "ne" or relation.startswith("g" if down else "l")
    if step is None or not ends:
        return None
    by_one = isinstance(step, Constant) and step.value == 1 and relation in ("lt", "gt")
    wraps = not by_one and any(_may_wrap(op) for op in added if op is not None)
    assert isinstance(switch, Variable)
    return Count(counter, step, limit, switch, relation, down, operand, wraps)


def _may_wrap(op: SpaceOperation) -> bool:
    row = row_of(op)
    return not row.can_raise and not row.exact


def adding(
    header: Block, body: set[Block], made: Producers, counter: Variable
) -> list[SpaceOperation | None]:
    """What makes the next counter, on each way back to the header; None: no operation."""
    place = header.inputargs.index(counter)
    back = [link for block in body for link in block.exits if link.target is header]
    return [made.get(link.args[place]) for link in back]


def _step(op: SpaceOperation | None, counter: Variable) -> tuple[Value | None, bool]:
    """What the operation adds to the counter or, with True, subtracts; None: it does something
    else."""
    slope = "" if op is None else row_of(op).slope
    if op is None or op.args[0] is not counter or slope not in ("sum", "difference"):
        return None, False
    by, down = op.args[1], slope == "difference"
    if isinstance(by, Variable):
        return by, down
    if by.value < 0:
        by, down = Constant(-by.value, Signed), not down
    return (by if 0 < by.value <= Signed.max else None), down


def merge_copies(
    graph: FunctionGraph,
    loop: Loop,
    copies: dict[Block, Block],
    variables: dict[Variable, Variable],
) -> None:
    """Let everyone outside the loop use the variables of the loop or those of its copy, whichever
    control comes from: as arguments of blocks, many of which always receive the same value.

    ``copies``, ``variables``: as ``copy_blocks`` gives them for ``loop.in_order()``.  After Braun
    et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013).
    """
    originals = {copy: block for block, copy in copies.items()}
    entering: dict[Block, list[Link]] = {}
    outside = [block for block in graph.iterblocks() if block not in loop.body]
    for block in (*outside, *copies, *originals):
        for link in block.exits:
            entering.setdefault(link.target, []).append(link)
    known: dict[tuple[Block, Variable], Variable] = {}

    def at_end(block: Block | None, v: Variable) -> Variable:
        assert block is not None
        if block in loop.body:
            return v
        return variables[v] if block in originals else at_begin(block, v)

    def at_begin(block: Block, v: Variable) -> Variable:
        if (block, v) not in known:
            argument = known[block, v] = v.copy()
            block.inputargs.append(argument)
            for link in entering[block]:
                link.args.append(at_end(link.prevblock, v))
        return known[block, v]

    uses = dict.fromkeys((block, v) for block in outside for v in _used_in(block) if v in variables)
    for block, v in uses:
        at_begin(block, v)
    for block in outside:
        block.rename_uses({v: known[block, v] for v in _used_in(block) if (block, v) in uses})


def _used_in(block: Block) -> Iterator[Variable]:
    for op in block.operations:
        yield from (arg for arg in op.args if isinstance(arg, Variable))
    if isinstance(block.exitswitch, Variable):
        yield block.exitswitch
    for link in block.exits:
        yield from (arg for arg in link.args if isinstance(arg, Variable))
