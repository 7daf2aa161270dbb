"""Decoding rules that every supported CPython shares.

A rule looks at one bytecode instruction and emits version-free ones::

    CONTAINS_OP 1 (not in)      ->   SWAP 2; PURE contains/2; PURE not_/1
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable
from typing import Any

from rpython.translator.flow.decode_common import Frame, Rule
from rpython.translator.flow.decode_delegation import (
    await_,
    await_next,
    call_protocol,
    end_async_for,
    yield_from,
)
from rpython.translator.flow.instructions import Op
from rpython.translator.ir.intrinsics import UnpackingMethod


def nothing(frame: Frame, ins: dis.Instruction) -> None:
    """Nothing to do: only the interpreter needs it."""


def plain(op: Op) -> Rule:
    """Opcodes that are an instruction of ours without argument."""
    return lambda frame, ins: void(frame.emit(op))


def with_arg(op: Op) -> Rule:
    """Opcodes that are an instruction of ours, with the same argument."""
    return lambda frame, ins: void(frame.emit(op, ins.arg))


def with_argval(op: Op) -> Rule:
    """Opcodes whose argument, as dis resolves it, is the one of our instruction."""
    return lambda frame, ins: void(frame.emit(op, ins.argval))


def operation(name: str, nargs: int) -> Rule:
    """Opcodes that are one high-level operation on the operands in stack order."""
    return lambda frame, ins: frame.pure(name, nargs)


def operation_on_arg(name: str) -> Rule:
    """Opcodes that are one high-level operation on ``arg`` operands."""
    return lambda frame, ins: frame.pure(name, ins.arg or 0)


def refused(message: str, hint: str = "") -> Rule:
    """Opcodes outside the restricted language."""
    return lambda frame, ins: frame.refuse(message, hint)


def jump_if(when: bool) -> Rule:
    """Opcodes that pop a value and jump if its truth is ``when``."""

    def rule(frame: Frame, ins: dis.Instruction) -> None:
        frame.emit(Op.BOOL)
        frame.branch(ins.argval, when)

    return rule


def jump_if_none(when: bool) -> Rule:
    """Opcodes that pop a value and jump if it is None (``when`` false: if it is not)."""
    return lambda frame, ins: frame.branch(ins.argval, when, Op.BRANCH_NONE)


def global_name(null_first: bool, *call: str) -> Rule:
    """LOAD_GLOBAL; the low bit of the argument: it will be called, so a NULL goes with it.
    ``call``: the opcodes that make a call.  ``super()`` finds its arguments by itself."""

    def rule(frame: Frame, ins: dis.Instruction) -> None:
        null = (ins.arg or 0) & 1
        if null and null_first:
            frame.emit(Op.NULL)
        frame.emit(Op.GLOBAL, ins.argval)
        if null and not null_first:
            frame.emit(Op.NULL)
        if ins.argval == "super" and "__class__" in frame.names and frame.follows(*call):
            called = frame.raw[frame.index + len(call) - 1]
            if called.arg == 0 and frame.code.co_argcount and frame.caller is None:
                frame.emit(Op.FREE, "__class__")
                frame.emit(Op.LOAD, 0)
                frame.begin(called)
                frame.emit(Op.CALL, 2)
                frame.index += len(call)

    return rule


def void(_: object) -> None:
    """For lambdas whose value must be None."""


def constant(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.CONST, ins.argval)


_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
    "**": "pow", "@": "matmul", "<<": "lshift", ">>": "rshift", "&": "and_", "|": "or_",
    "^": "xor",
}  # fmt: skip
_COMPARE = {"<": "lt", "<=": "le", "==": "eq", "!=": "ne", ">": "gt", ">=": "ge"}


def _binary_op(frame: Frame, ins: dis.Instruction) -> None:
    symbol = ins.argrepr
    if symbol.endswith("="):
        frame.pure("inplace_" + _BINARY[symbol[:-1]].rstrip("_"), 2)
    else:
        frame.pure(_BINARY[symbol], 2)


def compare_op(frame: Frame, ins: dis.Instruction) -> None:
    frame.pure(_COMPARE[ins.argval], 2)


def negation(frame: Frame, ins: dis.Instruction) -> None:
    """``not not x`` is bool(x): some versions compile it so."""
    odd = True
    while frame.follows("UNARY_NOT"):
        frame.index += 1
        odd = not odd
    if odd:
        frame.pure("not_", 1)
    else:
        frame.emit(Op.BOOL)


def _is_op(frame: Frame, ins: dis.Instruction) -> None:
    frame.pure("is_", 2)
    if ins.arg:
        frame.pure("not_", 1)


def _contains_op(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.SWAP, 2)
    frame.pure("contains", 2)
    if ins.arg:
        frame.pure("not_", 1)


def _build_slice(frame: Frame, ins: dis.Instruction) -> None:
    if ins.arg == 2:
        frame.emit(Op.CONST, None)
    frame.pure("newslice", 3)


def _build_list(frame: Frame, ins: dis.Instruction) -> None:
    """``[1, 2, 3]`` is an empty list extended by a constant tuple."""
    if ins.arg == 0 and frame.follows("LOAD_CONST", "LIST_EXTEND"):
        items, extend = frame.raw[frame.index : frame.index + 2]
        if extend.arg == 1 and isinstance(items.argval, tuple):
            frame.index += 2
            _constants(frame, "newlist", list(items.argval))
            return
    frame.pure("newlist", ins.arg or 0)


def _build_set(frame: Frame, ins: dis.Instruction) -> None:
    """``{1, 2, 3}`` is an empty set updated by a constant frozenset, whose order of numbers is that
    of the result.  Others are sorted, because their order differs from run to run."""
    if ins.arg == 0 and frame.follows("LOAD_CONST", "SET_UPDATE"):
        items, update = frame.raw[frame.index : frame.index + 2]
        if update.arg == 1 and isinstance(items.argval, frozenset):
            frame.index += 2
            if all(map(_is_numeric, items.argval)):
                frame.emit(Op.NULL)
                frame.emit(Op.CONST, set)
                frame.emit(Op.CONST, items.argval)
                frame.emit(Op.CALL, 1)
                return
            in_order = sorted(items.argval, key=lambda item: (type(item).__name__, repr(item)))
            _constants(frame, "newset", in_order)
            return
    frame.pure("newset", ins.arg or 0)


def _is_numeric(item: Any) -> bool:
    """Is it a number, or a tuple of such?"""
    if isinstance(item, tuple):
        return all(map(_is_numeric, item))
    return isinstance(item, (int, float))


def _unpack_star(frame: Frame, ins: dis.Instruction) -> None:
    after, before = divmod(ins.arg or 0, 256)
    frame.emit(Op.UNPACK_STAR, (before, after))


def _constants(frame: Frame, name: str, items: list[Any]) -> None:
    for item in items:
        frame.emit(Op.CONST, item)
    frame.pure(name, len(items))


def list_extend(to_tuple: Callable[[Frame], bool]) -> Rule:
    """LIST_EXTEND; ``to_tuple``: does the conversion to a tuple follow?"""

    def rule(frame: Frame, ins: dis.Instruction) -> None:
        if ins.arg == 1 and to_tuple(frame):
            frame.index += 1
            frame.emit(Op.EXTEND_TO_TUPLE)
        else:
            frame.emit(Op.EXTEND, (UnpackingMethod("extend"), ins.arg))

    return rule


def _keywords_follow(frame: Frame) -> bool:
    """Is the next instruction a call that takes the dict on top as its keywords?"""
    return frame.follows("CALL_FUNCTION_EX") and bool(frame.raw[frame.index].arg)


def _build_map(frame: Frame, ins: dis.Instruction) -> None:
    if ins.arg == 1 and _keywords_follow(frame):  # f(*seq, key=value)
        frame.index += 1
        frame.emit(Op.SWAP, 2)
        frame.emit(Op.CALL_STAR_KEYWORDS, 1)
    else:
        frame.pure("newdict", 2 * (ins.arg or 0))


def _build_const_key_map(frame: Frame, ins: dis.Instruction) -> None:
    if _keywords_follow(frame):  # f(*seq, key1=value1, key2=value2)
        frame.index += 1
        frame.emit(Op.CALL_STAR_KEYWORDS, ins.arg)
    else:
        frame.emit(Op.CONST_KEYS_DICT, ins.arg)


def _call_function_ex(frame: Frame, ins: dis.Instruction) -> None:
    frame.emit(Op.CALL_STARS if ins.arg else Op.CALL_STAR)


def _extend(method: str) -> Rule:
    return lambda frame, ins: void(frame.emit(Op.EXTEND, (method, ins.arg)))


def _pattern(op: Op) -> Rule:
    """A test that leaves None where it fails; a copy is compared with None next."""

    def rule(frame: Frame, ins: dis.Instruction) -> None:
        copy, jump = frame.raw[frame.index : frame.index + 2]
        assert copy.opname == "COPY" and jump.opname.endswith("_IF_NONE"), jump.opname
        frame.index += 2
        frame.emit(op, ins.arg or 0, jump=jump.argval)

    return rule


_GROUP = refused("except*", "use a plain except clause")

COMMON: dict[str, Rule] = {
    **dict.fromkeys(("RESUME", "NOP", "CACHE", "COPY_FREE_VARS"), nothing),
    "MAKE_CELL": lambda frame, ins: frame.new_cell(ins.arg or 0),
    # the stack
    "LOAD_CONST": constant,
    "PUSH_NULL": plain(Op.NULL),
    "POP_TOP": plain(Op.POP),
    "COPY": with_arg(Op.COPY),
    "SWAP": with_arg(Op.SWAP),
    # names
    "LOAD_FAST": lambda frame, ins: frame.load(ins.arg or 0),
    "STORE_FAST": lambda frame, ins: frame.store(ins.arg or 0),
    "DELETE_FAST": lambda frame, ins: frame.delete(ins.arg or 0),
    "LOAD_DEREF": lambda frame, ins: frame.load_deref(ins.arg or 0),
    "STORE_DEREF": lambda frame, ins: frame.store_deref(ins.arg or 0),
    "DELETE_DEREF": lambda frame, ins: frame.delete_deref(ins.arg or 0),
    "STORE_GLOBAL": with_argval(Op.STORE_GLOBAL),
    "DELETE_GLOBAL": refused("del of a global variable"),
    # operations
    "UNARY_NEGATIVE": operation("neg", 1),
    "UNARY_INVERT": operation("invert", 1),
    "UNARY_NOT": negation,
    "BINARY_OP": _binary_op,
    "BINARY_SUBSCR": operation("getitem", 2),
    "STORE_SUBSCR": plain(Op.SET_ITEM),
    "DELETE_SUBSCR": plain(Op.DEL_ITEM),
    "COMPARE_OP": compare_op,
    "IS_OP": _is_op,
    "CONTAINS_OP": _contains_op,
    "STORE_ATTR": with_argval(Op.SET_ATTR),
    "DELETE_ATTR": with_argval(Op.DEL_ATTR),
    "GET_ITER": operation("iter", 1),
    "UNPACK_SEQUENCE": with_arg(Op.UNPACK),
    "UNPACK_EX": _unpack_star,
    "IMPORT_NAME": with_argval(Op.IMPORT),
    "IMPORT_FROM": with_argval(Op.IMPORT_FROM),
    # construction
    "BUILD_TUPLE": operation_on_arg("newtuple"),
    "BUILD_LIST": _build_list,
    "BUILD_SET": _build_set,
    "BUILD_MAP": _build_map,
    "BUILD_CONST_KEY_MAP": _build_const_key_map,
    "BUILD_SLICE": _build_slice,
    "BUILD_STRING": operation_on_arg("build_string"),
    "LIST_APPEND": with_arg(Op.APPEND),
    "SET_ADD": with_arg(Op.ADD),
    "MAP_ADD": with_arg(Op.PUT),
    "SET_UPDATE": _extend("update"),
    "DICT_UPDATE": _extend(UnpackingMethod("update")),
    "DICT_MERGE": plain(Op.MERGE_KEYWORDS),
    # calls
    "CALL_FUNCTION_EX": _call_function_ex,
    "LOAD_BUILD_CLASS": lambda frame, ins: void(frame.emit(Op.CONST, builtins.__build_class__)),
    # control and exceptions
    "JUMP_FORWARD": lambda frame, ins: frame.goto(ins.argval),
    "JUMP_BACKWARD": lambda frame, ins: frame.goto(ins.argval),
    "JUMP_BACKWARD_NO_INTERRUPT": lambda frame, ins: frame.goto(ins.argval),
    "RETURN_VALUE": lambda frame, ins: frame.emit_return(),
    "LOAD_ASSERTION_ERROR": lambda frame, ins: void(frame.emit(Op.CONST, AssertionError)),
    "RAISE_VARARGS": with_arg(Op.RAISE),
    "RERAISE": plain(Op.RERAISE),
    "PUSH_EXC_INFO": plain(Op.PUSH_HANDLED),
    "POP_EXCEPT": plain(Op.POP_HANDLED),
    "CHECK_EXC_MATCH": plain(Op.MATCH_EXCEPTION),
    "BEFORE_WITH": plain(Op.ENTER_CONTEXT),
    "WITH_EXCEPT_START": plain(Op.EXIT_CONTEXT),
    # generators
    "RETURN_GENERATOR": lambda frame, ins: void(frame.emit(Op.CONST, None)),  # POP_TOP follows
    "YIELD_VALUE": plain(Op.YIELD),
    "GET_YIELD_FROM_ITER": yield_from,
    # coroutines
    "GET_AWAITABLE": await_,
    "GET_AITER": call_protocol("__aiter__"),
    "GET_ANEXT": await_next,
    "END_ASYNC_FOR": end_async_for,
    "BEFORE_ASYNC_WITH": lambda frame, ins: void(frame.emit(Op.ENTER_CONTEXT, "async with")),
    # match statements
    "MATCH_CLASS": _pattern(Op.MATCH_CLASS),
    "MATCH_KEYS": _pattern(Op.MATCH_KEYS),
    "MATCH_SEQUENCE": plain(Op.MATCH_SEQUENCE),
    "MATCH_MAPPING": plain(Op.MATCH_MAPPING),
    "GET_LEN": plain(Op.GET_LEN),
    # refused
    **dict.fromkeys(("CHECK_EG_MATCH", "PREP_RERAISE_STAR"), _GROUP),
}  # fmt: skip
"""The opcodes that mean the same in every supported version."""
