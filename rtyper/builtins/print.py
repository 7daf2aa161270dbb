"""``print``, ``sys.stdout.write`` and ``.flush``: text goes to the stream's buffer piece by
piece, without building the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.builtins.streams import (
    file_writer,
    flusher,
    items_printer,
    printed_to,
    writes_text,
)
from rpython.annotator.lattice.model import (
    SomeInstance,
    SomeObject,
    SomeTuple,
    s_Bytes,
    s_Int,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import any_part
from rpython.lltypesystem.lltype import Bool, FuncType, Signed, Void, _ptr, malloc
from rpython.lltypesystem.rstr import read_str
from rpython.rlib._files import flush_all
from rpython.rlib._standard import (
    STDIN,
    flush,
    flush_bytes,
    input_line,
    lost,
    print_items,
    print_part,
    put_bytes,
    put_text,
    set_mode,
)
from rpython.rlib._textfiles import standard_errors
from rpython.rtyper.boundary.marshal import Frame
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.float import FloatRepr
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.kinds.int import BoolRepr, IntegerRepr
from rpython.rtyper.kinds.str import string_repr
from rpython.rtyper.ll import ll_io
from rpython.rtyper.registry import BUILTINS, STAR_CALLS
from rpython.rtyper.rmodel import NoneRepr, NullableRepr, Repr
from rpython.rtyper.text import concatenate, literal, text, text_pieces
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Constant, FunctionGraph, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper

_DESCRIPTORS = (0, 1, 2)


def stream(rtyper: RPythonTyper, fd: int) -> Constant:
    """The program's stream for file descriptor 1 or 2."""

    def make(number: Any) -> _ptr:
        p = malloc(ll_io.STREAM, immortal=True)
        p.fd = number
        p.mode = ll_io.DIRECT if number == 2 else ll_io.UNOPENED
        return p

    key = _DESCRIPTORS[fd]
    p = rtyper.prebuilt.get(string_repr(rtyper), key, make, lambda memory, x: None)
    return Constant(p, ll_io.STREAMPTR)


@BUILTINS.register(print)
def rtype_print(hop: HighLevelOp) -> Value:
    s_file = hop.args_s[hop.keywords["file"]] if "file" in hop.keywords else s_None
    found = printed_to(s_file)
    if found is None:
        _FilePrint(hop).emit()
        return void(None)
    v_stream: Value = stream(hop.rtyper, found._fd)
    if found._fd == 2:
        v_stream = hop.gendirectcall(ll_io.ll_printed_to, v_stream, stream(hop.rtyper, 1))
    v_sep = _text_or(hop, "sep", " ")
    v_end = _text_or(hop, "end", "\n")
    for arg in range(hop.nb_args - len(hop.keywords)):
        if arg > 0:
            _write(hop, v_stream, v_sep)
        for v_piece in text_pieces(hop, hop.operand(arg), False):
            _write(hop, v_stream, v_piece)
    _write(hop, v_stream, v_end)
    hop.gendirectcall(ll_io.ll_written, v_stream, v_end)
    if "flush" in hop.keywords:
        _flush_if(hop, v_stream, hop.keywords["flush"])
    return void(None)


@STAR_CALLS.append
def rtype_print_items(hop: HighLevelOp, function: Any) -> Value | None:
    """``print(*items)`` of something else than a tuple."""
    if function is not print or hop.spaceop.opname != "call_args":
        return None
    shape = hop.args_s[0].value
    if not shape.star or isinstance(hop.args_s[-1], SomeTuple):
        return None
    rtyper = hop.rtyper
    given = {
        name: Operand(*hop.operand(1 + shape.positional + i))
        for i, name in enumerate(shape.keywords)
    }
    first = [hop.operand(1 + i) for i in range(shape.positional)]
    s_first = SomeTuple(tuple(s for _, s, _ in first))
    r_first: Any = rtyper.getrepr(s_first)
    r_items: Any = hop.args_r[-1]
    if isinstance(r_items, NullableRepr):
        what = "Value after" if shape.positional else "print() argument after"
        v_missing = r_items.is_null(hop.inputarg(r_items, hop.nb_args - 1), hop.llops)
        message = f"{what} * must be an iterable, not NoneType"
        hop.llops.raise_if(v_missing, TypeError, message)
    none = Operand(void(None), s_None, rtyper.getrepr(s_None))
    file = given.get("file", none)
    called = items_printer(file.s)
    operands = [
        *([] if called is print_items else [file]),
        Operand(r_first.build(hop.llops, first), s_first, r_first),
        Operand(*hop.operand(hop.nb_args - 1)),
        given.get("sep", none),
        given.get("end") or Operand(literal(rtyper, "\n"), s_Str, rtyper.getrepr(s_Str)),
    ]
    _call(hop, called, operands)
    if "flush" in given:
        _flush_file_if(hop, file, *hop.operand(1 + shape.positional + list(given).index("flush")))
    return void(None)


def _call(hop: HighLevelOp, function: Any, operands: list[Operand]) -> None:
    """Call a function of the library that gives nothing."""
    desc = hop.rtyper.annotator.constants.function_desc(function)
    shape = CallShape(len(operands))
    r_none = hop.rtyper.getrepr(s_None)
    hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, r_none)


def _flush_file_if(hop: HighLevelOp, file: Operand, v: Value, s: SomeObject, r: Repr) -> None:
    """Flush a file when that operand is true."""
    if s.is_constant():
        if s.value:
            _call(hop, flusher(file.s), [file])
        return
    v_number = hop.llops.convertvar(v, r, hop.rtyper.getrepr(s_Int))
    wanted, done = hop.llops.branch(hop.genop("int_is_true", [v_number], Bool))
    join = hop.llops.new_join(Signed)
    hop.llops.at(wanted)
    _call(hop, flusher(file.s), [file])
    hop.llops.goto(join, Constant(0, Signed))
    hop.llops.at(done)
    hop.llops.goto(join, Constant(0, Signed))
    hop.llops.at(join)


class _FilePrint:
    """``print(..., file=file)``: pieces are put together where that cannot be noticed."""

    def __init__(self, hop: HighLevelOp) -> None:
        self.hop = hop
        self.file = Operand(*hop.operand(hop.keywords["file"]))
        self.function = file_writer(self.file.s)
        self.exact = not writes_text(self.file.s)
        self.before: list[Value] = []
        self.text: Value | None = None
        self.after: list[Value] = []

    def emit(self) -> None:
        hop = self.hop
        v_sep = _text_or(hop, "sep", " ")
        for arg in range(hop.nb_args - len(hop.keywords)):
            if arg > 0:
                self.add(v_sep, _is_ascii(v_sep))
            operand = hop.operand(arg)
            if any_part(operand[1], _is_instance):
                self.finish()
            self.add(text(hop, operand, False), isinstance(operand[2], _NUMBERS))
        v_end = _text_or(hop, "end", "\n")
        self.add(v_end, _is_ascii(v_end))
        self.finish()
        if "flush" in hop.keywords:
            _flush_file_if(hop, self.file, *hop.operand(hop.keywords["flush"]))

    def add(self, v: Value, safe: bool) -> None:
        """One of the texts that CPython would write; ``safe``: every encoding has it."""
        if self.function is print_part:
            self.call(print_part, v)
        elif self.exact:
            v_empty = literal(self.hop.rtyper, "")
            self.call(self.function, v_empty, v, v_empty)
        elif safe:
            (self.before if self.text is None else self.after).append(v)
        else:
            if self.text is not None:
                self.finish()
            self.text = v

    def finish(self) -> None:
        """Write what waits."""
        if self.text is not None or self.before:
            hop = self.hop
            v_text = self.text or literal(hop.rtyper, "")
            v_before, v_after = (concatenate(hop, texts) for texts in (self.before, self.after))
            self.call(self.function, v_before, v_text, v_after)
        self.before, self.text, self.after = [], None, []

    def call(self, function: Any, *texts_v: Value) -> None:
        """Call a function of the library with the file and texts."""
        r_str = self.hop.rtyper.getrepr(s_Str)
        _call(self.hop, function, [self.file, *(Operand(v, s_Str, r_str) for v in texts_v)])


def _is_instance(s: SomeObject) -> bool:
    """Its text may come from a method of the program, which may do anything."""
    return isinstance(s, SomeInstance)


_NUMBERS = (IntegerRepr, FloatRepr, BoolRepr)


def _is_ascii(v: Value) -> bool:
    return isinstance(v, Constant) and bool(v.value) and read_str(v.value).isascii()


def _text_or(hop: HighLevelOp, keyword: str, default: str) -> Value:
    """The keyword argument, a str; ``default`` when it is not given or None."""
    v_default = literal(hop.rtyper, default)
    if keyword not in hop.keywords:
        return v_default
    arg = hop.keywords[keyword]
    r = hop.args_r[arg]
    if isinstance(r, NoneRepr):
        return v_default
    if isinstance(r, NullableRepr):
        return hop.gendirectcall(ll_io.ll_text_or, hop.inputarg(r, arg), v_default)
    return hop.inputarg(string_repr(hop.rtyper), arg)


def _write(hop: HighLevelOp, v_stream: Value, v_text: Value) -> None:
    if isinstance(v_text, Constant) and v_text.value.length == 0:
        return
    hop.gendirectcall(ll_io.ll_write_text, v_stream, v_text)


def _flush_if(hop: HighLevelOp, v_stream: Value, arg: int) -> None:
    """Flush when operand ``arg`` is true."""
    s_flush = hop.args_s[arg]
    if s_flush.is_constant():
        if s_flush.value:
            hop.gendirectcall(ll_io.ll_flush, v_stream)
        return
    v_truth = hop.genop("int_is_true", [hop.inputarg(Signed, arg)], Bool)
    hop.gendirectcall(ll_io.ll_flush_if, v_stream, v_truth)


# -- what the streams are made of ---------------------------------------------------------------


def _stream_of(hop: HighLevelOp) -> Constant:
    return stream(hop.rtyper, hop.args_s[0].value)


@BUILTINS.register(put_text)
def rtype_put_text(hop: HighLevelOp) -> Value:
    v_stream = _stream_of(hop)
    v_text = hop.inputarg(string_repr(hop.rtyper), 1)
    hop.gendirectcall(ll_io.ll_write_text, v_stream, v_text)
    hop.gendirectcall(ll_io.ll_written, v_stream, v_text)
    return void(None)


@BUILTINS.register(put_bytes)
def rtype_put_bytes(hop: HighLevelOp) -> Value:
    v_data = hop.inputarg(hop.rtyper.getrepr(s_Bytes), 1)
    v_stream = _stream_of(hop)
    v_stream.value.mixed = True
    hop.gendirectcall(ll_io.ll_write_bytes, v_stream, v_data)
    return void(None)


@BUILTINS.register(flush_bytes)
def rtype_flush_bytes(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_io.ll_flush_bytes, _stream_of(hop))
    return void(None)


@BUILTINS.register(flush)
def rtype_flush(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_io.ll_flush, _stream_of(hop))
    return void(None)


@BUILTINS.register(lost)
def rtype_lost(hop: HighLevelOp) -> Value:
    return hop.gendirectcall(ll_io.ll_is_lost, hop.inputarg(Signed, 0))


@BUILTINS.register(set_mode)
def rtype_set_mode(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_io.ll_set_mode, _stream_of(hop), hop.inputarg(Signed, 1))
    return void(None)


@BUILTINS.register(standard_errors)
def rtype_standard_errors(hop: HighLevelOp) -> Value:
    names = (literal(hop.rtyper, name) for name in ("strict", "surrogateescape"))
    return hop.gendirectcall(ll_io.ll_choose_errors, *names)


@BUILTINS.register(input)
def rtype_input(hop: HighLevelOp) -> Value:
    v_stream = stream(hop.rtyper, 1)
    hop.gendirectcall(ll_io.ll_check_for_input)
    if hop.nb_args > 0:
        for v_piece in text_pieces(hop, hop.operand(0), False):
            _write(hop, v_stream, v_piece)
    hop.gendirectcall(ll_io.ll_flush_for_input, v_stream)
    desc = hop.rtyper.annotator.constants.function_desc(input_line)
    return hop.rtyper.calls.call_desc(hop.llops, desc, CallShape(0), [], hop.r_result)


# -- at exit ------------------------------------------------------------------------------------


def reads_stdin(rtyper: RPythonTyper) -> bool:
    """Does the program read standard input?  Everything must be lowered."""
    return rtyper.annotator.constants.prebuilt.knows(STDIN)


def flush_graph(rtyper: RPythonTyper) -> FunctionGraph | None:
    """The graph of ``rpy_flush``, which writes out what files and standard output still hold; None
    for a program in which nothing writes to them, finalizers included.  Everything else must
    be lowered."""
    files = rtyper.annotator.constants.function_desc(flush_all).graphs
    prints = rtyper.prebuilt.knows(string_repr(rtyper), _DESCRIPTORS[1])
    if not prints and not files:
        return None
    frame = Frame(rtyper, "rpy_flush", FuncType([], Void))
    for graph in files.values():
        frame.llops.call_pointer(rtyper.graph_pointer(graph), [])
    if prints:
        frame.llops.gendirectcall(ll_io.ll_flush, stream(rtyper, 1))
    return frame.finish(void(None))
