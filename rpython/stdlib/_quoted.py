"""``binascii``: quoted-printable text (RFC 2045) and uuencoded lines, as CPython has them."""

from __future__ import annotations

import binascii

from rpython.stdlib._registry import BytesLike, per_arguments, replaces

_LINE = 76
_HEX = b"0123456789ABCDEF"
_TAB, _LF, _CR, _SPACE, _DOT, _EQUALS, _UNDERSCORE = b"\t\n\r .=_"


def _hex_value(byte: int) -> int:
    """Of a digit, -1 of anything else."""
    if 48 <= byte <= 57:
        return byte - 48
    if 65 <= byte <= 70 or 97 <= byte <= 102:
        return (byte | 32) - 87
    return -1


@replaces(binascii.a2b_qp)
@per_arguments
def a2b_qp(data: BytesLike | str, header: bool = False) -> bytes:
    raw = data.encode("ascii") if isinstance(data, str) else bytes(data)
    made = bytearray()
    i = 0
    length = len(raw)
    while i < length:
        byte = raw[i]
        i += 1
        if byte != _EQUALS:
            made.append(_SPACE if header and byte == _UNDERSCORE else byte)
            continue
        if i >= length:
            break
        if raw[i] == _LF or raw[i] == _CR:  # a soft end of the line
            while i < length and raw[i] != _LF:
                i += 1
            i += 1
        elif raw[i] == _EQUALS:
            made.append(_EQUALS)
            i += 1
        elif i + 1 < length and _hex_value(raw[i]) >= 0 and _hex_value(raw[i + 1]) >= 0:
            made.append(_hex_value(raw[i]) << 4 | _hex_value(raw[i + 1]))
            i += 2
        else:
            made.append(_EQUALS)
    return bytes(made)


def _is_quoted(
    raw: bytes, i: int, column: int, quotetabs: bool, istext: bool, header: bool
) -> bool:
    byte = raw[i]
    at_end = i + 1 == len(raw)
    if byte > 126 or byte == _EQUALS or (header and byte == _UNDERSCORE):
        return True
    if byte == _DOT and column == 0:
        return at_end or raw[i + 1] in b"\n\r\0"
    if byte in (_CR, _LF):
        return not istext
    if byte in (_TAB, _SPACE):
        return at_end or quotetabs
    return byte < 33


def _put_quoted(made: bytearray, byte: int) -> None:
    made.append(_EQUALS)
    made.append(_HEX[byte >> 4])
    made.append(_HEX[byte & 15])


@replaces(binascii.b2a_qp)
def b2a_qp(
    data: BytesLike, quotetabs: bool = False, istext: bool = True, header: bool = False
) -> bytes:
    raw = bytes(data)
    first = raw.find(b"\n")
    end = b"\r\n" if first > 0 and raw[first - 1] == _CR else b"\n"
    made = bytearray()
    column = 0
    i = 0
    length = len(raw)
    while i < length:
        byte = raw[i]
        if _is_quoted(raw, i, column, quotetabs, istext, header):
            if column + 3 >= _LINE:
                made += b"=" + end
                column = 0
            _put_quoted(made, byte)
            i += 1
            column += 3
        elif istext and (byte == _LF or raw[i : i + 2] == b"\r\n"):
            column = 0
            if len(made) > 0 and (made[-1] == _SPACE or made[-1] == _TAB):
                _put_quoted(made, made.pop())
            made += end
            i += 2 if byte == _CR else 1
        else:
            if i + 1 != length and raw[i + 1] != _LF and column + 1 >= _LINE:
                made += b"=" + end
                column = 0
            column += 1
            made.append(_UNDERSCORE if header and byte == _SPACE else byte)
            i += 1
    return bytes(made)


@replaces(binascii.b2a_uu)
def b2a_uu(data: BytesLike, /, *, backtick: bool = False) -> bytes:
    raw = bytes(data)
    if len(raw) > 45:
        raise binascii.Error("At most 45 bytes at once")
    made = bytearray([_uu(len(raw), backtick)])
    for i in range(0, len(raw), 3):
        group = raw[i : i + 3] + bytes(3 - len(raw[i : i + 3]))
        word = group[0] << 16 | group[1] << 8 | group[2]
        for shift in (18, 12, 6, 0):
            made.append(_uu(word >> shift & 63, backtick))
    made.append(_LF)
    return bytes(made)


def _uu(value: int, backtick: bool) -> int:
    return 96 if backtick and value == 0 else value + 32


@replaces(binascii.crc_hqx)
def crc_hqx(data: BytesLike, crc: int, /) -> int:
    rest = crc & 0xFFFF
    for byte in bytes(data):
        rest ^= byte << 8
        for _ in range(8):
            rest = (rest << 1 ^ 0x1021 if rest & 0x8000 else rest << 1) & 0xFFFF
    return rest
