"""Methods of bytes and bytearray in Python, translated like the program's own code.

The first parameter, ``b``, is bytes or a bytearray; the result is of the same kind where
CPython's is.
"""

from __future__ import annotations

import sys
from typing import Any

from rpython.stdlib._registry import (
    BytesLike,
    PartOfResult,
    called_for,
    method_of,
    per_arguments,
)

NO_LIMIT = sys.maxsize


def require_c_int(n: int) -> None:
    if not -2147483648 <= n <= 2147483647:
        raise OverflowError("Python int too large to convert to C int")


@per_arguments
def made(b: Any, data: Any) -> Any:
    """The new bytearray ``data`` as the kind of ``b``."""
    if isinstance(b, bytes):
        return bytes(data)
    return data


# -- splitting --------------------------------------------------------------------------------


@method_of(bytes, bytearray)
def split(b: Any, /, sep: BytesLike | None = None, maxsplit: int = -1) -> Any:
    limit = NO_LIMIT if maxsplit < 0 else maxsplit
    result = []
    start = 0
    if sep is None:
        end = len(b)
        while start < end and is_space(b[start]):
            start += 1
        while start < end:
            if limit == 0:
                result.append(b[start:])
                break
            limit -= 1
            stop = start + 1
            while stop < end and not is_space(b[stop]):
                stop += 1
            result.append(b[start:stop])
            start = stop
            while start < end and is_space(b[start]):
                start += 1
        return result
    if len(sep) == 0:
        raise ValueError("empty separator")
    while limit > 0:
        found = b.find(sep, start)
        if found < 0:
            break
        result.append(b[start:found])
        start = found + len(sep)
        limit -= 1
    result.append(b[start:])
    return result


@method_of(bytes, bytearray)
def rsplit(b: Any, /, sep: BytesLike | None = None, maxsplit: int = -1) -> Any:
    limit = NO_LIMIT if maxsplit < 0 else maxsplit
    result = []
    stop = len(b)
    if sep is None:
        while stop > 0 and is_space(b[stop - 1]):
            stop -= 1
        while stop > 0:
            if limit == 0:
                result.append(b[:stop])
                break
            limit -= 1
            start = stop - 1
            while start > 0 and not is_space(b[start - 1]):
                start -= 1
            result.append(b[start:stop])
            stop = start
            while stop > 0 and is_space(b[stop - 1]):
                stop -= 1
        result.reverse()
        return result
    if len(sep) == 0:
        raise ValueError("empty separator")
    while limit > 0:
        found = b.rfind(sep, 0, stop)
        if found < 0:
            break
        result.append(b[found + len(sep) : stop])
        stop = found
        limit -= 1
    result.append(b[:stop])
    result.reverse()
    return result


@method_of(bytes, bytearray)
def splitlines(b: Any, /, keepends: bool = False) -> Any:
    result = []
    start = 0
    length = len(b)
    while start < length:
        end = start
        while end < length and b[end] != 10 and b[end] != 13:
            end += 1
        following = end
        if following < length:
            following += 1
            if b[end] == 13 and following < length and b[following] == 10:
                following += 1
        result.append(b[start : following if keepends else end])
        start = following
    return result


@method_of(bytearray)
def partition(b: Any, sep: BytesLike, /) -> Any:
    if len(sep) == 0:
        raise ValueError("empty separator")
    found = b.find(sep)
    if found < 0:
        return (b[:], b[:0], b[:0])
    return (b[:found], made(b, bytearray(sep)), b[found + len(sep) :])


@method_of(bytearray)
def rpartition(b: Any, sep: BytesLike, /) -> Any:
    if len(sep) == 0:
        raise ValueError("empty separator")
    found = b.rfind(sep)
    if found < 0:
        return (b[:0], b[:0], b[:])
    return (b[:found], made(b, bytearray(sep)), b[found + len(sep) :])


@method_of(bytes, name="partition")
def partition_of_bytes(b: bytes, sep: PartOfResult, /) -> Any:
    return partition(b, sep)


@method_of(bytes, name="rpartition")
def rpartition_of_bytes(b: bytes, sep: PartOfResult, /) -> Any:
    return rpartition(b, sep)


@method_of(bytearray)
def join(b: Any, items: Any, /) -> Any:
    result = bytearray()
    first, size = True, len(b)
    items = list(items)
    if len(b) != size:
        raise BufferError("Existing exports of data: object cannot be re-sized")
    for item in items:
        if first:
            first = False
        else:
            result += b
        result += item
    return made(b, result)


# -- changing ---------------------------------------------------------------------------------


@method_of(bytes, bytearray)
def strip(b: Any, chars: BytesLike | None = None, /) -> Any:
    start = 0
    stop = len(b)
    while start < stop and stripped(b[start], chars):
        start += 1
    while stop > start and stripped(b[stop - 1], chars):
        stop -= 1
    return b[start:stop]


@method_of(bytes, bytearray)
def lstrip(b: Any, chars: BytesLike | None = None, /) -> Any:
    start = 0
    while start < len(b) and stripped(b[start], chars):
        start += 1
    return b[start:]


@method_of(bytes, bytearray)
def rstrip(b: Any, chars: BytesLike | None = None, /) -> Any:
    stop = len(b)
    while stop > 0 and stripped(b[stop - 1], chars):
        stop -= 1
    return b[:stop]


@per_arguments
def stripped(byte: int, chars: Any) -> bool:
    if chars is None:
        return is_space(byte)
    return byte in chars


@method_of(bytes, bytearray)
def replace(b: Any, old: BytesLike, new: BytesLike, count: int = -1, /) -> Any:
    limit = NO_LIMIT if count < 0 else count
    result = bytearray()
    start = 0
    if len(old) == 0:
        while limit > 0:
            result += new
            limit -= 1
            if start == len(b):
                break
            result.append(b[start])
            start += 1
    else:
        while limit > 0:
            found = b.find(old, start)
            if found < 0:
                break
            result += b[start:found]
            result += new
            start = found + len(old)
            limit -= 1
    result += b[start:]
    return made(b, result)


@method_of(bytes, bytearray)
def removeprefix(b: Any, prefix: BytesLike, /) -> Any:
    if b.startswith(prefix):
        return b[len(prefix) :]
    return b[:]


@method_of(bytes, bytearray)
def removesuffix(b: Any, suffix: BytesLike, /) -> Any:
    if b.endswith(suffix):
        return b[: len(b) - len(suffix)]
    return b[:]


@per_arguments
def padded(b: Any, before: int, after: int, fill: Any) -> Any:
    result = bytearray()
    if before > 0:
        result += fill * before
    result += b
    if after > 0:
        result += fill * after
    return made(b, result)


@method_of(bytes, bytearray)
def ljust(b: Any, width: int, fillbyte: BytesLike = b" ", /) -> Any:
    if len(fillbyte) != 1:
        raise TypeError("ljust() argument 2 must be a byte string of length 1, not bytes")
    return padded(b, 0, max(width, 0) - len(b), fillbyte)


@method_of(bytes, bytearray)
def rjust(b: Any, width: int, fillbyte: BytesLike = b" ", /) -> Any:
    if len(fillbyte) != 1:
        raise TypeError("rjust() argument 2 must be a byte string of length 1, not bytes")
    return padded(b, max(width, 0) - len(b), 0, fillbyte)


@method_of(bytes, bytearray)
def center(b: Any, width: int, fillbyte: BytesLike = b" ", /) -> Any:
    if len(fillbyte) != 1:
        raise TypeError("center() argument 2 must be a byte string of length 1, not bytes")
    padding = max(width, 0) - len(b)
    if padding <= 0:
        return b[:]
    before = (padding >> 1) + (padding & width & 1)
    return padded(b, before, padding - before, fillbyte)


@method_of(bytes, bytearray)
def zfill(b: Any, width: int, /) -> Any:
    zeros = max(width, 0) - len(b)
    if zeros <= 0:
        return b[:]
    result = bytearray()
    signed = 1 if len(b) > 0 and (b[0] == 43 or b[0] == 45) else 0
    result += b[:signed]
    result += b"0" * zeros
    result += b[signed:]
    return made(b, result)


@method_of(bytes, bytearray)
def expandtabs(b: Any, /, tabsize: int = 8) -> Any:
    require_c_int(tabsize)
    result = bytearray()
    column = 0
    for byte in b:
        if byte == 9:
            if tabsize > 0:
                spaces = tabsize - column % tabsize
                result += b" " * spaces
                column += spaces
        else:
            result.append(byte)
            column = 0 if byte == 10 or byte == 13 else column + 1
    return made(b, result)


@method_of(bytes, bytearray)
def translate(b: Any, table: BytesLike | None, /, delete: BytesLike = b"") -> Any:
    if table is not None and len(table) != 256:
        raise ValueError("translation table must be 256 characters long")
    result = bytearray()
    for byte in b:
        if byte not in delete:
            result.append(byte if table is None else table[byte])
    return made(b, result)


@called_for(bytes.maketrans, bytearray.maketrans)
def maketrans(frm: BytesLike, to: BytesLike, /) -> Any:
    if len(frm) != len(to):
        raise ValueError("maketrans arguments must have same length")
    table = bytearray(range(256))
    for i in range(len(frm)):
        table[frm[i]] = to[i]
    return bytes(table)


# -- letters ----------------------------------------------------------------------------------


def is_space(byte: int) -> bool:
    return byte == 32 or 9 <= byte <= 13


def is_upper(byte: int) -> bool:
    return 65 <= byte <= 90


def is_lower(byte: int) -> bool:
    return 97 <= byte <= 122


def is_digit(byte: int) -> bool:
    return 48 <= byte <= 57


@method_of(bytes, bytearray)
def upper(b: Any, /) -> Any:
    result = bytearray(b)
    for i in range(len(result)):
        if is_lower(result[i]):
            result[i] -= 32
    return made(b, result)


@method_of(bytes, bytearray)
def lower(b: Any, /) -> Any:
    result = bytearray(b)
    for i in range(len(result)):
        if is_upper(result[i]):
            result[i] += 32
    return made(b, result)


@method_of(bytes, bytearray)
def swapcase(b: Any, /) -> Any:
    result = bytearray(b)
    for i in range(len(result)):
        if is_upper(result[i]) or is_lower(result[i]):
            result[i] ^= 32
    return made(b, result)


@method_of(bytes, bytearray)
def capitalize(b: Any, /) -> Any:
    result = bytearray(b)
    for i in range(len(result)):
        if (is_lower(result[i]) and i == 0) or (is_upper(result[i]) and i > 0):
            result[i] ^= 32
    return made(b, result)


@method_of(bytes, bytearray)
def title(b: Any, /) -> Any:
    result = bytearray(b)
    inside = False
    for i in range(len(result)):
        if is_lower(result[i]):
            if not inside:
                result[i] -= 32
            inside = True
        elif is_upper(result[i]):
            if inside:
                result[i] += 32
            inside = True
        else:
            inside = False
    return made(b, result)


@method_of(bytes, bytearray)
def isalnum(b: Any, /) -> bool:
    for byte in b:
        if not is_upper(byte) and not is_lower(byte) and not is_digit(byte):
            return False
    return len(b) > 0


@method_of(bytes, bytearray)
def isalpha(b: Any, /) -> bool:
    for byte in b:
        if not is_upper(byte) and not is_lower(byte):
            return False
    return len(b) > 0


@method_of(bytes, bytearray)
def isascii(b: Any, /) -> bool:
    return len(b) == 0 or max(b) <= 127


@method_of(bytes, bytearray)
def isdigit(b: Any, /) -> bool:
    for byte in b:
        if not is_digit(byte):
            return False
    return len(b) > 0


@method_of(bytes, bytearray)
def isspace(b: Any, /) -> bool:
    for byte in b:
        if not is_space(byte):
            return False
    return len(b) > 0


@method_of(bytes, bytearray)
def islower(b: Any, /) -> bool:
    found = False
    for byte in b:
        if is_upper(byte):
            return False
        if is_lower(byte):
            found = True
    return found


@method_of(bytes, bytearray)
def isupper(b: Any, /) -> bool:
    found = False
    for byte in b:
        if is_lower(byte):
            return False
        if is_upper(byte):
            found = True
    return found


@method_of(bytes, bytearray)
def istitle(b: Any, /) -> bool:
    found = False
    inside = False
    for byte in b:
        if is_upper(byte):
            if inside:
                return False
            inside = True
            found = True
        elif is_lower(byte):
            if not inside:
                return False
            found = True
        else:
            inside = False
    return found


# -- hexadecimal ------------------------------------------------------------------------------


_NONE_GIVEN = "no separator"


@method_of(bytes, bytearray, memoryview, name="hex")
def hexadecimal(
    b: Any, /, sep: str | BytesLike | None = _NONE_GIVEN, bytes_per_sep: int = 1
) -> str:
    require_c_int(bytes_per_sep)
    separator = ""
    if sep is None:
        raise TypeError("object of type 'NoneType' has no len()")
    if sep != _NONE_GIVEN:
        if len(sep) != 1:
            raise ValueError("sep must be length 1.")
        code = ord(sep)
        if code > 127:
            raise ValueError("sep must be ASCII.")
        separator = chr(code)
    length = len(b)
    group = abs(bytes_per_sep)
    pieces = []
    for i in range(length):
        if i > 0 and group > 0:
            if (i if bytes_per_sep < 0 else length - i) % group == 0:
                pieces.append(separator)
        byte = b[i]
        pieces.append("0123456789abcdef"[byte >> 4])
        pieces.append("0123456789abcdef"[byte & 15])
    return "".join(pieces)


def hex_digit(text: str, position: int) -> int:
    code = ord(text[position]) if position < len(text) else 0
    if 48 <= code <= 57:
        return code - 48
    if 97 <= code <= 102:
        return code - 87
    if 65 <= code <= 70:
        return code - 55
    raise ValueError(
        f"non-hexadecimal number found in fromhex() arg at position {position}"
    )


@called_for(bytearray.fromhex)
def bytearray_fromhex(text: str, /) -> bytearray:
    for position in range(len(text)):
        if ord(text[position]) > 127:
            hex_digit(text, position)
    result = bytearray()
    i = 0
    while i < len(text):
        if is_space(ord(text[i])):
            i += 1
        else:
            high = hex_digit(text, i)
            result.append(high << 4 | hex_digit(text, i + 1))
            i += 2
    return result


@called_for(bytes.fromhex)
def bytes_fromhex(text: str, /) -> bytes:
    return bytes(bytearray_fromhex(text))
