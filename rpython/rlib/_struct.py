"""``struct`` with formats known when the program is translated.

    struct.pack(">HI", a, b)        packer_of(">HI")(a, b)

The function for a format is put together under CPython, item by item, out of closures.  What
CPython says about numbers that do not fit, CPython is asked.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from rpython.rlib.longlong2float import (
    float2longlong,
    longlong2float,
    singlefloat2uint,
    uint2singlefloat,
)
from rpython.rlib.rarithmetic import intmask, r_singlefloat, r_uint, r_uint32

Reader = Callable[[bytes, int], Any]
Writer = Callable[[bytearray, Any], None]


def per_arguments(function: Any) -> Any:
    """The function has a graph for every kind of argument."""
    function._rpython_per_arguments_ = True
    return function


class Item(NamedTuple):
    """An item of a format: its code, where it is, and how it is read and written."""

    code: str
    offset: int
    size: int
    reader: Reader
    writer: Writer


@cache
def items_of(fmt: str) -> list[Item]:
    """The items of a format.  Raises struct.error."""
    struct.calcsize(fmt)
    order = fmt[0] if fmt and fmt[0] in "@=<>!" else ""
    prefix = order or "@"
    count, before = "", prefix
    result: list[Item] = []
    for code in fmt[len(order) :]:
        if code.isdigit():
            count += code
            continue
        if code.isspace():
            continue
        many = int(count) if count else 1
        if code in "sp":
            pair = (_text_reader, _text_writer) if code == "s" else (_pascal_reader, _pascal_writer)
            offset = struct.calcsize(before)
            result.append(Item(code, offset, many, pair[0](many), pair[1](many)))
        elif code != "x":
            for i in range(many):
                # where an item starts: where the next one of the same kind would end
                size = struct.calcsize(prefix + code)
                offset = struct.calcsize(f"{before}{i + 1}{code}") - size
                result.append(Item(code, offset, size, *_item(prefix, code, size)))
        before += count + code
        count = ""
    return result


def _item(prefix: str, code: str, size: int) -> tuple[Reader, Writer]:
    big = struct.pack(prefix + "H", 1) == b"\0\1"
    if code == "c":
        return _read_char, _write_char
    if code == "?":
        return _read_bool, _write_bool
    if code == "d":
        return _double(big)
    if code == "f":
        return _single(big, prefix != "@")
    if code == "e":
        return _half(big)
    if code == "P":
        return _int_reader(size, big, False), _write_address
    return _int_reader(size, big, code.islower()), _int_writer(prefix + code, size, big)


def _message(fmt: str, value: int) -> str:
    """What CPython says about a number that does not fit; empty when it does."""
    try:
        struct.pack(fmt, value)
    except struct.error as error:
        return str(error)
    return ""


def load_word(data: bytes, pos: int, size: int, big: bool) -> r_uint:
    """A number."""
    result = r_uint(0)
    for i in range(size):
        result = result << 8 | r_uint(data[pos + i] if big else data[pos + size - 1 - i])
    return result


def _load(data: bytes, pos: int, size: int, big: bool) -> int:
    """A number, unsigned unless it has 64 bits."""
    return intmask(load_word(data, pos, size, big))


def _store(out: bytearray, value: int, size: int, big: bool) -> None:
    for i in range(size):
        out.append(value >> 8 * (size - 1 - i if big else i) & 0xFF)


# -- one item ---------------------------------------------------------------------------------


def _int_reader(size: int, big: bool, signed: bool) -> Reader:
    limit = 1 << min(8 * size - 1, 62)

    def read_small(data: bytes, pos: int) -> int:
        value = _load(data, pos, size, big)
        return value - 2 * limit if signed and value >= limit else value

    def read_signed(data: bytes, pos: int) -> int:
        return _load(data, pos, 8, big)

    def read_unsigned(data: bytes, pos: int) -> int:
        value = _load(data, pos, 8, big)
        if value < 0:
            raise OverflowError("the number has 64 bits")
        return value

    if size < 8:
        return read_small
    return read_signed if signed else read_unsigned


def _int_writer(fmt: str, size: int, big: bool) -> Writer:
    lowest = -(2**63) if fmt[-1].islower() else 0
    highest = 2**63 - 1
    if size < 8:
        lowest = -(1 << (8 * size - 1)) if fmt[-1].islower() else 0
        highest = lowest + (1 << 8 * size) - 1
    too_small = _message(fmt, lowest - 1)
    too_big = _message(fmt, highest + 1)

    def write(out: bytearray, value: int) -> None:
        if value < lowest:
            raise struct.error(too_small)
        if value > highest:
            raise struct.error(too_big)
        _store(out, value, size, big)

    return write


def _write_address(out: bytearray, value: int) -> None:
    _store(out, value, 8, False)


def _read_char(data: bytes, pos: int) -> bytes:
    return data[pos : pos + 1]


def _write_char(out: bytearray, value: bytes) -> None:
    if len(value) != 1:
        raise struct.error("char format requires a bytes object of length 1")
    out.extend(value)


def _read_bool(data: bytes, pos: int) -> bool:
    return data[pos] != 0


@per_arguments
def _write_bool(out: bytearray, value: Any) -> None:
    out.append(1 if value else 0)


def _double(big: bool) -> tuple[Reader, Writer]:
    def read(data: bytes, pos: int) -> float:
        return longlong2float(_load(data, pos, 8, big))

    def write(out: bytearray, value: float) -> None:
        _store(out, float2longlong(float(value)), 8, big)

    return read, write


def _single(big: bool, checked: bool) -> tuple[Reader, Writer]:
    """In the machine's own format, C converts the number: to infinity, if it is too large."""

    def read(data: bytes, pos: int) -> float:
        return float(uint2singlefloat(r_uint32(_load(data, pos, 4, big))))

    def write(out: bytearray, value: float) -> None:
        number = float(value)
        single = r_singlefloat(number)
        if checked and math.isinf(float(single)) and not math.isinf(number):
            raise OverflowError("float too large to pack with f format")
        _store(out, intmask(singlefloat2uint(single)), 4, big)

    return read, write


def _half(big: bool) -> tuple[Reader, Writer]:
    """16 bits: the sign, 5 of the exponent, 10 of the digits; written is what is nearest."""

    def read(data: bytes, pos: int) -> float:
        bits = _load(data, pos, 2, big)
        exponent, digits = bits >> 10 & 31, bits & 1023
        if exponent == 31:
            number = math.nan if digits else math.inf
        else:
            number = math.ldexp(float(digits + 1024 if exponent else digits), max(exponent, 1) - 25)
        return -number if bits >> 15 else number

    def write(out: bytearray, value: float) -> None:
        number = float(value)
        size = abs(number)
        if math.isnan(size):
            bits = 0x7E00
        elif math.isinf(size):
            bits = 0x7C00
        elif size < 2.0**-14:
            bits = round(math.ldexp(size, 24))
        else:
            exponent = math.frexp(size)[1]
            # rounded up to 2048, they are the 0 of the next exponent
            bits = (exponent + 13) * 1024 + round(math.ldexp(size, 11 - exponent))
            if bits >= 0x7C00:
                raise OverflowError("float too large to pack with e format")
        if math.copysign(1.0, number) < 0:
            bits |= 0x8000
        _store(out, bits, 2, big)

    return read, write


def _text_reader(size: int) -> Reader:
    def read(data: bytes, pos: int) -> bytes:
        return data[pos : pos + size]

    return read


def _text_writer(size: int) -> Writer:
    def write(out: bytearray, value: bytes) -> None:
        out.extend(value[:size])
        for _ in range(size - len(value)):
            out.append(0)

    return write


def _pascal_reader(size: int) -> Reader:
    def read(data: bytes, pos: int) -> bytes:
        if size == 0:
            return b""
        length = min(data[pos], size - 1)
        return data[pos + 1 : pos + 1 + length]

    return read


def _pascal_writer(size: int) -> Writer:
    def write(out: bytearray, value: bytes) -> None:
        if size == 0:
            return
        length = min(len(value), size - 1)
        out.append(min(length, 255))
        out.extend(value[:length])
        for _ in range(size - 1 - length):
            out.append(0)

    return write


# -- all items --------------------------------------------------------------------------------


@cache
def unpacker_of(fmt: str) -> Any:
    """``struct.unpack_from`` of one format, for enough bytes: (data, offset) -> tuple."""

    def nothing(data: bytes, start: int) -> tuple[()]:
        return ()

    unpack: Any = nothing
    for item in items_of(fmt):
        unpack = _extended(unpack, item.reader, item.offset)
    return unpack


def _extended(before: Any, reader: Reader, offset: int) -> Any:
    def unpack(data: bytes, start: int) -> Any:
        return (*before(data, start), reader(data, start + offset))

    return unpack


@cache
def function_of(name: str, fmt: str) -> Any:
    """What stands for the function of ``struct`` with that format.  Raises struct.error."""
    items = items_of(fmt)
    size = struct.calcsize(fmt)
    if name == "calcsize":
        return lambda: size
    if name == "pack":
        return _packer(items, size)
    if name == "pack_into":
        return _packer_into(function_of("pack", fmt), size, len(items))
    unpack_at = unpacker_of(fmt)

    def unpack(buffer: Any, /) -> Any:
        if len(buffer) != size:
            raise struct.error(f"unpack requires a buffer of {size} bytes")
        return unpack_at(bytes(buffer), 0)

    def unpack_from(buffer: Any, offset: int = 0) -> Any:
        length = len(buffer)
        if offset < 0:
            if offset + size > 0:
                raise struct.error(f"not enough data to unpack {size} bytes at offset {offset}")
            if offset + length < 0:
                raise struct.error(f"offset {offset} out of range for {length}-byte buffer")
            offset += length
        if length - offset < size:
            raise struct.error(
                f"unpack_from requires a buffer of at least {size + offset} bytes for unpacking"
                f" {size} bytes at offset {offset} (actual buffer size is {length})"
            )
        return unpack_at(bytes(buffer), offset)

    def iter_unpack(buffer: Any, /) -> Iterator[Any]:
        data = bytes(buffer)
        for start in range(0, len(data), size):
            yield unpack_at(data, start)

    def checked_iter_unpack(buffer: Any, /) -> Iterator[Any]:
        if size == 0:
            raise struct.error("cannot iteratively unpack with a struct of length 0")
        if len(buffer) % size != 0:
            raise struct.error(
                f"iterative unpacking requires a buffer of a multiple of {size} bytes"
            )
        return iter_unpack(buffer)

    for function in (unpack, unpack_from, iter_unpack, checked_iter_unpack):
        per_arguments(function)
    return {
        "unpack": unpack, "unpack_from": unpack_from, "iter_unpack": checked_iter_unpack,
    }[name]  # fmt: skip


def _packer(items: list[Item], size: int) -> Any:
    pack: Any = _pack_nothing
    at = 0
    for i, item in enumerate(items):
        pack = _packed(pack, item.writer, item.offset - at, i)
        at = item.offset + item.size
    padding = size - at
    count = len(items)

    def packer(*values: Any) -> bytes:
        if len(values) != count:
            raise struct.error(f"pack expected {count} items for packing (got {len(values)})")
        out = bytearray()
        pack(out, values)
        _pad(out, padding)
        return bytes(out)

    return per_arguments(packer)


def _packer_into(pack: Any, size: int, count: int) -> Any:
    def pack_into(buffer: bytearray, offset: int, *values: Any) -> None:
        if len(values) != count:
            raise struct.error(
                f"pack_into expected {count} items for packing (got {len(values)})"
            )
        length = len(buffer)
        if offset < 0:
            if offset + size > 0:
                raise struct.error(f"no space to pack {size} bytes at offset {offset}")
            if offset + length < 0:
                raise struct.error(f"offset {offset} out of range for {length}-byte buffer")
            offset += length
        if length - offset < size:
            raise struct.error(
                f"pack_into requires a buffer of at least {size + offset} bytes for packing"
                f" {size} bytes at offset {offset} (actual buffer size is {length})"
            )
        buffer[offset : offset + size] = pack(*values)

    def pack_into_array(buffer: Any, offset: int, *values: Any) -> None:
        if hasattr(buffer, "frombytes"):  # an array, whose items are no bytes
            data = bytearray(buffer.tobytes())
            pack_into(data, offset, *values)
            del buffer[:]
            buffer.frombytes(bytes(data))
        else:
            pack_into(buffer, offset, *values)

    return per_arguments(pack_into_array)


@per_arguments
def _pack_nothing(out: bytearray, values: tuple[Any, ...]) -> None:
    return None


def _packed(before: Any, writer: Writer, padding: int, i: int) -> Any:
    def pack(out: bytearray, values: tuple[Any, ...]) -> None:
        before(out, values)
        _pad(out, padding)
        writer(out, values[i])

    return per_arguments(pack)


def _pad(out: bytearray, size: int) -> None:
    for _ in range(size):
        out.append(0)


# -- struct.Struct ----------------------------------------------------------------------------


@cache
def struct_object(fmt: str) -> Any:
    """What stands for ``struct.Struct(fmt)``."""
    names = ("pack", "unpack", "unpack_from", "pack_into", "iter_unpack")
    members: dict[str, Any] = {name: _method(function_of(name, fmt)) for name in names}
    cls = type("Struct", (), {**members, "size": struct.calcsize(fmt), "format": fmt})
    cls.__module__, cls.__doc__ = "_struct", struct.Struct.__doc__
    return cls()


def _method(function: Any) -> Any:
    def method(self: Any, /, *args: Any, **keywords: Any) -> Any:
        return function(*args, **keywords)

    return per_arguments(method)
