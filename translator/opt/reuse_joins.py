"""Ask once: where a branch is taken a second time, what came of the first time is known.

::

    b0(a, k, n):                            b0(a, k, n):
        t0 = int_lt(k, 0)                       t0 = int_lt(k, 0)
        if t0 goto b1() else b3(k)              if t0 goto b1() else b3(k)
    b1():                                   b1():
        i = int_add(k, n)                       i = int_add(k, n)
        t1 = int_lt(i, 0)                       t1 = int_lt(i, 0)
        if t1 goto b2() else b3(i)              if t1 goto b2() else b3(i)
    b3(j):                          ->      b3(j):
        x = getarrayitem(a, j)                  x = getarrayitem(a, j)
        if t0 goto b4() else b6(k)              setarrayitem(a, j, 0)
    b4():                                       return x
        i1 = int_add(k, n)
        t2 = int_lt(i1, 0)
        if t2 goto b5() else b6(i1)
    b6(j1):
        setarrayitem(a, j1, 0)
        return x

b2 and b5 end the function.  Who reaches the second branch has met in b3, and has come there by the
way that the condition says: so what that way tested holds again, and what it computed is what b3
was given.  ``xs[k] += 1`` is such code: each index that may be negative is looked at twice.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rpython.lltypesystem.operations.llop import row_of
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import Block, FunctionGraph, Link, SpaceOperation, Value, Variable
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.number_values import number_values, value_key
from rpython.translator.opt.predicates import effects_of
from rpython.translator.opt.repeatable import depends_on_operands_alone
from rpython.translator.opt.rewrite import become_goto, may_rewrite
from rpython.translator.opt.simplify_blocks import simplify_blocks
from rpython.translator.opt.summaries import Summaries

_Pairs = list[tuple[Hashable, Hashable]]
_Predecessors = dict[Block, list[Link]]


def reuse_joins(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Do that; was there any?"""
    changed = False
    tree = DominatorTree(graph)
    found: dict[Hashable, list[_Diamond]] = {}
    for block in tree.order:
        diamond = _diamond_at(block, tree.predecessors)
        if diamond is None:
            continue
        alike = found.setdefault(diamond.key, [])
        known = (_known(diamond, each, tree) for each in alike)
        args = next((args for args in known if args is not None), None)
        if args is None:
            alike.append(diamond)
        elif may_rewrite(graph):
            link = block.exits[0]
            link.args, link.target = args, diamond.join
            become_goto(block, link)
            changed = True
    if changed:
        simplify_blocks(graph)
        number_values(graph, summaries)
    return changed


@dataclass(frozen=True, slots=True)
class _Diamond:
    """A branch whose two ways meet in ``join``, and what is only computed on them.  ``key``: equal
    for branches that ask and compute the same.  ``pairs``: for each argument of the join, what the
    two ways give; ``shared``: the values of those that are the same on both."""

    block: Block
    join: Block
    key: Hashable
    pairs: _Pairs
    shared: list[Value | None]


@dataclass(frozen=True, slots=True)
class _Way:
    """From a branch to where its ways meet: ``link`` arrives there, ``args`` are the keys of what
    it passes on.  ``key``: of what is computed before, and how that is left."""

    link: Link
    key: Hashable
    args: list[Hashable]


def _known(later: _Diamond, earlier: _Diamond, tree: DominatorTree) -> list[Value] | None:
    """What the join of the later one gets, where the earlier one has met; None: not known."""
    if len(tree.predecessors[earlier.join]) != 2:
        return None
    if not tree.dominates(earlier.join, later.block):
        return None
    met = dict(zip(earlier.pairs, earlier.join.inputargs))
    values: list[Value] = []
    for pair, shared in zip(later.pairs, later.shared):
        value = met.get(pair) if shared is None else shared
        if value is None:
            return None
        values.append(value)
    return values


def _diamond_at(block: Block, predecessors: _Predecessors) -> _Diamond | None:
    if not isinstance(block.exitswitch, Variable) or len(block.exits) != 2:
        return None
    ways = [_way(link, predecessors) for link in block.exits]
    no, yes = ways
    if no is None or yes is None or no.link.target is not yes.link.target:
        return None
    cases = tuple(link.exitcase for link in block.exits)
    pairs = list(zip(no.args, yes.args))
    shared = [
        value if known == other and not _is_local(known) else None
        for value, (known, other) in zip(no.link.args, pairs)
    ]
    key = (value_key(block.exitswitch), cases, no.key, yes.key)
    return _Diamond(block, no.link.target, key, pairs, shared)


def _way(link: Link, predecessors: _Predecessors) -> _Way | None:
    """The way to where others meet that begins with ``link``; None: something else is done."""
    block = link.target
    if len(predecessors[block]) > 1:
        return _Way(link, (), _keys(link.args, {}))
    if not all(map(_only_computes, block.operations)):
        return None
    local: dict[Value, Hashable] = dict(zip(block.inputargs, _keys(link.args, {})))
    computed: list[Hashable] = []
    for op in block.operations:
        name = row_of(op).total or op.opname
        computed.append((name, op.result.concretetype, *_keys(op.args, local)))
        local[op.result] = ("local", len(computed))
    going_on = [each for each in block.exits if not each.target.is_unreachable]
    if len(going_on) != 1:
        return None
    (onward,) = going_on
    left: Hashable = None
    if isinstance(block.exitswitch, Variable):
        left = (*_keys([block.exitswitch], local), onward.exitcase)
    elif block.exitswitch is not None:
        return None
    return _Way(onward, (tuple(computed), left), _keys(onward.args, local))


def _only_computes(op: SpaceOperation) -> bool:
    return depends_on_operands_alone(op) and not effects_of(op).raises


def _keys(values: Sequence[Value], local: dict[Value, Hashable]) -> list[Hashable]:
    return [local.get(value, value_key(value)) for value in values]


def _is_local(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[0] == "local"
