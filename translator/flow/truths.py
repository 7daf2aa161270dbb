"""Truth of ``a and b``, or of ``a if c else b``, where nothing else is asked of it.

In: a graph whose variables are local to blocks, where the join of the ways begins with the truth of
the value that they bring.  Out: the truth is asked before the join, of each operand, so that the
operands need not be of one kind::

    b0(a, s):  v = bool(a)                     b0(a, s):  v = bool(a)
               if v goto b1(s) else b1(a)  =>             if v goto b2(s) else b3(a)
    b1(x):     v = not_(x); ...                b2(s):     v = not_(s); goto b1(v)
                                               b3(a):     v = not_(a); goto b1(v)
                                               b1(v):     ...

CPython asks the same objects, as often and in the same order.
"""

from __future__ import annotations

from translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)

Renamed = dict[Variable, Value]


def ask_before_joins(graph: FunctionGraph) -> bool:
    """Do so for some joins.  Were there any?"""
    entries: dict[Block, list[Link]] = {}
    origins: dict[Link, Block] = {}
    blocks = list(graph.iterblocks())
    for block in blocks:
        for link in block.exits:
            entries.setdefault(link.target, []).append(link)
            origins[link] = block
    asked: list[tuple[Block, int]] = []
    for block in blocks:
        index = _asked_first(block)
        if index is None or block is graph.startblock or len(entries[block]) < 2:
            continue
        if any(isinstance(origins[link].exitswitch, Variable) for link in entries[block]):
            if len(_sources(block, index, entries, origins)) > 1:
                asked.append((block, index))
    # with a handler there will be new links, perhaps to another join: one at a time then
    plain = [(block, index) for block, index in asked if not _may_be_caught(block)]
    for block, index in plain or asked[:1]:
        _ask_before(block, index, entries[block])
    return bool(asked)


def _may_be_caught(block: Block) -> bool:
    """Has the first operation of the block exception links?"""
    return block.canraise and len(block.operations) == 1


def _sources(
    block: Block, index: int, entries: dict[Block, list[Link]], origins: dict[Link, Block]
) -> set[Value]:
    """Where the values of an inputarg come from: operations, constants and arguments."""
    found: set[Value] = set()
    seen = {(block, index)}
    pending = [(block, index)]
    while pending:
        block, index = pending.pop()
        for link in entries[block]:
            value, origin = link.args[index], origins[link]
            if value not in origin.inputargs or origin not in entries:
                found.add(value)
                continue
            above = (origin, origin.inputargs.index(value))
            if above not in seen:
                seen.add(above)
                pending.append(above)
    return found


def _asked_first(block: Block) -> int | None:
    """The number of the inputarg of which the block only asks the truth, first of all."""
    if not block.operations:
        return None
    op = block.operations[0]
    asked = _asked(op)
    if not isinstance(asked, Variable) or asked not in block.inputargs:
        return None
    used = [arg for other in block.operations[1:] for arg in other.args]
    used += [arg for link in block.exits for arg in link.args]
    if asked in used or asked is block.exitswitch:
        return None
    if _may_be_caught(block):
        if any(op.result in link.args for link in block.exits[1:]):
            return None
    return block.inputargs.index(asked)


def _asked(op: SpaceOperation) -> Value | None:
    """What the operation asks the truth of, if it does nothing else."""
    if op.opname in ("bool", "not_"):
        return op.args[0]
    if op.opname == "simple_call" and len(op.args) == 2:
        function = op.args[0]
        return op.args[1] if isinstance(function, Constant) and function.value is bool else None
    return None


def _ask_before(block: Block, index: int, links: list[Link]) -> None:
    """Move the first operation of the block, with its handlers, onto the links to it."""
    raising = _may_be_caught(block)
    op = block.operations.pop(0)
    handlers = block.exits[1:] if raising else ()
    inputargs = list(block.inputargs)
    block.inputargs[index] = op.result
    if raising:
        block.exitswitch = None
        block.recloseblock(block.exits[0])
    for link in links:
        renamed: Renamed = {v: v.copy() for v in inputargs}
        before = Block([v for v in renamed.values() if isinstance(v, Variable)])
        result = op.result.copy()
        args = [renamed.get(arg, arg) if isinstance(arg, Variable) else arg for arg in op.args]
        before.operations.append(SpaceOperation(op.opdef, args, result, op.span))
        onward: list[Value] = [renamed[v] for v in inputargs]
        onward[index] = result
        if raising:
            before.exitswitch = LAST_EXCEPTION
        before.closeblock(Link(onward, block), *(_copied(h, renamed) for h in handlers))
        link.target = before


def _copied(handler: Link, renamed: Renamed) -> Link:
    """The same exception link from another block."""
    assert handler.last_exc_value is not None
    caught = handler.last_exc_value.copy()
    names: Renamed = {**renamed, handler.last_exc_value: caught}
    args = [names.get(arg, arg) if isinstance(arg, Variable) else arg for arg in handler.args]
    link = Link(args, handler.target, handler.exitcase)
    link.last_exc_value, link.span = caught, handler.span
    return link
