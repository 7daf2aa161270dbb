"""Put safe points, where KeyboardInterrupt may be raised, into loops whose exceptions the function
catches.

Safe points are put into loops after lowering (``translator.opt.safepoints``), where nobody
knows any more which handler a loop lies in.  So the front end puts them into functions in
which a loop has a handler that would catch KeyboardInterrupt::

    while more():                           b1: safepoint()
        work()                  =>                  except BaseException as e goto b3(e)
    (within try ... finally)                b2: c = more()
                                                    except BaseException as e goto b3(e)

A safe point comes before the first instruction of the loop that may raise, and has its
handler: nothing happens in between that could make a difference.  Where there is none on the way
round (``while True: pass``), it comes before the jump back.
"""

from __future__ import annotations

from rpython.translator.flow.instructions import SILENT, Program
from rpython.translator.flow.normalise import all_successors
from rpython.translator.flow.scope_keep_alive import says_held
from rpython.translator.ir.intrinsics import safepoint
from rpython.translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation


def break_points(program: Program) -> frozenset[int]:
    """The instructions of a normalised program before which the safe points are."""
    instrs = program.instrs
    successors = [instr.successors() for instr in instrs]
    result: set[int] = set()
    for header, body in _loops(program):
        todo = [header]
        seen = set(todo)
        while todo:
            index = todo.pop()
            if instrs[index].op not in SILENT:
                result.add(index)
                continue
            if header in successors[index]:
                result.add(index)
            for successor in successors[index]:
                if successor in body and successor not in seen:
                    seen.add(successor)
                    todo.append(successor)
    return frozenset(result)


def loop_headers(program: Program) -> frozenset[int]:
    """The first instructions of loops."""
    return frozenset(header for header, _ in _loops(program))


def _loops(program: Program) -> list[tuple[int, set[int]]]:
    """The first instruction of each loop, and all of it."""
    instrs = program.instrs
    entering: dict[int, list[int]] = {}
    latches: dict[int, list[int]] = {}
    on_path: set[int] = set()
    stack = [(program.entry, iter(all_successors(instrs[program.entry])))]
    seen = {program.entry}
    on_path.add(program.entry)
    while stack:
        index, successors = stack[-1]
        for successor in successors:
            entering.setdefault(successor, []).append(index)
            if successor in on_path:
                latches.setdefault(successor, []).append(index)
            elif successor not in seen:
                seen.add(successor)
                on_path.add(successor)
                stack.append((successor, iter(all_successors(instrs[successor]))))
                break
        else:
            stack.pop()
            on_path.discard(index)
    result = []
    for header, ends in latches.items():
        body = {header}
        todo = list(ends)
        while todo:
            index = todo.pop()
            if index not in body:
                body.add(index)
                todo += entering.get(index, [])
        result.append((header, body))
    return result


def is_interruptible(graph: FunctionGraph) -> bool:
    """Does the function catch, in a loop, what would catch KeyboardInterrupt?"""
    catching = [block for block in graph.iterblocks() if block.handlers(KeyboardInterrupt)]
    return any(_is_in_loop(block) for block in catching)


def _is_in_loop(start: Block) -> bool:
    todo = [start.exits[0].target]
    seen: set[Block] = set()
    while todo:
        block = todo.pop()
        if block is start:
            return True
        if block not in seen:
            seen.add(block)
            todo += [link.target for link in block.exits]
    return False


def has_idle_loop(graph: FunctionGraph) -> bool:
    """Is there a loop that does nothing?  No position of it is known after lowering, and none of
    its handlers is."""
    idle = {block for block in graph.iterblocks() if all(map(says_held, block.operations))}
    while True:
        ends = {block for block in idle if not any(link.target in idle for link in block.exits)}
        if not ends:
            return bool(idle)
        idle -= ends


def drop_needless_breaks(graph: FunctionGraph, keep: bool) -> bool:
    """Take the safe points out again when none of them is caught, unless ``keep``, and from those
    that are the handlers that do not catch KeyboardInterrupt; was there anything to do?"""
    changed = False
    needed = keep
    for block in graph.iterblocks():
        if not block.canraise or not is_break(block.raising_op):
            continue
        kept = block.handlers(KeyboardInterrupt)
        needed = needed or bool(kept)
        if len(kept) + 1 < len(block.exits):
            block.recloseblock(block.exits[0], *kept)
            if not kept:
                block.exitswitch = None
            changed = True
    if needed:
        return changed
    for block in graph.iterblocks():
        count = len(block.operations)
        block.operations = [op for op in block.operations if not is_break(op)]
        changed |= len(block.operations) < count
    return changed


def is_break(op: SpaceOperation) -> bool:
    """Is the operation a safe point?"""
    called = op.args[0] if op.opname == "simple_call" else None
    return isinstance(called, Constant) and called.value is safepoint
