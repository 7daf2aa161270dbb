"""Transfer rules for print and the methods of the standard streams."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_INT,
    K_NONE,
    K_STR,
    SomeHost,
    SomeIterator,
    SomeNone,
    SomeObject,
    s_Bool,
    s_Bytes,
    s_None,
    s_NonNeg,
    s_Str,
)
from annotator.registry import FUNCTIONS, METHODS, UNARY
from annotator.rules_builtins import printable
from annotator.rules_calls import CallArguments, call
from annotator.rules_iteration import item_of
from annotator.rules_library import call_in_python
from annotator.rules_open import is_text_file
from annotator.rules_strings import require_kind
from annotator.streams import StandardStream, standard_stream
from rpython.rlib._files import write_text
from rpython.rlib._standard import method_of, read_text
from translator.ir.hlops import CallShape


@FUNCTIONS.register(print)
def builtin_print(
    ctx: OpContext, *args_s: SomeObject, s_end: SomeObject = s_Str, s_sep: SomeObject = s_Str,
    s_file: SomeObject = s_None, s_flush: SomeObject = s_Bool,
) -> SomeObject:  # fmt: skip
    for s in args_s:
        printable(ctx, s)
    require_kind(ctx, s_end, K_STR | K_NONE, "a str")
    require_kind(ctx, s_sep, K_STR | K_NONE, "a str")
    require_kind(ctx, s_flush, K_BOOL | K_INT, "a bool")
    if is_text_file(s_file):
        operands = s_file, s_Str, s_Bool
        arguments = CallArguments(CallShape(3), operands, (None,) * 3)
        return call(ctx, ctx.constant(write_text), arguments)
    if not isinstance(s_file, SomeNone):
        stream = standard_stream(s_file.value) if s_file.is_constant() else None
        if stream is None or stream.binary or stream.fd == 0:
            raise ctx.error("print(file=...) can be sys.stdout, sys.stderr or a file of text")
    return s_None


def _stream(ctx: OpContext, s: SomeObject, output: bool) -> StandardStream:
    """The stream whose method is called; refused when that cannot do it."""
    stream = standard_stream(s.value)
    assert stream is not None
    if (stream.fd != 0) != output:
        raise ctx.error(f"{ctx.method_name} of this stream is not supported")
    return stream


@METHODS.register("write", SomeHost)
def stream_write(ctx: OpContext, s: SomeObject, s_data: SomeObject) -> SomeObject:
    if _stream(ctx, s, output=True).binary:
        require_kind(ctx, s_data, K_BYTES | K_BYTEARRAY, "bytes")
    else:
        require_kind(ctx, s_data, K_STR, "a str")
    return s_NonNeg


@METHODS.register("flush", SomeHost)
def stream_flush(ctx: OpContext, s: SomeObject) -> SomeObject:
    _stream(ctx, s, output=True)
    return s_None


@METHODS.register("read", SomeHost)
def stream_read(ctx: OpContext, s: SomeObject, s_size: SomeObject = s_NonNeg) -> SomeObject:
    require_kind(ctx, s_size, K_INT | K_BOOL, "an int")
    if _stream(ctx, s, output=False).binary:
        return s_Bytes
    if s_size is s_NonNeg:
        return s_Str
    return call_in_python(ctx, read_text, {}, (s_size,), {})


@METHODS.register("readline", SomeHost)
def stream_readline(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bytes if _stream(ctx, s, output=False).binary else s_Str


@METHODS.register("peek", SomeHost)
def stream_peek(ctx: OpContext, s: SomeObject, s_size: SomeObject = s_NonNeg) -> SomeObject:
    require_kind(ctx, s_size, K_INT | K_BOOL, "an int")
    if not _stream(ctx, s, output=False).binary:
        raise ctx.error("peek of this stream is not supported")
    return s_Bytes


STREAM_METHODS = ("writelines", "readlines", "isatty", "fileno", "readable", "writable")

for _name in STREAM_METHODS:

    @METHODS.register(_name, SomeHost)
    def stream_method(
        ctx: OpContext, s: SomeObject, *args_s: SomeObject, name: str = _name
    ) -> SomeObject:
        stream = standard_stream(s.value)
        assert stream is not None
        if name in ("writelines", "readlines"):
            _stream(ctx, s, output=name == "writelines")
        return call_in_python(ctx, method_of(s.value, stream.fd, name), {}, args_s, {})


@UNARY.register("iter", SomeHost)
def iterate_stream(ctx: OpContext, s: SomeObject) -> SomeObject:
    item_of(ctx, s)
    return SomeIterator((s,))


@FUNCTIONS.register(input)
def builtin_input(ctx: OpContext, *prompt: SomeObject) -> SomeObject:
    for s in prompt:
        printable(ctx, s)
    ctx.annotator.constants.classdef(EOFError)
    return s_Str
