"""``rpython.rlib.unicodedata`` against the host's ``unicodedata``."""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import random
import unicodedata
from typing import Literal

import pytest

from rpython.rlib.unicodedata import unicodedb
from rpython.rlib.unicodedata.names import find_name, name_of
from rpython.rlib.unicodedata.normal import normalized

CODES = [*range(0x3000), *range(0x3000, 0x110000, 97)]


def found_by_host(name: str) -> str:
    try:
        return unicodedata.lookup(name)
    except KeyError:
        return ""


def test_names() -> None:
    for code in CODES:
        name = unicodedata.name(chr(code), "")
        assert name_of(code) == name
        for variant in (name, name.lower(), name + "X", name[:-1]):
            assert find_name(variant) == found_by_host(variant), variant


def test_flags_and_cases() -> None:
    for code in CODES:
        char = chr(code)
        assert unicodedb.isspace(code) == char.isspace()
        assert unicodedb.isprintable(code) == char.isprintable()
        assert unicodedb.isxidcontinue(code) == ("a" + char).isidentifier()
        assert unicodedb.tolower(code) == _sre.unicode_tolower(code)
        assert unicodedb.category(code) == unicodedata.category(char)
        assert unicodedb.combining(code) == unicodedata.combining(char)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normal_forms(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> None:
    chars = [chr(code) for code in CODES if unicodedata.decomposition(chr(code))]
    chars += map(chr, [*range(0x300, 0x370), *range(0x1100, 0x1200), *range(0xAC00, 0xAD00)])
    rng = random.Random(form)
    for _ in range(5000):
        text = "".join(rng.choices(chars, k=rng.randrange(1, 6)))
        assert normalized(form, text) == unicodedata.normalize(form, text), ascii(text)
