"""Tables of properties of characters, made of the host's ``unicodedata`` when a program first
needs them: ``table("category")`` in a translated program is that table, prebuilt."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Any

from rpython.rlib.objectmodel import specialize

PAGE_BITS = 7
LAST_CODE = 0x10FFFF
HANGUL_FIRST, HANGUL_COUNT = 0xAC00, 11172


class PageTable:
    """A small number for each code point: equal pages of 128 are kept once."""

    def __init__(self, numbers: bytes) -> None:
        size = 1 << PAGE_BITS
        pages = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        places = {page: place for place, page in enumerate(dict.fromkeys(pages))}
        self.index = [places[page] for page in pages]
        self.pages = b"".join(places)

    def get(self, code: int) -> int:
        return self.pages[
            self.index[code >> PAGE_BITS] << PAGE_BITS | code & ((1 << PAGE_BITS) - 1)
        ]


class TextTable:
    """One of a few texts for each code point."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = sorted(set(texts))
        numbers = {text: number for number, text in enumerate(self.texts)}
        self.numbers = PageTable(bytes([numbers[text] for text in texts]))

    def get(self, code: int) -> str:
        return self.texts[self.numbers.get(code)]


IS_SPACE, IS_ALPHA, IS_LINEBREAK, IS_NUMERIC, IS_DIGIT, IS_DECIMAL, IS_PRINTABLE = (
    1, 2, 4, 8, 16, 32, 64,
)  # fmt: skip
IS_UPPER, IS_LOWER, IS_TITLE, IS_XID_START, IS_XID_CONTINUE, IS_MIRRORED = 1, 2, 4, 8, 16, 32


def _is_linebreak(char: str) -> bool:
    return len(f"a{char}a".splitlines()) == 2


def _is_xid_continue(char: str) -> bool:
    return ("a" + char).isidentifier()


_KINDS: list[tuple[int, Callable[[str], Any]]] = [
    (IS_SPACE, str.isspace), (IS_ALPHA, str.isalpha), (IS_LINEBREAK, _is_linebreak),
    (IS_NUMERIC, str.isnumeric), (IS_DIGIT, str.isdigit), (IS_DECIMAL, str.isdecimal),
    (IS_PRINTABLE, str.isprintable),
]  # fmt: skip
_CASES: list[tuple[int, Callable[[str], Any]]] = [
    (IS_UPPER, str.isupper), (IS_LOWER, str.islower),
    (IS_TITLE, lambda char: unicodedata.category(char) == "Lt"), (IS_XID_START, str.isidentifier),
    (IS_XID_CONTINUE, _is_xid_continue), (IS_MIRRORED, unicodedata.mirrored),
]  # fmt: skip


def _flags(tests: list[tuple[int, Callable[[str], Any]]]) -> PageTable:
    """The bits for which the tests hold; for none of what is no assigned character."""
    flags = bytearray(LAST_CODE + 1)
    for code, char in enumerate(_characters()):
        if unicodedata.category(char) not in ("Cn", "Co", "Cs"):
            flags[code] = sum(bit for bit, test in tests if test(char))
    return PageTable(bytes(flags))


@cache
def _characters() -> list[str]:
    return list(map(chr, range(LAST_CODE + 1)))


def _texts(function: Callable[[str], str]) -> TextTable:
    return TextTable(list(map(function, _characters())))


def _sparse(function: Callable[..., Any]) -> dict[int, Any]:
    """What it gives for the characters that have such a value."""
    found = {ord(char): function(char, None) for char in _characters()}
    return {code: value for code, value in found.items() if value is not None}


@cache
def _decomposed() -> list[str]:
    """The characters with a decomposition of their own, which Hangul syllables have not."""
    return [char for char in _characters() if unicodedata.decomposition(char)]


def _full_decompositions(form: str) -> dict[int, str]:
    return {
        ord(char): text
        for char in _decomposed()
        for text in [unicodedata.normalize(form, char)]  # type: ignore[arg-type]
        if text != char
    }


def pair_key(first: int, second: int) -> int:
    return first << 21 | second


def _compositions() -> dict[int, int]:
    """The characters that two make, by ``pair_key``."""
    found = {}
    for char in _decomposed():
        codes = unicodedata.decomposition(char).split()
        if len(codes) == 2 and not codes[0].startswith("<"):
            first, second = (int(code, 16) for code in codes)
            if unicodedata.normalize("NFC", chr(first) + chr(second)) == char:
                found[pair_key(first, second)] = ord(char)
    return found


def _changed(function: Callable[[str], str]) -> dict[int, str]:
    """What becomes of the characters that a function of texts changes."""
    return {ord(char): function(char) for char in _characters() if function(char) != char}


_MAKERS: dict[str, Callable[[], Any]] = {
    "kinds": lambda: _flags(_KINDS),
    "cases": lambda: _flags(_CASES),
    "category": lambda: _texts(unicodedata.category),
    "bidirectional": lambda: _texts(unicodedata.bidirectional),
    "east_asian_width": lambda: _texts(unicodedata.east_asian_width),
    "combining": lambda: PageTable(bytes(map(unicodedata.combining, _characters()))),
    "decimal": lambda: _sparse(unicodedata.decimal),
    "digit": lambda: _sparse(unicodedata.digit),
    "numeric": lambda: _sparse(unicodedata.numeric),
    "decomposition": lambda: {ord(char): unicodedata.decomposition(char) for char in _decomposed()},
    "NFD": lambda: _full_decompositions("NFD"),
    "NFKD": lambda: _full_decompositions("NFKD"),
    "composition": _compositions,
    "upper": lambda: _changed(str.upper),
    "lower": lambda: _changed(str.lower),
    "title": lambda: _changed(str.title),
    "casefold": lambda: _changed(str.casefold),
}


@cache
def _made(name: str) -> Any:
    return _MAKERS[name]()


@specialize.memo()
def table(name: str) -> Any:
    """The table with that name."""
    return _made(name)
