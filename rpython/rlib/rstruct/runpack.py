"""Unpacking of C values, for formats known when the program is translated.

    width, height, name = runpack(">HH4s", data)

The function for a format is put together under CPython, item by item, out of closures; in a
program ``runpack`` stands for a call of it (``rpython.stdlib.struct``).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from rpython.rlib.longlong2float import longlong2float, uint2singlefloat
from rpython.rlib.rarithmetic import intmask, r_uint, r_uint32
from rpython.rlib.rstruct.error import StructError

Data = str | bytes
Reader = Callable[[Any, int], Any]
Unpacker = Callable[[Any], Any]


def runpack(fmt: str, input: Data) -> Any:
    """The values that ``input``, bytes or a str of bytes, holds according to ``fmt``: a tuple, or
    the value if there is just one.

    Formats are those of ``struct``, without ``e``, ``n``, ``N`` and ``P``.  Unsigned numbers of
    64 bits are ``r_uint``, text is a part of ``input``.

    Raises StructError.
    """
    return unpacker_of(fmt)(input)


@cache
def unpacker_of(fmt: str) -> Unpacker:
    """The function of the input for one format.  Raises StructError."""
    readers = list(_readers(fmt))
    size = struct.calcsize(fmt)
    if len(readers) == 1:
        unpack = _single(*readers[0])
    else:
        unpack = _nothing
        for reader, offset in readers:
            unpack = _extended(unpack, reader, offset)
    return _checked(unpack, size)


def _readers(fmt: str) -> list[tuple[Reader, int]]:
    """For each item, what reads it and where it is."""
    try:
        struct.calcsize(fmt)
    except struct.error as error:
        raise StructError(str(error)) from None
    order = fmt[0] if fmt and fmt[0] in "@=<>!" else ""
    prefix = order or "@"
    count = ""
    result: list[tuple[Reader, int]] = []
    before = prefix
    for code in fmt[len(order) :]:
        if code.isdigit():
            count += code
            continue
        if code.isspace():
            continue
        many = int(count) if count else 1
        if code in "sp":
            offset = struct.calcsize(before)
            result.append((_text_reader(code, many), offset))
        elif code != "x":
            for i in range(many):
                # where an item starts: where the next one of the same kind would end
                size = struct.calcsize(prefix + code)
                offset = struct.calcsize(f"{before}{i + 1}{code}") - size
                result.append((_reader(code, size, order in (">", "!")), offset))
        before += count + code
        count = ""
    return result


# -- one item ---------------------------------------------------------------------------------


def _reader(code: str, size: int, big: bool) -> Reader:
    if code == "c":
        return _read_char
    if code == "?":
        return _read_bool
    word = _big_word if big else _little_word

    def unsigned(s: Data, pos: int) -> int:
        return intmask(word(s, pos, size))

    def signed(s: Data, pos: int) -> int:
        shift = 64 - 8 * size
        return intmask(word(s, pos, size) << shift) >> shift

    def unsigned_64(s: Data, pos: int) -> r_uint:
        return word(s, pos, 8)

    def double(s: Data, pos: int) -> float:
        return longlong2float(intmask(word(s, pos, 8)))

    def single(s: Data, pos: int) -> float:
        return float(uint2singlefloat(r_uint32(intmask(word(s, pos, 4)))))

    if code == "d":
        return double
    if code == "f":
        return single
    if code in "bhilq":
        return signed
    if code in "BHILQ":
        return unsigned_64 if size == 8 else unsigned
    raise StructError(f"the format {code!r} is not supported")


def _byte(s: Data, pos: int) -> int:
    return s[pos] if isinstance(s, bytes) else ord(s[pos])


def _read_char(s: Data, pos: int) -> Data:
    return s[pos : pos + 1]


def _read_bool(s: Data, pos: int) -> bool:
    return _byte(s, pos) != 0


def _little_word(s: Data, pos: int, size: int) -> r_uint:
    result = r_uint(0)
    i = size
    while i > 0:
        i -= 1
        result = result << 8 | r_uint(_byte(s, pos + i))
    return result


def _big_word(s: Data, pos: int, size: int) -> r_uint:
    result = r_uint(0)
    for i in range(size):
        result = result << 8 | r_uint(_byte(s, pos + i))
    return result


def _text_reader(code: str, size: int) -> Reader:
    def text(s: Data, pos: int) -> Data:
        return s[pos : pos + size]

    def pascal(s: Data, pos: int) -> Data:
        if size == 0:
            return s[:0]
        length = min(_byte(s, pos), size - 1)
        return s[pos + 1 : pos + 1 + length]

    return text if code == "s" else pascal


# -- all items --------------------------------------------------------------------------------


def _nothing(s: Data) -> tuple[()]:
    return ()


def _single(reader: Reader, offset: int) -> Unpacker:
    def unpack(s: Data) -> Any:
        return reader(s, offset)

    return unpack


def _extended(before: Unpacker, reader: Reader, offset: int) -> Unpacker:
    def unpack(s: Data) -> Any:
        return (*before(s), reader(s, offset))

    return unpack


def _checked(unpack: Unpacker, size: int) -> Unpacker:
    def checked(s: Data) -> Any:
        if len(s) < size:
            raise StructError("unpack str size too short for format")
        if len(s) > size:
            raise StructError("unpack str size too long for format")
        return unpack(s)

    return checked
