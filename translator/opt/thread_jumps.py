"""Jump threading: go straight on where a block is entered from which only one way is taken.

::

    b0(n):                                  b0(n):
        if t0 goto b1() else b2(null)           if t0 goto b1() else return 0
    b1():                                   b1():
        p = malloc(type A)                      p = malloc(type A)
        goto b2(p)                  ->          x = getfield(p, 'x')
    b2(a: *A):                                  return x
        t1 = ptr_nonzero(a)
        if t1 goto b3() else return 0
    b3():
        x = getfield(a, 'x')
        return x

What the block did before it branched, which must be little and only look, is done on the way.
What was defined in it and is used behind a branch becomes an argument there.  Blocks in which loops
begin stay as they are: a loop would have two beginnings.  Objects that no longer meet others may be
taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.lltypesystem.primitives import Bool
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
from rpython.translator.ir.traversal import predecessors
from rpython.translator.opt.fold_constants import fold_constants
from rpython.translator.opt.loops import Producers, producers
from rpython.translator.opt.predicates import effects_of, fold
from rpython.translator.opt.remove_mallocs import remove_mallocs
from rpython.translator.opt.remove_redundant_args import remove_redundant_args
from rpython.translator.opt.rewrite import may_rewrite
from rpython.translator.opt.simplify_blocks import simplify_blocks
from rpython.translator.opt.summaries import Summaries

_LARGEST = 4
"""Operations up to which a block is done on the way."""
_MOST = 50
"""Blocks of a function around which ways may lead."""


def thread_jumps(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Do that; was there any?"""
    threaded = 0
    while threaded < _MOST and _thread(graph):
        threaded += 1
    if not threaded:
        return False
    simplify_blocks(graph)
    if remove_mallocs(graph):
        remove_redundant_args(graph)
        fold_constants(graph, summaries)
        simplify_blocks(graph)
    return True


@dataclass(frozen=True, slots=True)
class _Way:
    """Who takes ``link`` leaves its target by ``exit``.  ``known``: of what the block computes."""

    link: Link
    exit: Link
    known: dict[Value, Value]


def _thread(graph: FunctionGraph) -> bool:
    """Lead ways around one block."""
    entering = predecessors(graph)
    small = [
        block for block, links in entering.items()
        if len(links) > 1 and isinstance(block.exitswitch, Variable)
        and block is not graph.startblock and _is_small(block)
    ]  # fmt: skip
    if not small:
        return False
    made = producers(graph)
    ways = {block: list(_decided(block, entering[block], made)) for block in small}
    if not any(ways.values()):
        return False
    tree = DominatorTree(graph)
    number = {block: i for i, block in enumerate(tree.order)}
    used = _uses(graph)
    for block, decided in ways.items():
        begins_loop = any(number[before] >= number[block] for before in _before(entering[block]))
        if not decided or begins_loop:
            continue
        needed = _needed(block, tree, used)
        if needed is not None and may_rewrite(graph, made.get(_switch(block))):
            _pass_on(needed)
            for way in decided:
                _lead_around(way)
            return True
    return False


def _before(links: list[Link]) -> Iterator[Block]:
    for link in links:
        assert link.prevblock is not None
        yield link.prevblock


def _switch(block: Block) -> Variable:
    assert isinstance(block.exitswitch, Variable)
    return block.exitswitch


def _is_small(block: Block) -> bool:
    return len(block.operations) <= _LARGEST and all(map(_only_looks, block.operations))


def _only_looks(op: SpaceOperation) -> bool:
    effects = effects_of(op)
    return not (effects.writes or effects.raises or effects.collects or row_of(op).is_call)


# -- what is known ---------------------------------------------------------------------------------


def _decided(block: Block, entering: list[Link], made: Producers) -> Iterator[_Way]:
    """The links after which it is known how the block is left."""
    for link in entering:
        if link.last_exc_value is not None:
            continue
        (before,) = _before([link])
        asked: dict[Value, Value] = {}
        if isinstance(before.exitswitch, Variable) and link.exitcase is not None:
            T = before.exitswitch.concretetype
            asked[before.exitswitch] = Constant(link.exitcase, T)
        given = (asked.get(arg, arg) for arg in link.args)
        known: dict[Value, Value] = {**asked, **dict(zip(block.inputargs, given))}
        for op in block.operations:
            value = _result(op, known, made)
            if value is not None:
                known[op.result] = value
        switch = known.get(_switch(block))
        if isinstance(switch, Constant):
            yield _Way(link, block.exit_for(switch.value), known)


def _result(op: SpaceOperation, known: dict[Value, Value], made: Producers) -> Constant | None:
    if_zero = row_of(op).if_zero
    if if_zero is not None and _is_object(op.args[0], known, made):
        return Constant(not if_zero, Bool)
    args = [known.get(arg, arg) for arg in op.args]
    return fold(SpaceOperation(op.opdef, args, op.result, op.span))


def _is_object(value: Value, known: dict[Value, Value], made: Producers) -> bool:
    """Is it a pointer to an object that the function has made?"""
    value = known.get(value, value)
    op = made.get(value)
    while op is not None and row_of(op).derives is Derives.SAME:
        value = known.get(op.args[0], op.args[0])
        op = made.get(value)
    return op is not None and row_of(op).makes_object


# -- what is used ----------------------------------------------------------------------------------

_Uses = dict[Variable, dict[Block, None]]
_Needed = dict[Link, dict[Variable, list[Block]]]
"""For each exit, what is used behind it, and by whom."""


def _uses(graph: FunctionGraph) -> _Uses:
    """The blocks in which each variable is used."""
    result: _Uses = {}
    for block in graph.iterblocks():
        values: list[Value] = [arg for op in block.operations for arg in op.args]
        values += [arg for link in block.exits for arg in link.args]
        if isinstance(block.exitswitch, Variable):
            values.append(block.exitswitch)
        for value in values:
            if isinstance(value, Variable):
                result.setdefault(value, {})[block] = None
    return result


def _needed(block: Block, tree: DominatorTree, used: _Uses) -> _Needed | None:
    """What is defined in the block and used behind each of its exits, and only there; None: some of
    it is used where they have met again."""
    only = [link for link in block.exits if len(tree.predecessors[link.target]) == 1]
    result: _Needed = {link: {} for link in only}
    for v in (*block.inputargs, *(op.result for op in block.operations)):
        for user in used.get(v, ()):
            if user is block:
                continue
            link = next((each for each in only if tree.dominates(each.target, user)), None)
            if link is None:
                return None
            result[link].setdefault(v, []).append(user)
    return result


def _pass_on(needed: _Needed) -> None:
    """Make what is needed behind exits arguments there."""
    for link, variables in needed.items():
        for v, users in variables.items():
            argument = v.copy()
            for user in users:
                user.rename_uses({v: argument})
            link.args.append(v)
            link.target.inputargs.append(argument)


def _lead_around(way: _Way) -> None:
    """Let a link go where the block it leads to goes, and do what that does before."""
    between = Block([])
    new = dict(way.known)
    for op in way.link.target.operations:
        if op.result not in new:
            result = op.result.copy()
            args = [new.get(arg, arg) for arg in op.args]
            between.operations.append(SpaceOperation(op.opdef, args, result, op.span))
            new[op.result] = result
    onward = Link([new.get(arg, arg) for arg in way.exit.args], way.exit.target)
    onward.take_place_of(way.exit)
    between.closeblock(onward)
    way.link.args, way.link.target = [], between
