"""List comprehensions build their list aside: nobody sees it before it is finished.

::

    PURE newlist 0, .., NEXT end, .., APPEND 2    ->
        NULL, .., BEGIN_LIST, NEXT finish, .., FILL_LIST 2;  finish: END_LIST, go to end

So it is no list that is resized: where the program does not resize it afterwards, its length is
that of its array of items, as RPython has it (``detect_list_comprehension``).
"""

from __future__ import annotations

from rpython.translator.flow.instructions import SILENT, Instr, Op, stack_effect


def build_lists_aside(instrs: list[Instr]) -> None:
    """Rewrite all comprehensions but those with ``async for``; new instructions are at the end."""
    filling: list[Instr] = []
    for start in list(instrs):
        if start.op is Op.PURE and start.arg.name == "newlist" and start.arg.nargs == 0:
            before = _before_loop(instrs, start)
            if before is not None:
                filling += _appending(instrs, instrs[before.next])
                _build_aside(instrs, start, before)
    for instr in filling:
        instr.op = Op.FILL_LIST


def _build_aside(instrs: list[Instr], start: Instr, before: Instr) -> None:
    """Begin the list after ``before``, finish it where the loop ends, whose iterator is on top."""
    loop = instrs[before.next]
    fills = _always_appends(instrs, before.next)
    instrs.append(Instr(Op.BEGIN_LIST, fills, start.span, before.next, handler=loop.handler))
    before.next = len(instrs) - 1
    start.op, start.arg, start.handler = Op.NULL, None, None
    if instrs[loop.jump].op is not Op.END_LIST:  # the loop of two copies of the beginning
        instrs.append(Instr(Op.END_LIST, None, start.span, loop.jump, handler=loop.handler))
        loop.jump = len(instrs) - 1


def _before_loop(instrs: list[Instr], start: Instr) -> Instr | None:
    """The instruction in front of the loop that fills the list that ``start`` makes; None: it is
    no comprehension's.  Only in those is a list below the iterator of a loop."""
    instr, above = start, 0
    while True:
        following = instrs[instr.next]
        if following.op is Op.NEXT:
            return instr if above == 1 else None
        if following.op not in SILENT or following.next < 0:
            return None
        instr = following
        if instr.op is Op.SWAP and above in (0, instr.arg - 1):
            above = instr.arg - 1 - above
        else:
            above += stack_effect(instr)
        if above < 0:
            return None


def _appending(instrs: list[Instr], loop: Instr) -> list[Instr]:
    """The instructions that append to the list of the loop, which is below its iterator."""
    found: list[Instr] = []
    todo, seen = [(loop.next, 1)], set()  # values above the iterator
    while todo:
        index, above = todo.pop()
        instr = instrs[index]
        if index in seen or instr is loop:
            continue
        seen.add(index)
        if instr.op is Op.APPEND and instr.arg == above + 1:
            found.append(instr)
        after = above + stack_effect(instr)
        if instr.next >= 0:
            todo.append((instr.next, after))
        if instr.jump >= 0:
            todo.append((instr.jump, above - 1 if instr.op is Op.NEXT else after))
    return found


def _always_appends(instrs: list[Instr], loop: int) -> bool:
    """Does each round of the loop append one item, or raise?"""
    todo, seen = [instrs[loop].next], set()
    while todo:
        index = todo.pop()
        if index == loop:
            return False
        if index not in seen:
            seen.add(index)
            if not (instrs[index].op is Op.APPEND and instrs[index].arg == 2):
                todo += instrs[index].successors()
    return True
