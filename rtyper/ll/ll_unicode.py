"""Properties of characters, from the tables of ``rtyper.unicode_tables``.

``CHARACTERS`` has two stages: ``index[code >> 8]`` numbers a block of 256 code points,
``blocks`` holds one byte of ``IS_...`` bits per code point of each distinct block.
``CASE_MAP``: ``changed`` are the code points that a case mapping changes, sorted;
``mapped`` what they become: a code point, or -1-i for the string ``longer[i]``;
``ignorable``, sorted, and ``flags`` (else null) are for the final sigma of ``str.lower``.
"""

from __future__ import annotations

from rpython.lltypesystem.lltype import (
    Array,
    Char,
    Int32,
    Ptr,
    Signed,
    Struct,
    UInt16,
    _ptr,
    cast_primitive,
)
from rpython.lltypesystem.rstr import STRPTR

FLAG_INDEX = Array(UInt16)
FLAG_BLOCKS = Array(Char)
CHARACTERS = Struct(
    "characters", ("index", Ptr(FLAG_INDEX)), ("blocks", Ptr(FLAG_BLOCKS)),
    hints={"immutable": True},
)  # fmt: skip
CODES = Array(Int32)
STRINGS = Array(STRPTR)
CASE_MAP = Struct(
    "case_map", ("changed", Ptr(CODES)), ("mapped", Ptr(CODES)), ("longer", Ptr(STRINGS)),
    ("ignorable", Ptr(CODES)), ("flags", Ptr(CHARACTERS)), hints={"immutable": True},
)  # fmt: skip

IS_PRINTABLE = 1
IS_ALPHA = 2
IS_DIGIT = 4
IS_ALNUM = 8
IS_SPACE = 16
IS_UPPER = 32
IS_LOWER = 64
IS_TITLE = 128
IS_CASED = IS_UPPER | IS_LOWER | IS_TITLE


def ll_flags(code: int, table: _ptr) -> int:
    """The ``IS_...`` bits of a code point."""
    block = cast_primitive(Signed, table.index[code >> 8])
    return ord(table.blocks[(block << 8) | (code & 255)])


def ll_has_flag(code: int, flag: int, table: _ptr) -> bool:
    return ll_flags(code, table) & flag != 0


def ll_search_codes(codes: _ptr, code: int) -> int:
    """The position of ``code`` in a sorted array of code points, or -1."""
    low = 0
    high = len(codes)
    while low < high:
        middle = (low + high) >> 1
        found = cast_primitive(Signed, codes[middle])
        if found == code:
            return middle
        if found < code:
            low = middle + 1
        else:
            high = middle
    return -1
