"""Codecs between text and bytes, the bytes in a ``str`` of characters 0 to 255.

An error handler for decoding is ``handler(errors, encoding, msg, s, start, end)``: it gives the
text to put in place of ``s[start:end]`` and the position to go on at.  One for encoding gives a
text to be encoded or None, bytes or None, and the position.  Without a handler ``errors`` may be
``strict``, ``ignore`` and ``replace``; ``strict`` raises CodecError.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from rpython.rlib.rutf8 import is_surrogate, unichr_as_utf8

MAXUNICODE = 0x10FFFF
BYTEORDER = sys.byteorder

DecodeHandler = Callable[[str, str, str, str, int, int], tuple[str, int]]
EncodeHandler = Callable[[str, str, str, str, int, int], tuple[str | None, str | None, int]]


class CodecError(ValueError):
    """Text or bytes that cannot be converted."""

    def __init__(self, encoding: str, object: str, start: int, end: int, reason: str) -> None:
        super().__init__(f"'{encoding}' codec: {reason} (at {start} to {end})")
        self.encoding = encoding
        self.object = object
        self.start = start
        self.end = end
        self.reason = reason


def UNICHR(c: int) -> str:
    """The character of a code point."""
    return chr(c)


def ORD(u: str) -> int:
    """The code point of a character."""
    return ord(u)


def default_unicode_error_decode(
    errors: str, encoding: str, msg: str, s: str, startingpos: int, endingpos: int
) -> tuple[str, int]:
    """``strict``, ``ignore``, ``replace``.  Raises CodecError."""
    if errors == "replace":
        return "\ufffd", endingpos
    if errors == "ignore":
        return "", endingpos
    raise CodecError(encoding, s, startingpos, endingpos, msg)


def default_unicode_error_encode(
    errors: str, encoding: str, msg: str, s: str, startingpos: int, endingpos: int
) -> tuple[str | None, str | None, int]:
    """``strict``, ``ignore``, ``replace``.  Raises CodecError."""
    if errors == "replace":
        return "?" * (endingpos - startingpos), None, endingpos
    if errors == "ignore":
        return "", None, endingpos
    raise CodecError(encoding, s, startingpos, endingpos, msg)


def _decode_handler(handler: DecodeHandler | None) -> DecodeHandler:
    return default_unicode_error_decode if handler is None else handler


def _encode_handler(handler: EncodeHandler | None) -> EncodeHandler:
    return default_unicode_error_encode if handler is None else handler


# -- UTF-8 ------------------------------------------------------------------------------------


def str_decode_utf_8(
    s: str,
    size: int,
    errors: str,
    final: bool = False,
    errorhandler: DecodeHandler | None = None,
    allow_surrogates: bool = False,
) -> tuple[str, int]:
    """The text in the first ``size`` bytes, and how many have been used: all if ``final``, else
    not those of a code point that is not complete."""
    handler = _decode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        first = ord(s[pos])
        if first < 0x80:
            pieces.append(s[pos])
            pos += 1
            continue
        wanted = _utf_8_size(first)
        msg = "invalid start byte"
        valid = 1
        if wanted > 0:
            valid = _utf_8_prefix(s, pos, min(size, pos + wanted), allow_surrogates)
            if valid == wanted:
                pieces.append(_utf_8_char(s, pos, wanted))
                pos += wanted
                continue
            msg = "invalid continuation byte"
            if pos + valid == size:
                if not final:
                    break
                msg = "unexpected end of data"
        piece, pos = handler(errors, "utf-8", msg, s, pos, pos + valid)
        pieces.append(piece)
    return "".join(pieces), pos


def _utf_8_size(first: int) -> int:
    """How many bytes follow from the first one; 0 if none can start with it."""
    if first < 0xC2 or first > 0xF4:
        return 0
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def _utf_8_prefix(s: str, pos: int, end: int, allow_surrogates: bool) -> int:
    """How many bytes from ``pos`` on can start a code point."""
    i = pos + 1
    while i < end and 0x80 <= ord(s[i]) <= 0xBF:
        if i == pos + 1 and not _is_second(ord(s[pos]), ord(s[i]), allow_surrogates):
            break
        i += 1
    return i - pos


def _is_second(first: int, second: int, allow_surrogates: bool) -> bool:
    if first == 0xE0:
        return second >= 0xA0
    if first == 0xED:
        return allow_surrogates or second < 0xA0
    if first == 0xF0:
        return second >= 0x90
    return first != 0xF4 or second < 0x90


def _utf_8_char(s: str, pos: int, size: int) -> str:
    code = ord(s[pos]) & (0x7F >> size)
    for i in range(pos + 1, pos + size):
        code = code << 6 | ord(s[i]) & 0x3F
    return chr(code)


def unicode_encode_utf_8(
    s: str,
    size: int,
    errors: str,
    errorhandler: EncodeHandler | None = None,
    allow_surrogates: bool = False,
) -> str:
    """The UTF-8 of the first ``size`` characters."""
    handler = _encode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        code = ord(s[pos])
        if not is_surrogate(code) or allow_surrogates:
            pieces.append(unichr_as_utf8(code, True))
            pos += 1
            continue
        end = pos + 1
        while end < size and is_surrogate(ord(s[end])):
            end += 1
        text, data, next_pos = handler(errors, "utf-8", "surrogates not allowed", s, pos, end)
        if data is not None:
            pieces.append(data)
        elif text is not None:
            for c in text:
                if is_surrogate(ord(c)):
                    handler("strict", "utf-8", "surrogates not allowed", s, pos, end)
                pieces.append(unichr_as_utf8(ord(c), True))
        pos = next_pos
    return "".join(pieces)


# -- Latin-1 and ASCII ------------------------------------------------------------------------


def str_decode_latin_1(
    s: str,
    size: int,
    errors: str,
    final: bool = False,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The first ``size`` bytes as text."""
    return s[:size], size


def str_decode_ascii(
    s: str,
    size: int,
    errors: str,
    final: bool = False,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The same; bytes from 128 on are errors."""
    handler = _decode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        if s[pos] < "\x80":
            pieces.append(s[pos])
            pos += 1
        else:
            msg = "ordinal not in range(128)"
            piece, pos = handler(errors, "ascii", msg, s, pos, pos + 1)
            pieces.append(piece)
    return "".join(pieces), pos


def unicode_encode_latin_1(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The first ``size`` characters as bytes; those from 256 on are errors."""
    return _encode_below(256, "latin-1", s, size, errors, errorhandler)


def unicode_encode_ascii(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The same; characters from 128 on are errors."""
    return _encode_below(128, "ascii", s, size, errors, errorhandler)


def _encode_below(
    limit: int,
    encoding: str,
    s: str,
    size: int,
    errors: str,
    errorhandler: EncodeHandler | None,
) -> str:
    handler = _encode_handler(errorhandler)
    msg = f"ordinal not in range({limit})"
    pieces: list[str] = []
    pos = 0
    while pos < size:
        if ord(s[pos]) < limit:
            pieces.append(s[pos])
            pos += 1
            continue
        end = pos + 1
        while end < size and ord(s[end]) >= limit:
            end += 1
        text, data, next_pos = handler(errors, encoding, msg, s, pos, end)
        if data is not None:
            pieces.append(data)
        elif text is not None:
            for c in text:
                if ord(c) >= limit:
                    handler("strict", encoding, msg, s, pos, end)
                pieces.append(c)
        pos = next_pos
    return "".join(pieces)


# -- UTF-16 and UTF-32 ------------------------------------------------------------------------


def str_decode_utf_16(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The text in the first ``size`` bytes, and how many have been used.  A byte order mark
    tells the order; without one it is the machine's."""
    if size >= 2 and s.startswith("\xfe\xff"):
        return _decode_utf_16(s, 2, size, errors, final, errorhandler, True)
    start = 2 if size >= 2 and s.startswith("\xff\xfe") else 0
    return _decode_utf_16(s, start, size, errors, final, errorhandler, False)


def str_decode_utf_16_le(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The same; low bytes come first."""
    return _decode_utf_16(s, 0, size, errors, final, errorhandler, False)


def str_decode_utf_16_be(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The same; high bytes come first."""
    return _decode_utf_16(s, 0, size, errors, final, errorhandler, True)


def _decode_utf_16(
    s: str,
    pos: int,
    size: int,
    errors: str,
    final: bool,
    errorhandler: DecodeHandler | None,
    big: bool,
) -> tuple[str, int]:
    handler = _decode_handler(errorhandler)
    encoding = "utf-16-be" if big else "utf-16-le"
    pieces: list[str] = []
    while pos < size:
        end = pos + 2
        msg = "illegal encoding"
        if end > size:
            if not final:
                break
            end, msg = size, "truncated data"
        else:
            code = _unit(s, pos, 2, big)
            if not is_surrogate(code):
                pieces.append(chr(code))
                pos = end
                continue
            if code < 0xDC00 and end + 2 > size:
                if not final:
                    break
                end, msg = size, "unexpected end of data"
            elif code < 0xDC00:
                low = _unit(s, end, 2, big)
                if 0xDC00 <= low <= 0xDFFF:
                    pieces.append(chr(0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF)))
                    pos = end + 2
                    continue
                msg = "illegal UTF-16 surrogate"
        piece, pos = handler(errors, encoding, msg, s, pos, end)
        pieces.append(piece)
    return "".join(pieces), pos


def _unit(s: str, pos: int, size: int, big: bool) -> int:
    """A number of ``size`` bytes."""
    result = 0
    for i in range(size):
        result = result << 8 | ord(s[pos + i if big else pos + size - 1 - i])
    return result


def _unit_text(code: int, size: int, big: bool) -> str:
    chars = [chr(code >> 8 * i & 0xFF) for i in range(size)]
    if big:
        chars.reverse()
    return "".join(chars)


def str_decode_utf_32_le(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The text in the first ``size`` bytes, low ones first, and how many have been used."""
    return _decode_utf_32(s, size, errors, final, errorhandler, False)


def str_decode_utf_32_be(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The same; high bytes come first."""
    return _decode_utf_32(s, size, errors, final, errorhandler, True)


def _decode_utf_32(
    s: str,
    size: int,
    errors: str,
    final: bool,
    errorhandler: DecodeHandler | None,
    big: bool,
) -> tuple[str, int]:
    handler = _decode_handler(errorhandler)
    encoding = "utf-32-be" if big else "utf-32-le"
    pieces: list[str] = []
    pos = 0
    while pos < size:
        end = pos + 4
        if end > size:
            if not final:
                break
            end, msg = size, "truncated data"
        else:
            code = _unit(s, pos, 4, big)
            if code <= MAXUNICODE and not is_surrogate(code):
                pieces.append(chr(code))
                pos = end
                continue
            msg = "code point not in range(0x110000)"
            if is_surrogate(code):
                msg = "code point in surrogate code point range(0xd800, 0xe000)"
        piece, pos = handler(errors, encoding, msg, s, pos, end)
        pieces.append(piece)
    return "".join(pieces), pos


def unicode_encode_utf_16_le(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The first ``size`` characters in 16-bit units, low bytes first."""
    return _encode_wide(s, size, errors, errorhandler, 2, False)


def unicode_encode_utf_16_be(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The same; high bytes come first."""
    return _encode_wide(s, size, errors, errorhandler, 2, True)


def unicode_encode_utf_16(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The same in the machine's order, after a byte order mark."""
    return "\xff\xfe" + _encode_wide(s, size, errors, errorhandler, 2, False)


def unicode_encode_utf_32_le(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The first ``size`` characters in 32-bit units, low bytes first."""
    return _encode_wide(s, size, errors, errorhandler, 4, False)


def unicode_encode_utf_32_be(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The same; high bytes come first."""
    return _encode_wide(s, size, errors, errorhandler, 4, True)


def _encode_wide(
    s: str,
    size: int,
    errors: str,
    errorhandler: EncodeHandler | None,
    unit: int,
    big: bool,
) -> str:
    handler = _encode_handler(errorhandler)
    encoding = ("utf-16-" if unit == 2 else "utf-32-") + ("be" if big else "le")
    pieces: list[str] = []
    pos = 0
    while pos < size:
        code = ord(s[pos])
        if not is_surrogate(code):
            pieces.append(_wide_text(code, unit, big))
            pos += 1
            continue
        msg = "surrogates not allowed"
        text, data, next_pos = handler(errors, encoding, msg, s, pos, pos + 1)
        if data is not None:
            pieces.append(data)
        elif text is not None:
            for c in text:
                if is_surrogate(ord(c)):
                    handler("strict", encoding, msg, s, pos, pos + 1)
                pieces.append(_wide_text(ord(c), unit, big))
        pos = next_pos
    return "".join(pieces)


def _wide_text(code: int, unit: int, big: bool) -> str:
    if unit == 2 and code > 0xFFFF:
        code -= 0x10000
        high, low = 0xD800 | code >> 10, 0xDC00 | code & 0x3FF
        return _unit_text(high, 2, big) + _unit_text(low, 2, big)
    return _unit_text(code, unit, big)
