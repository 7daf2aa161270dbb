"""``print``, ``sys.stdout.write`` and ``.flush``: text goes to the stream's buffer piece by
piece, without building the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotator.model import SomeObject, s_Bool, s_Bytes, s_Str
from annotator.rules_open import is_text_file
from annotator.rules_streams import STREAM_METHODS
from annotator.streams import StandardStream, standard_stream
from lltypesystem.lltype import Bool, FuncType, Signed, Void, _ptr, malloc
from rpython.rlib._files import flush_all, write_text
from rpython.rlib._standard import method_of, read_text
from rtyper.callables import Operand
from rtyper.ll import ll_io, ll_stdin
from rtyper.marshal import Frame
from rtyper.r_bytes import BytesRepr, byte_sequence
from rtyper.r_class import void
from rtyper.r_iter import IterableRepr, IteratorRepr, Stop
from rtyper.r_slice import index_arg
from rtyper.r_str import string_repr
from rtyper.registry import BUILTINS
from rtyper.rmodel import HOST_METHODS, HOST_REPRS, HostRepr, NoneRepr, NullableRepr, Repr
from rtyper.text import concatenate, literal, text_pieces
from translator.ir.errors import TyperError
from translator.ir.hlops import CallShape
from translator.ir.model import Constant, FunctionGraph, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp, LowLevelOpList
    from rtyper.rtyper import RPythonTyper

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
    fd = 1
    if "file" in hop.keywords:
        if is_text_file(hop.args_s[hop.keywords["file"]]):
            return _print_to_file(hop)
        found = standard_stream(hop.args_s[hop.keywords["file"]].value)
        fd = 1 if found is None else found.fd
    v_stream = stream(hop.rtyper, fd)
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


def _print_to_file(hop: HighLevelOp) -> Value:
    v_sep = _text_or(hop, "sep", " ")
    pieces: list[Value] = []
    for arg in range(hop.nb_args - len(hop.keywords)):
        if arg > 0:
            pieces.append(v_sep)
        pieces += text_pieces(hop, hop.operand(arg), False)
    pieces.append(_text_or(hop, "end", "\n"))
    rtyper = hop.rtyper
    v_flush: Value = Constant(False, Bool)
    if "flush" in hop.keywords:
        arg = hop.keywords["flush"]
        s_flush = hop.args_s[arg]
        if s_flush.is_constant():
            v_flush = Constant(bool(s_flush.value), Bool)
        else:
            v_flush = hop.genop("int_is_true", [hop.inputarg(Signed, arg)], Bool)
    operands = [
        Operand(*hop.operand(hop.keywords["file"])),
        Operand(concatenate(hop, pieces), s_Str, rtyper.getrepr(s_Str)),
        Operand(v_flush, s_Bool, rtyper.getrepr(s_Bool)),
    ]
    desc = rtyper.annotator.constants.function_desc(write_text)
    return rtyper.calls.call_desc(hop.llops, desc, CallShape(3), operands, hop.r_result, True)


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


# -- methods of the streams ---------------------------------------------------------------------


@HOST_METHODS.register("write", object)
def rtype_write(hop: HighLevelOp) -> Value:
    found = _stream_of(hop)
    v_stream = stream(hop.rtyper, found.fd)
    if found.binary:
        r, v_data = byte_sequence(hop, 1)
        helper = ll_io.ll_write_bytes if isinstance(r, BytesRepr) else ll_io.ll_write_bytearray
        return hop.gendirectcall(helper, v_stream, v_data)
    v_text = hop.inputarg(string_repr(hop.rtyper), 1)
    hop.gendirectcall(ll_io.ll_write_text, v_stream, v_text)
    hop.gendirectcall(ll_io.ll_written, v_stream, v_text)
    return hop.genop("getfield", [v_text, void("length")], Signed)


@HOST_METHODS.register("flush", object)
def rtype_flush(hop: HighLevelOp) -> Value:
    hop.gendirectcall(ll_io.ll_flush, stream(hop.rtyper, _stream_of(hop).fd))
    return void(None)


def _stream_of(hop: HighLevelOp) -> StandardStream:
    found = standard_stream(hop.args_s[0].value)
    assert found is not None
    return found


def _stdin(rtyper: RPythonTyper) -> Constant:
    """The program's standard input."""

    def make(x: Any) -> _ptr:
        return malloc(ll_stdin.INPUT, immortal=True)

    p = rtyper.prebuilt.get(
        string_repr(rtyper), _DESCRIPTORS[0], make, lambda memory, x: None
    )
    return Constant(p, ll_stdin.INPUTPTR)


@HOST_METHODS.register("read", object)
def rtype_read(hop: HighLevelOp) -> Value:
    binary = _stream_of(hop).binary
    if hop.nb_args > 1:
        if not binary:
            return _call_in_python(hop, read_text)
        return hop.gendirectcall(ll_stdin.ll_read_some, _stdin(hop.rtyper), index_arg(hop, 1))
    helper = ll_stdin.ll_read_bytes if binary else ll_stdin.ll_read
    return hop.gendirectcall(helper, _stdin(hop.rtyper))


@HOST_METHODS.register("peek", object)
def rtype_peek(hop: HighLevelOp) -> Value:
    v_size = index_arg(hop, 1) if hop.nb_args > 1 else Constant(0, Signed)
    return hop.gendirectcall(ll_stdin.ll_peek, _stdin(hop.rtyper), v_size)


@HOST_METHODS.register("readline", object)
def rtype_readline(hop: HighLevelOp) -> Value:
    binary = _stream_of(hop).binary
    helper = ll_stdin.ll_readline_bytes if binary else ll_stdin.ll_readline
    return hop.gendirectcall(helper, _stdin(hop.rtyper))


for _name in STREAM_METHODS:

    @HOST_METHODS.register(_name, object)
    def rtype_stream_method(hop: HighLevelOp, name: str = _name) -> Value:
        found = _stream_of(hop)
        return _call_in_python(hop, method_of(hop.args_s[0].value, found.fd, name))


def _call_in_python(hop: HighLevelOp, function: Any) -> Value:
    """Call a function with the operands after the stream."""
    desc = hop.rtyper.annotator.constants.function_desc(function)
    operands = [Operand(*hop.operand(i)) for i in range(1, hop.nb_args)]
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result, True)


class StdinRepr(HostRepr, IterableRepr):
    """``sys.stdin`` or ``sys.stdin.buffer``, whose items are its lines."""

    def __init__(self, rtyper: RPythonTyper, binary: bool) -> None:
        self.rtyper = rtyper
        self.binary = binary

    def make_iterator_repr(self, variant: str) -> IteratorRepr:
        if variant:
            raise TyperError(f"{variant}() of sys.stdin")
        return LinesRepr(self.rtyper, self.binary)


class LinesRepr(IteratorRepr):
    """``iter(sys.stdin)``: the input itself."""

    lowleveltype = ll_stdin.INPUTPTR

    def __init__(self, rtyper: RPythonTyper, binary: bool) -> None:
        self.s_item = s_Bytes if binary else s_Str
        self.r_item = rtyper.getrepr(self.s_item)
        self.binary = binary
        self.v_stdin = _stdin(rtyper)

    def newiter(self, llops: LowLevelOpList, v: Value) -> Value:
        return self.v_stdin

    def next_item(self, llops: LowLevelOpList, v_iter: Value, stop: Stop) -> Value:
        if self.binary:
            v_line = llops.gendirectcall(ll_stdin.ll_readline_bytes, self.v_stdin)
            v_length = llops.gendirectcall(ll_stdin.ll_size, v_line)
        else:
            v_line = llops.gendirectcall(ll_stdin.ll_readline, self.v_stdin)
            v_length = llops.genop("getfield", [v_line, void("length")], Signed)
        more, done = llops.branch(llops.genop("int_is_true", [v_length], Bool))
        llops.at(done)
        stop()
        llops.at(more)
        return v_line


def _stdin_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr | None:
    found = standard_stream(s.value) if s.is_constant() else None
    return StdinRepr(rtyper, found.binary) if found is not None and found.fd == 0 else None


HOST_REPRS.append(_stdin_repr)


@BUILTINS.register(input)
def rtype_input(hop: HighLevelOp) -> Value:
    v_stream = stream(hop.rtyper, 1)
    hop.gendirectcall(ll_io.ll_check_for_input)
    if hop.nb_args > 0:
        for v_piece in text_pieces(hop, hop.operand(0), False):
            _write(hop, v_stream, v_piece)
    hop.gendirectcall(ll_io.ll_flush_for_input, v_stream)
    return hop.gendirectcall(ll_stdin.ll_input, _stdin(hop.rtyper))


# -- at exit ------------------------------------------------------------------------------------


def reads_stdin(rtyper: RPythonTyper) -> bool:
    """Does the program read standard input?  Everything must be lowered."""
    return rtyper.prebuilt.knows(string_repr(rtyper), _DESCRIPTORS[0])


def flush_exports(rtyper: RPythonTyper) -> dict[str, FunctionGraph]:
    """The export ``rpy_flush``, which writes out what files and standard output still hold;
    nothing for a program that never writes to them.  Everything else must be queued for
    lowering."""
    rtyper.lower()
    files = rtyper.annotator.constants.function_desc(flush_all).graphs
    prints = rtyper.prebuilt.knows(string_repr(rtyper), _DESCRIPTORS[1])
    if not prints and not files:
        return {}
    frame = Frame(rtyper, "rpy_flush", FuncType([], Void))
    for graph in files.values():
        frame.llops.call_pointer(rtyper.graph_pointer(graph), [])
    if prints:
        frame.llops.gendirectcall(ll_io.ll_flush, stream(rtyper, 1))
    return {"rpy_flush": frame.finish(void(None))}
