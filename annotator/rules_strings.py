"""Transfer rules for str, bytes and bytearray."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import (
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
    SomeChar,
    SomeInteger,
    SomeList,
    SomeNone,
    SomeObject,
    SomeRange,
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
from annotator.registry import BINARY, METHODS, UNARY
from annotator.rules_numbers import COMPARISONS

INTEGER = K_INT | K_BOOL
NONE_OR_INT = INTEGER | K_NONE
BYTES = K_BYTES | K_BYTEARRAY

s_Utf8 = SomeString(Const("utf-8"))
s_Strict = SomeString(Const("strict"))

# -- str --------------------------------------------------------------------------------


@BINARY.register("add", SomeString, SomeString)
def add_strings(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Str


@BINARY.register(COMPARISONS, SomeString, SomeString)
def compare_strings(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


for _integer in (SomeInteger, SomeBool):

    @BINARY.register("mul", SomeString, _integer)
    def repeat_string(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Str

    @BINARY.register("mul", _integer, SomeString)
    def repeat_string_r(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Str

    @BINARY.register("mul", SomeBytes, _integer)
    def repeat_bytes(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bytes

    @BINARY.register("mul", SomeByteArray, _integer)
    def repeat_bytearray(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_ByteArray


@UNARY.register("getitem", SomeString)
def string_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s_Str
    require_index(ctx, s_index, "string indices")
    return s_Char


@UNARY.register("contains", SomeString)
def string_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    if not isinstance(s_item, SomeString):
        raise ctx.error(f"'in <str>' requires a str, not {s_item.describe()}")
    return s_Bool


def require_index(ctx: OpContext, s_index: SomeObject, what: str) -> None:
    """Refuse an index that is not an int."""
    if not isinstance(s_index, (SomeInteger, SomeBool)):
        raise ctx.error(f"{what} must be integers or slices, not {s_index.describe()}")


def require_kind(ctx: OpContext, s: SomeObject, kinds: int, what: str) -> None:
    """Refuse an argument of another kind; ``what`` completes 'the argument must be ...'."""
    if s.kinds & ~kinds:
        raise ctx.error(f"the argument must be {what}, not {s.describe()}")


@METHODS.register("find rfind index rindex count", SomeString)
def string_search(
    ctx: OpContext, s: SomeObject, s_sub: SomeObject, *bounds: SomeObject
) -> SomeObject:
    require_kind(ctx, s_sub, K_STR, "a str")
    for s_bound in bounds:
        require_kind(ctx, s_bound, NONE_OR_INT, "an int")
    return s_Int if "find" in ctx.method_name else s_NonNeg


@METHODS.register("startswith endswith", SomeString)
def string_affix(
    ctx: OpContext, s: SomeObject, s_sub: SomeObject, *bounds: SomeObject
) -> SomeObject:
    for s_part in s_sub.items if isinstance(s_sub, SomeTuple) else (s_sub,):
        require_kind(ctx, s_part, K_STR, "a str or a tuple of strs")
    for s_bound in bounds:
        require_kind(ctx, s_bound, NONE_OR_INT, "an int")
    return s_Bool


@METHODS.register("upper lower", SomeString)
def string_case(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Str


@METHODS.register("removeprefix removesuffix", SomeString)
def string_remove(ctx: OpContext, s: SomeObject, s_part: SomeObject) -> SomeObject:
    require_kind(ctx, s_part, K_STR, "a str")
    return s_Str


@METHODS.register(
    "isdigit isspace isalpha isalnum isprintable isupper islower isascii", SomeString
)
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
    """A str or the constant None: which of them decides what code is made."""
    if not isinstance(s, SomeNone):
        require_kind(ctx, s, K_STR, "a str")


@METHODS.register("split rsplit", SomeString)
def string_split(
    ctx: OpContext, s: SomeObject, s_sep: SomeObject = s_None, s_maxsplit: SomeObject = s_Int
) -> SomeObject:
    require_str_or_none(ctx, s_sep)
    require_kind(ctx, s_maxsplit, INTEGER, "an int")
    if ctx.method_name == "rsplit" and isinstance(s_sep, SomeNone):
        raise ctx.error("rsplit() without a separator is not supported")
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
    if not isinstance(s_fill, SomeChar):
        raise ctx.error("the fill character must be a str known to have one character")
    return s_Str


@METHODS.register("zfill", SomeString)
def string_zfill(ctx: OpContext, s: SomeObject, s_width: SomeObject) -> SomeObject:
    require_kind(ctx, s_width, INTEGER, "an int")
    return s_Str


@METHODS.register("splitlines", SomeString)
def string_splitlines(
    ctx: OpContext, s: SomeObject, s_keepends: SomeObject = s_Bool
) -> SomeObject:
    require_kind(ctx, s_keepends, K_BOOL, "a bool")
    return ctx.new_list(s_Str, resized=True)


@METHODS.register("encode", SomeString)
def string_encode(
    ctx: OpContext, s: SomeObject, s_encoding: SomeObject = s_Utf8,
    s_errors: SomeObject = s_Strict,
) -> SomeObject:  # fmt: skip
    require_codec(ctx, (s_encoding, s_errors))
    ctx.annotator.constants.classdef(UnicodeEncodeError)
    return s_Bytes


CODECS = {
    "utf-8": "utf8", "utf8": "utf8", "latin-1": "latin1", "latin1": "latin1",
    "iso-8859-1": "latin1", "ascii": "ascii",
}  # fmt: skip


def require_codec(ctx: OpContext, args: tuple[SomeObject, ...]) -> str:
    """The normalised name of a constant codec argument; only strict error handling."""
    if not args:
        return "utf8"
    if len(args) > 1 and not (args[1].is_constant() and args[1].value == "strict"):
        raise ctx.error("only errors='strict' is supported")
    s_codec = args[0]
    if not s_codec.is_constant() or str(s_codec.value).lower() not in CODECS:
        raise ctx.error("the codec must be a constant: 'utf-8', 'latin-1' or 'ascii'")
    return CODECS[str(s_codec.value).lower()]


# -- bytes and bytearray ----------------------------------------------------------------------

for _left, _right, _result in [
    (SomeBytes, SomeBytes, s_Bytes), (SomeBytes, SomeByteArray, s_Bytes),
    (SomeByteArray, SomeBytes, s_ByteArray), (SomeByteArray, SomeByteArray, s_ByteArray),
]:  # fmt: skip

    @BINARY.register("add", _left, _right)
    def add_bytes(
        ctx: OpContext, a: SomeObject, b: SomeObject, s_result: SomeObject = _result
    ) -> SomeObject:
        return s_result

    @BINARY.register(COMPARISONS, _left, _right)
    def compare_bytes(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bool


for _left in (SomeBytes, SomeByteArray):

    @BINARY.register("inplace_add", SomeByteArray, _left)
    def extend_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return a


for _integer in (SomeInteger, SomeBool):

    @BINARY.register("inplace_mul", SomeByteArray, _integer)
    def repeat_in_place(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return a

    @BINARY.register("mul", _integer, SomeBytes)
    def repeat_bytes_r(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bytes

    @BINARY.register("mul", _integer, SomeByteArray)
    def repeat_bytearray_r(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_ByteArray


@UNARY.register("getitem", SomeBytes)
def bytes_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s_Bytes
    require_index(ctx, s_index, "byte indices")
    return s_NonNeg


@UNARY.register("getitem", SomeByteArray)
def bytearray_item(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        return s_ByteArray
    require_index(ctx, s_index, "bytearray indices")
    return s_NonNeg


@UNARY.register("setitem", SomeByteArray)
def bytearray_setitem(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_value: SomeObject
) -> SomeObject:
    if isinstance(s_index, SomeSlice):
        s_step = s_index.parts[2]
        if not isinstance(s_step, SomeNone) and not (s_step.is_constant() and s_step.value == 1):
            raise ctx.error("assigning to a slice with a step is not supported")
        require_kind(ctx, s_value, BYTES, "bytes or a bytearray")
        return s_None
    require_index(ctx, s_index, "bytearray indices")
    if s_value.kinds & ~INTEGER:
        raise ctx.error(f"an item of a bytearray is an int, not {s_value.describe()}")
    return s_None


@UNARY.register("delitem", SomeByteArray)
def bytearray_delitem(ctx: OpContext, s: SomeObject, s_index: SomeObject) -> SomeObject:
    if not isinstance(s_index, SomeSlice):
        require_index(ctx, s_index, "bytearray indices")
    return s_None


for _bytes in (SomeBytes, SomeByteArray):

    @UNARY.register("contains", _bytes)
    def bytes_contains(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
        require_kind(ctx, s_item, INTEGER | BYTES, "an int or bytes")
        return s_Bool

    @METHODS.register("decode", _bytes)
    def bytes_decode(
        ctx: OpContext, s: SomeObject, s_encoding: SomeObject = s_Utf8,
        s_errors: SomeObject = s_Strict,
    ) -> SomeObject:  # fmt: skip
        require_codec(ctx, (s_encoding, s_errors))
        ctx.annotator.constants.classdef(UnicodeDecodeError)
        return s_Str

    @METHODS.register("find rfind index rindex count", _bytes)
    def bytes_search(
        ctx: OpContext, s: SomeObject, s_sub: SomeObject, *bounds: SomeObject
    ) -> SomeObject:
        require_kind(ctx, s_sub, INTEGER | BYTES, "an int or bytes")
        for s_bound in bounds:
            require_kind(ctx, s_bound, NONE_OR_INT, "an int")
        return s_Int if "find" in ctx.method_name else s_NonNeg

    @METHODS.register("startswith endswith", _bytes)
    def bytes_affix(ctx: OpContext, s: SomeObject, s_sub: SomeObject) -> SomeObject:
        require_kind(ctx, s_sub, BYTES, "bytes")
        return s_Bool


@METHODS.register("append", SomeByteArray)
def bytearray_append(ctx: OpContext, s: SomeObject, s_item: SomeObject) -> SomeObject:
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_None


@METHODS.register("insert", SomeByteArray)
def bytearray_insert(
    ctx: OpContext, s: SomeObject, s_index: SomeObject, s_item: SomeObject
) -> SomeObject:
    require_kind(ctx, s_index, INTEGER, "an int")
    require_kind(ctx, s_item, INTEGER, "an int")
    return s_None


@METHODS.register("extend", SomeByteArray)
def bytearray_extend(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> SomeObject:
    if isinstance(s_items, SomeList):
        s_item = ctx.read(s_items.listdef.find().item)
        require_kind(ctx, s_item, INTEGER, "a list of ints")
    elif not isinstance(s_items, (SomeBytes, SomeByteArray, SomeRange)):
        raise ctx.error(f"cannot extend a bytearray with {s_items.describe()}")
    return s_None


@METHODS.register("pop", SomeByteArray)
def bytearray_pop(ctx: OpContext, s: SomeObject, *index: SomeObject) -> SomeObject:
    for s_index in index:
        require_kind(ctx, s_index, INTEGER, "an int")
    return s_NonNeg


@METHODS.register("clear reverse", SomeByteArray)
def bytearray_change(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_None


@METHODS.register("copy", SomeByteArray)
def bytearray_copy(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_ByteArray
