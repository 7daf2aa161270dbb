"""Lazy messages: texts of exceptions that are made when they are read, not when they are raised.

    raise ValueError("no", items)

    message = malloc(later_text)    length = -1, make = later_text_7, item0 = items

    graph later_text_7(message) -> STRPTR:      "('no', " + repr(message.item0) + ")"
    graph message_text(message) -> STRPTR:      message, or message.make(message)

Arguments that are constants are in the graph, the others in the object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.lltypesystem.lltype import Bool, GcStruct, LowLevelType, Ptr, Signed, Void, _ptr
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.kinds.listtext import guarded_text
from rpython.rtyper.ll import ll_text
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.text import LITERAL_TYPES, Operand, literal
from rpython.translator.ir.model import Block, Constant, FunctionGraph, Link, Value, Variable

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper

Emit = Callable[["HighLevelOp", Sequence[Operand]], Value]
"""Emits what makes a text of these operands; a function of a module."""


class LazyMessages:
    """Those of one program."""

    def __init__(self, rtyper: RPythonTyper) -> None:
        self.rtyper = rtyper
        self._makers: list[FunctionGraph] = []

    # -- making --------------------------------------------------------------------------------

    def build(
        self, hop: HighLevelOp, emit: Emit, operands: Sequence[Operand], fixed: bool,
        inside: str = "",
    ) -> Value:  # fmt: skip
        """A text that ``emit`` makes of these operands when it is read.  ``fixed``: it will always
        be the same.  ``inside``: what it is while it is being made, if that may happen."""
        if all(_is_literal(operand) for operand in operands):
            return emit(hop, operands)
        llops = hop.llops
        stored = [operand for operand in operands if _is_stored(operand)]
        T = _struct([v.concretetype for v, _, _ in stored])
        v_exact = llops.genop("malloc", [void(T), GC_FLAGS], Ptr(T))
        v_later = llops.genop("cast_pointer", [v_exact], ll_text.LATERPTR)
        v_text = llops.genop("cast_pointer", [v_exact], STRPTR)
        maker = Constant(self._maker(hop, emit, operands, inside), ll_text.MAKER)
        llops.genop("setfield", [v_text, void("length"), Constant(ll_text.IS_LATER, Signed)])
        if fixed:
            llops.genop("setfield", [v_text, void("wide"), Constant(True, Bool)])
        llops.genop("setfield", [v_later, void("make"), maker])
        for i, (v, _, _) in enumerate(stored):
            llops.genop("setfield", [v_exact, void(f"item{i}"), v])
        return v_text

    def _maker(
        self, hop: HighLevelOp, emit: Emit, operands: Sequence[Operand], inside: str
    ) -> _ptr:
        """The function that makes such texts."""
        T = _struct([v.concretetype for v, _, _ in filter(_is_stored, operands)])

        def build(llops: LowLevelOpList, args: list[Value]) -> Value:
            inner = hop.copy()
            inner.llops = llops
            v_exact = llops.genop("cast_pointer", [args[0]], Ptr(T))
            return emit(inner, _read(llops, v_exact, operands))

        def build_guarded(llops: LowLevelOpList, args: list[Value]) -> Value:
            return guarded_text(llops, r_text, args[0], made, literal(self.rtyper, inside))

        parts = tuple(
            (type(s.value), repr(s.value)) if _is_literal((v, s, r)) else r
            for v, s, r in operands
        )
        r_text: Any = self.rtyper.primitive_repr(STRPTR)
        key = ("later text", emit, parts)
        made = self.rtyper.items.make(key, "later_text", (r_text,), STRPTR, build)
        if inside:
            made = self.rtyper.items.make(
                (*key, inside), "guarded_text", (r_text,), STRPTR, build_guarded
            )
        graph = made.pointer._obj.graph
        if graph not in self._makers:
            self._makers.append(graph)
        return made.pointer

    # -- reading -------------------------------------------------------------------------------

    def read(self, llops: LowLevelOpList, v_message: Value) -> Variable:
        """The text that a message is; raises what the program's ``__str__`` and ``__repr__`` do,
        and NotImplementedError for one that has none here."""
        return llops.call_pointer(self._reader(), [v_message])

    def _reader(self) -> _ptr:
        r_text: Any = self.rtyper.primitive_repr(STRPTR)
        return self.rtyper.items.make(
            "message text", "message_text", (r_text,), STRPTR, self._build_reader
        ).pointer

    def _build_reader(self, llops: LowLevelOpList, args: list[Value]) -> Value:
        (v_message,) = args
        done = llops.new_join(STRPTR)
        some, none = llops.branch(llops.genop("ptr_nonzero", [v_message], Bool))
        llops.at(none)
        llops.goto(done, literal(self.rtyper, ""))
        llops.at(some)
        later, made = llops.branch(is_later(llops, v_message))
        llops.at(made)
        llops.goto(done, v_message)
        llops.at(later)
        v_later = llops.genop("cast_pointer", [v_message], ll_text.LATERPTR)
        v_make = llops.genop("getfield", [v_later, void("make")], ll_text.MAKER)
        v_known = llops.genop("ptr_nonzero", [v_make], Bool)
        known, unknown = llops.branch(v_known)
        llops.at(unknown)
        llops.raise_constant(NotImplementedError, ll_text.NOT_AVAILABLE)
        llops.at(known)
        possible = Constant(self._makers, Void)  # more will come
        llops.goto(done, llops.genop("indirect_call", [v_make, v_message, possible], STRPTR))
        llops.at(done)
        return done.inputargs[0]

    def shown(self, llops: LowLevelOpList, v_message: Value, failed: str) -> Variable:
        """The same for reports: ``failed`` when making the text raises."""
        return llops.call_pointer(self.shown_function(failed), [v_message])

    def shown_function(self, failed: str) -> _ptr:
        """The function that does so."""

        def build(llops: LowLevelOpList, args: list[Value]) -> Value:
            return self._build_shown(llops, args[0], failed)

        r_text: Any = self.rtyper.primitive_repr(STRPTR)
        return self.rtyper.items.make(
            ("shown text", failed), "shown_text", (r_text,), STRPTR, build
        ).pointer

    def _build_shown(self, llops: LowLevelOpList, v_message: Value, failed: str) -> Value:
        base = self.rtyper.annotator.constants.classdef(BaseException)
        done = llops.new_join(STRPTR)
        raised = Block([])

        def handlers() -> list[Link]:
            link = Link([], raised, BaseException)
            link.last_exc_value = Variable("raised", OBJECTPTR)
            link.llexitcase = self.rtyper.classes.vtable(base)
            return [link]

        no_text = Constant(ll_text.NO_TEXT, STRPTR)
        none, some = llops.branch(llops.genop("ptr_eq", [v_message, no_text], Bool))
        llops.at(none)
        llops.goto(done, literal(self.rtyper, ll_text.NONE_SHOWN))
        llops.at(some)
        llops.handlers = handlers
        v_text = self.read(llops, v_message)
        llops.handlers = None
        llops.goto(done, v_text)
        llops.at(raised)
        llops.goto(done, literal(self.rtyper, failed))
        llops.at(done)
        return done.inputargs[0]


    def fixed(self, llops: LowLevelOpList, v_message: Value) -> Variable:
        """The text if it will always be the same; else the message as it is."""
        r_text: Any = self.rtyper.primitive_repr(STRPTR)
        made = self.rtyper.items.make(
            "fixed text", "fixed_text", (r_text,), STRPTR, self._build_fixed
        )
        return llops.call_pointer(made.pointer, [v_message])

    def _build_fixed(self, llops: LowLevelOpList, args: list[Value]) -> Value:
        (v_message,) = args
        done = llops.new_join(STRPTR)
        some, none = llops.branch(llops.genop("ptr_nonzero", [v_message], Bool))
        llops.at(none)
        llops.goto(done, v_message)
        llops.at(some)
        later, made = llops.branch(is_later(llops, v_message))
        llops.at(made)
        llops.goto(done, v_message)
        llops.at(later)
        fixed, other = llops.branch(llops.genop("getfield", [v_message, void("wide")], Bool))
        llops.at(other)
        llops.goto(done, v_message)
        llops.at(fixed)
        llops.goto(done, self.read(llops, v_message))
        llops.at(done)
        return done.inputargs[0]


def is_later(llops: LowLevelOpList, v_message: Value) -> Value:
    """Is a message, not null, to be made when it is read?  A Bool."""
    v_length = llops.genop("getfield", [v_message, void("length")], Signed)
    return llops.genop("int_eq", [v_length, Constant(ll_text.IS_LATER, Signed)], Bool)


def _struct(items: Sequence[LowLevelType]) -> GcStruct:
    fields = [(f"item{i}", T) for i, T in enumerate(items)]
    return GcStruct("later_text", ("base", ll_text.LATER), *fields)


def _is_literal(operand: Operand) -> bool:
    """Does the annotation say what its text is?"""
    _, s, _ = operand
    return s.is_constant() and type(s.value) in LITERAL_TYPES


def _is_stored(operand: Operand) -> bool:
    return not _is_literal(operand) and operand[0].concretetype is not Void


def _read(llops: LowLevelOpList, v_exact: Value, operands: Sequence[Operand]) -> list[Operand]:
    """The operands again, read from what was stored."""
    result: list[Operand] = []
    stored = 0
    for operand in operands:
        v, s, r = operand
        if _is_stored(operand):
            v = llops.genop("getfield", [v_exact, void(f"item{stored}")], v.concretetype)
            s = s.without_const()
            stored += 1
        else:
            v = void(None)
        result.append((v, s, r))
    return result


