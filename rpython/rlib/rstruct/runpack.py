"""Unpacking of C values, for formats known when the program is translated.

    width, height, name = runpack(">HH4s", data)

What reads the items are functions of ``rpython.rlib._struct``; in a program ``runpack`` stands for
a call of the function for its format (``rpython.stdlib.struct``).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from rpython.rlib._struct import Item, items_of, load_word
from rpython.rlib.rarithmetic import r_uint
from rpython.rlib.rstruct.error import StructError

Data = str | bytes
Unpacker = Callable[[Any, bytes], Any]


def runpack(fmt: str, input: Data) -> Any:
    """The values that ``input``, bytes or a str of bytes, holds according to ``fmt``: a tuple, or
    the value if there is just one.

    Formats are those of ``struct``, without ``e``, ``n``, ``N`` and ``P``.  Unsigned numbers of
    64 bits are ``r_uint``, text is a part of ``input``.

    Raises StructError.
    """
    return unpacker_of(fmt)(input)


@cache
def unpacker_of(fmt: str) -> Callable[[Any], Any]:
    """The function of the input for one format.  Raises StructError."""
    try:
        items = items_of(fmt)
    except struct.error as error:
        raise StructError(str(error)) from None
    for item in items:
        if item.code in "enNP":
            raise StructError(f"the format {item.code!r} is not supported")
    unpackers = [_unpacker(item, fmt) for item in items]
    if len(unpackers) == 1:
        return _checked(unpackers[0], struct.calcsize(fmt))
    unpack: Unpacker = _nothing
    for unpacker in unpackers:
        unpack = _extended(unpack, unpacker)
    return _checked(unpack, struct.calcsize(fmt))


def _unpacker(item: Item, fmt: str) -> Unpacker:
    """What reads one item; ``s``: the input, ``data``: its bytes."""
    read, offset = item.reader, item.offset
    big = fmt[0] in ">!"

    def word(s: Data, data: bytes) -> r_uint:
        return load_word(data, offset, 8, big)

    def text(s: Data, data: bytes) -> Data:
        part: bytes = read(data, offset)
        return part if isinstance(s, bytes) else part.decode("latin-1")

    def value(s: Data, data: bytes) -> Any:
        return read(data, offset)

    if item.code in "csp":
        return text
    return word if item.code in "LQ" and item.size == 8 else value


def _nothing(s: Data, data: bytes) -> tuple[()]:
    return ()


def _extended(before: Unpacker, unpacker: Unpacker) -> Unpacker:
    def unpack(s: Data, data: bytes) -> Any:
        return (*before(s, data), unpacker(s, data))

    return unpack


def _checked(unpack: Unpacker, size: int) -> Callable[[Any], Any]:
    def checked(s: Data) -> Any:
        if len(s) < size:
            raise StructError("unpack str size too short for format")
        if len(s) > size:
            raise StructError("unpack str size too long for format")
        return unpack(s, s if isinstance(s, bytes) else s.encode("latin-1"))

    return checked
