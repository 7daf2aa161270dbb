"""What the host Python knows about characters, as prebuilt tables.

A program has the Unicode version of the Python that translates it, as it has when that
Python runs it.  A table is made when a program first needs it.  To ask Python about all characters
takes 20 to 80 ms, so what it says is kept on disk.
"""

from __future__ import annotations

import hashlib
import marshal
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rpython.lltypesystem.lltype import _ptr, malloc
from rpython.rtyper.ll.ll_str import prebuilt_str
from rpython.rtyper.ll.ll_unicode import (
    CASE_MAP,
    CHARACTERS,
    CODES,
    FLAG_BLOCKS,
    FLAG_INDEX,
    IS_ALNUM,
    IS_ALPHA,
    IS_DIGIT,
    IS_LOWER,
    IS_PRINTABLE,
    IS_SPACE,
    IS_TITLE,
    IS_UPPER,
    STRINGS,
)
from rpython.translator.ir.diskcache import DiskCache, cache_directory

BLOCK = 256
_LIMIT = 1 << 20
"""Bytes of tables to keep."""
_TESTS: tuple[tuple[int, Callable[[str], bool]], ...] = (
    (IS_PRINTABLE, str.isprintable), (IS_ALPHA, str.isalpha), (IS_DIGIT, str.isdigit),
    (IS_ALNUM, str.isalnum), (IS_SPACE, str.isspace), (IS_UPPER, str.isupper),
    (IS_LOWER, str.islower),
)  # fmt: skip
_WORD = re.compile(r"\w")
_DECIMAL = re.compile(r"\d")
_PLAIN_LETTER = IS_PRINTABLE | IS_ALPHA | IS_ALNUM


def char_flags(char: str) -> int:
    """The ``IS_...`` bits of one character."""
    flags = sum(bit for bit, test in _TESTS if test(char))
    if char.istitle() and not flags & IS_UPPER:
        flags |= IS_TITLE
    return flags


@cache
def _blocks() -> list[tuple[int, str]]:
    """Every block of 256 code points: the first one and the characters."""
    return [
        (start, "".join(map(chr, range(start, start + BLOCK))))
        for start in range(0, 0x110000, BLOCK)
    ]


def _is_blank(block: str) -> bool:
    """Nothing but characters without properties: unassigned, surrogates, format..."""
    escaped = 10 if block[0] > "\uffff" else 6
    return (
        len(repr(block)) == 2 + escaped * BLOCK
        and _WORD.search(block) is None
        and len(block.split()) == 1
        and len(block.strip()) == BLOCK
    )


def _block_flags(block: str) -> bytes:
    if _is_blank(block):
        return bytes(BLOCK)
    if block.isalpha() and block.isprintable():
        special = (str.islower, str.isupper, str.istitle, str.isdigit, str.isspace)
        if not any(any(map(test, block)) for test in special):
            return bytes([_PLAIN_LETTER]) * BLOCK
    return bytes(map(char_flags, block))


@cache
def _kept() -> tuple[DiskCache, str]:
    """Where tables are kept, and what they depend on beside their names."""
    depends = f"{sys.version} {unicodedata.unidata_version}".encode() + Path(__file__).read_bytes()
    return DiskCache(cache_directory("unicode"), _LIMIT), hashlib.sha256(depends).hexdigest()


def _known(name: str, make: Callable[[], Any]) -> Any:
    """What ``make()`` gives, numbers and texts, in this process or in an earlier one."""
    files, host = _kept()
    file = f"{name}-{host}"
    data = files.read(file)
    if data is None:
        made = make()
        files.write(file, marshal.dumps(made))
        return made
    return marshal.loads(data)


@cache
def characters() -> _ptr:
    """The table of character flags, a Ptr(CHARACTERS)."""
    index, blocks = _known("flags", _flags)
    table = malloc(CHARACTERS, immortal=True)
    table.index = malloc(FLAG_INDEX, len(index), immortal=True)
    table.index._obj.items[:] = index
    table.blocks = malloc(FLAG_BLOCKS, len(blocks), immortal=True)
    table.blocks._obj.items[:] = blocks.decode("latin-1")
    return table


def _flags() -> tuple[list[int], bytes]:
    """The number of the flags of each block, and the flags, a byte for each character."""
    numbers: dict[bytes, int] = {}
    index = [numbers.setdefault(_block_flags(block), len(numbers)) for _, block in _blocks()]
    return index, b"".join(numbers)


@cache
def digit_zeros() -> _ptr:
    """The code point of each decimal digit zero, sorted, a Ptr(CODES)."""
    return _codes(_known("zeros", _digit_zeros))


def _digit_zeros() -> list[int]:
    return [
        code
        for start, block in _blocks() if _DECIMAL.search(block)
        for code, char in enumerate(block, start) if unicodedata.decimal(char, None) == 0
    ]  # fmt: skip


def _codes(codes: Sequence[int]) -> _ptr:
    array = malloc(CODES, len(codes), immortal=True)
    array._obj.items[:] = codes
    return array


@cache
def upper_map() -> _ptr:
    """How ``str.upper`` changes characters, a Ptr(CASE_MAP)."""
    return _case_map(str.upper)


@cache
def lower_map() -> _ptr:
    """How ``str.lower`` changes characters, a Ptr(CASE_MAP)."""
    table = _case_map(str.lower, _known("ignorable", lambda: list(_case_ignorable())))
    table.flags = characters()
    return table


@cache
def title_map() -> _ptr:
    """How ``str.title`` changes the first character of a word, a Ptr(CASE_MAP)."""
    return _case_map(str.title)


@cache
def folding_map() -> _ptr:
    """How ``str.casefold`` changes characters, a Ptr(CASE_MAP)."""
    return _case_map(str.casefold)


@cache
def ranges(test: Callable[[str], bool]) -> _ptr:
    """The characters of which ``test`` is true, a Ptr(CODES): the first code point of each range
    and the first one after it."""
    return _codes(_known(f"ranges-{test.__name__}", lambda: _bounds(test)))


def _bounds(test: Callable[[str], bool]) -> list[int]:
    bounds: list[int] = []
    inside = False
    for start, block in _blocks():
        if not inside and _is_blank(block):
            continue
        for code, char in enumerate(block, start):
            if test(char) != inside:
                inside = not inside
                bounds.append(code)
    return bounds


def continues_identifier(char: str) -> bool:
    """May the character stand in an identifier, after the first?"""
    return ("a" + char).isidentifier()


def _case_map(change: Callable[[str], str], ignorable: Sequence[int] = ()) -> _ptr:
    changed, mapped, longer = _known(f"case-{change.__name__}", lambda: _changes(change))
    table = malloc(CASE_MAP, immortal=True)
    for name, codes in (("changed", changed), ("mapped", mapped), ("ignorable", ignorable)):
        setattr(table, name, _codes(codes))
    table.longer = malloc(STRINGS, len(longer), immortal=True)
    table.longer._obj.items[:] = map(prebuilt_str, longer)
    return table


def _changes(change: Callable[[str], str]) -> tuple[list[int], list[int], list[str]]:
    """Which characters it changes, into which one; of those that become several, the number in
    the list of texts, negative, from -1 on."""
    changed: list[int] = []
    mapped: list[int] = []
    longer: list[str] = []
    for start, block in _blocks():
        if change(block) == block:
            continue
        for code, char in enumerate(block, start):
            new = change(char)
            if new == char:
                continue
            changed.append(code)
            if len(new) == 1:
                mapped.append(ord(new))
            else:
                longer.append(new)
                mapped.append(-len(longer))
    return changed, mapped, longer


_NEVER_IGNORABLE = frozenset("Lo Lu Ll Lt Nd No Nl So Sm Sc Zs Cn Co Cs".split())


def _case_ignorable() -> Iterator[int]:
    """Characters that the rule of the final sigma looks past, found by asking for the small
    letter of a capital sigma after them: final (U+03C2) after a letter and them, but not
    after them alone."""
    final = "\u03c2"
    for start, block in _blocks():
        if set(map(unicodedata.category, block)) <= _NEVER_IGNORABLE:
            continue
        for code, char in enumerate(block, start):
            if unicodedata.category(char) in _NEVER_IGNORABLE:
                continue
            if ("A" + char + "\u03a3").lower().endswith(final) and not (
                (char + "\u03a3").lower().endswith(final)
            ):
                yield code
