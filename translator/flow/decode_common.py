"""What all CPython decoders share: frames of bytecode, labels, positions, common opcodes.

A decoder is a table from opcode names to rules.  A rule looks at one bytecode
instruction and emits version-free ones::

    COMPARE_OP 'not in'      ->   SWAP 2; PURE contains/2; PURE not_/1
"""

from __future__ import annotations

import dis
import linecache
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from translator.flow.instructions import ENDS, CodeKey, HandlerEntry, Instr, Op, Program, PureArg
from translator.ir.span import Span

Rule = Callable[["Frame", dis.Instruction], None]
Rules = Mapping[str, Rule]


@dataclass(frozen=True, slots=True)
class _TableEntry:
    """A row of a code object's exception table; offsets in bytes."""

    start: int
    end: int
    target: int
    depth: int
    lasti: bool


def _exception_table(code: types.CodeType) -> list[_TableEntry]:
    """``co_exceptiontable`` decoded: four varints per row, six bits a byte, high part
    first (CPython, Objects/exception_handling_notes.txt)."""
    data = iter(code.co_exceptiontable)

    def varint(byte: int) -> int:
        value = byte & 63
        while byte & 64:
            byte = next(data)
            value = value << 6 | byte & 63
        return value

    rows = []
    for first in data:
        start = varint(first) * 2
        length = varint(next(data)) * 2
        target = varint(next(data)) * 2
        depth = varint(next(data))
        rows.append(_TableEntry(start, start + length, target, depth >> 1, bool(depth & 1)))
    return rows


class Decoder:
    """Decodes one function and the comprehensions spliced into it."""

    def __init__(self, func: types.FunctionType, rules: Rules) -> None:
        self.rules = rules
        self.function = func.__qualname__
        self.instrs: list[Instr] = []
        self.slots: list[str] = []
        self._comprehension_slots: dict[CodeKey, dict[str, int]] = {}
        self._labels: dict[tuple[int, int], int] = {}
        self._fixups: list[tuple[Instr, str, tuple[int, int]]] = []
        self._handler_fixups: list[tuple[Instr, int, _TableEntry]] = []
        self._nframes = 0
        self.unknown_line = func.__code__.co_firstlineno

    def decode(self, code: types.CodeType) -> Program:
        """The whole function."""
        names = [*code.co_varnames, *(c for c in code.co_cellvars if c not in code.co_varnames)]
        scope: dict[str, int | None] = dict.fromkeys(code.co_freevars)
        scope.update((name, slot) for slot, name in enumerate(names))
        self.slots = names
        self.run(Frame(self, code, (code,), scope))
        for instr, field, label in self._fixups:
            setattr(instr, field, self._labels[label])
        for instr, frame_id, row in self._handler_fixups:
            target = self._labels[frame_id, row.target]
            instr.handler = HandlerEntry(target, row.depth, row.lasti)
        flags = code.co_flags
        nargs = code.co_argcount + code.co_kwonlyargcount
        nargs += bool(flags & 0x04) + bool(flags & 0x08)
        return Program(self.instrs, 0, self.slots, nargs)

    def new_frame_id(self) -> int:
        self._nframes += 1
        return self._nframes

    def comprehension_scope(self, key: CodeKey, outer: Mapping[str, int | None]) -> dict[
        str, int | None
    ]:  # fmt: skip
        """Slots for the variables of a comprehension's code object; copies of the same
        comprehension share them."""
        code = key[-1]
        own = self._comprehension_slots.get(key)
        if own is None:
            own = self._comprehension_slots[key] = {}
            for name in (*code.co_varnames, *code.co_cellvars):
                if name not in own:
                    own[name] = len(self.slots)
                    self.slots.append(name)
        return {name: outer[name] for name in code.co_freevars} | own

    def run(self, frame: Frame) -> None:
        """Decode every instruction of ``frame`` at the end of ``instrs``."""
        while frame.index < len(frame.raw):
            ins = frame.raw[frame.index]
            frame.index += 1
            frame.begin(ins)
            self._labels[frame.id, ins.offset] = len(self.instrs)
            rule = self.rules.get(ins.opname)
            if rule is None:
                frame.emit(Op.REFUSE, (f"the bytecode instruction {ins.opname}", ""))
            else:
                rule(frame, ins)

    def append(self, instr: Instr) -> None:
        if instr.op not in ENDS:
            instr.next = len(self.instrs) + 1
        self.instrs.append(instr)

    def fix_later(self, instr: Instr, field: str, frame_id: int, offset: int) -> None:
        self._fixups.append((instr, field, (frame_id, offset)))

    def fix_handler_later(self, instr: Instr, frame_id: int, row: _TableEntry) -> None:
        self._handler_fixups.append((instr, frame_id, row))


class Frame:
    """One code object being decoded.

    ``scope``: the slot of every local name, None for a closure cell of the host.
    ``raw``, ``index``: its instructions without EXTENDED_ARG, and the next one.
    """

    def __init__(
        self,
        decoder: Decoder,
        code: types.CodeType,
        key: CodeKey,
        scope: dict[str, int | None],
        caller: Frame | None = None,
    ) -> None:
        self.decoder = decoder
        self.code = code
        self.key = key
        self.scope = scope
        self.caller = caller
        self.id = decoder.new_frame_id()
        self.index = 0
        self.return_offset = -1
        """In a spliced frame: where in the caller RETURN goes."""
        self.comprehensions: dict[int, types.CodeType] | None = None
        """Offsets of the calls to be spliced, and the code they call; None: not known yet."""
        cells = (c for c in code.co_cellvars if c not in code.co_varnames)
        self.names = (*code.co_varnames, *cells, *code.co_freevars)
        self.raw: list[dis.Instruction] = []
        self._alias: dict[int, int] = {}
        prefixes: list[int] = []
        for ins in dis.get_instructions(code):
            if ins.opname == "EXTENDED_ARG":
                prefixes.append(ins.offset)
            else:
                self._alias.update((offset, ins.offset) for offset in prefixes)
                prefixes.clear()
                self.raw.append(ins)
        self._table = _exception_table(code)
        self._row = 0
        self._span = Span(code.co_filename, decoder.unknown_line, function=decoder.function)
        self._handler: tuple[int, _TableEntry] | None = None

    # -- where we are

    def begin(self, ins: dis.Instruction) -> None:
        """Position and handler of what is emitted next are those of ``ins``."""
        self._span = self._make_span(ins)
        if self.caller is not None:
            self._handler = self.caller._handler
            return
        while self._row < len(self._table) and self._table[self._row].end <= ins.offset:
            self._row += 1
        self._handler = None
        if self._row < len(self._table) and self._table[self._row].start <= ins.offset:
            self._handler = (self.id, self._table[self._row])

    def _make_span(self, ins: dis.Instruction) -> Span:
        positions = ins.positions
        if positions is None or positions.lineno is None:
            return self._span
        line, end_line = positions.lineno, positions.end_lineno or positions.lineno
        filename = self.code.co_filename
        if positions.col_offset is None or positions.end_col_offset is None:
            return Span(filename, line, function=self.decoder.function)
        col = _characters(filename, line, positions.col_offset)
        end_col = _characters(filename, end_line, positions.end_col_offset)
        return Span(filename, line, col, end_line, end_col, self.decoder.function)

    def follows(self, *opnames: str) -> bool:
        """Are these the next instructions?"""
        return [ins.opname for ins in self.raw[self.index : self.index + len(opnames)]] == list(
            opnames
        )

    def at(self, offset: int) -> int:
        """The index in ``raw`` of the instruction at ``offset``."""
        offset = self._alias.get(offset, offset)
        low, high = 0, len(self.raw)
        while low < high:
            middle = (low + high) // 2
            if self.raw[middle].offset < offset:
                low = middle + 1
            else:
                high = middle
        return low

    # -- emitting

    def emit(self, op: Op, arg: Any = None, jump: int | None = None) -> Instr:
        """Append one instruction; ``jump``: its second successor, a bytecode offset."""
        instr = Instr(op, arg, self._span)
        decoder = self.decoder
        decoder.append(instr)
        if jump is not None:
            decoder.fix_later(instr, "jump", self.id, self._alias.get(jump, jump))
        if self._handler is not None:
            decoder.fix_handler_later(instr, *self._handler)
        return instr

    def pure(self, name: str, nargs: int) -> None:
        self.emit(Op.PURE, PureArg(name, nargs))

    def get_attr(self, name: str) -> None:
        self.emit(Op.GET_ATTR, name)

    def goto(self, offset: int) -> None:
        jump = self.emit(Op.JUMP)
        self.decoder.fix_later(jump, "next", self.id, self._alias.get(offset, offset))

    def branch(self, target: int, when: bool, op: Op = Op.BRANCH) -> None:
        """To offset ``target`` if the condition is ``when``, else on.  BRANCH wants a bool."""
        if when:
            self.emit(op, jump=target)
            return
        branch = self.emit(op)
        branch.jump = branch.next
        self.decoder.fix_later(branch, "next", self.id, self._alias.get(target, target))

    def emit_return(self) -> None:
        if self.caller is None:
            self.emit(Op.RETURN)
        else:
            jump = self.emit(Op.JUMP)
            self.decoder.fix_later(jump, "next", self.caller.id, self.return_offset)

    def refuse(self, message: str, hint: str = "") -> None:
        self.emit(Op.REFUSE, (message, hint))

    # -- names

    def load(self, index: int) -> None:
        self._variable(Op.LOAD, Op.FREE, self.names[index])

    def load_cell(self, index: int) -> None:
        self._variable(Op.LOAD_CELL, Op.FREE_CELL, self.names[index])

    def store(self, index: int) -> None:
        self._assign(Op.STORE, self.names[index])

    def delete(self, index: int) -> None:
        self._assign(Op.DELETE, self.names[index])

    def load_and_clear(self, index: int) -> None:
        self.emit(Op.LOAD_AND_CLEAR, self.scope[self.names[index]])

    def is_cell(self, index: int) -> bool:
        """Is the variable shared with a nested or enclosing function?"""
        name = self.names[index]
        return name in self.code.co_cellvars or name in self.code.co_freevars

    def _variable(self, local: Op, free: Op, name: str) -> None:
        slot = self.scope[name]
        if slot is None:
            self.emit(free, name)
        else:
            self.emit(local, slot)

    def _assign(self, op: Op, name: str) -> None:
        slot = self.scope[name]
        if slot is None:
            self.refuse(
                f"assignment to the variable {name!r} of an enclosing function",
                "keep the value in an attribute of an object",
            )
        else:
            self.emit(op, slot)


def _characters(filename: str, line: int, column: int) -> int:
    """A column in UTF-8 bytes as one in characters."""
    text = linecache.getline(filename, line)
    if text.isascii():
        return column
    return len(text.encode()[:column].decode(errors="replace"))


# -- rules used by every version


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


def collect(name: str) -> Rule:
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
        if ins.argval == "super" and "__class__" in frame.scope and frame.follows(*call):
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
    """``{1, 2, 3}`` is an empty set updated by a constant frozenset; sorted, because the
    order of a frozenset differs from run to run."""
    if ins.arg == 0 and frame.follows("LOAD_CONST", "SET_UPDATE"):
        items, update = frame.raw[frame.index : frame.index + 2]
        if update.arg == 1 and isinstance(items.argval, frozenset):
            frame.index += 2
            in_order = sorted(items.argval, key=lambda item: (type(item).__name__, repr(item)))
            _constants(frame, "newset", in_order)
            return
    frame.pure("newset", ins.arg or 0)


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
            frame.emit(Op.EXTEND, ("extend", ins.arg))

    return rule


def _build_map(frame: Frame, ins: dis.Instruction) -> None:
    if ins.arg == 1 and frame.follows("CALL_FUNCTION_EX"):  # f(*seq, key=value)
        frame.index += 1
        frame.emit(Op.SWAP, 2)
        frame.pure("newtuple", 1)
        frame.emit(Op.CALL_STAR_KEYWORDS, 1)
    else:
        frame.pure("newdict", 2 * (ins.arg or 0))


def _build_const_key_map(frame: Frame, ins: dis.Instruction) -> None:
    if frame.follows("CALL_FUNCTION_EX"):  # f(*seq, key1=value1, key2=value2)
        frame.index += 1
        frame.emit(Op.CALL_STAR_KEYWORDS, ins.arg)
    else:
        frame.emit(Op.CONST_KEYS_DICT, ins.arg)


def _call_function_ex(frame: Frame, ins: dis.Instruction) -> None:
    if ins.arg:
        frame.refuse("'**' in a call", "pass the keyword arguments one by one")
    else:
        frame.emit(Op.CALL_STAR)


def _extend(method: str) -> Rule:
    return lambda frame, ins: void(frame.emit(Op.EXTEND, (method, ins.arg)))


_CLASS = refused("a class statement inside a function", "define the class at module level")
_YIELD = refused("a generator", "return a list instead")
_ASYNC = refused("async code")
_GROUP = refused("except*", "use a plain except clause")
_MATCH = refused("this pattern of a match statement", "use if and isinstance")
_STORE_GLOBAL = refused(
    "assignment to a global variable", "keep the value in an attribute of a global object"
)

COMMON: dict[str, Rule] = {
    **dict.fromkeys(("RESUME", "NOP", "CACHE", "MAKE_CELL", "COPY_FREE_VARS"), nothing),
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
    "LOAD_DEREF": lambda frame, ins: frame.load(ins.arg or 0),
    "STORE_DEREF": lambda frame, ins: frame.store(ins.arg or 0),
    "DELETE_DEREF": lambda frame, ins: frame.delete(ins.arg or 0),
    "STORE_GLOBAL": _STORE_GLOBAL,
    "DELETE_GLOBAL": refused("del of a global variable"),
    # operations
    "UNARY_NEGATIVE": operation("neg", 1),
    "UNARY_INVERT": operation("invert", 1),
    "UNARY_NOT": operation("not_", 1),
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
    "UNPACK_EX": refused("a starred target", "use slices"),
    "IMPORT_NAME": with_argval(Op.IMPORT),
    "IMPORT_FROM": with_argval(Op.IMPORT_FROM),
    # construction
    "BUILD_TUPLE": collect("newtuple"),
    "BUILD_LIST": _build_list,
    "BUILD_SET": _build_set,
    "BUILD_MAP": _build_map,
    "BUILD_CONST_KEY_MAP": _build_const_key_map,
    "BUILD_SLICE": _build_slice,
    "BUILD_STRING": collect("build_string"),
    "LIST_APPEND": with_arg(Op.APPEND),
    "SET_ADD": with_arg(Op.ADD),
    "MAP_ADD": with_arg(Op.PUT),
    "SET_UPDATE": _extend("update"),
    "DICT_UPDATE": _extend("update"),
    "DICT_MERGE": refused("'**' in a call", "pass the keyword arguments one by one"),
    # calls
    "CALL_FUNCTION_EX": _call_function_ex,
    "LOAD_BUILD_CLASS": _CLASS,
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
    # refused
    **dict.fromkeys(("RETURN_GENERATOR", "YIELD_VALUE", "SEND", "GET_YIELD_FROM_ITER"), _YIELD),
    **dict.fromkeys(("GET_AWAITABLE", "GET_AITER", "GET_ANEXT", "BEFORE_ASYNC_WITH"), _ASYNC),
    **dict.fromkeys(("CHECK_EG_MATCH", "PREP_RERAISE_STAR"), _GROUP),
    **dict.fromkeys(("MATCH_CLASS", "MATCH_MAPPING", "MATCH_SEQUENCE", "MATCH_KEYS", "GET_LEN"),
                    _MATCH),
}  # fmt: skip
"""The opcodes that mean the same in every supported version."""
