"""What characters are called."""

from __future__ import annotations

import ctypes
import unicodedata
from functools import cache

from rpython.rlib.objectmodel import specialize
from rpython.rlib.unicodedata.normal import TRAILS, VOWELS, is_hangul_syllable
from rpython.rlib.unicodedata.tables import HANGUL_FIRST, LAST_CODE

_HANGUL = "HANGUL SYLLABLE "
_LEAD_NAMES = "G GG N D DD R M B BB S SS  J JJ C K T P H".split(" ")
_VOWEL_NAMES = "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I".split(" ")
_TRAIL_NAMES = " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H".split(" ")


class Names:
    """The names of the host's ``unicodedata``.

    ``prefixes``: characters from ``firsts`` to ``lasts`` are called the prefix and their number;
    those in ``exact`` are found in capital letters only.
    ``codes`` are the others, sorted; their names are in ``text``, each up to the next of
    ``starts``; ``by_name`` are the indexes in order of the names.  ``aliases``: other names, and
    names of several characters."""

    def __init__(self) -> None:
        self.prefixes: list[str] = []
        self.firsts: list[int] = []
        self.lasts: list[int] = []
        found: list[tuple[int, str]] = []
        for code in range(LAST_CODE + 1):
            name = unicodedata.name(chr(code), "")
            prefix = name.removesuffix(f"{code:04X}")
            if not name or is_hangul_syllable(code):
                continue
            if prefix == name or not prefix.endswith("-"):
                found.append((code, name))
            elif self.prefixes and self.prefixes[-1] == prefix and self.lasts[-1] == code - 1:
                self.lasts[-1] = code
            else:
                self.prefixes.append(prefix)
                self.firsts.append(code)
                self.lasts.append(code)
        self.exact = {
            prefix: not _knows(f"{prefix.lower()}{first:04X}")
            for prefix, first in zip(self.prefixes, self.firsts, strict=True)
        }
        self.codes = [code for code, _ in found]
        self.text = "".join([name for _, name in found])
        self.starts = [0]
        for _, name in found:
            self.starts.append(self.starts[-1] + len(name))
        self.by_name = sorted(range(len(found)), key=lambda index: found[index][1])
        self.aliases = _aliases()

    def name_at(self, index: int) -> str:
        return self.text[self.starts[index] : self.starts[index + 1]]

    def name(self, code: int) -> str:
        """The name, "" for none."""
        if is_hangul_syllable(code):
            index = code - HANGUL_FIRST
            lead = _LEAD_NAMES[index // (VOWELS * TRAILS)]
            vowel = _VOWEL_NAMES[index // TRAILS % VOWELS]
            return _HANGUL + lead + vowel + _TRAIL_NAMES[index % TRAILS]
        for i in range(len(self.firsts)):
            if self.firsts[i] <= code <= self.lasts[i]:
                return self.prefixes[i] + _number(code)
        low, high = 0, len(self.codes)
        while low < high:
            middle = (low + high) >> 1
            if self.codes[middle] < code:
                low = middle + 1
            else:
                high = middle
        if low < len(self.codes) and self.codes[low] == code:
            return self.name_at(low)
        return ""

    def find(self, name: str) -> str:
        """The character, or the characters, with that name, "" for none.  Capital and small
        letters are the same, except in ``exact`` names and those of Hangul."""
        if name.startswith(_HANGUL):
            return self._find_hangul(name)
        capitals = name.upper()
        end = capitals.rfind("-") + 1
        prefix = capitals[:end]
        if prefix in self.exact and (prefix == name[:end] or not self.exact[prefix]):
            code = _code_of(name[end:] if self.exact[prefix] else capitals[end:])
            return chr(code) if code >= 0 and self.name(code) == capitals else ""
        low, high = 0, len(self.by_name)
        while low < high:
            middle = (low + high) >> 1
            if self.name_at(self.by_name[middle]) < capitals:
                low = middle + 1
            else:
                high = middle
        if low < len(self.by_name) and self.name_at(self.by_name[low]) == capitals:
            return chr(self.codes[self.by_name[low]])
        return self.aliases.get(capitals, "")

    def _find_hangul(self, name: str) -> str:
        at = len(_HANGUL)
        lead = _longest(name, at, _LEAD_NAMES)
        at += len(_LEAD_NAMES[lead])
        vowel = _longest(name, at, _VOWEL_NAMES)
        if vowel < 0:
            return ""
        at += len(_VOWEL_NAMES[vowel])
        trail = _longest(name, at, _TRAIL_NAMES)
        if at + len(_TRAIL_NAMES[trail]) != len(name):
            return ""
        return chr(HANGUL_FIRST + (lead * VOWELS + vowel) * TRAILS + trail)


def _knows(name: str) -> bool:
    """Does the host find a character by that name?"""
    try:
        return bool(unicodedata.lookup(name))
    except KeyError:
        return False


def _longest(name: str, start: int, parts: list[str]) -> int:
    """The index of the longest part that the name goes on with, -1 for none."""
    best = -1
    for i in range(len(parts)):
        if name.startswith(parts[i], start) and (best < 0 or len(parts[i]) > len(parts[best])):
            best = i
    return best


def _number(code: int) -> str:
    """Four hexadecimal digits, or more."""
    digits = hex(code)[2:].upper()
    return "0" * (4 - len(digits)) + digits


def _code_of(digits: str) -> int:
    """The number in hexadecimal, -1 for anything else."""
    if len(digits) != 4 and len(digits) != 5:
        return -1
    code = 0
    for digit in digits:
        value = "0123456789ABCDEF".find(digit)
        if value < 0:
            return -1
        code = code << 4 | value
    return code


class _NameFunctions(ctypes.Structure):
    """What CPython's ``unicodedata`` has for its parser: the first gives the names of all code
    points that ``unicodedata`` uses, also of those that stand for aliases and sequences."""

    _fields_ = [
        (
            "getname",
            ctypes.PYFUNCTYPE(
                ctypes.c_int, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_int, ctypes.c_int
            ),
        )
    ]


_RESERVED = range(0xF0000, 0xF1000)
"""Where CPython keeps aliases and named sequences."""


def _aliases() -> dict[str, str]:
    """Names that ``unicodedata.lookup`` knows and ``unicodedata.name`` does not give."""
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype = ctypes.c_void_p
    pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    capsule = unicodedata._ucnhash_CAPI  # type: ignore[attr-defined]
    place = pointer_of(capsule, b"unicodedata._ucnhash_CAPI")
    functions = ctypes.cast(place, ctypes.POINTER(_NameFunctions)).contents
    buffer = ctypes.create_string_buffer(512)
    found = {}
    for code in _RESERVED:
        if functions.getname(code, buffer, len(buffer), 1):
            name = buffer.value.decode("ascii")
            found[name] = unicodedata.lookup(name)
    return found


@cache
def _made(version: str) -> Names:
    return Names()


@specialize.memo()
def _names(version: str) -> Names:
    return _made(version)


def name_of(code: int) -> str:
    """The name of a character, "" for none."""
    return _names(unicodedata.unidata_version).name(code)


def find_name(name: str) -> str:
    """The character, or the characters, with that name, "" for none."""
    return _names(unicodedata.unidata_version).find(name)
