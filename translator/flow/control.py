"""Simplify the control flow of a graph whose variables are local to blocks.

::

    b1(x): goto b2(x)           a way through an empty block leads where the block leads
    if c goto b2(x) else b2(x)  a branch both of whose ways are the same is none
    try v = f(x)                an except clause's test of the class is a case of the link:
        except BaseException as e goto b4(e)
    b4(e): t = exception_match(e, KeyError); if t goto b5(e) else raise e
                            =>  try v = f(x)
                                    except KeyError as e goto b5(e)
    b1: ...; goto b2            a block with one way in joins the block before it

A way that catches an exception only to raise it again is left out.
"""

from __future__ import annotations

from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    Value,
    Variable,
    same_constant,
)


def simplify_control(graph: FunctionGraph) -> bool:
    """Do all of the above; was there anything to do?"""
    changed = False
    blocks = list(graph.iterblocks())
    for block in blocks:
        changed |= _simplify_exits(graph, block)
    return _merge_chains(graph) or changed


def _simplify_exits(graph: FunctionGraph, block: Block) -> bool:
    changed = False
    for link in block.exits:
        changed |= _skip_empty_blocks(graph, link)
    if block.canraise:
        changed |= _catch_by_class(graph, block)
        changed |= _drop_redundant_cases(graph, block)
    elif len(block.exits) == 2 and _same_way(*block.exits):
        block.exitswitch = None
        block.exits[0].exitcase = None
        block.recloseblock(block.exits[0])
        changed = True
    return changed


def _is_end(graph: FunctionGraph, block: Block) -> bool:
    return block in (graph.returnblock, graph.exceptblock)


def _passed(link: Link, through: Link) -> list[Value]:
    """The args of ``through``, a link out of an empty block entered by ``link``."""
    given: dict[Value, Value] = dict(zip(link.target.inputargs, link.args))
    return [given.get(arg, arg) for arg in through.args]


def _skip_empty_blocks(graph: FunctionGraph, link: Link) -> bool:
    before = link.target
    seen = set()
    while not _is_end(graph, link.target):
        target = link.target
        if target.operations or target.exitswitch is not None or target in seen:
            break
        seen.add(target)
        (through,) = target.exits
        if through.target is target:
            break
        link.args = _passed(link, through)
        link.target = through.target
        link.span = through.span
    return link.target is not before


def _same_way(a: Link, b: Link) -> bool:
    return a.target is b.target and all(
        x is y or same_constant(x, y) for x, y in zip(a.args, b.args)
    )


def _catch_by_class(graph: FunctionGraph, block: Block) -> bool:
    """Replace links into tests of the caught exception's class by links of that class."""
    done = [block.exits[0]]
    todo = list(reversed(block.exits[1:]))
    changed = False
    while todo:
        link = todo.pop()
        if _is_covered(link.exitcase, done):
            changed = True
            continue
        split = _split_by_class(link, done)
        if split is None:
            done.append(link)
            continue
        changed = True
        for new in split:
            _skip_empty_blocks(graph, new)
        todo.extend(reversed(split))
    if changed:
        block.recloseblock(*done)
        if len(done) == 1:
            block.exitswitch = None
    return changed


def _is_covered(cls: type[BaseException], before: list[Link]) -> bool:
    """Do the links before one for ``cls`` catch all it could?"""
    return any(issubclass(cls, link.exitcase) for link in before[1:])


def _split_by_class(link: Link, before: list[Link]) -> list[Link] | None:
    """What replaces ``link`` if it goes to a test of the exception's class that its own
    class, and those of the links ``before`` it, decide."""
    target = link.target
    if len(target.operations) != 1 or target.operations[0].opname != "exception_match":
        return None
    test = target.operations[0]
    if target.exitswitch is not test.result:
        return None
    given: dict[Value, Value] = dict(zip(target.inputargs, link.args))
    tested, wanted = test.args
    if given.get(tested, tested) is not link.last_exc_value:
        return None
    assert isinstance(wanted, Constant)
    caught: type[BaseException] = link.exitcase
    no, yes = target.exits
    classes = wanted.value if isinstance(wanted.value, tuple) else (wanted.value,)
    result: list[Link] = []
    for cls in classes:
        if issubclass(caught, cls):
            return [*result, _follow(link, yes, caught, test.result, True)]
        if _is_covered(cls, [*before, *result]):
            continue
        if not issubclass(cls, caught):
            return None  # a subclass of both may exist
        result.append(_follow(link, yes, cls, test.result, True))
    return [*result, _follow(link, no, caught, test.result, False)]


def _follow(
    link: Link, through: Link, cls: type[BaseException], test: Variable, truth: bool
) -> Link:
    """``link`` for ``cls``, led on through one exit of the test it goes to."""
    assert link.last_exc_value is not None
    caught = link.last_exc_value.copy()
    args: list[Value] = []
    for arg in _passed(link, through):
        if arg is link.last_exc_value:
            arg = caught
        elif arg is test:
            arg = Constant(truth)
        args.append(arg)
    new = Link(args, through.target, cls)
    new.last_exc_value = caught
    new.span = through.span
    return new


def _drop_redundant_cases(graph: FunctionGraph, block: Block) -> bool:
    """Leave out a way that does what would be done without it: what the next, more general
    one does, or, for the last one, let the exception out."""
    kept: list[Link] = []
    for link in reversed(block.exits[1:]):
        if kept:
            after = kept[-1]
            redundant = issubclass(link.exitcase, after.exitcase) and _same_catch(link, after)
        else:
            redundant = link.target is graph.exceptblock and link.args == [link.last_exc_value]
        if not redundant:
            kept.append(link)
    if len(kept) == len(block.exits) - 1:
        return False
    block.recloseblock(block.exits[0], *reversed(kept))
    if not kept:
        block.exitswitch = None
    return True


def _same_catch(a: Link, b: Link) -> bool:
    return a.target is b.target and all(
        x is y or same_constant(x, y) or (x is a.last_exc_value and y is b.last_exc_value)
        for x, y in zip(a.args, b.args)
    )


def _merge_chains(graph: FunctionGraph) -> bool:
    """Append blocks with one way in to the block before them."""
    blocks = list(graph.iterblocks())
    ways_in = dict.fromkeys(blocks, 0)
    ways_in[graph.startblock] = 1
    for block in blocks:
        for link in block.exits:
            ways_in[link.target] += 1
    changed = False
    merged: set[Block] = set()
    for block in blocks:
        if block in merged:
            continue
        while len(block.exits) == 1 and block.exitswitch is None:
            target = block.exits[0].target
            if ways_in[target] != 1 or _is_end(graph, target) or target is graph.startblock:
                break
            if target is block:
                break
            _absorb(block, target)
            merged.add(target)
            changed = True
    return changed


def _absorb(block: Block, target: Block) -> None:
    given: dict[Value, Value] = dict(zip(target.inputargs, block.exits[0].args))

    def new(value: Value) -> Value:
        return given.get(value, value)

    for op in target.operations:
        op.args = [new(arg) for arg in op.args]
    block.operations += target.operations
    block.exitswitch = target.exitswitch
    for link in target.exits:
        link.args = [new(arg) for arg in link.args]
    exits = target.exits
    if isinstance(target.exitswitch, Variable):
        switch = new(target.exitswitch)
        if isinstance(switch, Variable):
            block.exitswitch = switch
        else:
            block.exitswitch = None
            taken = exits[bool(switch.value)]
            taken.exitcase = None
            exits = (taken,)
    block.recloseblock(*exits)
