"""str: allocation, reading, hashing, comparing, concatenating, slicing, searching.

Storage is canonical (see ``lltypesystem.rstr``): a str is wide exactly when it has a
character above U+00FF.  Every helper that makes a str keeps that.  "Exact" pointers are
``Ptr(STR1)`` or ``Ptr(STR4)``; helpers that take one are specialised for either.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Array,
    Char,
    Signed,
    UniChar,
    Void,
    _ptr,
    cast_pointer,
    cast_primitive,
    malloc,
)
from rpython.lltypesystem.operations.seldom import seldom_called
from rpython.lltypesystem.rstr import STR1, STR1PTR, STR4, STR4PTR, STRPTR, make_str
from rpython.rlib._hashes import text_hash
from rpython.rtyper.ll import ll_siphash


def prebuilt_str(text: str) -> _ptr:
    """A new STRPTR for ``text`` with its hash computed."""
    p = make_str(text)
    p.hash = text_hash(text)
    return p


class OneCharacterStrs:
    """The items of ``LATIN1_CHARS``, each made when it is first looked at."""

    def __init__(self) -> None:
        self._made: dict[int, _ptr] = {}

    def __len__(self) -> int:
        return 256

    def __getitem__(self, code: Any) -> _ptr:
        if code not in self._made:
            self._made[code] = prebuilt_str(chr(range(256)[code]))
        return self._made[code]


def _make_latin1_table() -> _ptr:
    table = malloc(Array(STRPTR), 256, immortal=True)
    table._obj.items = OneCharacterStrs()
    return table


LATIN1_CHARS = _make_latin1_table()
"""The one-character str of each code point up to 255."""
EMPTY = prebuilt_str("")

# -- making and reading -----------------------------------------------------------------------


def ll_alloc1(length: int) -> _ptr:
    """A narrow str (STR1PTR) whose characters are still to be written."""
    p = malloc(STR1, length)
    p.base.length = length
    return p


def ll_alloc4(length: int) -> _ptr:
    """A wide str (STR4PTR) whose characters are still to be written."""
    p = malloc(STR4, length)
    p.base.length = length
    p.base.wide = True
    return p


def ll_alloc(length: int, wide: bool) -> _ptr:
    """A str (STRPTR) whose characters are still to be written."""
    if wide:
        return cast_pointer(STRPTR, ll_alloc4(length))
    return cast_pointer(STRPTR, ll_alloc1(length))


def ll_narrow(s: _ptr) -> _ptr:
    """A narrow STRPTR as its exact pointer."""
    return cast_pointer(STR1PTR, s)


def ll_wide(s: _ptr) -> _ptr:
    """A wide STRPTR as its exact pointer."""
    return cast_pointer(STR4PTR, s)


def ll_char_at(s: _ptr, index: int) -> str:
    """The character (UniChar) at an index that is in range."""
    if s.wide:
        return ll_wide(s).chars[index]
    return cast_primitive(UniChar, ll_narrow(s).chars[index])


def ll_ord_at(s: _ptr, index: int) -> int:
    return ord(ll_char_at(s, index))


def ll_put_char(s: _ptr, index: int, char: str) -> None:
    """Write a character that fits the storage of ``s``, which is still being made."""
    if s.wide:
        ll_wide(s).chars[index] = char
    else:
        ll_narrow(s).chars[index] = cast_primitive(Char, char)


def ll_put(target: _ptr, at: int, source: _ptr) -> int:
    """Copy all of ``source`` into ``target``, which is still being made; where it ends."""
    length = source.length
    ll_copy(source, 0, target, at, length)
    return at + length


def ll_copy(source: _ptr, start: int, target: _ptr, at: int, length: int) -> None:
    """Copy characters; ``target`` must be wide if one of them is above U+00FF."""
    if target.wide:
        if source.wide:
            ll_copy_exact(ll_wide(source), start, ll_wide(target), at, length)
        else:
            ll_copy_converting(ll_narrow(source), start, ll_wide(target), at, length, UniChar)
    elif source.wide:
        ll_copy_converting(ll_wide(source), start, ll_narrow(target), at, length, Char)
    else:
        ll_copy_exact(ll_narrow(source), start, ll_narrow(target), at, length)


def ll_copy_exact(source: _ptr, start: int, target: _ptr, at: int, length: int) -> None:
    llop.copy_array_items(Void, source.chars, target.chars, start, at, length)


def ll_copy_converting(
    source: _ptr, start: int, target: _ptr, at: int, length: int, CHAR: Any
) -> None:
    i = 0
    while i < length:
        target.chars[at + i] = cast_primitive(CHAR, source.chars[start + i])
        i += 1


def ll_chr2str(char: str) -> _ptr:
    """A character (UniChar) as a str."""
    code = ord(char)
    if code < 256:
        return LATIN1_CHARS[code]
    p = ll_alloc4(1)
    p.chars[0] = char
    return cast_pointer(STRPTR, p)


def ll_str2chr(s: _ptr) -> str:
    """The only character of a str of length one."""
    return ll_char_at(s, 0)


# -- hashing and comparing --------------------------------------------------------------------


def ll_strhash(s: _ptr) -> int:
    """The hash of a str, kept in the str; 0 stands for "not computed yet", too."""
    h = s.hash
    if h == 0:
        h = ll_compute_hash(s)
    return h


@seldom_called
def ll_compute_hash(s: _ptr) -> int:
    """Compute the hash, and keep it."""
    if s.length == 0:
        return 0
    if s.wide:
        h = ll_siphash.ll_wide_hash(ll_wide(s).chars, s.length)
    else:
        h = ll_siphash.ll_narrow_hash(ll_narrow(s).chars, s.length)
    s.hash = h
    return h


def ll_streq(a: _ptr, b: _ptr) -> bool:
    if a == b:
        return True
    length = a.length
    if length != b.length or a.wide != b.wide:
        return False
    if a.wide:
        return ll_same_items(ll_wide(a), 0, ll_wide(b), 0, length)
    return ll_same_items(ll_narrow(a), 0, ll_narrow(b), 0, length)


def ll_same_items(a: _ptr, astart: int, b: _ptr, bstart: int, length: int) -> bool:
    """Are ``length`` characters of two exact strs the same?"""
    i = 0
    while i < length:
        if ord(a.chars[astart + i]) != ord(b.chars[bstart + i]):
            return False
        i += 1
    return True


def ll_str_equals_char(s: _ptr, char: str) -> bool:
    if s.length != 1:
        return False
    return ll_char_at(s, 0) == char


def ll_strcmp(a: _ptr, b: _ptr) -> int:
    """Negative, zero or positive, by code points."""
    if a.wide:
        if b.wide:
            return ll_compare_exact(ll_wide(a), ll_wide(b), a.length, b.length)
        return ll_compare_exact(ll_wide(a), ll_narrow(b), a.length, b.length)
    if b.wide:
        return ll_compare_exact(ll_narrow(a), ll_wide(b), a.length, b.length)
    return ll_compare_exact(ll_narrow(a), ll_narrow(b), a.length, b.length)


def ll_compare_exact(a: _ptr, b: _ptr, alength: int, blength: int) -> int:
    common = alength
    if blength < common:
        common = blength
    i = 0
    while i < common:
        difference = ord(a.chars[i]) - ord(b.chars[i])
        if difference != 0:
            return difference
        i += 1
    return alength - blength


def ll_strlt(a: _ptr, b: _ptr) -> bool:
    return ll_strcmp(a, b) < 0


# -- concatenating and slicing ----------------------------------------------------------------


def ll_strconcat(a: _ptr, b: _ptr) -> _ptr:
    alength = a.length
    blength = b.length
    if alength == 0:
        return b
    if blength == 0:
        return a
    result = ll_alloc(alength + blength, a.wide or b.wide)
    ll_copy(a, 0, result, 0, alength)
    ll_copy(b, 0, result, alength, blength)
    return result


def ll_str_add_char(s: _ptr, char: str) -> _ptr:
    length = s.length
    result = ll_alloc(length + 1, s.wide or ord(char) > 255)
    ll_copy(s, 0, result, 0, length)
    ll_put_char(result, length, char)
    return result


def ll_strmul(s: _ptr, count: int) -> _ptr:
    length = s.length
    if count <= 0 or length == 0:
        return EMPTY
    if count == 1:
        return s
    if length > llop.int_floordiv(Signed, 9223372036854775807, count):
        raise OverflowError("repeated string is too long")
    total = length * count
    result = ll_alloc(total, s.wide)
    ll_copy(s, 0, result, 0, length)
    done = length
    while done < total:
        step = done
        if step > total - done:
            step = total - done
        ll_copy(result, 0, result, done, step)
        done += step
    return result


def ll_has_wide(p: _ptr, start: int, stop: int, step: int) -> bool:
    """Is one of ``p.chars[start:stop:step]`` above U+00FF?  ``p`` is a STR4PTR; ``step``
    may be negative, then ``stop`` is below ``start``."""
    i = start
    while i != stop:
        if ord(p.chars[i]) > 255:
            return True
        i += step
    return False


def ll_slice(s: _ptr, start: int, stop: int) -> _ptr:
    """``s[start:stop]`` where ``0 <= start <= stop <= len(s)``."""
    length = stop - start
    if length == s.length:
        return s
    if length == 0:
        return EMPTY
    if length == 1:
        return ll_chr2str(ll_char_at(s, start))
    if s.wide:
        result = ll_alloc(length, ll_has_wide(ll_wide(s), start, stop, 1))
        ll_copy(s, start, result, 0, length)
        return result
    narrow = ll_alloc1(length)
    ll_copy_exact(ll_narrow(s), start, narrow, 0, length)
    return cast_pointer(STRPTR, narrow)


def ll_slice_step(s: _ptr, start: int, step: int, count: int) -> _ptr:
    """``count`` characters of ``s`` from ``start`` on, ``step`` apart."""
    if count == 0:
        return EMPTY
    wide = s.wide
    if wide:
        wide = ll_has_wide(ll_wide(s), start, start + step * count, step)
    result = ll_alloc(count, wide)
    i = 0
    while i < count:
        ll_put_char(result, i, ll_char_at(s, start))
        start += step
        i += 1
    return result


# -- searching --------------------------------------------------------------------------------


def ll_contains_char(s: _ptr, char: str) -> bool:
    return ll_find_char(s, char, 0, s.length) >= 0


def ll_find_char(s: _ptr, char: str, start: int, stop: int) -> int:
    """The first index in ``start:stop`` (in range) of a character, or -1."""
    code = ord(char)
    if s.wide:
        return ll_find_code(ll_wide(s), code, start, stop)
    return ll_find_code(ll_narrow(s), code, start, stop)


def ll_find_code(p: _ptr, code: int, start: int, stop: int) -> int:
    while start < stop:
        if ord(p.chars[start]) == code:
            return start
        start += 1
    return -1


def ll_rfind_char(s: _ptr, char: str, start: int, stop: int) -> int:
    """The last index in ``start:stop`` (in range) of a character, or -1."""
    while start < stop:
        stop -= 1
        if ll_char_at(s, stop) == char:
            return stop
    return -1


def ll_contains(s: _ptr, part: _ptr) -> bool:
    return ll_find_in(s, part, 0, s.length) >= 0


def ll_find_in(s: _ptr, part: _ptr, start: int, stop: int) -> int:
    """The first index in ``start:stop`` (``0 <= start``, ``stop <= len(s)``) where ``part``
    begins and fits, or -1."""
    if part.length == 1:
        return ll_find_char(s, ll_char_at(part, 0), start, stop)
    if start > stop:
        return -1
    if s.wide:
        if part.wide:
            return ll_search(ll_wide(s), ll_wide(part), part.length, start, stop)
        return ll_search(ll_wide(s), ll_narrow(part), part.length, start, stop)
    if part.wide:
        return -1
    return ll_search(ll_narrow(s), ll_narrow(part), part.length, start, stop)


def ll_search(p: _ptr, part: _ptr, length: int, start: int, stop: int) -> int:
    """Substring search: compare the last character first; when the character after the
    window is not in ``part`` skip the whole window (Sunday's quick search, with a 64-bit
    set of the characters of ``part``)."""
    if length == 0:
        return start
    last = length - 1
    last_code = ord(part.chars[last])
    present = 0
    skip = last
    i = 0
    while i < length:
        code = ord(part.chars[i])
        present |= llop.int_lshift(Signed, 1, code & 63)
        if code == last_code and i < last:
            skip = last - i - 1
        i += 1
    final = stop - length
    at = start
    while at <= final:
        if ord(p.chars[at + last]) == last_code:
            if ll_same_items(p, at, part, 0, last):
                return at
            if at < final and not ll_in_set(present, ord(p.chars[at + length])):
                at += length
            else:
                at += skip
        elif at < final and not ll_in_set(present, ord(p.chars[at + length])):
            at += length
        at += 1
    return -1


def ll_in_set(present: int, code: int) -> bool:
    return llop.int_rshift(Signed, present, code & 63) & 1 != 0


def ll_rfind_in(s: _ptr, part: _ptr, start: int, stop: int) -> int:
    """The last index in ``start:stop`` (as for ``ll_find_in``) where ``part`` begins and
    fits, or -1."""
    length = part.length
    at = stop - length
    while at >= start:
        if ll_matches(s, at, part):
            return at
        at -= 1
    return -1


def ll_matches(s: _ptr, at: int, part: _ptr) -> bool:
    """Does ``part`` stand at ``at``?  It fits there."""
    length = part.length
    if s.wide:
        if part.wide:
            return ll_same_items(ll_wide(s), at, ll_wide(part), 0, length)
        return ll_same_items(ll_wide(s), at, ll_narrow(part), 0, length)
    if part.wide:
        return False
    return ll_same_items(ll_narrow(s), at, ll_narrow(part), 0, length)


def ll_in_table(code: int, table: _ptr) -> bool:
    """Look up a code point in an array of 256 Bools; those above are not in it."""
    if code > 255:
        return False
    return table[code]
