"""``rpython.rlib.runicode`` against CPython's codecs."""

import codecs
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib import runicode

DECODERS: dict[str, Callable[..., Any]] = {
    "utf-8": runicode.str_decode_utf_8,
    "ascii": runicode.str_decode_ascii,
    "latin-1": runicode.str_decode_latin_1,
    "utf-16": runicode.str_decode_utf_16,
    "utf-16-le": runicode.str_decode_utf_16_le,
    "utf-16-be": runicode.str_decode_utf_16_be,
    "utf-32-le": runicode.str_decode_utf_32_le,
    "utf-32-be": runicode.str_decode_utf_32_be,
}
ENCODERS: dict[str, Callable[..., Any]] = {
    "utf-8": runicode.unicode_encode_utf_8,
    "ascii": runicode.unicode_encode_ascii,
    "latin-1": runicode.unicode_encode_latin_1,
    "utf-16": runicode.unicode_encode_utf_16,
    "utf-16-le": runicode.unicode_encode_utf_16_le,
    "utf-16-be": runicode.unicode_encode_utf_16_be,
    "utf-32-le": runicode.unicode_encode_utf_32_le,
    "utf-32-be": runicode.unicode_encode_utf_32_be,
}
PIECES = [
    "a", "\xe9", "\xff\xfe", "\xd8\0", "\0\xdc", "\xf0\x9f\x98\x80", "\xed\xa0\x80", "\xe2\x82",
    "\0", "\x80", "\xf4\x90", "\xc0\x80",
]  # fmt: skip
DATA = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.binary(max_size=8).map(
    lambda data: data.decode("latin-1")
)
CHARACTERS = "a\x7f\x80\xff\u0100\ud800\udfff\ue000\U00010000\U0010ffff"
TEXT = st.text(st.sampled_from(CHARACTERS), max_size=6)


@pytest.mark.parametrize("encoding", DECODERS)
@settings(max_examples=150)
@given(s=DATA, errors=st.sampled_from(["strict", "ignore", "replace"]), final=st.booleans())
def test_decodes(encoding: str, s: str, errors: str, final: bool) -> None:
    raw = s.encode("latin-1")
    expected: Any
    try:
        if encoding in ("ascii", "latin-1"):
            expected = codecs.lookup(encoding).decode(raw, errors)
        else:
            expected = getattr(codecs, encoding.replace("-", "_") + "_decode")(raw, errors, final)
    except UnicodeDecodeError as error:
        expected = error.start, error.end
    try:
        got = DECODERS[encoding](s, len(s), errors, final)
    except runicode.CodecError as error:
        got = error.start, error.end
    assert got == expected


@pytest.mark.parametrize("encoding", ENCODERS)
@given(text=TEXT, errors=st.sampled_from(["strict", "ignore", "replace"]))
def test_encodes(encoding: str, text: str, errors: str) -> None:
    expected: Any
    try:
        expected = text.encode(encoding, errors).decode("latin-1")
    except UnicodeEncodeError as error:
        expected = error.start
    try:
        got = ENCODERS[encoding](text, len(text), errors)
    except runicode.CodecError as error:
        got = error.start
    assert got == expected
