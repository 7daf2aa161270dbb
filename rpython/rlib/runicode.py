"""Codecs between text and bytes, the bytes in a ``str`` of characters 0 to 255.

An error handler for decoding is ``handler(errors, encoding, msg, s, start, end)``: it gives the
text to put in place of ``s[start:end]`` and the position to go on at.  One for encoding gives a
text to be encoded or None, bytes or None, and the position.  Without a handler ``errors`` may be
``strict``, ``ignore`` and ``replace``; ``strict`` raises CodecError.
"""

from __future__ import annotations

import sys

from rpython.rlib._unierrors import CodecError as CodecError
from rpython.rlib._unierrors import DecodeHandler as DecodeHandler
from rpython.rlib._unierrors import EncodeHandler as EncodeHandler
from rpython.rlib._unierrors import decode_handler as decode_handler
from rpython.rlib._unierrors import default_unicode_error_decode as default_unicode_error_decode
from rpython.rlib._unierrors import default_unicode_error_encode as default_unicode_error_encode
from rpython.rlib._unierrors import encode_handler as encode_handler
from rpython.rlib._uniescape import str_decode_charmap as str_decode_charmap
from rpython.rlib._uniescape import str_decode_raw_unicode_escape as str_decode_raw_unicode_escape
from rpython.rlib._uniescape import str_decode_unicode_escape as str_decode_unicode_escape
from rpython.rlib._uniescape import unicode_encode_charmap as unicode_encode_charmap
from rpython.rlib._uniescape import (
    unicode_encode_raw_unicode_escape as unicode_encode_raw_unicode_escape,
)
from rpython.rlib._uniescape import unicode_encode_unicode_escape as unicode_encode_unicode_escape
from rpython.rlib._uniutf7 import str_decode_utf_7 as str_decode_utf_7
from rpython.rlib._uniutf7 import unicode_encode_utf_7 as unicode_encode_utf_7
from rpython.rlib._uniwide import str_decode_utf_16 as str_decode_utf_16
from rpython.rlib._uniwide import str_decode_utf_16_be as str_decode_utf_16_be
from rpython.rlib._uniwide import str_decode_utf_16_le as str_decode_utf_16_le
from rpython.rlib._uniwide import str_decode_utf_32 as str_decode_utf_32
from rpython.rlib._uniwide import str_decode_utf_32_be as str_decode_utf_32_be
from rpython.rlib._uniwide import str_decode_utf_32_le as str_decode_utf_32_le
from rpython.rlib._uniwide import unicode_encode_utf_16 as unicode_encode_utf_16
from rpython.rlib._uniwide import unicode_encode_utf_16_be as unicode_encode_utf_16_be
from rpython.rlib._uniwide import unicode_encode_utf_16_le as unicode_encode_utf_16_le
from rpython.rlib._uniwide import unicode_encode_utf_32 as unicode_encode_utf_32
from rpython.rlib._uniwide import unicode_encode_utf_32_be as unicode_encode_utf_32_be
from rpython.rlib._uniwide import unicode_encode_utf_32_le as unicode_encode_utf_32_le
from rpython.rlib.rutf8 import MAXUNICODE as MAXUNICODE
from rpython.rlib.rutf8 import is_surrogate, unichr_as_utf8

BYTEORDER = sys.byteorder


def UNICHR(c: int) -> str:
    """The character of a code point."""
    return chr(c)


def ORD(u: str) -> int:
    """The code point of a character."""
    return ord(u)


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
    handler = decode_handler(errorhandler)
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
    handler = encode_handler(errorhandler)
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
    handler = decode_handler(errorhandler)
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
    handler = encode_handler(errorhandler)
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
