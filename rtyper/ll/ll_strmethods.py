"""Methods of str: searching in bounds, stripping, replacing, tests of characters."""

from __future__ import annotations

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Signed, _ptr
from rpython.rtyper.ll.ll_str import (
    EMPTY,
    ll_alloc,
    ll_copy,
    ll_find_in,
    ll_has_wide,
    ll_matches,
    ll_ord_at,
    ll_put,
    ll_put_char,
    ll_rfind_char,
    ll_rfind_in,
    ll_slice,
    ll_wide,
)
from rpython.rtyper.ll.ll_unicode import (
    IS_LOWER,
    IS_SPACE,
    IS_TITLE,
    IS_UPPER,
    ll_flags,
    ll_has_flag,
)

# -- searching --------------------------------------------------------------------------------


def ll_count(s: _ptr, part: _ptr, start: int, stop: int) -> int:
    """How often ``part`` is in ``start:stop``, without overlaps."""
    if start > stop:
        return 0
    if part.length == 0:
        return stop - start + 1
    count = 0
    while True:
        start = ll_find_in(s, part, start, stop)
        if start < 0:
            return count
        count += 1
        start += part.length


def ll_rfind(s: _ptr, part: _ptr, start: int, stop: int) -> int:
    if part.length == 1:
        return ll_rfind_char(s, chr(ll_ord_at(part, 0)), start, stop)
    return ll_rfind_in(s, part, start, stop)


def ll_index(s: _ptr, part: _ptr, start: int, stop: int) -> int:
    result = ll_find_in(s, part, start, stop)
    if result < 0:
        raise ValueError("substring not found")
    return result


def ll_rindex(s: _ptr, part: _ptr, start: int, stop: int) -> int:
    result = ll_rfind(s, part, start, stop)
    if result < 0:
        raise ValueError("substring not found")
    return result


def ll_startswith(s: _ptr, part: _ptr, start: int, stop: int) -> bool:
    if stop - part.length < start:
        return False
    return ll_matches(s, start, part)


def ll_endswith(s: _ptr, part: _ptr, start: int, stop: int) -> bool:
    at = stop - part.length
    if at < start:
        return False
    return ll_matches(s, at, part)


def ll_removeprefix(s: _ptr, part: _ptr) -> _ptr:
    if ll_startswith(s, part, 0, s.length):
        return ll_slice(s, part.length, s.length)
    return s


def ll_removesuffix(s: _ptr, part: _ptr) -> _ptr:
    if ll_endswith(s, part, 0, s.length):
        return ll_slice(s, 0, s.length - part.length)
    return s


def ll_find_separator(s: _ptr, separator: _ptr) -> int:
    """Where ``partition`` splits, or -1."""
    if separator.length == 0:
        raise ValueError("empty separator")
    return ll_find_in(s, separator, 0, s.length)


def ll_rfind_separator(s: _ptr, separator: _ptr) -> int:
    """Where ``rpartition`` splits, or -1."""
    if separator.length == 0:
        raise ValueError("empty separator")
    return ll_rfind_in(s, separator, 0, s.length)


# -- stripping --------------------------------------------------------------------------------


def ll_strip_space(s: _ptr, left: bool, right: bool, table: _ptr) -> _ptr:
    start = 0
    stop = s.length
    if left:
        while start < stop and ll_has_flag(ll_ord_at(s, start), IS_SPACE, table):
            start += 1
    if right:
        while stop > start and ll_has_flag(ll_ord_at(s, stop - 1), IS_SPACE, table):
            stop -= 1
    return ll_slice(s, start, stop)


def ll_strip_chars(s: _ptr, left: bool, right: bool, chars: _ptr) -> _ptr:
    start = 0
    stop = s.length
    if left:
        while start < stop and ll_is_in(ll_ord_at(s, start), chars):
            start += 1
    if right:
        while stop > start and ll_is_in(ll_ord_at(s, stop - 1), chars):
            stop -= 1
    return ll_slice(s, start, stop)


def ll_is_in(code: int, chars: _ptr) -> bool:
    i = 0
    while i < chars.length:
        if ll_ord_at(chars, i) == code:
            return True
        i += 1
    return False


# -- replacing --------------------------------------------------------------------------------


def ll_canonical(s: _ptr) -> _ptr:
    """``s``, which may be wide without need, in canonical storage."""
    length = s.length
    if length == 0:
        return EMPTY
    if not s.wide or ll_has_wide(ll_wide(s), 0, length, 1):
        return s
    result = ll_alloc(length, False)
    ll_copy(s, 0, result, 0, length)
    return result


def ll_replace(s: _ptr, old: _ptr, new: _ptr, limit: int) -> _ptr:
    """``s.replace(old, new, limit)``; a negative limit is none."""
    if limit == 0:
        return s
    count = ll_count(s, old, 0, s.length)
    if limit > 0 and count > limit:
        count = limit
    if count == 0:
        return s
    grown = llop.int_mul_ovf(Signed, count, new.length - old.length)
    length = llop.int_add_ovf(Signed, s.length, grown)
    result = ll_alloc(length, s.wide or new.wide)
    if old.length == 0:
        ll_interleave(s, new, count, result)
        return result
    source = 0
    at = 0
    while count > 0:
        found = ll_find_in(s, old, source, s.length)
        ll_copy(s, source, result, at, found - source)
        at = ll_put(result, at + found - source, new)
        source = found + old.length
        count -= 1
    ll_copy(s, source, result, at, s.length - source)
    return ll_canonical(result)


def ll_interleave(s: _ptr, new: _ptr, count: int, result: _ptr) -> None:
    """``new`` before the first ``count`` places between characters."""
    at = 0
    i = 0
    while count > 0:
        at = ll_put(result, at, new)
        count -= 1
        if count > 0:
            ll_copy(s, i, result, at, 1)
            at += 1
            i += 1
    ll_copy(s, i, result, at, s.length - i)


def ll_center_width(s: _ptr, width: int) -> int:
    """How wide ``s`` is with the padding that ``center`` puts on the right only."""
    padding = width - s.length
    if padding <= 0:
        return s.length
    return width - (padding >> 1) - (padding & width & 1)


def ll_zfill(s: _ptr, width: int) -> _ptr:
    """``s.zfill(width)``: zeros after the sign."""
    if width <= s.length:
        return s
    result = ll_alloc(width, s.wide)
    zeros = width - s.length
    at = 0
    source = 0
    if s.length > 0 and (ll_ord_at(s, 0) == 43 or ll_ord_at(s, 0) == 45):
        ll_copy(s, 0, result, 0, 1)
        at = 1
        source = 1
    while zeros > 0:
        ll_put_char(result, at, "0")
        at += 1
        zeros -= 1
    ll_copy(s, source, result, at, s.length - source)
    return result


# -- tests ------------------------------------------------------------------------------------


def ll_all_have(s: _ptr, flag: int, table: _ptr) -> bool:
    """Is there a character, and does each have the property?"""
    length = s.length
    i = 0
    while i < length:
        if not ll_has_flag(ll_ord_at(s, i), flag, table):
            return False
        i += 1
    return length > 0


def ll_isupper(s: _ptr, table: _ptr) -> bool:
    return ll_has_case(s, IS_UPPER, IS_LOWER | IS_TITLE, table)


def ll_islower(s: _ptr, table: _ptr) -> bool:
    return ll_has_case(s, IS_LOWER, IS_UPPER | IS_TITLE, table)


def ll_has_case(s: _ptr, wanted: int, unwanted: int, table: _ptr) -> bool:
    """At least one character with a wanted property, none with an unwanted one."""
    found = False
    i = 0
    while i < s.length:
        flags = ll_flags(ll_ord_at(s, i), table)
        if flags & unwanted != 0:
            return False
        if flags & wanted != 0:
            found = True
        i += 1
    return found


def ll_isascii(s: _ptr) -> bool:
    i = 0
    while i < s.length:
        if ll_ord_at(s, i) >= 128:
            return False
        i += 1
    return True
