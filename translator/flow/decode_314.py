"""CPython 3.14 bytecode: small ints and borrowed variables have instructions of their own, context
managers are entered step by step, annotations are functions, calls of ``all`` and ``any`` are
written out.

::

    with x:     COPY 1; LOAD_SPECIAL __exit__; SWAP 2; SWAP 3;   ->   ENTER_CONTEXT
                LOAD_SPECIAL __enter__; CALL 0
"""

from __future__ import annotations

import dis
import types

from rpython.translator.flow import decode_313
from rpython.translator.flow.decode_312 import for_iter
from rpython.translator.flow.decode_313 import load_fast, load_two
from rpython.translator.flow.decode_common import Frame, Rule
from rpython.translator.flow.decode_rules import COMMON, nothing, plain, void, with_arg
from rpython.translator.flow.instructions import Op

_SUBSCRIPT = "[]"
_COMMON_CONSTANTS = (AssertionError, NotImplementedError, tuple, all, any)
"""By LOAD_COMMON_CONSTANT's argument."""

_ENTER = ("LOAD_SPECIAL", "SWAP", "SWAP", "LOAD_SPECIAL", "CALL")
_EXIT = {1: None, 3: "async with"}
"""LOAD_SPECIAL's argument, for ``__exit__`` and ``__aexit__`` -> that of ENTER_CONTEXT."""

_WRITTEN_OUT = ("LOAD_COMMON_CONSTANT", "IS_OP", "POP_JUMP_IF_FALSE")
_CLOSURE = 8
"""An argument of SET_FUNCTION_ATTRIBUTE."""


def _load_const(frame: Frame, ins: dis.Instruction) -> None:
    _constant(frame, ins.argval)


def _constant(frame: Frame, value: object) -> None:
    """Slices are constants since 3.14, in tuples, too."""
    if isinstance(value, slice):
        for bound in (value.start, value.stop, value.step):
            frame.emit(Op.CONST, bound)
        frame.pure("newslice", 3)
    elif isinstance(value, tuple) and any(isinstance(item, slice) for item in value):
        for item in value:
            _constant(frame, item)
        frame.pure("newtuple", len(value))
    else:
        frame.emit(Op.CONST, value)


def _binary_op(frame: Frame, ins: dis.Instruction) -> None:
    if ins.argrepr == _SUBSCRIPT:
        frame.pure("getitem", 2)
    else:
        COMMON["BINARY_OP"](frame, ins)


def _copy(frame: Frame, ins: dis.Instruction) -> None:
    if frame.follows(*_ENTER):
        _enter(frame)
    elif ins.arg == 1 and frame.follows(*_WRITTEN_OUT):
        # all(... for ...): the loop that follows is for the built-in function; call it instead
        frame.goto(frame.raw[frame.index + 2].argval)
    else:
        frame.emit(Op.COPY, ins.arg)


def _enter(frame: Frame) -> None:
    """[manager] -> [NULL, its exit, what it gives]: CPython has two values for the exit, too, in
    the other order."""
    special = frame.raw[frame.index].arg or 0
    frame.begin(frame.raw[frame.index + len(_ENTER) - 1])
    frame.index += len(_ENTER)
    frame.emit(Op.ENTER_CONTEXT, _EXIT[special])
    frame.emit(Op.NULL)
    frame.emit(Op.SWAP, 3)
    frame.emit(Op.SWAP, 2)


def _function_attribute(frame: Frame, ins: dis.Instruction) -> None:
    """What computes the annotations is never called: it needs no closure."""
    made = frame.raw[frame.index - 3].argval
    if ins.arg == _CLOSURE and isinstance(made, types.CodeType) and made.co_name == "__annotate__":
        frame.emit(Op.SWAP, 2)
        frame.emit(Op.POP)
    else:
        frame.emit(Op.FUNCTION_ATTRIBUTE, ins.arg)


def _build_map(frame: Frame, ins: dis.Instruction) -> None:
    if frame.follows("CALL_FUNCTION_EX"):  # f(*seq, key=value)
        frame.emit(Op.KEYWORDS, (ins.arg or 0, False))
    else:
        COMMON["BUILD_MAP"](frame, ins)


def _push_null(frame: Frame, ins: dis.Instruction) -> None:
    """NULL in place of keywords says that there are none."""
    if frame.follows("CALL_FUNCTION_EX"):
        frame.index += 1
        frame.emit(Op.CALL_STAR)
    else:
        frame.emit(Op.NULL)


RULES: dict[str, Rule] = {
    **decode_313.RULES,
    "NOT_TAKEN": nothing,
    "POP_ITER": plain(Op.POP),
    "COPY": _copy,
    "LOAD_CONST": _load_const,
    "LOAD_SMALL_INT": with_arg(Op.CONST),
    "LOAD_COMMON_CONSTANT": lambda frame, ins: void(
        frame.emit(Op.CONST, _COMMON_CONSTANTS[ins.arg or 0])
    ),
    "LOAD_FAST_BORROW": lambda frame, ins: load_fast(frame, ins.arg or 0),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": load_two,
    "BINARY_OP": _binary_op,
    "BUILD_MAP": _build_map,
    "PUSH_NULL": _push_null,
    "CALL_FUNCTION_EX": plain(Op.CALL_STARS),
    "SET_FUNCTION_ATTRIBUTE": _function_attribute,
    "FOR_ITER": for_iter(("END_FOR", "POP_ITER")),
}
