"""UTF-16 and UTF-32: see ``runicode``.

``str_decode_utf_16(s, size, errors, final=True, errorhandler=None)`` and the like: the text in the
first ``size`` bytes, and how many have been used.  ``unicode_encode_utf_16(s, size, errors,
errorhandler=None)``: the first ``size`` characters as bytes.  ``_le``: low bytes come first;
``_be``: high ones.  Without either there is a byte order mark; text without one is in the
machine's order, low bytes first.
"""

from __future__ import annotations

from typing import Any

from rpython.rlib._unierrors import (
    DecodeHandler,
    EncodeHandler,
    decode_handler,
    encode_handler,
)
from rpython.rlib.rutf8 import MAXUNICODE, is_surrogate


def _decode_utf_16(
    s: str,
    pos: int,
    size: int,
    errors: str,
    final: bool,
    errorhandler: DecodeHandler | None,
    big: bool,
) -> tuple[str, int]:
    handler = decode_handler(errorhandler)
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


def _decode_utf_32(
    s: str,
    pos: int,
    size: int,
    errors: str,
    final: bool,
    errorhandler: DecodeHandler | None,
    big: bool,
) -> tuple[str, int]:
    handler = decode_handler(errorhandler)
    encoding = "utf-32-be" if big else "utf-32-le"
    pieces: list[str] = []
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


def _encode_wide(
    s: str,
    size: int,
    errors: str,
    errorhandler: EncodeHandler | None,
    unit: int,
    big: bool,
) -> str:
    handler = encode_handler(errorhandler)
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


def _marks(unit: int) -> tuple[str, str]:
    """The byte order mark, low bytes first and high bytes first."""
    return _unit_text(0xFEFF, unit, False), _unit_text(0xFEFF, unit, True)


def _decoder(unit: int, big: bool, marked: bool) -> Any:
    """The function for units of so many bytes."""
    decode = _decode_utf_16 if unit == 2 else _decode_utf_32
    low_mark, high_mark = _marks(unit)

    def str_decode(
        s: str,
        size: int,
        errors: str,
        final: bool = True,
        errorhandler: DecodeHandler | None = None,
    ) -> tuple[str, int]:
        if marked and size >= unit and s.startswith(high_mark):
            return decode(s, unit, size, errors, final, errorhandler, True)
        start = unit if marked and size >= unit and s.startswith(low_mark) else 0
        return decode(s, start, size, errors, final, errorhandler, big)

    return str_decode


def _encoder(unit: int, big: bool, marked: bool) -> Any:
    mark = _marks(unit)[0] if marked else ""

    def unicode_encode(
        s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
    ) -> str:
        return mark + _encode_wide(s, size, errors, errorhandler, unit, big)

    return unicode_encode


str_decode_utf_16 = _decoder(2, False, True)
str_decode_utf_16_le = _decoder(2, False, False)
str_decode_utf_16_be = _decoder(2, True, False)
str_decode_utf_32 = _decoder(4, False, True)
str_decode_utf_32_le = _decoder(4, False, False)
str_decode_utf_32_be = _decoder(4, True, False)
unicode_encode_utf_16 = _encoder(2, False, True)
unicode_encode_utf_16_le = _encoder(2, False, False)
unicode_encode_utf_16_be = _encoder(2, True, False)
unicode_encode_utf_32 = _encoder(4, False, True)
unicode_encode_utf_32_le = _encoder(4, False, False)
unicode_encode_utf_32_be = _encoder(4, True, False)
