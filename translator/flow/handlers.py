"""Mark where the exception handlers of a function begin and end.

What is raised while an exception is being handled has that as its context.  Of the handlers of a
function whose code may raise, the graph says where they are::

    except KeyError as e:                   b1(e): handler_enter(e, 0)
        work()                      =>             work()
                                                   handler_leave(0)

The first comes after the tests of the exception's class, which decide between links.  A handler
that is left by an exception has no end; whoever catches that knows how many exceptions it is
handling itself.
"""

from __future__ import annotations

from rpython.translator.flow.instructions import SILENT, Instr, Op, Program
from rpython.translator.flow.normalise import all_successors
from rpython.translator.ir.records import dataclass


@dataclass(frozen=True, slots=True)
class Handlers:
    """The instructions before which a handler begins or ends: how many others the function is in
    then."""

    begin: dict[int, int]
    end: dict[int, int]


def find_handlers(program: Program) -> Handlers:
    """The handlers of a normalised program that are to be marked."""
    heights = _heights(program)
    begin: dict[int, int] = {}
    end: dict[int, int] = {}
    for index, instr in enumerate(program.instrs):
        if instr.op is Op.PUSH_HANDLED and index in heights:
            for first in _first_that_raise(program.instrs, instr.next):
                begin[first] = heights[index]
        if instr.op is Op.POP_HANDLED and index in heights:
            if program.instrs[instr.next].op is not Op.RERAISE:
                end[index] = heights[index] - 1
    return Handlers(begin, end) if begin else Handlers({}, {})


def _heights(program: Program) -> dict[int, int]:
    """How many exceptions are being handled before each instruction."""
    heights = {program.entry: 0}
    todo = [program.entry]
    while todo:
        index = todo.pop()
        instr = program.instrs[index]
        height = heights[index]
        if instr.op is Op.PUSH_HANDLED:
            height += 1
        elif instr.op is Op.POP_HANDLED:
            height -= 1
        for successor in all_successors(instr):
            if successor not in heights:
                heights[successor] = height
                todo.append(successor)
    return heights


_NAMES_CLASSES = SILENT | {Op.GET_ATTR, Op.PURE}


def _first_that_raise(instrs: list[Instr], start: int) -> list[int]:
    """The first instructions from ``start`` on, tests of the exception's class excepted, that may
    raise anything new."""
    result = []
    todo = [start]
    seen = {start}
    while todo:
        index = todo.pop()
        instr = instrs[index]
        if instr.op in (Op.POP_HANDLED, Op.RERAISE) or _is_bare_raise(instr):
            continue
        test = _class_test(instrs, index)
        if test is not None:
            instr = instrs[test]
        elif instr.op not in SILENT:
            result.append(index)
            continue
        for successor in instr.successors():
            if successor not in seen:
                seen.add(successor)
                todo.append(successor)
    return result


def _is_bare_raise(instr: Instr) -> bool:
    return instr.op is Op.RAISE and instr.arg == 0


def _class_test(instrs: list[Instr], index: int) -> int | None:
    """The end of the test of the exception's class for which the instructions from ``index`` on
    find out the class."""
    while instrs[index].op in _NAMES_CLASSES and instrs[index].next >= 0:
        if instrs[index].jump >= 0:
            return None
        index = instrs[index].next
    if instrs[index].op is not Op.MATCH_EXCEPTION:
        return None
    after = instrs[index].next
    return after if instrs[after].op is Op.BOOL else index
