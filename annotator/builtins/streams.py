"""Transfer rules for print and input, and for what ``rpython.rlib._standard`` is made of."""

from __future__ import annotations

from typing import Any

from rpython.annotator.builtins.functions import printable
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_INT,
    K_NONE,
    K_STR,
    SomeInstance,
    SomeNone,
    SomeObject,
    SomeTuple,
    s_Bool,
    s_None,
    s_Str,
)
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.calls import CallArguments
from rpython.annotator.rules.registry import FUNCTIONS, HOST_CALLS
from rpython.annotator.rules.strings import require_kind
from rpython.rlib import _standard, _streams, _textfiles
from rpython.stdlib._registry import per_arguments

for _function in (
    _standard.print_text, _standard.print_any_text, _standard.print_part,
    _standard.flush_printed, _standard.flush_any_printed, _standard.print_items,
    _standard.print_items_to, _standard.print_items_by,
):  # fmt: skip
    per_arguments(_function)


def printed_to(s_file: SomeObject) -> Any:
    """The standard stream that ``print`` writes to directly; None for other files."""
    if isinstance(s_file, SomeNone):
        return _standard.STDOUT
    if s_file.is_constant() and any(
        s_file.value is stream for stream in (_standard.STDOUT, _standard.STDERR)
    ):
        return s_file.value
    return None


@FUNCTIONS.register(print)
def builtin_print(
    ctx: OpContext, *args_s: SomeObject, s_end: SomeObject = s_Str, s_sep: SomeObject = s_Str,
    s_file: SomeObject = s_None, s_flush: SomeObject = s_Bool,
) -> SomeObject:  # fmt: skip
    for s in args_s:
        printable(ctx, s)
    _check_options(ctx, {"end": s_end, "sep": s_sep, "file": s_file, "flush": s_flush})
    if printed_to(s_file) is None:
        function = file_writer(s_file)
        texts = (s_Str,) * (1 if function is _standard.print_part else 3)
        call_overlay(ctx, function, (s_file, *texts), {})
        if s_flush is not s_Bool:
            call_overlay(ctx, flusher(s_file), (s_file,), {})
    return s_None


def file_writer(s_file: SomeObject) -> Any:
    """What writes to a file, or to an object of another class."""
    if may_be_standard(s_file):
        return _standard.print_any_text
    return _standard.print_text if writes_text(s_file) else _standard.print_part


def writes_text(s_file: SomeObject) -> bool:
    """Is it a file, rather than an object of another class, which notices each call?"""
    s_file = without_none(s_file)
    assert isinstance(s_file, SomeInstance)
    return issubclass(s_file.classdef.cls, _streams.TextStream)


def flusher(s_file: SomeObject) -> Any:
    """What flushes a file that was printed to."""
    return _standard.flush_any_printed if may_be_standard(s_file) else _standard.flush_printed


def may_be_standard(s_file: SomeObject) -> bool:
    """May it be None or a standard stream?"""
    if isinstance(s_file, SomeInstance):
        return issubclass(_standard.StandardOutput, s_file.classdef.cls)
    return bool(s_file.kinds & K_NONE)


def items_printer(s_file: SomeObject) -> Any:
    """What prints the items of an iterable."""
    if printed_to(s_file) is _standard.STDOUT:
        return _standard.print_items
    if printed_to(s_file) is None and file_writer(s_file) is _standard.print_part:
        return _standard.print_items_by
    return _standard.print_items_to


def _check_options(ctx: OpContext, given: dict[str, SomeObject]) -> None:
    for name in ("end", "sep"):
        require_kind(ctx, given.get(name, s_Str), K_STR | K_NONE, "a str")
    require_kind(ctx, given.get("flush", s_Bool), K_BOOL | K_INT, "a bool")
    s_file = without_none(given.get("file", s_None))
    if s_file.kinds and not isinstance(s_file, SomeInstance):
        raise ctx.error(f"print(file=...) needs a file, not {s_file.describe()}")


@HOST_CALLS.append
def print_iterable(ctx: OpContext, function: Any, arguments: CallArguments) -> SomeObject | None:
    """``print(*items)`` of something else than a tuple."""
    if function is not print or not arguments.shape.star:
        return None
    s_items = arguments.args_s[-1]
    if isinstance(s_items, SomeTuple) or not s_items.kinds:
        return None
    shape = arguments.shape
    given = dict(zip(shape.keywords, arguments.args_s[shape.positional :]))
    for name in given:
        if name not in ("sep", "end", "file", "flush"):
            raise ctx.error(f"the argument {name!r} of print is not supported")
    _check_options(ctx, given)
    called = items_printer(given.get("file", s_None))
    args_s = (
        *([] if called is _standard.print_items else [given["file"]]),
        SomeTuple(arguments.args_s[: shape.positional]), s_items,
        given.get("sep", s_None), given.get("end", s_Str),
    )  # fmt: skip
    call_overlay(ctx, called, args_s, {})
    if "flush" in given:
        s_file = given.get("file", s_None)
        call_overlay(ctx, flusher(s_file), (s_file,), {})
    return s_None


@FUNCTIONS.register(input)
def builtin_input(ctx: OpContext, *prompt: SomeObject) -> SomeObject:
    for s in prompt:
        printable(ctx, s)
    return call_overlay(ctx, _standard.input_line, (), {})


FUNCTIONS.gives(
    s_None, _standard.put_text, _standard.put_bytes, _standard.flush, _standard.flush_bytes,
    _standard.set_mode,
)  # fmt: skip
FUNCTIONS.gives(s_Bool, _standard.lost)
FUNCTIONS.gives(s_Str, _textfiles.standard_errors)
