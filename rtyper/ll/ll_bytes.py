"""What bytes and bytearray do alike.

Helpers that only read take the characters as an array and a length; they must not
allocate, so that a collector which moves objects never runs while they hold the array.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Bool, Char, Signed, Unsigned, Void, malloc
from rpython.lltypesystem.operations.seldom import seldom_called
from rpython.lltypesystem.rstr import BYTES, make_bytes
from rpython.rtyper.ll import ll_siphash

BIGGEST = 9223372036854775807
EMPTY_BYTES = make_bytes(b"")

# -- reading ----------------------------------------------------------------------------------


def ll_equal(a: Any, a_length: int, b: Any, b_length: int) -> bool:
    if a_length != b_length:
        return False
    i = 0
    while i < a_length:
        if a[i] != b[i]:
            return False
        i += 1
    return True


def ll_compare(a: Any, a_length: int, b: Any, b_length: int) -> int:
    """Negative, 0 or positive, as ``a`` is before, equal to or after ``b``."""
    n = a_length
    if b_length < n:
        n = b_length
    i = 0
    while i < n:
        if a[i] != b[i]:
            return llop.cast_char_to_int(Signed, a[i]) - llop.cast_char_to_int(Signed, b[i])
        i += 1
    return a_length - b_length


def ll_bytes_hash(b: Any) -> int:
    """The hash of a bytes object, kept in it; 0 stands for "not computed yet", too."""
    h = b.hash
    if h == 0:
        h = ll_compute_bytes_hash(b)
    return h


@seldom_called
def ll_compute_bytes_hash(b: Any) -> int:
    """Compute the hash, and keep it."""
    h = b.hash = ll_siphash.ll_narrow_hash(b.chars, len(b.chars))
    return h


def ll_find_byte(a: Any, byte: Any, start: int, stop: int) -> int:
    while start < stop:
        if a[start] == byte:
            return start
        start += 1
    return -1


def ll_view_contains(a: Any, length: int, number: int) -> bool:
    """Is it one of the bytes?  No other int is."""
    if number < 0 or number > 255:
        return False
    return ll_find_byte(a, llop.cast_int_to_char(Char, number), 0, length) >= 0


def ll_rfind_byte(a: Any, byte: Any, start: int, stop: int) -> int:
    while stop > start:
        stop -= 1
        if a[stop] == byte:
            return stop
    return -1


def ll_matches(a: Any, position: int, sub: Any, sub_length: int) -> bool:
    """Is ``sub`` in ``a`` at the position?  There is room for it."""
    i = 0
    while i < sub_length:
        if a[position + i] != sub[i]:
            return False
        i += 1
    return True


def ll_find(a: Any, sub: Any, sub_length: int, start: int, stop: int) -> int:
    """The first place of ``sub`` in ``a[start:stop]``, -1 when there is none; the bounds
    are clamped, but ``start`` may be after ``stop``."""
    stop -= sub_length
    if sub_length == 0:
        if start <= stop:
            return start
        return -1
    first = sub[0]
    while start <= stop:
        if a[start] == first and ll_matches(a, start, sub, sub_length):
            return start
        start += 1
    return -1


def ll_rfind(a: Any, sub: Any, sub_length: int, start: int, stop: int) -> int:
    """The last place of ``sub`` in ``a[start:stop]``; as ``ll_find``."""
    stop -= sub_length
    while stop >= start:
        if ll_matches(a, stop, sub, sub_length):
            return stop
        stop -= 1
    return -1


def ll_count_byte(a: Any, byte: Any, start: int, stop: int) -> int:
    count = 0
    while start < stop:
        if a[start] == byte:
            count += 1
        start += 1
    return count


def ll_count(a: Any, sub: Any, sub_length: int, start: int, stop: int) -> int:
    """How often ``sub`` is in ``a[start:stop]``, without overlaps."""
    if sub_length == 0:
        if start <= stop:
            return stop - start + 1
        return 0
    count = 0
    while True:
        start = ll_find(a, sub, sub_length, start, stop)
        if start < 0:
            return count
        count += 1
        start += sub_length


def ll_found(position: int) -> int:
    """What ``index`` does with the result of ``find``."""
    if position < 0:
        raise ValueError("subsection not found")
    return position


def ll_startswith(a: Any, sub: Any, sub_length: int, start: int, stop: int) -> bool:
    return sub_length <= stop - start and ll_matches(a, start, sub, sub_length)


def ll_endswith(a: Any, sub: Any, sub_length: int, start: int, stop: int) -> bool:
    return sub_length <= stop - start and ll_matches(a, stop - sub_length, sub, sub_length)


# -- filling new arrays -----------------------------------------------------------------------


def ll_repeated_length(length: int, count: int, is_bytes: bool) -> int:
    """The length of ``count`` copies, which has to fit."""
    if count <= 0 or length == 0:
        return 0
    if count > llop.int_floordiv(Signed, BIGGEST, length):
        if is_bytes:
            raise OverflowError("repeated bytes are too long")
        raise MemoryError
    return length * count


def ll_fill_repeated(target: Any, total: int, a: Any, length: int) -> None:
    """``target[:total]`` becomes copies of ``a``: the first, then twice as many each time."""
    if total == 0:
        return
    llop.copy_array_items(Void, a, target, 0, 0, length)
    done = length
    while done < total:
        n = done
        if n > total - done:
            n = total - done
        llop.copy_array_items(Void, target, target, 0, done, n)
        done += n


def ll_fill_strided(target: Any, count: int, a: Any, start: int, step: int) -> None:
    """``target[i] = a[start + i * step]``."""
    i = 0
    while i < count:
        target[i] = a[start]
        start += step
        i += 1


def ll_byte_count(count: int) -> int:
    """The argument of ``bytes(n)``."""
    if count < 0:
        raise ValueError("negative count")
    return count


def ll_is_byte(value: int) -> bool:
    unsigned = llop.cast_int_to_uint(Unsigned, value)
    return llop.uint_lt(Bool, unsigned, llop.cast_int_to_uint(Unsigned, 256))


def ll_byte(value: int) -> Any:
    """An int as a Char."""
    if not ll_is_byte(value):
        raise ValueError("byte must be in range(0, 256)")
    return llop.cast_int_to_char(Char, value)


# -- bytes ------------------------------------------------------------------------------------


def ll_new_bytes(length: int) -> Any:
    return malloc(BYTES, length)


def ll_zeros(count: int) -> Any:
    """``bytes(n)``."""
    return malloc(BYTES, ll_byte_count(count))


def ll_bytes_slice(b: Any, start: int, stop: int) -> Any:
    """``b[start:stop]``; the whole of it is ``b`` itself."""
    n = stop - start
    if n == len(b.chars):
        return b
    result = malloc(BYTES, n)
    llop.copy_array_items(Void, b.chars, result.chars, start, 0, n)
    return result


def ll_bytes_concat(a: Any, b: Any) -> Any:
    a_length = len(a.chars)
    b_length = len(b.chars)
    if a_length == 0:
        return b
    if b_length == 0:
        return a
    result = malloc(BYTES, a_length + b_length)
    llop.copy_array_items(Void, a.chars, result.chars, 0, 0, a_length)
    llop.copy_array_items(Void, b.chars, result.chars, 0, a_length, b_length)
    return result


def ll_bytes_join(sep: Any, items: Any, count: int) -> Any:
    """``sep.join(items[:count])``"""
    if count == 0:
        return EMPTY_BYTES
    if count == 1:
        return items[0]
    sep_length = len(sep.chars)
    total = sep_length * (count - 1)
    i = 0
    while i < count:
        total += len(items[i].chars)
        i += 1
    result = malloc(BYTES, total)
    at = 0
    i = 0
    while i < count:
        if i > 0 and sep_length > 0:
            llop.copy_array_items(Void, sep.chars, result.chars, 0, at, sep_length)
            at += sep_length
        length = len(items[i].chars)
        llop.copy_array_items(Void, items[i].chars, result.chars, 0, at, length)
        at += length
        i += 1
    return result
