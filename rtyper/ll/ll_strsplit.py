"""Splitting strs into arrays of strs, joining those."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import GcArray, Signed, _ptr, malloc
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_raise import raise_with_message
from rpython.rtyper.ll.ll_str import (
    EMPTY,
    ll_alloc,
    ll_copy,
    ll_find_in,
    ll_ord_at,
    ll_put,
    ll_put_char,
    ll_rfind_in,
    ll_slice,
    ll_strconcat,
)
from rpython.rtyper.ll.ll_strmethods import ll_count
from rpython.rtyper.ll.ll_unicode import IS_SPACE, ll_has_flag

STRINGS = GcArray(STRPTR)
NO_LIMIT = 9223372036854775807


def ll_limit(maxsplit: int) -> int:
    """How often to split at most; a negative ``maxsplit`` is no limit."""
    if maxsplit < 0:
        return NO_LIMIT
    return maxsplit


def ll_split(s: _ptr, separator: _ptr, maxsplit: int) -> _ptr:
    """``s.split(separator, maxsplit)``: Ptr(STRINGS)."""
    if separator.length == 0:
        raise ValueError("empty separator")
    limit = ll_limit(maxsplit)
    count = 0
    if limit > 0:
        count = ll_count(s, separator, 0, s.length)
        if count > limit:
            count = limit
    result = malloc(STRINGS, count + 1)
    start = 0
    i = 0
    while i < count:
        found = ll_find_in(s, separator, start, s.length)
        result[i] = ll_slice(s, start, found)
        start = found + separator.length
        i += 1
    result[count] = ll_slice(s, start, s.length)
    return result


def ll_rsplit(s: _ptr, separator: _ptr, maxsplit: int) -> _ptr:
    """``s.rsplit(separator, maxsplit)``: Ptr(STRINGS)."""
    if separator.length == 0:
        raise ValueError("empty separator")
    limit = ll_limit(maxsplit)
    count = 0
    stop = s.length
    while count < limit:
        stop = ll_rfind_in(s, separator, 0, stop)
        if stop < 0:
            break
        count += 1
    result = malloc(STRINGS, count + 1)
    stop = s.length
    while count > 0:
        found = ll_rfind_in(s, separator, 0, stop)
        result[count] = ll_slice(s, found + separator.length, stop)
        stop = found
        count -= 1
    result[0] = ll_slice(s, 0, stop)
    return result


def ll_skip_spaces(s: _ptr, i: int, table: _ptr) -> int:
    while i < s.length and ll_has_flag(ll_ord_at(s, i), IS_SPACE, table):
        i += 1
    return i


def ll_skip_word(s: _ptr, i: int, table: _ptr) -> int:
    while i < s.length and not ll_has_flag(ll_ord_at(s, i), IS_SPACE, table):
        i += 1
    return i


def ll_split_spaces(s: _ptr, maxsplit: int, table: _ptr) -> _ptr:
    """``s.split(None, maxsplit)``: Ptr(STRINGS).  What is left after the last split keeps
    the white space at its end."""
    limit = ll_limit(maxsplit)
    count = 0
    i = ll_skip_spaces(s, 0, table)
    while i < s.length:
        if count == limit:
            count += 1
            break
        count += 1
        i = ll_skip_spaces(s, ll_skip_word(s, i, table), table)
    result = malloc(STRINGS, count)
    i = ll_skip_spaces(s, 0, table)
    at = 0
    while at < count:
        if at == limit:
            result[at] = ll_slice(s, i, s.length)
            break
        stop = ll_skip_word(s, i, table)
        result[at] = ll_slice(s, i, stop)
        i = ll_skip_spaces(s, stop, table)
        at += 1
    return result


def ll_skip_spaces_back(s: _ptr, i: int, table: _ptr) -> int:
    while i > 0 and ll_has_flag(ll_ord_at(s, i - 1), IS_SPACE, table):
        i -= 1
    return i


def ll_skip_word_back(s: _ptr, i: int, table: _ptr) -> int:
    while i > 0 and not ll_has_flag(ll_ord_at(s, i - 1), IS_SPACE, table):
        i -= 1
    return i


def ll_rsplit_spaces(s: _ptr, maxsplit: int, table: _ptr) -> _ptr:
    """``s.rsplit(None, maxsplit)``: Ptr(STRINGS).  What is left after the last split keeps
    the white space at its start."""
    limit = ll_limit(maxsplit)
    count = 0
    i = ll_skip_spaces_back(s, s.length, table)
    while i > 0:
        if count == limit:
            count += 1
            break
        count += 1
        i = ll_skip_spaces_back(s, ll_skip_word_back(s, i, table), table)
    result = malloc(STRINGS, count)
    i = ll_skip_spaces_back(s, s.length, table)
    at = 0
    while at < count:
        if at == limit:
            result[count - 1 - at] = ll_slice(s, 0, i)
            break
        start = ll_skip_word_back(s, i, table)
        result[count - 1 - at] = ll_slice(s, start, i)
        i = ll_skip_spaces_back(s, start, table)
        at += 1
    return result


def ll_line_end(code: int) -> bool:
    """Does ``splitlines`` end a line at this character?"""
    if code < 0x85:
        return (10 <= code and code <= 13) or (28 <= code and code <= 30)
    return code == 0x85 or code == 0x2028 or code == 0x2029


def ll_find_line_end(s: _ptr, i: int) -> int:
    while i < s.length and not ll_line_end(ll_ord_at(s, i)):
        i += 1
    return i


def ll_next_line(s: _ptr, end: int) -> int:
    """Where the line after the one that ends at ``end`` starts."""
    if end + 1 < s.length and ll_ord_at(s, end) == 13 and ll_ord_at(s, end + 1) == 10:
        return end + 2
    return end + 1


def ll_after_line(s: _ptr, end: int) -> int:
    """Where the line after the one that ends at ``end`` starts, or the length."""
    if end < s.length:
        return ll_next_line(s, end)
    return end


def ll_splitlines(s: _ptr, keep_ends: bool) -> _ptr:
    """``s.splitlines(keep_ends)``: Ptr(STRINGS)."""
    count = 0
    i = 0
    while i < s.length:
        count += 1
        i = ll_next_line(s, ll_find_line_end(s, i))
    result = malloc(STRINGS, count)
    at = 0
    i = 0
    while at < count:
        end = ll_find_line_end(s, i)
        following = ll_after_line(s, end)
        if keep_ends:
            end = following
        result[at] = ll_slice(s, i, end)
        i = following
        at += 1
    return result


# -- joining ----------------------------------------------------------------------------------


def ll_refuse_none(items: Any, length: int, before: _ptr, after: _ptr) -> None:
    """Raise TypeError when one of ``items[:length]`` is null, with its number in the message."""
    for i in range(length):
        if not items[i]:
            message = ll_strconcat(ll_strconcat(before, ll_int2str(i)), after)
            raise_with_message(TypeError, message)


def ll_join(separator: _ptr, items: _ptr, length: int) -> _ptr:
    """``separator.join(items[:length])``; ``items``: an array of STRPTR."""
    if length == 0:
        return EMPTY
    if length == 1:
        return items[0]
    total = llop.int_mul_ovf(Signed, separator.length, length - 1)
    wide = separator.wide
    i = 0
    while i < length:
        total = llop.int_add_ovf(Signed, total, items[i].length)
        wide = wide or items[i].wide
        i += 1
    result = ll_alloc(total, wide)
    at = ll_put(result, 0, items[0])
    i = 1
    while i < length:
        at = ll_put(result, at, separator)
        at = ll_put(result, at, items[i])
        i += 1
    return result


def ll_join_chars(separator: _ptr, items: _ptr, length: int) -> _ptr:
    """The same for an array of UniChar."""
    if length == 0:
        return EMPTY
    total = llop.int_add_ovf(
        Signed, llop.int_mul_ovf(Signed, separator.length, length - 1), length
    )
    wide = separator.wide and length > 1
    i = 0
    while i < length:
        wide = wide or ord(items[i]) > 255
        i += 1
    result = ll_alloc(total, wide)
    at = 0
    i = 0
    while i < length:
        if i > 0:
            at = ll_put(result, at, separator)
        ll_put_char(result, at, items[i])
        at += 1
        i += 1
    return result


def ll_join_string(separator: _ptr, s: _ptr) -> _ptr:
    """``separator.join(s)`` of the characters of a str."""
    length = s.length
    if length <= 1:
        return s
    total = llop.int_add_ovf(
        Signed, llop.int_mul_ovf(Signed, separator.length, length - 1), length
    )
    result = ll_alloc(total, separator.wide or s.wide)
    at = 0
    i = 0
    while i < length:
        if i > 0:
            at = ll_put(result, at, separator)
        ll_copy(s, i, result, at, 1)
        at += 1
        i += 1
    return result
