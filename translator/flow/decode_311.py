"""CPython 3.11 bytecode.

Peculiar to it: comprehensions are nested functions called at once, ``PRECALL``, jumps in
both directions with names of their own, ``JUMP_IF_x_OR_POP``.  A list comprehension::

    LOAD_CONST <listcomp>; MAKE_FUNCTION; <iterable>; GET_ITER; PRECALL 0; CALL 0

is decoded by splicing the code of the comprehension in the place of the call.
"""

from __future__ import annotations

import dis
import types
from inspect import CO_COROUTINE

from rpython.translator.flow.decode_common import Frame, Rule
from rpython.translator.flow.decode_delegation import skip_loop, wrap_item
from rpython.translator.flow.decode_rules import (
    COMMON,
    global_name,
    jump_if,
    jump_if_none,
    list_extend,
    nothing,
    operation,
    plain,
)
from rpython.translator.flow.instructions import Op

COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})


def _find_comprehensions(frame: Frame) -> dict[int, types.CodeType]:
    """The offsets of the calls of comprehensions, and the code they call.

    They nest like brackets: a function made for a comprehension is called by the next
    GET_ITER, PRECALL 0, CALL 0 that is not taken by one made after it."""
    found = {}
    made: list[types.CodeType] = []
    for index, ins in enumerate(frame.raw):
        if ins.opname == "MAKE_FUNCTION":
            code = frame.raw[index - 1].argval
            if code.co_name in COMPREHENSIONS or code.co_name == "<genexpr>":
                made.append(code)
        elif ins.opname == "CALL" and ins.arg == 0 and made and index >= 2:
            before = [before.opname for before in frame.raw[index - 2 : index]]
            if before in (["GET_ITER", "PRECALL"], ["GET_AITER", "PRECALL"]):
                code = made.pop()
                if is_spliced(code):
                    found[ins.offset] = code
    return found


def is_spliced(code: types.CodeType) -> bool:
    """Is it a comprehension whose body is in place of its call?  Those with ``async for``, which
    have handlers, are called."""
    return code.co_name in COMPREHENSIONS and not any(
        ins.opname == "GET_ANEXT" for ins in dis.get_instructions(code)
    )


def _load_method(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.GET_ATTR, ins.argval)
    frame.emit(Op.NULL)


def _call(frame: Frame, ins: dis.Instruction) -> None:
    if frame.comprehensions is None:
        frame.comprehensions = _find_comprehensions(frame)
    names = _keyword_names(frame)
    if names:
        frame.emit(Op.CONST, names)
        frame.emit(Op.CALL_KEYWORDS, ins.arg)
    elif ins.offset in frame.comprehensions:
        _splice(frame, frame.comprehensions[ins.offset])
    else:
        frame.emit(Op.CALL, ins.arg)


def _keyword_names(frame: Frame) -> tuple[str, ...]:
    """The names given by KW_NAMES for the call being decoded."""
    index = frame.index - 2
    if frame.raw[index].opname == "PRECALL":
        index -= 1
    before = frame.raw[index]
    if before.opname != "KW_NAMES":
        return ()
    names: tuple[str, ...] = frame.code.co_consts[before.arg or 0]
    return names


def _splice(frame: Frame, code: types.CodeType) -> None:
    """[NULL, iterator] -> [result of the comprehension]"""
    decoder = frame.decoder
    key = (*frame.key, code)
    free = {name: frame.place(name) for name in code.co_freevars}
    inner = Frame(decoder, code, key, decoder.comprehension_slots(key), free, frame)
    inner.return_offset = frame.raw[frame.index].offset
    iterator = inner.place(".0")
    frame.emit(Op.STORE, iterator)
    frame.emit(Op.POP)
    decoder.run(inner)
    if code.co_flags & CO_COROUTINE:  # what it gives is awaited: GET_AWAITABLE; LOAD_CONST; SEND...
        frame.skip_to(frame.index + 1)
        skip_loop(frame)


def _make_function(frame: Frame, ins: dis.Instruction) -> None:
    if is_spliced(frame.raw[frame.index - 2].argval):
        frame.emit(Op.POP)
        if (ins.arg or 0) & 8:
            frame.emit(Op.POP)
        frame.emit(Op.NULL)
        return
    frame.emit(Op.MAKE_FUNCTION)
    for attribute in (8, 4, 2, 1):
        if (ins.arg or 0) & attribute:
            frame.emit(Op.FUNCTION_ATTRIBUTE, attribute)


def jump_or_pop(when: bool) -> Rule:
    """``and`` and ``or``: keep the value and jump if it is ``when``, else drop it."""

    def rule(frame: Frame, ins: dis.Instruction) -> None:
        frame.emit(Op.COPY, 1)
        frame.emit(Op.BOOL)
        frame.branch(ins.argval, when)
        frame.emit(Op.POP)

    return rule


def _for_iter(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.NEXT, jump=ins.argval)


def format_value(frame: Frame, ins: dis.Instruction) -> None:
    flags = ins.arg or 0
    frame.emit(Op.FORMAT, (("", "s", "r", "a")[flags & 3], bool(flags & 4)))


COMMON_311_312: dict[str, Rule] = {
    "KW_NAMES": nothing,
    "CALL": _call,
    "LOAD_CLOSURE": lambda frame, ins: frame.load_cell(ins.arg or 0),
    "MAKE_FUNCTION": _make_function,
    "FORMAT_VALUE": format_value,
}
"""What 3.11 and 3.12 have in common."""

def _load_closure(frame: Frame, ins: dis.Instruction) -> None:
    """The cells for a comprehension are not needed: its code is spliced."""
    index = frame.index
    while frame.raw[index].opname == "LOAD_CLOSURE":
        index += 1
    build, code = frame.raw[index : index + 2]
    if build.opname == "BUILD_TUPLE" and code.opname == "LOAD_CONST":
        if isinstance(code.argval, types.CodeType) and is_spliced(code.argval):
            frame.index = index + 1
            frame.emit(Op.CONST, None)
            return
    frame.load_cell(ins.arg or 0)


RULES: dict[str, Rule] = {
    **COMMON,
    **COMMON_311_312,
    "PRECALL": nothing,
    "ASYNC_GEN_WRAP": wrap_item,
    "LOAD_CLOSURE": _load_closure,
    "LOAD_GLOBAL": global_name(True, "PRECALL", "CALL"),
    "UNARY_POSITIVE": operation("pos", 1),
    "LOAD_ATTR": lambda frame, ins: frame.get_attr(ins.argval),
    "LOAD_METHOD": _load_method,
    "LIST_EXTEND": list_extend(lambda frame: frame.follows("LIST_TO_TUPLE")),
    "LIST_TO_TUPLE": plain(Op.TO_TUPLE),
    "FOR_ITER": _for_iter,
    "JUMP_IF_TRUE_OR_POP": jump_or_pop(True),
    "JUMP_IF_FALSE_OR_POP": jump_or_pop(False),
    "POP_JUMP_FORWARD_IF_TRUE": jump_if(True),
    "POP_JUMP_BACKWARD_IF_TRUE": jump_if(True),
    "POP_JUMP_FORWARD_IF_FALSE": jump_if(False),
    "POP_JUMP_BACKWARD_IF_FALSE": jump_if(False),
    "POP_JUMP_FORWARD_IF_NONE": jump_if_none(True),
    "POP_JUMP_BACKWARD_IF_NONE": jump_if_none(True),
    "POP_JUMP_FORWARD_IF_NOT_NONE": jump_if_none(False),
    "POP_JUMP_BACKWARD_IF_NOT_NONE": jump_if_none(False),
}  # fmt: skip
