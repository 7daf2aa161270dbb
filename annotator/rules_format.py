"""Transfer rules for text with formats: f-strings, ``%``, ``str.format``."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.formatting import (
    Field,
    FormatError,
    Piece,
    parse_braces,
    parse_percent,
    parse_spec,
)
from annotator.model import (
    K_BOOL,
    K_FLOAT,
    K_INT,
    K_STR,
    SomeChar,
    SomeObject,
    SomeString,
    SomeTuple,
    s_Str,
)
from annotator.registry import BINARY, METHODS, UNARY
from annotator.rules_builtins import printable

_SAMPLES = {K_STR: "a", K_INT: 1, K_BOOL: True, K_FLOAT: 1.0}
_WHOLE = K_INT | K_BOOL


@UNARY.register("format_value", SomeObject)
def format_value(
    ctx: OpContext, s: SomeObject, s_conversion: SomeObject, s_spec: SomeObject
) -> SomeObject:
    if not s_spec.is_constant():
        raise ctx.error("a format specification must be known at translation time")
    if s_conversion.value not in ("", "s", "r"):
        raise ctx.error(f"the conversion !{s_conversion.value} is not supported")
    check_spec(ctx, s, s_conversion.value, s_spec.value)
    return s_Str


def check_spec(ctx: OpContext, s: SomeObject, conversion: str, text: str) -> None:
    """Refuse a value that the specification does not go with."""
    printable(ctx, s, quoted=conversion == "r")
    if not text:
        return
    kind = K_STR if conversion else s.kinds
    if kind not in _SAMPLES:
        raise ctx.error(f"a format specification for {s.describe()} is not supported")
    try:
        spec = parse_spec(text)
        format(_SAMPLES[kind], text)
    except (FormatError, ValueError) as error:
        raise ctx.error(str(error)) from None
    if spec.type == "n":
        raise ctx.error("the format type 'n' is not supported")
    if kind == K_FLOAT and not spec.type and spec.precision >= 0:
        raise ctx.error(
            "a precision without a format type is not supported",
            hint="write .3g or .3f rather than .3",
        )
    if spec.type == "c" and spec.precision >= 0:
        raise ctx.error("a precision with the format type 'c' is not supported")


@UNARY.register("build_string", SomeObject)
def build_string(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return s_Str


@METHODS.register("format", SomeString)
def string_format(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    if not s.is_constant():
        raise ctx.error("the str that format() is called on must be known at translation time")
    try:
        pieces = parse_braces(s.value)
    except FormatError as error:
        raise ctx.error(str(error)) from None
    _check_count(ctx, pieces, len(args_s), exact=False)
    for field in _fields(pieces):
        if field.conversion not in ("", "s", "r"):
            raise ctx.error(f"the conversion !{field.conversion} is not supported")
        check_spec(ctx, args_s[field.argument], field.conversion, field.text)
    return s_Str


def _fields(pieces: list[Piece]) -> list[Field]:
    return [piece for piece in pieces if isinstance(piece, Field)]


def _check_count(ctx: OpContext, pieces: list[Piece], given: int, exact: bool) -> None:
    needed = max((field.argument + 1 for field in _fields(pieces)), default=0)
    if needed > given:
        raise ctx.error(f"not enough arguments for the format: it needs {needed}, not {given}")
    if exact and needed < given:
        raise ctx.error(f"too many arguments for the format: it needs {needed}, not {given}")


@BINARY.register("mod", SomeString, SomeObject)
def percent(ctx: OpContext, s: SomeObject, s_args: SomeObject) -> SomeObject:
    if not s.is_constant():
        raise ctx.error("the format on the left of % must be known at translation time")
    try:
        pieces = parse_percent(s.value)
    except FormatError as error:
        raise ctx.error(str(error)) from None
    args_s = s_args.items if isinstance(s_args, SomeTuple) else (s_args,)
    _check_count(ctx, pieces, len(args_s), exact=True)
    for field in _fields(pieces):
        _check_percent(ctx, args_s[field.argument], field)
    return s_Str


def _check_percent(ctx: OpContext, s: SomeObject, field: Field) -> None:
    kind = field.spec.type
    printable(ctx, s, quoted=kind == "r")
    if kind in "sr":
        return
    if kind == "c":
        fits = isinstance(s, SomeChar) or not s.kinds & ~_WHOLE
    elif kind == "d" or kind in "eEfFgG":
        fits = not s.kinds & ~(_WHOLE | K_FLOAT)
    else:
        fits = not s.kinds & ~_WHOLE
    if not fits:
        raise ctx.error(f"%{kind} does not go with {s.describe()}")
