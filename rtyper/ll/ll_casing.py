"""str: upper, lower, title, capitalize, swapcase; tests of characters by ranges of codes."""

from __future__ import annotations

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Char,
    Signed,
    UniChar,
    _ptr,
    cast_pointer,
    cast_primitive,
    nullptr,
)
from rpython.lltypesystem.rstr import STRPTR
from rpython.rtyper.ll.ll_str import (
    ll_alloc,
    ll_alloc1,
    ll_narrow,
    ll_ord_at,
    ll_put,
    ll_put_char,
)
from rpython.rtyper.ll.ll_strmethods import ll_isascii
from rpython.rtyper.ll.ll_unicode import (
    CASE_MAP,
    IS_CASED,
    IS_LOWER,
    IS_TITLE,
    IS_UPPER,
    ll_flags,
    ll_has_flag,
    ll_search_codes,
)

ALL = 0
TITLE = 1
CAPITALIZE = 2
SWAP = 3

CAPITAL_SIGMA = 0x3A3
SMALL_SIGMA = 0x3C3
FINAL_SIGMA = 0x3C2

NO_CHANGE = nullptr(CASE_MAP)


def ll_changes(s: _ptr, i: int, how: int, lower: _ptr, other: _ptr) -> _ptr:
    """The case map for the character at ``i``: ``lower``, ``other`` (title, or upper for SWAP);
    a null pointer leaves it."""
    if how == ALL:
        return other
    if how == CAPITALIZE:
        if i == 0:
            return other
        return lower
    if how == TITLE:
        if i > 0 and ll_has_flag(ll_ord_at(s, i - 1), IS_CASED, lower.flags):
            return lower
        return other
    flags = ll_flags(ll_ord_at(s, i), lower.flags)
    if flags & IS_UPPER != 0:
        return lower
    if flags & IS_LOWER != 0:
        return other
    return NO_CHANGE


def ll_changed(s: _ptr, i: int, case_map: _ptr) -> int:
    """``ll_mapped``, or the character itself where the map is null."""
    if not case_map:
        return ll_ord_at(s, i)
    return ll_mapped(s, i, case_map)


def ll_casing(s: _ptr, how: int, lower: _ptr, other: _ptr) -> _ptr:
    """Change the case of each character; two passes."""
    length = 0
    wide = False
    i = 0
    while i < s.length:
        case_map = ll_changes(s, i, how, lower, other)
        code = ll_changed(s, i, case_map)
        if code < 0:
            more = case_map.longer[-1 - code]
            length += more.length
            wide = wide or more.wide
        else:
            length += 1
            wide = wide or code > 255
        i += 1
    result = ll_alloc(length, wide)
    at = 0
    i = 0
    while i < s.length:
        case_map = ll_changes(s, i, how, lower, other)
        code = ll_changed(s, i, case_map)
        if code < 0:
            at = ll_put(result, at, case_map.longer[-1 - code])
        else:
            ll_put_char(result, at, cast_primitive(UniChar, code))
            at += 1
        i += 1
    return result


def ll_upper(s: _ptr, case_map: _ptr) -> _ptr:
    """``s.upper()``."""
    if ll_isascii(s):
        return ll_shift_case(ll_narrow(s), s.length, 97)
    return ll_casing(s, ALL, case_map, case_map)


def ll_lower(s: _ptr, case_map: _ptr) -> _ptr:
    """``s.lower()``."""
    if ll_isascii(s):
        return ll_shift_case(ll_narrow(s), s.length, 65)
    return ll_casing(s, ALL, case_map, case_map)


def ll_shift_case(p: _ptr, length: int, first: int) -> _ptr:
    """ASCII: the 26 letters from ``first`` on become those of the other case."""
    result = ll_alloc1(length)
    i = 0
    while i < length:
        code = ord(p.chars[i])
        if first <= code and code < first + 26:
            code = code ^ 32
        result.chars[i] = llop.cast_int_to_char(Char, code)
        i += 1
    return cast_pointer(STRPTR, result)


def ll_mapped(s: _ptr, index: int, case_map: _ptr) -> int:
    """What the character at ``index`` becomes: a code point, or -1-i for ``longer[i]``."""
    code = ll_ord_at(s, index)
    if code == CAPITAL_SIGMA and case_map.flags:
        return ll_small_sigma(s, index, case_map.ignorable, case_map.flags)
    found = ll_search_codes(case_map.changed, code)
    if found < 0:
        return code
    return cast_primitive(Signed, case_map.mapped[found])


def ll_small_sigma(s: _ptr, index: int, ignorable: _ptr, table: _ptr) -> int:
    """Final after a cased character and not before one, not counting ignorable ones (The
    Unicode Standard, 3.13, Final_Sigma)."""
    before = index - 1
    while before >= 0 and ll_search_codes(ignorable, ll_ord_at(s, before)) >= 0:
        before -= 1
    if before < 0 or not ll_has_flag(ll_ord_at(s, before), IS_CASED, table):
        return SMALL_SIGMA
    after = index + 1
    while after < s.length and ll_search_codes(ignorable, ll_ord_at(s, after)) >= 0:
        after += 1
    if after < s.length and ll_has_flag(ll_ord_at(s, after), IS_CASED, table):
        return SMALL_SIGMA
    return FINAL_SIGMA


def ll_istitle(s: _ptr, table: _ptr) -> bool:
    """``s.istitle()``"""
    found = False
    inside = False
    i = 0
    while i < s.length:
        flags = ll_flags(ll_ord_at(s, i), table)
        if flags & (IS_UPPER | IS_TITLE) != 0:
            if inside:
                return False
            inside = True
            found = True
        elif flags & IS_LOWER != 0:
            if not inside:
                return False
            found = True
        else:
            inside = False
        i += 1
    return found


# -- ranges -----------------------------------------------------------------------------------


def ll_in_ranges(code: int, bounds: _ptr) -> bool:
    """Is a code point in one of the ranges?  ``bounds``: sorted, the first code point of each
    and the first one after it."""
    low = 0
    high = len(bounds)
    while low < high:
        middle = (low + high) >> 1
        if cast_primitive(Signed, bounds[middle]) <= code:
            low = middle + 1
        else:
            high = middle
    return low & 1 != 0


def ll_all_in_ranges(s: _ptr, bounds: _ptr) -> bool:
    """Is there a character, and is each in the ranges?"""
    i = 0
    while i < s.length:
        if not ll_in_ranges(ll_ord_at(s, i), bounds):
            return False
        i += 1
    return s.length > 0


def ll_isidentifier(s: _ptr, first: _ptr, others: _ptr) -> bool:
    """``s.isidentifier()``: one character of ``first``, then any of ``others``."""
    if s.length == 0 or not ll_in_ranges(ll_ord_at(s, 0), first):
        return False
    i = 1
    while i < s.length:
        if not ll_in_ranges(ll_ord_at(s, i), others):
            return False
        i += 1
    return True
