"""Make decoded programs independent of how the compiler laid the code out.

CPython copies code: the test of a ``while`` stands before the loop and at its end, small
exits are repeated at every jump to them.  Which copies it makes differs from version to
version.  Seen as an automaton (an instruction is a state, its position and argument the
label) copies are bisimilar states; minimising the automaton merges exactly them::

    0 LOAD i   1 BRANCH 4 2          0 LOAD i   1 BRANCH 3 2
    2 CALL f   3 LOAD i'  BRANCH 4 2     2 CALL f -> 0
    4 RETURN                     =>  3 RETURN
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

from rpython.translator.flow.instructions import SILENT, Instr, Op, Program, stack_effect
from rpython.translator.flow.list_building import build_lists_aside
from rpython.translator.ir.span import Span

_JUMPS = frozenset({Op.JUMP, Op.NOP})

_MAY_RAISE = frozenset({Op.LOAD, Op.DELETE, Op.RERAISE, Op.GLOBAL})


def _may_raise(instr: Instr) -> bool:
    if instr.op in (Op.LOAD_CONTENTS, Op.DELETE_CONTENTS):
        return bool(instr.arg[2])
    return instr.op not in SILENT or instr.op in _MAY_RAISE


def normalise(program: Program) -> Program:
    """The same program without jumps, unreachable instructions and copies; the rest is
    numbered in depth-first order."""
    instrs = program.instrs
    for instr in instrs:
        if not _may_raise(instr) and instr.op not in _JUMPS:
            instr.handler = None
    entry = _skip_jumps(instrs, program.entry)
    _thread_tests(instrs)
    order = _depth_first(instrs, entry)
    classes = _bisimilar(instrs, order)
    program = replace(program, instrs=_renumber(instrs, order, classes), entry=0)
    build_lists_aside(program.instrs)
    for instr in program.instrs:
        if instr.op is Op.PURE and instr.arg.name == "newlist":
            _build_tuple(program.instrs, instr)
    entered = Counter(to for instr in program.instrs for to in {instr.next, instr.jump})
    for instr in program.instrs:
        if instr.op is Op.EXTEND_TO_TUPLE:
            instr.arg = _feeds_call(program.instrs, entered, instr, 1)
        elif instr.op is Op.CONST_KEYS_DICT or _makes_dict(instr):
            if _feeds_call(program.instrs, entered, instr, 0):
                at_end = instr.op is Op.CONST_KEYS_DICT
                count = instr.arg if at_end else instr.arg.nargs // 2
                instr.op, instr.arg = Op.KEYWORDS, (count, at_end)
    return program


def _build_tuple(instrs: list[Instr], start: Instr) -> None:
    """``(*a, b)`` is a list that is made into a tuple at the end; let it be a tuple from the
    start.  Nothing else uses such a list, and each way through the expression extends it at
    the same instructions."""
    above = 0
    changes: list[Instr] = []
    instr = start
    for _ in instrs:
        index = instr.next
        if instr.op is Op.NEXT:
            above, index = above - 1, instr.jump
        if index < 0 or above < 0:
            return
        instr = instrs[index]
        at_end = instr.op is Op.EXTEND_TO_TUPLE and above == 1
        if at_end or (instr.op is Op.TO_TUPLE and above == 0):
            break
        extends = instr.op is Op.EXTEND and instr.arg == ("extend", 1)
        if above == 1 and (extends or (instr.op is Op.APPEND and instr.arg == 1)):
            changes.append(instr)
        if instr.op is not Op.NEXT:
            above += stack_effect(instr)
    else:
        return
    if instr.op is Op.TO_TUPLE or changes:
        start.arg = replace(start.arg, name="newtuple")
        for change in changes:
            change.op, change.arg = Op.JOIN_TUPLE, change.op is Op.EXTEND
        if instr.op is Op.TO_TUPLE:
            instr.op, instr.arg = Op.NOP, None


def _makes_dict(instr: Instr) -> bool:
    return instr.op is Op.PURE and instr.arg.name == "newdict"


def _feeds_call(
    instrs: list[Instr], entered: Counter[int], start: Instr, place: int
) -> bool:
    """Is the tuple or dict that ``start`` leaves on the stack the arguments of a call?  Follows
    one way: within an expression all of them lead to the same place.  Not what comes there from
    one arm of a conditional expression.  ``entered``: how many instructions lead to each.
    ``place``: how many values are on top of it in a CALL_STARS."""
    above = 0  # how many values are on top of it
    instr = start
    for _ in instrs:
        if instr.op is Op.NEXT:
            above, index = above - 1, instr.jump
            if above == 0:
                return False  # a comprehension, which fills it
        else:
            index = instr.next
        if index < 0 or above < 0:
            return False
        instr = instrs[index]
        if above == 0 and entered[index] > 1:
            return False
        if instr.op is Op.CALL_STAR and above == 0:
            return place == 1  # f(*{...}) makes a sequence of the dict
        if instr.op is Op.CALL_STAR_KEYWORDS and above == instr.arg + 1:
            return place == 1
        if instr.op is Op.CALL_STARS and above == place:
            return True
        if instr.op is Op.MERGE_KEYWORDS and above == 0:
            return True
        if instr.op is not Op.NEXT:
            above += stack_effect(instr)
    return False


def _skip_jumps(instrs: list[Instr], entry: int) -> int:
    """Let every successor be an instruction that does something; an endless empty loop
    keeps the jump back."""
    final: dict[int, int] = {}

    def resolve(index: int) -> int:
        path: list[int] = []
        while index not in final and instrs[index].op in _JUMPS:
            if index in path:
                index = max(path[path.index(index) :])
                final[index] = index
                break
            path.append(index)
            index = instrs[index].next
        index = final.get(index, index)
        for passed in path:
            final[passed] = index
        return index

    for instr in instrs:
        if instr.next >= 0:
            instr.next = resolve(instr.next)
        if instr.jump >= 0:
            instr.jump = resolve(instr.jump)
        if instr.handler is not None:
            instr.handler = replace(instr.handler, target=resolve(instr.handler.target))
    return resolve(entry)


def _thread_tests(instrs: list[Instr]) -> None:
    """``(a and b) or c`` tests ``a`` once: a jump from a test of a kept value to another
    test of the same value goes on to where that one must lead.  (3.11 does it itself.)"""
    for index in range(len(instrs)):
        branch = _kept_test(instrs, index)
        if branch is not None:
            branch.next = _known_test(instrs, branch.next, False)
            branch.jump = _known_test(instrs, branch.jump, True)


def _test(instrs: list[Instr], index: int) -> Instr | None:
    """BOOL, BRANCH (or just BRANCH) at ``index``: the branch."""
    if instrs[index].op is Op.BOOL:
        index = instrs[index].next
    return instrs[index] if instrs[index].op is Op.BRANCH else None


def _kept_test(instrs: list[Instr], index: int) -> Instr | None:
    """COPY 1, BOOL, BRANCH at ``index``: the branch."""
    copy = instrs[index]
    return _test(instrs, copy.next) if copy.op is Op.COPY and copy.arg == 1 else None


def _known_test(instrs: list[Instr], index: int, truth: bool) -> int:
    """Where to go instead of ``index`` when the top of the stack is known to be ``truth``."""
    for _ in range(len(instrs)):
        branch = _kept_test(instrs, index)
        if branch is None:
            break
        index = branch.jump if truth else branch.next
    branch = _test(instrs, index)
    if branch is None:
        return index
    pop = Instr(Op.POP, None, branch.span, branch.jump if truth else branch.next)
    instrs.append(pop)
    return len(instrs) - 1


def _depth_first(instrs: list[Instr], entry: int) -> list[int]:
    """The reachable instructions."""
    order = []
    seen = {entry}
    stack = [entry]
    while stack:
        index = stack.pop()
        order.append(index)
        for successor in reversed(all_successors(instrs[index])):
            if successor not in seen:
                seen.add(successor)
                stack.append(successor)
    return order


def all_successors(instr: Instr) -> list[int]:
    """Normal successors, then the handler."""
    result = instr.successors()
    if instr.handler is not None:
        result.append(instr.handler.target)
    return result


def _label(instr: Instr, depth: int) -> Hashable:
    """What two instructions must have in common to be copies of each other."""
    handler = instr.handler and (instr.handler.depth, instr.handler.marker)
    span: Span | None = None if instr.op in SILENT or instr.op is Op.BOOL else instr.span
    return (instr.op, _argument_key(instr.arg), span, depth, handler, len(instr.successors()))


def _stack_depths(instrs: list[Instr], order: list[int]) -> dict[int, int]:
    """The height of the stack before each instruction; ``order`` is depth first."""
    depths = {order[0]: 0}
    for index in order:
        instr = instrs[index]
        depth = depths[index]
        if instr.next >= 0:
            depths.setdefault(instr.next, depth + stack_effect(instr))
        if instr.jump >= 0:
            effect = -1 if instr.op is Op.NEXT else stack_effect(instr)
            depths.setdefault(instr.jump, depth + effect)
        if instr.handler is not None:
            handler = instr.handler
            depths.setdefault(handler.target, handler.depth + handler.marker + 1)
    return depths


def _argument_key(arg: Any) -> Hashable:
    """Equal for equal arguments only: 1, 1.0 and True differ, and 0.0 and -0.0."""
    if isinstance(arg, tuple | frozenset):
        return (type(arg), tuple(map(_argument_key, arg)))
    if isinstance(arg, float | complex):
        return (type(arg), repr(arg))
    return (type(arg), arg)


def _bisimilar(instrs: list[Instr], order: list[int]) -> dict[int, int]:
    """The class of each instruction: the coarsest partition in which instructions of one
    class have equal labels and successors of equal classes.

    Partition refinement (Moore 1956) with the usual improvement: after a split only the
    predecessors of the smaller parts are looked at again (Hopcroft 1971).
    """
    predecessors: dict[int, list[int]] = {index: [] for index in order}
    for index in order:
        for successor in all_successors(instrs[index]):
            predecessors[successor].append(index)
    members: dict[int, list[int]] = {}
    class_of: dict[int, int] = {}
    by_label: dict[Hashable, int] = {}
    depths = _stack_depths(instrs, order)
    for index in order:
        number = by_label.setdefault(_label(instrs[index], depths[index]), len(by_label))
        class_of[index] = number
        members.setdefault(number, []).append(index)
    dirty = {number for number, group in members.items() if len(group) > 1}
    while dirty:
        number = dirty.pop()
        parts: dict[Hashable, list[int]] = {}
        for index in members[number]:
            ways = tuple(class_of[successor] for successor in all_successors(instrs[index]))
            parts.setdefault(ways, []).append(index)
        if len(parts) == 1:
            continue
        largest = max(parts.values(), key=len)
        members[number] = largest
        moved = []
        for part in parts.values():
            if part is not largest:
                new = len(members)
                members[new] = part
                class_of.update(dict.fromkeys(part, new))
                moved.extend(part)
        dirty.update(_large_classes(moved, predecessors, class_of, members))
    return class_of


def _large_classes(
    moved: Iterable[int],
    predecessors: dict[int, list[int]],
    class_of: dict[int, int],
    members: dict[int, list[int]],
) -> set[int]:
    """The classes of the predecessors of ``moved`` that could be split."""
    found = {class_of[before] for index in moved for before in predecessors[index]}
    return {number for number in found if len(members[number]) > 1}


def _renumber(instrs: list[Instr], order: list[int], classes: dict[int, int]) -> list[Instr]:
    """One instruction per class, in the order of the first of each class."""
    position: dict[int, int] = {}
    chosen: list[Instr] = []
    for index in order:
        if classes[index] not in position:
            position[classes[index]] = len(chosen)
            chosen.append(instrs[index])

    def moved(index: int) -> int:
        return position[classes[index]] if index >= 0 else -1

    for instr in chosen:
        instr.next, instr.jump = moved(instr.next), moved(instr.jump)
        if instr.handler is not None:
            instr.handler = replace(instr.handler, target=moved(instr.handler.target))
    return chosen


def joins(program: Program) -> set[int]:
    """The instructions that several ways lead to, and every handler."""
    seen = {program.entry}
    result = set()
    for instr in program.instrs:
        for successor in instr.successors():
            if successor in seen:
                result.add(successor)
            seen.add(successor)
        if instr.handler is not None:
            result.add(instr.handler.target)
    return result


def live_slots(program: Program) -> list[int]:
    """For each instruction the slots, as a bitset, that may be read before they are
    written from there on.  Backward data flow with a worklist."""
    instrs = program.instrs
    predecessors: list[list[int]] = [[] for _ in instrs]
    for index, instr in enumerate(instrs):
        for successor in all_successors(instr):
            predecessors[successor].append(index)
    live = [0] * len(instrs)
    pending = set(range(len(instrs)))
    todo = list(range(len(instrs)))
    while todo:
        index = todo.pop()
        pending.discard(index)
        instr = instrs[index]
        out = 0
        for successor in instr.successors():
            out |= live[successor]
        if instr.op in (Op.STORE, Op.LOAD_AND_CLEAR, Op.DELETE):
            out &= ~(1 << instr.arg)
        if instr.op in (Op.LOAD, Op.LOAD_AND_CLEAR, Op.LOAD_CELL, Op.DELETE):
            out |= 1 << instr.arg
        elif instr.op in (Op.LOAD_CONTENTS, Op.STORE_CONTENTS, Op.DELETE_CONTENTS):
            out |= 1 << instr.arg[0]
        elif instr.op is Op.NEW_CELL:
            slot, keeps, _ = instr.arg
            out = out | 1 << slot if keeps else out & ~(1 << slot)
        if instr.handler is not None:
            out |= live[instr.handler.target]
        if out != live[index]:
            live[index] = out
            for before in predecessors[index]:
                if before not in pending:
                    pending.add(before)
                    todo.append(before)
    return live
