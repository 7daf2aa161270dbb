"""Closures: functions that capture variables of the function around them.

::

    def make(n):                 c = closure_add(); c.n = n
        def add(x):         ->   add = the function that c stands for
            return x + n         graph add(closure, x): n = closure.n; ...
        return add

A variable that is not assigned again once it has been captured is captured by value.
Otherwise it lives in a *cell*, an instance of a class of its own for each variable, which
the function and its closures share::

    n += 1                  ->   cell.contents = add(cell.contents, 1)

``convert_cells`` decides, on instructions; the Explorer does the rest.  As in A. Appel,
"Compiling with Continuations", ch. 10 and 13 (assignment conversion, flat closures).
"""

from __future__ import annotations

import builtins
import itertools
import types
from dataclasses import replace
from typing import Any

from rpython.translator.flow.bound import surely_bound
from rpython.translator.flow.decode_common import assigned_names
from rpython.translator.flow.instructions import Captured, Instr, Op, Program
from rpython.translator.ir.records import dataclass

_CONSUMERS = frozenset(
    "sum any all min max sorted list tuple set frozenset dict bytes bytearray".split()
)
"""Built-in functions that are done with their first argument when they return."""


class closure:
    """The base of the classes of closures."""

    _rpython_state_machine_ = True


class cell:
    """The base of the classes of cells; ``bound``: has the variable a value?"""

    _rpython_state_machine_ = True
    bound = False


@dataclass(frozen=True, slots=True)
class ClosureInfo:
    """What is known about a function made while the program runs: the class of its
    instances, what they hold, and the names of defaults computed when it is made."""

    cls: type
    captured: tuple[Captured, ...]


def closure_info(func: types.FunctionType) -> ClosureInfo | None:
    """About a function made while the program runs; None for functions of the host."""
    info: ClosureInfo | None = getattr(func, "_rpython_closure_", None)
    return info


def held_variables(func: types.FunctionType) -> tuple[Captured, ...]:
    """What a method of a class made in a function captures of variables of that function."""
    contents = (contents_of(cell) for cell in func.__closure__ or ())
    return tuple(value for value in contents if isinstance(value, Captured))


def contents_of(cell: types.CellType) -> object:
    """What a cell of the host holds; None where that is nothing."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def make_class(base: type, name: str) -> type:
    """A class of its own for one closure or variable."""
    return type(base.__name__, (base,), {"_rpython_of_": name})


def convert_cells(program: Program, func: types.FunctionType) -> Program:
    """Say of each captured variable how it is captured, and let instructions on variables in
    cells use those; in place, before normalisation."""
    instrs = program.instrs
    captures = _captures(program)
    assigned = _assigned_inside(instrs)
    cells = dict(program.captured)
    if captures:
        bound = surely_bound(program)
        own = _captured_by_own_class(program)
        for slot, indices in captures.items():
            if slot not in cells:
                others = [index for index in indices if index not in own]
                cells[slot] = _how(program, func, slot, others, bound, assigned)
    for instr in instrs:
        if instr.op in _ON_CELLS and instr.arg in cells:
            captured = cells[instr.arg]
            if captured.cell is not None:
                free = instr.arg in program.captured
                instr.op = _ON_CELLS[instr.op]
                instr.arg = (instr.arg, captured, captured.may_be_unbound, free)
    _sort_first_cells(program)
    for instr in instrs:
        if instr.op is Op.NEW_CELL:
            slot, keeps = instr.arg
            if slot in cells and cells[slot].cell is not None:
                instr.arg = (slot, keeps, cells[slot])
            else:
                instr.op, instr.arg = Op.NOP, None
        elif instr.op in _PLAIN:
            instr.op = _PLAIN[instr.op]
    return replace(program, cells=cells)


def _sort_first_cells(program: Program) -> None:
    """Put the variables that begin where the function does in order of their names: the
    compiler's order differs from version to version."""
    first = []
    for instr in program.instrs:
        if instr.op is Op.NEW_CELL:
            first.append(instr)
        elif instr.op not in (Op.NOP, Op.CONST, Op.POP):
            break
    args = sorted((instr.arg for instr in first), key=lambda arg: program.slots[arg[0]])
    for instr, arg in zip(first, args):
        instr.arg = arg


_PLAIN = {Op.LOAD_DEREF: Op.LOAD, Op.STORE_DEREF: Op.STORE, Op.DELETE_DEREF: Op.DELETE}
_ON_CELLS = {
    Op.LOAD_DEREF: Op.LOAD_CONTENTS,
    Op.STORE_DEREF: Op.STORE_CONTENTS,
    Op.DELETE_DEREF: Op.DELETE_CONTENTS,
}


def drop_needless_tests(program: Program) -> None:
    """Do not test whether a cell is filled where it surely is: in the function that the
    variable belongs to, if no nested function empties the cell.  After normalisation, so
    that it does not depend on the layout of the code."""
    tests = [
        (index, instr) for index, instr in enumerate(program.instrs)
        if instr.op in (Op.LOAD_CONTENTS, Op.DELETE_CONTENTS) and instr.arg[2]
    ]  # fmt: skip
    if not tests:
        return
    bound = surely_bound(program)
    for index, instr in tests:
        slot, captured, _, free = instr.arg
        if not free and not captured.deleted_inside and bound[index] >> slot & 1:
            instr.arg = (slot, captured, False, free)


def _how(
    program: Program,
    func: types.FunctionType,
    slot: int,
    captures: list[int],
    bound: list[int],
    assigned: set[str],
) -> Captured:
    """How a local variable is captured; ``captures``: its LOAD_CELL instructions.  What is
    assigned after a generator expression was consumed does not matter to that."""
    name = program.slots[slot]
    deleted = f"del {name}" in assigned or any(
        instr.op is Op.DELETE_DEREF and instr.arg == slot for instr in program.instrs
    )
    reads = [
        index for index, instr in enumerate(program.instrs)
        if instr.op in (Op.LOAD_DEREF, Op.DELETE_DEREF) and instr.arg == slot
    ]  # fmt: skip
    sure = all(bound[index] >> slot & 1 for index in captures)
    all_sure = sure and all(bound[index] >> slot & 1 for index in reads)
    lasting = [index for index in captures if not _is_consumed(program.instrs, index, func)]
    if sure and not deleted and name not in assigned and not _changes(program, slot, lasting):
        return Captured(name, None, False)
    deleted_inside = f"del {name}" in assigned
    return Captured(name, make_class(cell, name), deleted or not all_sure, deleted_inside)


def _changes(program: Program, slot: int, starts: list[int]) -> bool:
    """May the variable be assigned after it was captured?"""
    instrs = program.instrs
    seen = set(starts)
    todo = list(starts)
    while todo:
        instr = instrs[todo.pop()]
        if instr.op in (Op.STORE_DEREF, Op.DELETE_DEREF) and instr.arg == slot:
            return True
        if instr.op is Op.NEW_CELL and instr.arg[0] == slot:
            continue
        ways = instr.successors()
        if instr.handler is not None:
            ways.append(instr.handler.target)
        for successor in ways:
            if successor not in seen:
                seen.add(successor)
                todo.append(successor)
    return False


def _captures(program: Program) -> dict[int, list[int]]:
    """The LOAD_CELL instructions of each captured slot."""
    result: dict[int, list[int]] = {}
    for index, instr in enumerate(program.instrs):
        if instr.op is Op.LOAD_CELL:
            result.setdefault(instr.arg, []).append(index)
    return result


def _captured_by_own_class(program: Program) -> set[int]:
    """The LOAD_CELL instructions for a class statement of the variable that it assigns, and that
    nothing else does: its methods find the class in there, never another value."""
    instrs = program.instrs
    stores = [instr.arg for instr in instrs if instr.op in (Op.STORE_DEREF, Op.DELETE_DEREF)]
    found = set()
    for start, instr in enumerate(instrs):
        if instr.op is not Op.CONST or instr.arg is not builtins.__build_class__:
            continue
        code = next(i for i in range(start, len(instrs)) if _is_code(instrs[i]))
        name = next(i for i in range(code + 1, len(instrs)) if instrs[i].op is Op.CONST)
        for index in range(start, code):
            slot = instrs[index].arg
            if instrs[index].op is Op.LOAD_CELL and program.slots[slot] == instrs[name].arg:
                if stores.count(slot) == 1:
                    found.add(index)
    return found


def _is_code(instr: Instr) -> bool:
    return instr.op is Op.CONST and isinstance(instr.arg, types.CodeType)


def _is_consumed(instrs: list[Instr], index: int, func: types.FunctionType) -> bool:
    """Is the capture at ``index`` for a generator expression that the built-in function it is
    passed to consumes?"""
    first, last = index, index
    while first > 0 and instrs[first - 1].op in (Op.LOAD_CELL, Op.FREE_CELL):
        first -= 1
    while instrs[last].op in (Op.LOAD_CELL, Op.FREE_CELL):
        last += 1
    code = instrs[last + 1].arg  # after the tuple of cells
    if not isinstance(code, types.CodeType) or code.co_name != "<genexpr>" or first < 2:
        return False
    callee = [instr for instr in instrs[first - 2 : first] if instr.op is not Op.NULL]
    if len(callee) != 1:
        return False
    (instr,) = callee
    if instr.op is Op.GET_ATTR:
        return bool(instr.arg == "join")
    return (
        instr.op is Op.GLOBAL
        and instr.arg in _CONSUMERS
        and func.__globals__.get(instr.arg, vars(builtins)[instr.arg])
        is vars(builtins)[instr.arg]
    )


def _assigned_inside(instrs: list[Instr]) -> set[str]:
    """The names of the captured variables that nested functions assign; ``del x`` for each
    ``x`` that they delete."""
    found: set[str] = set()
    for before, instr in itertools.pairwise(instrs):
        if instr.op is Op.MAKE_FUNCTION and isinstance(before.arg, types.CodeType):
            found.update(assigned_names(before.arg, frozenset(before.arg.co_freevars)))
    return found


def closure_template(
    code: types.CodeType,
    host: types.FunctionType,
    defaults: tuple[Any, ...] | None,
    kwdefaults: dict[str, Any] | None,
    cells: list[types.CellType | Captured],
) -> types.FunctionType:
    """The function object that stands for the closures made at one place."""
    captured = tuple(c for c in cells if isinstance(c, Captured))
    contents = [types.CellType() if isinstance(c, Captured) else c for c in cells]
    function = types.FunctionType(
        code, host.__globals__, code.co_name, defaults, tuple(contents) or None
    )
    function.__kwdefaults__ = kwdefaults
    cls = make_class(closure, code.co_name)
    cls._rpython_function_ = function  # type: ignore[attr-defined]
    function._rpython_closure_ = ClosureInfo(cls, captured)  # type: ignore[attr-defined]
    return function
