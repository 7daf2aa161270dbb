"""CPython 3.13 bytecode: the NULL of a call after the callable, ``CALL_KW``, explicit
``TO_BOOL``, pairs of local variables in one instruction, f-strings in two steps."""

from __future__ import annotations

import dis

from rpython.translator.flow.decode_312 import COMMON_312_313, for_iter
from rpython.translator.flow.decode_common import Frame, Rule
from rpython.translator.flow.decode_rules import (
    COMMON,
    compare_op,
    global_name,
    negation,
    plain,
    void,
    with_arg,
)
from rpython.translator.flow.instructions import Op

_COMPARE_TO_BOOL = 16
"""The bit of COMPARE_OP's argument that asks for a bool."""


def load_fast(frame: Frame, index: int, more: int = 0) -> None:
    """What was LOAD_CLOSURE is LOAD_FAST of a slot that holds a cell; ``more``: how many
    values the same instruction loads after this one."""
    if frame.is_cell(index) and _goes_into_closure(frame, more):
        frame.load_cell(index)
    else:
        frame.load(index)


def _goes_into_closure(frame: Frame, more: int) -> bool:
    """Does the value go into the tuple of cells of a function made next?  (The variable of
    an inlined comprehension may have the name of a captured one.)"""
    count = 1 + more
    index = frame.index
    while frame.raw[index].opname in _LOADS:
        count += _LOADS[frame.raw[index].opname]
        index += 1
    opnames = [ins.opname for ins in frame.raw[index : index + 3]]
    if opnames != ["BUILD_TUPLE", "LOAD_CONST", "MAKE_FUNCTION"]:
        return False
    return count <= (frame.raw[index].arg or 0)


_LOADS = {
    "LOAD_FAST": 1, "LOAD_FAST_LOAD_FAST": 2,
    "LOAD_FAST_BORROW": 1, "LOAD_FAST_BORROW_LOAD_FAST_BORROW": 2,
}  # fmt: skip
"""Instructions that load variables, 3.14's among them -> how many."""


def load_two(frame: Frame, ins: dis.Instruction) -> None:
    """Two variables, whose numbers are in one argument."""
    arg = ins.arg or 0
    load_fast(frame, arg >> 4, 1)
    load_fast(frame, arg & 15)


def _store_load(frame: Frame, ins: dis.Instruction) -> None:
    arg = ins.arg or 0
    frame.store(arg >> 4)
    load_fast(frame, arg & 15)


def _store_two(frame: Frame, ins: dis.Instruction) -> None:
    arg = ins.arg or 0
    frame.store(arg >> 4)
    frame.store(arg & 15)


def _compare_op(frame: Frame, ins: dis.Instruction) -> None:
    compare_op(frame, ins)
    if (ins.arg or 0) & _COMPARE_TO_BOOL:
        _to_bool(frame, ins)


def _to_bool(frame: Frame, ins: dis.Instruction) -> None:
    """Before UNARY_NOT it is the step that may raise, and the one in the ``try``."""
    if frame.follows("UNARY_NOT"):
        frame.index += 1
        negation(frame, ins)
    else:
        frame.emit(Op.BOOL)


def _convert_value(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.CONVERT, ("", "s", "r", "a")[ins.arg or 0])


def _branch_if(when: bool) -> Rule:
    """The operand is a bool already, by TO_BOOL or as the result of a test."""
    return lambda frame, ins: frame.branch(ins.argval, when)


RULES: dict[str, Rule] = {
    **COMMON,
    **COMMON_312_313,
    "LOAD_GLOBAL": global_name(False, "CALL"),
    "LOAD_FAST": lambda frame, ins: load_fast(frame, ins.arg or 0),
    "LOAD_FAST_LOAD_FAST": load_two,
    "STORE_FAST_LOAD_FAST": _store_load,
    "STORE_FAST_STORE_FAST": _store_two,
    "COMPARE_OP": _compare_op,
    "TO_BOOL": _to_bool,
    "POP_JUMP_IF_TRUE": _branch_if(True),
    "POP_JUMP_IF_FALSE": _branch_if(False),
    "CALL": with_arg(Op.CALL),
    "CALL_KW": with_arg(Op.CALL_KEYWORDS),
    "MAKE_FUNCTION": plain(Op.MAKE_FUNCTION),
    "SET_FUNCTION_ATTRIBUTE": with_arg(Op.FUNCTION_ATTRIBUTE),
    "CONVERT_VALUE": _convert_value,
    "FORMAT_SIMPLE": lambda frame, ins: void(frame.emit(Op.FORMAT, ("", False))),
    "FORMAT_WITH_SPEC": lambda frame, ins: void(frame.emit(Op.FORMAT, ("", True))),
    "FOR_ITER": for_iter(("END_FOR", "POP_TOP")),
}
