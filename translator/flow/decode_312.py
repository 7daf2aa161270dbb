"""CPython 3.12 bytecode: comprehensions inline, slices and constants returned in one
instruction, ``super().x`` as one."""

from __future__ import annotations

import dis

from rpython.translator.flow.decode_311 import COMMON_311_312
from rpython.translator.flow.decode_common import Frame, Rule
from rpython.translator.flow.decode_delegation import wrap_item
from rpython.translator.flow.decode_rules import (
    COMMON,
    global_name,
    jump_if,
    jump_if_none,
    list_extend,
    plain,
)
from rpython.translator.flow.instructions import Op

_ASYNC_GEN_WRAP = 4
_UNARY_POSITIVE = 5
_LIST_TO_TUPLE = 6


def _intrinsic(frame: Frame, ins: dis.Instruction) -> None:
    if ins.arg == _UNARY_POSITIVE:
        frame.pure("pos", 1)
    elif ins.arg == _LIST_TO_TUPLE:
        frame.emit(Op.TO_TUPLE)
    elif ins.arg == _ASYNC_GEN_WRAP:
        wrap_item(frame, ins)
    else:
        frame.refuse(f"the bytecode instruction {ins.opname} {ins.arg}")


def _to_tuple_follows(frame: Frame) -> bool:
    return frame.follows("CALL_INTRINSIC_1") and frame.raw[frame.index].arg == _LIST_TO_TUPLE


def load_attr(frame: Frame, ins: dis.Instruction) -> None:
    """The low bit of the argument: it will be called."""
    frame.get_attr(ins.argval)
    if ins.arg is not None and ins.arg & 1:
        frame.emit(Op.NULL)


def _load_super_attr(frame: Frame, ins: dis.Instruction) -> None:
    """[super, class, self] -> [super(class, self).name]"""
    arg = ins.arg or 0
    frame.emit(Op.NULL)  # CALL wants [super, NULL, class, self]
    frame.emit(Op.SWAP, 3)
    frame.emit(Op.SWAP, 2)
    frame.emit(Op.CALL, 2)
    frame.get_attr(frame.code.co_names[arg >> 2])
    if arg & 1:
        frame.emit(Op.NULL)


def _binary_slice(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.CONST, None)
    frame.pure("newslice", 3)
    frame.pure("getitem", 2)


def _store_slice(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.CONST, None)
    frame.pure("newslice", 3)
    frame.emit(Op.SET_ITEM)


def _return_const(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.CONST, ins.argval)
    frame.emit_return()


def for_iter(leaves: tuple[str, ...]) -> Rule:
    """FOR_ITER; ``leaves``: the instructions at its target that drop the iterator and that
    the interpreter skips."""

    def rule(frame: Frame, ins: dis.Instruction) -> None:
        end = frame.at(ins.argval)
        found = tuple(after.opname for after in frame.raw[end : end + len(leaves)])
        assert found == leaves, f"FOR_ITER ends at {found}"
        frame.emit(Op.NEXT, jump=frame.raw[end + len(leaves)].offset)

    return rule


COMMON_312_313: dict[str, Rule] = {
    "CALL_INTRINSIC_1": _intrinsic,
    "LIST_EXTEND": list_extend(_to_tuple_follows),
    "LOAD_ATTR": load_attr,
    "LOAD_SUPER_ATTR": _load_super_attr,
    "LOAD_FAST_CHECK": lambda frame, ins: frame.load(ins.arg or 0),
    "LOAD_FAST_AND_CLEAR": lambda frame, ins: frame.load_and_clear(ins.arg or 0),
    "BINARY_SLICE": _binary_slice,
    "STORE_SLICE": _store_slice,
    "RETURN_CONST": _return_const,
    "POP_JUMP_IF_TRUE": jump_if(True),
    "POP_JUMP_IF_FALSE": jump_if(False),
    "POP_JUMP_IF_NONE": jump_if_none(True),
    "POP_JUMP_IF_NOT_NONE": jump_if_none(False),
    "END_FOR": plain(Op.NOP),
}
"""What 3.12 and 3.13 have in common."""

RULES: dict[str, Rule] = {
    **COMMON,
    **COMMON_311_312,
    **COMMON_312_313,
    "LOAD_GLOBAL": global_name(True, "CALL"),
    "FOR_ITER": for_iter(("END_FOR",)),
}
