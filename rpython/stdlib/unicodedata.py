"""Python's ``unicodedata`` in translated programs."""

from __future__ import annotations

import unicodedata
from typing import Any

from rpython.rlib.unicodedata import unicodedb
from rpython.rlib.unicodedata.names import find_name, name_of
from rpython.rlib.unicodedata.normal import normalized
from rpython.stdlib._registry import replaces


def _code(function: str, chr: str) -> int:
    if len(chr) != 1:
        raise TypeError(function + "() argument must be a unicode character, not str")
    return ord(chr)


@replaces(unicodedata.category)
def category(chr: str, /) -> str:
    return unicodedb.category(_code("category", chr))


@replaces(unicodedata.bidirectional)
def bidirectional(chr: str, /) -> str:
    return unicodedb.bidirectional(_code("bidirectional", chr))


@replaces(unicodedata.combining)
def combining(chr: str, /) -> int:
    return unicodedb.combining(_code("combining", chr))


@replaces(unicodedata.east_asian_width)
def east_asian_width(chr: str, /) -> str:
    return unicodedb.east_asian_width(_code("east_asian_width", chr))


@replaces(unicodedata.mirrored)
def mirrored(chr: str, /) -> int:
    return int(unicodedb.mirrored(_code("mirrored", chr)))


@replaces(unicodedata.decomposition)
def decomposition(chr: str, /) -> str:
    return unicodedb.decomposition(_code("decomposition", chr))


@replaces(unicodedata.decimal)
def decimal(chr: str, /, *default: Any) -> Any:
    code = _code("decimal", chr)
    if unicodedb.isdecimal(code):
        return unicodedb.decimal(code)
    if not default:
        raise ValueError("not a decimal")
    return default[0]


@replaces(unicodedata.digit)
def digit(chr: str, /, *default: Any) -> Any:
    code = _code("digit", chr)
    if unicodedb.isdigit(code):
        return unicodedb.digit(code)
    if not default:
        raise ValueError("not a digit")
    return default[0]


@replaces(unicodedata.numeric)
def numeric(chr: str, /, *default: Any) -> Any:
    code = _code("numeric", chr)
    if unicodedb.isnumeric(code):
        return unicodedb.numeric(code)
    if not default:
        raise ValueError("not a numeric character")
    return default[0]


@replaces(unicodedata.name)
def name(chr: str, /, *default: Any) -> Any:
    found = name_of(_code("name", chr))
    if found:
        return found
    if not default:
        raise ValueError("no such name")
    return default[0]


@replaces(unicodedata.lookup)
def lookup(name: str, /) -> str:
    found = find_name(name)
    if not found:
        raise KeyError("undefined character name '" + name + "'")
    return found


@replaces(unicodedata.normalize)
def normalize(form: str, unistr: str, /) -> str:
    return normalized(form, unistr)


@replaces(unicodedata.is_normalized)
def is_normalized(form: str, unistr: str, /) -> bool:
    return normalized(form, unistr) == unistr
