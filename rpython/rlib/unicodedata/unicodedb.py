"""Properties of characters by their code points."""

from __future__ import annotations

from rpython.rlib.unicodedata.names import find_name, name_of
from rpython.rlib.unicodedata.normal import (
    compose_pair,
    full_decomposition,
    hangul_parts,
    is_hangul_syllable,
)
from rpython.rlib.unicodedata.tables import (
    IS_ALPHA,
    IS_DECIMAL,
    IS_DIGIT,
    IS_LINEBREAK,
    IS_LOWER,
    IS_MIRRORED,
    IS_NUMERIC,
    IS_PRINTABLE,
    IS_SPACE,
    IS_TITLE,
    IS_UPPER,
    IS_XID_CONTINUE,
    IS_XID_START,
    table,
)


def category(code: int) -> str:
    """The general category: ``Lu``, ``Nd``..."""
    result: str = table("category").get(code)
    return result


def bidirectional(code: int) -> str:
    """The bidirectional class, "" for none."""
    result: str = table("bidirectional").get(code)
    return result


def east_asian_width(code: int) -> str:
    result: str = table("east_asian_width").get(code)
    return result


def combining(code: int) -> int:
    """The canonical combining class, 0 for none."""
    result: int = table("combining").get(code)
    return result


def _is_kind(code: int, bit: int) -> bool:
    return bool(table("kinds").get(code) & bit)


def _is_case(code: int, bit: int) -> bool:
    return bool(table("cases").get(code) & bit)


def isspace(code: int) -> bool:
    return _is_kind(code, IS_SPACE)


def isalpha(code: int) -> bool:
    return _is_kind(code, IS_ALPHA)


def islinebreak(code: int) -> bool:
    return _is_kind(code, IS_LINEBREAK)


def isnumeric(code: int) -> bool:
    return _is_kind(code, IS_NUMERIC)


def isdigit(code: int) -> bool:
    return _is_kind(code, IS_DIGIT)


def isdecimal(code: int) -> bool:
    return _is_kind(code, IS_DECIMAL)


def isprintable(code: int) -> bool:
    return _is_kind(code, IS_PRINTABLE)


def isalnum(code: int) -> bool:
    return _is_kind(code, IS_ALPHA | IS_NUMERIC)


def isupper(code: int) -> bool:
    return _is_case(code, IS_UPPER)


def islower(code: int) -> bool:
    return _is_case(code, IS_LOWER)


def istitle(code: int) -> bool:
    """Is it a letter in title case?"""
    return _is_case(code, IS_TITLE)


def iscased(code: int) -> bool:
    """Is it a letter with case?"""
    return _is_case(code, IS_UPPER | IS_LOWER | IS_TITLE)


def isxidstart(code: int) -> bool:
    """May a name in a Python program begin with it?"""
    return _is_case(code, IS_XID_START)


def isxidcontinue(code: int) -> bool:
    """May a name in a Python program go on with it?"""
    return _is_case(code, IS_XID_CONTINUE)


def mirrored(code: int) -> bool:
    return _is_case(code, IS_MIRRORED)


def decimal(code: int) -> int:
    """Its value as a decimal digit.  Raises KeyError if it is none."""
    values: dict[int, int] = table("decimal")
    return values[code]


def digit(code: int) -> int:
    """Its value as a digit.  Raises KeyError if it is none."""
    values: dict[int, int] = table("digit")
    return values[code]


def numeric(code: int) -> float:
    """Its value as a number.  Raises KeyError if it is none."""
    values: dict[int, float] = table("numeric")
    return values[code]


def decomposition(code: int) -> str:
    """The decomposition as Unicode's data has it, "" for none."""
    texts: dict[int, str] = table("decomposition")
    return texts.get(code, "")


def canon_decomposition(code: int) -> list[int]:
    """The code points of the canonical decomposition, none for a character that stays."""
    if is_hangul_syllable(code):
        return hangul_parts(code)
    return [ord(char) for char in full_decomposition(code, False)]


def compat_decomposition(code: int) -> list[int]:
    """The same of the compatibility decomposition."""
    if is_hangul_syllable(code):
        return hangul_parts(code)
    return [ord(char) for char in full_decomposition(code, True)]


def composition(current: int, next: int) -> int:
    """The character that both make.  Raises KeyError if there is none."""
    code = compose_pair(current, next)
    if code < 0:
        raise KeyError(next)
    return code


def toupper(code: int) -> int:
    """The one capital letter, itself if there is none."""
    upper = toupper_full(code)
    return upper[0] if len(upper) == 1 else totitle(code)


def totitle(code: int) -> int:
    """The one letter in title case, itself if there is none."""
    title = totitle_full(code)
    return title[0] if len(title) == 1 else code


def tolower(code: int) -> int:
    """The one small letter, itself if there is none."""
    # of a letter that becomes two the other one is an accent
    return tolower_full(code)[0]


def toupper_full(code: int) -> list[int]:
    """All that it becomes in capitals."""
    return _mapped(table("upper"), code)


def tolower_full(code: int) -> list[int]:
    """All that it becomes in small letters."""
    return _mapped(table("lower"), code)


def totitle_full(code: int) -> list[int]:
    """All that it becomes at the start of a title."""
    return _mapped(table("title"), code)


def casefold_lookup(code: int) -> list[int] | None:
    """All that it becomes for comparisons without case, None where that is ``tolower``."""
    folded = _mapped(table("casefold"), code)
    return None if folded == [tolower(code)] else folded


def _mapped(changed: dict[int, str], code: int) -> list[int]:
    if code in changed:
        return [ord(char) for char in changed[code]]
    return [code]


def name(code: int) -> str:
    """What it is called.  Raises KeyError if it has no name."""
    found = name_of(code)
    if not found:
        raise KeyError(code)
    return found


def lookup(name: str) -> int:
    """The character with that name.  Raises KeyError if there is none."""
    found = find_name(name)
    if len(found) != 1:
        raise KeyError(name)
    return ord(found)


def lookup_named_sequence(name: str) -> str:
    """The characters that together have that name.  Raises KeyError if there are none."""
    found = find_name(name)
    if len(found) < 2:
        raise KeyError(name)
    return found
