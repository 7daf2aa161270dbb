"""Transfer rules for str, and what bytes and bytearray share with it."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.conversions import Conversion
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_INT,
    K_NONE,
    K_STR,
    Const,
    SomeBool,
    SomeByteArray,
    SomeBytes,
    SomeInteger,
    SomeObject,
    SomeSlice,
    SomeString,
    SomeTuple,
    s_Bool,
    s_ByteArray,
    s_Bytes,
    s_Char,
    s_Int,
    s_None,
    s_NonNeg,
    s_Str,
)
from rpython.annotator.program.special_methods import Missing
from rpython.annotator.rules.numbers import COMPARISONS
from rpython.annotator.rules.registry import BINARY, METHODS, UNARY

INTEGER = K_INT | K_BOOL
NONE_OR_INT = INTEGER | K_NONE
BYTES = K_BYTES | K_BYTEARRAY

s_Utf8 = SomeString(Const("utf-8"))
s_Strict = SomeString(Const("strict"))


@BINARY.register("add", SomeString, SomeString)
def add_strings(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Str


@BINARY.register(COMPARISONS, SomeString, SomeString)
def compare_strings(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


for _text, _result in ((SomeString, s_Str), (SomeBytes, s_Bytes), (SomeByteArray, s_ByteArray)):
    for _integer in (SomeInteger, SomeBool):

        @BINARY.register("mul", _text, _integer)
        @BINARY.register("mul", _integer, _text)
        def repeat(
            ctx: OpContext, a: SomeObject, b: SomeObject, s_result: SomeObject = _result
        ) -> SomeObject:
            return s_result


@UNARY.register("getitem", SomeString)
def string_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s_Str
    require_index(ctx, s_index, "string indices")
    return s_Char


@UNARY.register("contains", SomeString)
def string_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    if not isinstance(s_item, SomeString):
        raise ctx.refusal(s_item, K_STR, f"'in <str>' requires a str, not {s_item.describe()}")
    return s_Bool


def require_index(ctx: OpContext, s_index: SomeObject, what: str) -> None:
    """Refuse an index that is not an int."""
    if not isinstance(s_index, (SomeInteger, SomeBool)):
        words = f"{what} must be integers or slices, not "
        missing = Missing(words, "")
        if isinstance(ctx.annotator.binding(ctx.op.args[0]), SomeString):
            missing = Missing(f"{what} must be integers, not '")
        raise ctx.refusal(s_index, INTEGER, words + s_index.describe(), missing)


def require_kind(
    ctx: OpContext, s: SomeObject, kinds: int, what: str, conversion: Conversion | None = None
) -> None:
    """Refuse an argument of another kind; ``what`` completes 'the argument must be ...';
    ``conversion``: see ``ctx.refusal``."""
    if s.kinds & ~kinds:
        message = f"the argument must be {what}, not {s.describe()}"
        raise ctx.refusal(s, kinds, message, conversion=conversion)


def require_part(ctx: OpContext, s: SomeObject, s_part: SomeObject, more: int = 0) -> None:
    """Refuse what cannot be a part of the str, bytes or bytearray ``s``; ``more``: kinds of
    items."""
    if isinstance(s, SomeString):
        require_kind(ctx, s_part, K_STR, "a str")
    elif more:
        require_kind(ctx, s_part, BYTES | more, "an int or bytes")
    else:
        require_kind(ctx, s_part, BYTES, "bytes")


def require_bounds(ctx: OpContext, bounds: tuple[SomeObject, ...]) -> None:
    """Refuse a start and an end of a search that are no ints."""
    if len(bounds) > 2:
        raise ctx.error(f"{ctx.method_name}() takes at most 3 arguments ({1 + len(bounds)} given)")
    for s_bound in bounds:
        require_kind(ctx, s_bound, NONE_OR_INT, "an int")


for _text in (SomeString, SomeBytes, SomeByteArray):

    @METHODS.register("find rfind index rindex count", _text)
    def search(ctx: OpContext, s: SomeObject, s_sub: SomeObject, *bounds: SomeObject) -> SomeObject:
        require_part(ctx, s, s_sub, INTEGER)
        require_bounds(ctx, bounds)
        return s_Int if "find" in ctx.method_name else s_NonNeg

    @METHODS.register("startswith endswith", _text)
    def affix(ctx: OpContext, s: SomeObject, s_sub: SomeObject, *bounds: SomeObject) -> SomeObject:
        for s_part in s_sub.items if isinstance(s_sub, SomeTuple) else (s_sub,):
            require_part(ctx, s, s_part)
        require_bounds(ctx, bounds)
        return s_Bool


@METHODS.register("upper lower title capitalize swapcase casefold", SomeString)
def string_case(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Str


@METHODS.register("removeprefix removesuffix", SomeString)
def string_remove(ctx: OpContext, s: SomeObject, s_part: SomeObject) -> SomeObject:
    require_kind(ctx, s_part, K_STR, "a str")
    return s_Str


@METHODS.register(
    "isdigit isspace isalpha isalnum isprintable isupper islower isascii istitle isdecimal "
    "isnumeric isidentifier", SomeString,
)  # fmt: skip
def string_class(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bool


@METHODS.register("strip lstrip rstrip", SomeString)
def string_strip(ctx: OpContext, s: SomeObject, *chars: SomeObject) -> SomeObject:
    for s_chars in chars:
        require_str_or_none(ctx, s_chars)
    return s_Str


@METHODS.register("replace", SomeString)
def string_replace(
    ctx: OpContext, s: SomeObject, s_old: SomeObject, s_new: SomeObject, *count: SomeObject
) -> SomeObject:
    require_kind(ctx, s_old, K_STR, "a str")
    require_kind(ctx, s_new, K_STR, "a str")
    for s_count in count:
        require_kind(ctx, s_count, INTEGER, "an int")
    return s_Str


def require_str_or_none(ctx: OpContext, s: SomeObject) -> None:
    require_kind(ctx, s, K_STR | K_NONE, "a str or None")


@METHODS.register("split rsplit", SomeString)
def string_split(
    ctx: OpContext, s: SomeObject, s_sep: SomeObject = s_None, s_maxsplit: SomeObject = s_Int
) -> SomeObject:
    require_str_or_none(ctx, s_sep)
    require_kind(ctx, s_maxsplit, INTEGER, "an int")
    return ctx.new_list(s_Str, resized=True)


@METHODS.register("partition rpartition", SomeString)
def string_partition(ctx: OpContext, s: SomeObject, s_separator: SomeObject) -> SomeObject:
    require_kind(ctx, s_separator, K_STR, "a str")
    return SomeTuple((s_Str, s_Str, s_Str))


@METHODS.register("ljust rjust center", SomeString)
def string_pad(
    ctx: OpContext, s: SomeObject, s_width: SomeObject, s_fill: SomeObject = s_Char
) -> SomeObject:
    require_kind(ctx, s_width, INTEGER, "an int")
    require_kind(ctx, s_fill, K_STR, "a str")
    return s_Str


@METHODS.register("zfill", SomeString)
def string_zfill(ctx: OpContext, s: SomeObject, s_width: SomeObject) -> SomeObject:
    require_kind(ctx, s_width, INTEGER, "an int")
    return s_Str


@METHODS.register("splitlines", SomeString)
def string_splitlines(ctx: OpContext, s: SomeObject, s_keepends: SomeObject = s_Bool) -> SomeObject:
    require_kind(ctx, s_keepends, K_BOOL, "a bool")
    return ctx.new_list(s_Str, resized=True)
