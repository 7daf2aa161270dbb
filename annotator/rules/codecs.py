"""Transfer rules of ``encode`` and ``decode``.

The typer has helpers for three codecs and some error handlers, where both are constants; else a
function of the library is called, which has the codec of a constant name, or finds one at run time
(``rpython.stdlib._codecnames``).
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_STR,
    SomeByteArray,
    SomeBytes,
    SomeObject,
    SomeString,
    s_Bytes,
    s_Str,
)
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.registry import METHODS
from rpython.annotator.rules.strings import require_kind
from rpython.stdlib import _codecnames
from rpython.stdlib._registry import Refused

CODECS = {"utf-8": "utf8", "iso8859-1": "latin1", "ascii": "ascii"}
"""The codecs that the typer has helpers for, by the name that ``codecs`` knows them under."""
DECODE_ERRORS = ("strict", "ignore", "replace", "backslashreplace", "surrogateescape")
ENCODE_ERRORS = (*DECODE_ERRORS, "xmlcharrefreplace")


def codec_of(name: Any) -> str | None:
    """Our name of such a codec given by any of its names; None when it is none of them."""
    try:
        return CODECS.get(codecs.lookup(name).name)
    except (LookupError, TypeError):
        return None


def encode_with(
    ctx: OpContext, s: SomeObject, args_s: tuple[SomeObject, ...], keywords: dict[str, SomeObject],
    changes: bool = False,
) -> SomeObject | None:  # fmt: skip
    """The result of the function that encodes the str, into a bytearray if it ``changes``; None:
    the typer has helpers."""
    ctx.annotator.constants.classdef(UnicodeEncodeError)
    made = _codecnames.bytearray_encoder if changes else _codecnames.encoder
    return _call(ctx, (s, *args_s), keywords, ENCODE_ERRORS, made)


def decode_with(
    ctx: OpContext, s: SomeObject, args_s: tuple[SomeObject, ...], keywords: dict[str, SomeObject]
) -> SomeObject | None:
    """The same for bytes that are decoded."""
    ctx.annotator.constants.classdef(UnicodeDecodeError)
    return _call(ctx, (s, *args_s), keywords, DECODE_ERRORS, _codecnames.decoder)


def _call(
    ctx: OpContext, args_s: tuple[SomeObject, ...], keywords: dict[str, SomeObject],
    handlers: tuple[str, ...], coder: Callable[[str | None], Any],
) -> SomeObject | None:  # fmt: skip
    named = dict(zip(("s_encoding", "s_errors"), args_s[1:])) | keywords
    for s_given in named.values():
        require_kind(ctx, s_given, K_STR, "a str")
    known = {name: s.value for name, s in named.items() if s.is_constant()}
    codec = known.get("s_encoding", None if "s_encoding" in named else "utf-8")
    errors = known.get("s_errors", None if "s_errors" in named else "strict")
    if codec is not None and codec_of(codec) and errors in handlers:
        return None
    try:
        function = coder(codec)
    except Refused as error:
        raise ctx.error(str(error)) from None
    return call_chosen(ctx, function, (args_s[0].without_const(), *args_s[1:]), keywords)


@METHODS.register("encode", SomeString)
def string_encode(
    ctx: OpContext, s: SomeObject, *args_s: SomeObject, **keywords: SomeObject
) -> SomeObject:
    return encode_with(ctx, s, args_s, keywords) or s_Bytes


for _bytes in (SomeBytes, SomeByteArray):

    @METHODS.register("decode", _bytes)
    def bytes_decode(
        ctx: OpContext, s: SomeObject, *args_s: SomeObject, **keywords: SomeObject
    ) -> SomeObject:
        return decode_with(ctx, s, args_s, keywords) or s_Str
