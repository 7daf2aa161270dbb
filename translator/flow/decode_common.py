"""What all CPython decoders share: frames of bytecode, labels, positions, common opcodes.

A decoder is a table from opcode names to rules.  A rule looks at one bytecode
instruction and emits version-free ones::

    COMPARE_OP 'not in'      ->   SWAP 2; PURE contains/2; PURE not_/1
"""

from __future__ import annotations

import dis
import linecache
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rpython.translator.flow.instructions import (
    ENDS,
    Captured,
    CodeKey,
    HandlerEntry,
    Instr,
    Op,
    Program,
    PureArg,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

Rule = Callable[["Frame", dis.Instruction], None]
Rules = Mapping[str, Rule]


_PROLOGUE = frozenset({"MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR", "POP_TOP", "NOP"})
"""The instructions that may stand before the function's own, MAKE_CELL of arguments too."""


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
        self.nargs = 0
        self._inner_slots: dict[tuple[str, Span], int] = {}
        self._comprehension_slots: dict[CodeKey, list[int]] = {}
        self._labels: dict[tuple[int, int], int] = {}
        self._fixups: list[tuple[Instr, str, tuple[int, int]]] = []
        self._handler_fixups: list[tuple[Instr, int, _TableEntry]] = []
        self._nframes = 0
        self.unknown_line = func.__code__.co_firstlineno

    def decode(self, code: types.CodeType, captured: Sequence[Captured] = ()) -> Program:
        """The whole function; ``captured``: what it gets from an enclosing one that runs."""
        flags = code.co_flags
        nargs = code.co_argcount + code.co_kwonlyargcount
        nargs += bool(flags & 0x04) + bool(flags & 0x08)
        self.nargs = nargs
        names = local_names(code)
        self.slots = names
        free: dict[str, int | None] = dict.fromkeys(code.co_freevars)
        cells = {}
        for variable in captured:
            free[variable.name] = len(self.slots)
            cells[len(self.slots)] = variable
            self.slots.append(variable.name)
        own = list(range(len(local_names(code))))
        count = len(self.slots)
        self.run(Frame(self, code, (code,), own, free))
        for instr, field, label in self._fixups:
            setattr(instr, field, self._labels[label])
        for instr, frame_id, row in self._handler_fixups:
            target = self._labels[frame_id, row.target]
            instr.handler = HandlerEntry(target, row.depth, row.lasti)
        return Program(self.instrs, 0, self.slots, nargs, count, cells)

    def new_frame_id(self) -> int:
        self._nframes += 1
        return self._nframes

    def comprehension_slots(self, key: CodeKey) -> list[int]:
        """Slots for the variables of a comprehension's code object; copies of the same
        comprehension share them."""
        own = self._comprehension_slots.get(key)
        if own is None:
            names = local_names(key[-1])
            own = list(range(len(self.slots), len(self.slots) + len(names)))
            self._comprehension_slots[key] = own
            self.slots += ["v" if name == ".0" else name for name in names]
        return own

    def inner_slot(self, name: str, span: Span) -> int:
        """The slot of a captured variable of the inlined comprehension at ``span``."""
        key = (name, span)
        if key not in self._inner_slots:
            self._inner_slots[key] = len(self.slots)
            self.slots.append(name)
        return self._inner_slots[key]

    def run(self, frame: Frame) -> None:
        """Decode every instruction of ``frame`` at the end of ``instrs``."""
        while frame.index < len(frame.raw):
            ins = frame.raw[frame.index]
            frame.index += 1
            frame.begin(ins)
            self.label(frame.id, ins.offset)
            rule = self.rules.get(ins.opname)
            if rule is None:
                frame.emit(Op.REFUSE, (f"the bytecode instruction {ins.opname}", ""))
            else:
                rule(frame, ins)

    def label(self, frame_id: int, offset: int) -> None:
        """What is emitted next is at this offset."""
        self._labels[frame_id, offset] = len(self.instrs)

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

    ``own``: the slots of its local variables.  ``free``: those of the variables of
    enclosing functions, None for a closure cell of the host.
    ``raw``, ``index``: its instructions without EXTENDED_ARG, and the next one.
    """

    def __init__(
        self,
        decoder: Decoder,
        code: types.CodeType,
        key: CodeKey,
        own: list[int],
        free: dict[str, int | None],
        caller: Frame | None = None,
    ) -> None:
        self.decoder = decoder
        self.code = code
        self.key = key
        self.caller = caller
        self.id = decoder.new_frame_id()
        self.index = 0
        self.return_offset = -1
        """In a spliced frame: where in the caller RETURN goes."""
        self.comprehensions: dict[int, types.CodeType] | None = None
        """Offsets of the calls to be spliced, and the code they call; None: not known yet."""
        self.names = (*local_names(code), *code.co_freevars)
        self._places = [*own, *(free[name] for name in code.co_freevars)]
        """By index, as instructions give it: a comprehension's variable may have the name
        of a variable of an enclosing function."""
        self._hidden: dict[str, list[tuple[int, int | None]]] = {}
        """By name: variables behind captured ones of inlined comprehensions."""
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
        self._table = [row for row in _exception_table(code) if not self._only_renames(row)]
        self._row = 0
        self._span = Span(code.co_filename, decoder.unknown_line, function=decoder.function)
        self._handler: tuple[int, _TableEntry] | None = None

    def _only_renames(self, row: _TableEntry) -> bool:
        """Is it the handler, around the body of each generator since 3.12, that turns
        StopIteration into RuntimeError?  (``generators.py`` does that for all versions.)"""
        handler = self.raw[self.at(row.target)]
        return handler.opname == "CALL_INTRINSIC_1" and handler.arg == 3

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
        """Are these the next instructions, and does nothing jump to them?"""
        found = self.raw[self.index : self.index + len(opnames)]
        names = [ins.opname for ins in found if not ins.is_jump_target]
        return names == list(opnames)

    def is_at(self, opname: str) -> bool:
        """Is that the next instruction?"""
        return self.index < len(self.raw) and self.raw[self.index].opname == opname

    def skip_to(self, index: int) -> None:
        """Leave out instructions; only code that is never reached jumps to them."""
        for ins in self.raw[self.index : index]:
            self.decoder.label(self.id, ins.offset)
        self.index = index

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
        self._variable(Op.LOAD, Op.FREE, index)

    def load_cell(self, index: int) -> None:
        self._variable(Op.LOAD_CELL, Op.FREE_CELL, index)

    def load_deref(self, index: int) -> None:
        self._variable(Op.LOAD_DEREF, Op.FREE, index)

    def store_deref(self, index: int) -> None:
        self._assign(Op.STORE_DEREF, index)

    def delete_deref(self, index: int) -> None:
        self._assign(Op.DELETE_DEREF, index)

    def new_cell(self, index: int) -> None:
        """A captured variable begins; an argument has its value already.  Within the
        function it is one of an inlined comprehension (since 3.12), which may have the name
        of another: it gets a slot of its own until the other one is restored.  (Where that
        one is an enclosing function's, CPython 3.12 and 3.13 go on with the wrong one.)"""
        starts = {ins.opname for ins in self.raw[: self.index - 1]} <= _PROLOGUE
        if not starts:
            name = self.names[index]
            self._hidden.setdefault(name, []).append((index, self._places[index]))
            self._places[index] = self.decoder.inner_slot(name, self._span)
        keeps = self.caller is None and starts and index < self.decoder.nargs
        self.emit(Op.NEW_CELL, (self._places[index], keeps))

    def load_and_clear(self, index: int) -> None:
        self.emit(Op.LOAD_AND_CLEAR, self._places[index])

    def store(self, index: int) -> None:
        hidden = self._hidden.get(self.names[index])
        if hidden:
            place, slot = hidden.pop()
            self._places[place] = slot
        self._assign(Op.STORE, index)

    def delete(self, index: int) -> None:
        self._assign(Op.DELETE, index)

    def place(self, name: str) -> int | None:
        """The slot of the variable called ``name``, None if it is a cell of the host."""
        return self._places[self.names.index(name)]

    def is_cell(self, index: int) -> bool:
        """Is the variable shared with a nested or enclosing function?"""
        return index >= len(self.code.co_varnames) or self.names[index] in self.code.co_cellvars

    def _variable(self, local: Op, free: Op, index: int) -> None:
        slot = self._places[index]
        if slot is None:
            self.emit(free, self.names[index])
        else:
            self.emit(local, slot)

    def _assign(self, op: Op, index: int) -> None:
        slot = self._places[index]
        if slot is None:
            self.refuse(
                f"assignment to the variable {self.names[index]!r} of an enclosing function",
                "keep the value in an attribute of an object",
            )
        else:
            self.emit(op, slot)


def local_names(code: types.CodeType) -> list[str]:
    """The names of the local variables by index; those of free variables follow."""
    cells = [name for name in code.co_cellvars if name not in code.co_varnames]
    return [*code.co_varnames, *cells]


def assigned_names(code: types.CodeType, names: frozenset[str]) -> Iterator[str]:
    """Of these free variables of the code, those that it or code nested in it assigns;
    ``del x`` for each ``x`` that it deletes."""
    if not names:
        return
    for ins in dis.get_instructions(code):
        if ins.argval in names and ins.opname in ("STORE_DEREF", "DELETE_DEREF"):
            yield f"del {ins.argval}" if ins.opname == "DELETE_DEREF" else ins.argval
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from assigned_names(const, names & frozenset(const.co_freevars))


def _characters(filename: str, line: int, column: int) -> int:
    """A column in UTF-8 bytes as one in characters."""
    text = linecache.getline(filename, line)
    if text.isascii():
        return column
    return len(text.encode()[:column].decode(errors="replace"))
