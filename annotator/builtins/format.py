"""Transfer rules for text with formats: f-strings, ``%``, ``str.format``, ``format()``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.annotator.builtins.formatting import (
    Field,
    FormatError,
    fields_of,
    parse_braces,
    parse_percent,
    parse_spec,
)
from rpython.annotator.builtins.functions import printable
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.enumints import DIGITS, enum_of, formats_as_int, text_of_enum
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_DICT,
    K_FLOAT,
    K_FROZENSET,
    K_INSTANCE,
    K_INT,
    K_LIST,
    K_SET,
    K_STR,
    K_TUPLE,
    SomeByteArray,
    SomeBytes,
    SomeInstance,
    SomeObject,
    SomeString,
    SomeTuple,
    s_ByteArray,
    s_Bytes,
    s_Str,
)
from rpython.annotator.lattice.parts import is_big, parts_of, takes_box, type_name, without_none
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.binary_methods import formats_itself
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import BINARY, FUNCTIONS, METHODS, UNARY
from rpython.annotator.rules.special import special_method
from rpython.annotator.rules.strings import require_kind
from rpython.stdlib._formats import (
    format_text,
    percent_index,
    percent_real,
    percent_text,
    percent_whole,
)
from rpython.translator.ir.hlops import CallShape

_SAMPLES = {K_STR: "a", K_INT: 1, K_BOOL: True, K_FLOAT: 1.0}
_WHOLE = K_INT | K_BOOL
_BYTES = K_BYTES | K_BYTEARRAY
_NUMBERS = {
    "d": percent_whole,
    **dict.fromkeys("oxX", percent_index),
    **dict.fromkeys("eEfFgG", percent_real),
}
"""What makes a number of an instance, by the type of the field."""


@UNARY.register("format_value", SomeObject)
def format_value(
    ctx: OpContext, s: SomeObject, s_conversion: SomeObject, s_spec: SomeObject
) -> SomeObject:
    if not s_conversion.value and _formats_itself(ctx, s, s_spec):
        return s_Str
    if not s_conversion.value:
        _check_enums(ctx, s, s_spec)
    _check_text(ctx, s, s_conversion.value, str(s_spec.value) if s_spec.is_constant() else "")
    if s_spec.is_constant():
        check_spec(ctx, s, s_conversion.value, s_spec.value)
    else:
        check_any_spec(ctx, s, s_conversion.value)
    return s_Str


def _formats_itself(ctx: OpContext, s: SomeObject, s_spec: SomeObject) -> bool:
    """Has the value a class with ``__format__``?  Its call is part of the operation then."""
    found = [
        (part, s_method) for part in parts_of(s) if isinstance(part, SomeInstance)
        if (s_method := special_method(ctx, part, "__format__", of_all=True)) is not None
    ]  # fmt: skip
    for _, s_method in found:
        arguments = CallArguments(CallShape(1), (s_spec.without_const(),), (None,))
        s_result = call(ctx, s_method, arguments)
        if s_result.kinds & ~K_STR:
            raise ctx.error(f"__format__ must return a str, not {s_result.describe()}")
    if found and _but_none(ctx, s).kinds & ~K_INSTANCE:
        raise ctx.error(f"a format specification for {s.describe()} is not supported")
    return bool(found)


def _check_text(ctx: OpContext, s: SomeObject, conversion: str, spec: str) -> None:
    """Refuse a value whose text is not known; a bool with a specification has that of its int."""
    if conversion or not spec:
        printable(ctx, s, quoted=conversion in ("r", "a"))


def _check_enums(ctx: OpContext, s: SomeObject, s_spec: SomeObject) -> None:
    """Members of enums with a specification are shown as their ints, and else as ``str`` does."""
    if s_spec.is_constant() and not s_spec.value:
        return
    for cls in filter(None, map(enum_of, parts_of(s))):
        alike = s_spec.is_constant() or text_of_enum(cls, False) == DIGITS
        if not alike or not formats_as_int(cls):
            raise ctx.error(f"a format specification for {s.describe()} is not supported")


def _but_none(ctx: OpContext, s: SomeObject) -> SomeObject:
    """What a value has to be where None has no text: user code raises TypeError for None at run
    time."""
    return without_none(s) if not ctx.in_helper else s


def check_kind(ctx: OpContext, s: SomeObject, conversion: str) -> int:
    """Refuse a value that has no format specifications; its kind, 0 for None."""
    kind = K_STR if conversion else _but_none(ctx, s).kinds
    if kind and kind not in _SAMPLES:
        raise ctx.error(f"a format specification for {s.describe()} is not supported")
    return kind


_WITHOUT_FORMAT = K_LIST | K_TUPLE | K_DICT | K_SET | K_FROZENSET | K_BYTES | K_BYTEARRAY


def check_any_spec(ctx: OpContext, s: SomeObject, conversion: str) -> None:
    """Refuse a value of which nobody can say what its class makes of specifications; lists and the
    like raise TypeError where one is given."""
    for part in [s] if conversion else parts_of(s):
        own = isinstance(part, SomeInstance) and part.classdef.home.is_program
        if not conversion and (own or part.kinds & _WITHOUT_FORMAT):
            printable(ctx, part, quoted=False)
        else:
            check_kind(ctx, part, conversion)


def check_spec(ctx: OpContext, s: SomeObject, conversion: str, text: str) -> None:
    """Refuse a value that the specification does not go with."""
    if not text:
        return
    if takes_box(s) and not conversion:
        if all(map(refused_format, parts_of(s), [text] * len(parts_of(s)))):
            raise ctx.error(f"the format specification {text!r} is not for {s.describe()}")
        return
    kind = check_kind(ctx, s, conversion)
    try:
        parse_spec(text)
        if kind:
            format(_SAMPLES[kind], text)
    except (FormatError, ValueError) as error:
        raise ctx.error(str(error)) from None


def refused_format(part: SomeObject, text: str) -> Exception | None:
    """What ``format`` raises for such values with a specification; None where it goes with them."""
    try:
        parse_spec(text)
        format(_SAMPLES[part.kinds], text)
    except FormatError:
        raise
    except ValueError as error:
        return error
    except KeyError:
        return TypeError(f"unsupported format string passed to {type_name(part)}.__format__")
    return None


@UNARY.register("build_string", SomeObject)
def build_string(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    return s_Str


@FUNCTIONS.register(format)
def builtin_format(ctx: OpContext, s: SomeObject, s_spec: SomeObject | None = None) -> SomeObject:
    s_spec = ctx.constant("") if s_spec is None else s_spec
    require_kind(ctx, s_spec, K_STR, "a str")
    return format_value(ctx, s, ctx.constant(""), s_spec)


@FUNCTIONS.register(ascii)
def builtin_ascii(ctx: OpContext, s: SomeObject) -> SomeObject:
    printable(ctx, s, quoted=True)
    return s_Str


@METHODS.register("format", SomeString)
def string_format(
    ctx: OpContext, s: SomeObject, *args_s: SomeObject, **keywords: SomeObject
) -> SomeObject:
    if not s.is_constant():
        return call_overlay(ctx, format_text, (s, *args_s), keywords)
    try:
        pieces = parse_braces(s.value)
    except FormatError as error:
        raise ctx.error(str(error)) from None
    _check_count(ctx, fields_of(pieces), len(args_s), exact=False)
    for field in fields_of(pieces):
        if isinstance(field.argument, int):
            s_arg = args_s[field.argument]
        elif "s_" + field.argument in keywords:
            s_arg = keywords["s_" + field.argument]
        else:
            raise ctx.error(f"the format needs an argument {field.argument!r}")
        s_spec = s_Str if field.nested else ctx.constant(field.text)
        if not field.conversion and _formats_itself(ctx, s_arg, s_spec):
            continue
        if not field.conversion:
            _check_enums(ctx, s_arg, s_spec)
        _check_text(ctx, s_arg, field.conversion, "" if field.nested else field.text)
        if field.nested:
            check_any_spec(ctx, s_arg, field.conversion)
        else:
            check_spec(ctx, s_arg, field.conversion, field.text)
    return s_Str


def _check_count(ctx: OpContext, fields: list[Field], given: int, exact: bool) -> None:
    numbers = [field.argument for field in fields if isinstance(field.argument, int)]
    needed = max(numbers, default=-1) + 1
    if needed > given:
        raise ctx.error(f"not enough arguments for the format: it needs {needed}, not {given}")
    if exact and needed < given:
        raise ctx.error(f"too many arguments for the format: it needs {needed}, not {given}")


def formats_at_run_time(s: SomeObject, s_args: SomeObject) -> bool:
    """Is a template, or how many values it gets, not known?"""
    return not s.is_constant() or bool(
        s_args.kinds & K_TUPLE and not isinstance(s_args, SomeTuple)
    )


for _text, _result in ((SomeString, s_Str), (SomeBytes, s_Bytes), (SomeByteArray, s_ByteArray)):

    @BINARY.register("mod", _text, SomeObject)
    def percent(
        ctx: OpContext, s: SomeObject, s_args: SomeObject, s_result: SomeObject = _result
    ) -> SomeObject:
        of_bytes = not isinstance(s, SomeString)
        if formats_itself(s, s_args):
            raise ctx.error(
                f"{s.describe()} % {s_args.describe()}: the second has its own __rmod__",
                hint="call a method by its name",
            )
        if not of_bytes and formats_at_run_time(s, s_args):
            return call_overlay(ctx, percent_text, (s, s_args), {})
        if not s.is_constant() or isinstance(s, SomeByteArray):
            raise ctx.error("the format on the left of % must be known at translation time")
        try:
            template = s.value.decode("latin-1") if of_bytes else s.value
            fields = fields_of(parse_percent(template, of_bytes))
        except FormatError as error:
            raise ctx.error(str(error)) from None
        if s_args.kinds & K_TUPLE and not isinstance(s_args, SomeTuple):
            raise ctx.error(
                "how many values % formats must be known at translation time",
                hint="use a tuple of the values, or of one: x % (t,)",
            )
        args_s = s_args.items if isinstance(s_args, SomeTuple) else (s_args,)
        _check_count(ctx, fields, len(args_s), exact=True)
        for field in fields:
            for star in (field.width, field.precision):
                if star >= 0:
                    require_kind(ctx, _but_none(ctx, args_s[star]), _WHOLE, "an int (for *)")
            assert isinstance(field.argument, int)
            _check_percent(ctx, args_s[field.argument], field, of_bytes)
        return s_result


def _check_percent(ctx: OpContext, s: SomeObject, field: Field, of_bytes: bool) -> None:
    kind = field.spec.type
    s_given = s
    if field.none_error:
        s = _but_none(ctx, s)
    for part in filter(is_big, parts_of(s)):
        _formats_itself(ctx, part, s_Str)
    number = _makes_number(s, field)
    if kind in "sra" and not (of_bytes and kind == "s"):
        printable(ctx, s, quoted=kind in "ra")
    elif number is not None:
        s_wrong = ctx.constant(field.none_error.removesuffix("NoneType")).without_const()
        s_passed = s_given if takes_box(s_given) else s  # a None in a box is one of the kinds
        s_number = call_overlay(ctx, number, (s_passed, s_wrong), {})
        ctx.annotator.notes.percent_numbers[ctx.op, field.argument] = number, s_number
        if s_number.kinds and not all(fits_percent(part, field) for part in parts_of(s_number)):
            raise ctx.error(f"%{kind} does not go with {s_number.describe()}")
    elif takes_box(s):
        if not any(fits_percent(part, field, of_bytes) for part in parts_of(s)):
            raise ctx.error(f"%{kind} does not go with {s.describe()}")
    elif not fits_percent(s, field, of_bytes):
        raise ctx.error(f"%{kind} does not go with {s.describe()}")


def _makes_number(s: SomeObject, field: Field) -> Callable[[Any, str], Any] | None:
    """What makes a number of a value, by methods of its class, for a field of ``%``; None where
    the value is one, or the field is not for numbers."""
    own = any(isinstance(part, SomeInstance) and not is_big(part) for part in parts_of(s))
    return _NUMBERS.get(field.spec.type) if own else None


def fits_percent(s: SomeObject, field: Field, of_bytes: bool = False) -> bool:
    """Do values without a text of their own go with a field of ``%``?"""
    kind = field.spec.type
    if is_big(s):
        return kind != "b" and not (of_bytes and kind == "s")
    if kind == "b" or (of_bytes and kind == "s"):
        return not s.kinds & ~_BYTES
    if kind in "sra":
        return True
    if kind == "c":
        return not s.kinds & ~(_WHOLE | (_BYTES if of_bytes else K_STR)) and s.kinds in (
            0, K_STR, K_INT, K_BOOL, K_BYTES, K_BYTEARRAY,
        )  # fmt: skip
    if kind == "d" or kind in "eEfFgG":
        return not s.kinds & ~(_WHOLE | K_FLOAT)
    return not s.kinds & ~_WHOLE
