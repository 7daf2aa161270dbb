"""``rpython.rlib.runicode`` against CPython's codecs."""

import codecs
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rpython.rlib import runicode

DECODERS: dict[str, Callable[..., Any]] = {
    "utf-8": runicode.str_decode_utf_8,
    "ascii": runicode.str_decode_ascii,
    "latin-1": runicode.str_decode_latin_1,
    "utf-16": runicode.str_decode_utf_16,
    "utf-16-le": runicode.str_decode_utf_16_le,
    "utf-16-be": runicode.str_decode_utf_16_be,
    "utf-7": runicode.str_decode_utf_7,
    "unicode-escape": runicode.str_decode_unicode_escape,
    "raw-unicode-escape": runicode.str_decode_raw_unicode_escape,
    "utf-32": runicode.str_decode_utf_32,
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
    "utf-7": runicode.unicode_encode_utf_7,
    "unicode-escape": runicode.unicode_encode_unicode_escape,
    "raw-unicode-escape": runicode.unicode_encode_raw_unicode_escape,
    "utf-32": runicode.unicode_encode_utf_32,
    "utf-32-le": runicode.unicode_encode_utf_32_le,
    "utf-32-be": runicode.unicode_encode_utf_32_be,
}
PIECES = [
    "a", "\xe9", "\xff\xfe", "\xd8\0", "\0\xdc", "\xf0\x9f\x98\x80", "\xed\xa0\x80", "\xe2\x82",
    "\0", "\x80", "\xf4\x90", "\xc0\x80", "\\", "u", "20Ac", "U", "0010", "x", "n", "101", "+",
    "-", "2D3eAA", "/", " ", "\0\0\xfe\xff",
]  # fmt: skip
DATA = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.binary(max_size=8).map(
    lambda data: data.decode("latin-1")
)
CHARACTERS = "+-/ ~&\n\\a\x7f\x80\xff\u0100\ud800\udfff\ue000\U00010000\U0010ffff"
TEXT = st.text(st.sampled_from(CHARACTERS), max_size=6)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encoding", DECODERS)
@settings(max_examples=150)
@given(s=DATA, errors=st.sampled_from(["strict", "ignore", "replace"]), final=st.booleans())
def test_decodes(encoding: str, s: str, errors: str, final: bool) -> None:
    assume("\\N" not in s)
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


TABLE = {chr(i): chr(0x400 + i) for i in range(100, 200)} | {"a": "xy", "b": "\ufffe"}
BACK = {text: byte for byte, text in TABLE.items() if len(text) == 1} | {"z": "12"}


@given(s=DATA, errors=st.sampled_from(["strict", "ignore", "replace"]))
def test_decodes_with_a_table(s: str, errors: str) -> None:
    mapping = {ord(byte): text for byte, text in TABLE.items()}
    expected: Any
    try:
        expected = codecs.charmap_decode(s.encode("latin-1"), errors, mapping)
    except UnicodeDecodeError as error:
        expected = error.start, error.end
    try:
        got = runicode.str_decode_charmap(s, len(s), errors, True, None, TABLE)
    except runicode.CodecError as error:
        got = error.start, error.end
    assert got == expected


@given(text=st.text(st.sampled_from([*BACK, "?", "\ud800"])),
       errors=st.sampled_from(["strict", "ignore", "replace"]))  # fmt: skip
def test_encodes_with_a_table(text: str, errors: str) -> None:
    for table in (BACK, BACK | {"?": "!"}):
        mapping = {ord(c): data.encode("latin-1") for c, data in table.items()}
        expected: Any
        try:
            expected = codecs.charmap_encode(text, errors, mapping)[0].decode("latin-1")
        except UnicodeEncodeError as error:
            expected = error.start
        try:
            got = runicode.unicode_encode_charmap(text, len(text), errors, None, table)
        except runicode.CodecError as error:
            got = error.start
        assert got == expected
