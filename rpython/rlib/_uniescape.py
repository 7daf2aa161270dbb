"""``unicode_escape``, ``raw_unicode_escape`` and tables of characters: see ``runicode``."""

from __future__ import annotations

from rpython.rlib._unierrors import (
    DecodeHandler,
    EncodeHandler,
    decode_handler,
    encode_handler,
)
from rpython.rlib.rutf8 import MAXUNICODE

_ESCAPES = {
    "\n": "", "\\": "\\", "'": "'", '"': '"', "b": "\b", "f": "\f", "t": "\t", "n": "\n",
    "r": "\r", "v": "\v", "a": "\a",
}  # fmt: skip
_LENGTHS = {"x": 2, "u": 4, "U": 8}
_HEX = "0123456789abcdef"


def _hex_value(s: str, start: int, end: int) -> int:
    """A number, -1 when not all characters are digits."""
    result = 0
    for i in range(start, end):
        digit = _HEX.find(s[i].lower())
        if digit < 0:
            return -1
        result = result << 4 | digit
    return result


def _hex_end(s: str, pos: int, end: int) -> int:
    """Where the digits end that start at ``pos``, ``end`` at the latest."""
    while pos < end and s[pos].lower() in _HEX:
        pos += 1
    return pos


def _hex(code: int, digits: int) -> str:
    return "".join([_HEX[code >> 4 * i & 15] for i in range(digits - 1, -1, -1)])


def str_decode_unicode_escape(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The text of the first ``size`` bytes with the escapes of Python's literals (without
    names, ``\\N``), and how many have been used."""
    handler = decode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        c = s[pos]
        if c != "\\":
            pieces.append(c)
            pos += 1
            continue
        if pos + 1 >= size:
            if not final:
                break
            piece, pos = handler(
                errors, "unicodeescape", "\\ at end of string", s, pos, pos + 1
            )
            pieces.append(piece)
            continue
        c = s[pos + 1]
        if c in _ESCAPES:
            pieces.append(_ESCAPES[c])
            pos += 2
        elif "0" <= c <= "7":
            code = 0
            stop = min(pos + 4, size)
            pos += 1
            while pos < stop and "0" <= s[pos] <= "7":
                code = code << 3 | ord(s[pos]) - 48
                pos += 1
            pieces.append(chr(code))
        elif c in _LENGTHS:
            piece, next_pos = _numbered(
                s, pos, size, errors, final, handler, "unicodeescape", "illegal Unicode character"
            )
            if next_pos < 0:
                break
            pieces.append(piece)
            pos = next_pos
        elif c == "N":
            msg = "\\N escapes not supported"
            piece, pos = handler(errors, "unicodeescape", msg, s, pos, pos + 2)
            pieces.append(piece)
        else:
            pieces.append("\\" + c)
            pos += 2
    return "".join(pieces), pos


def _numbered(
    s: str,
    pos: int,
    size: int,
    errors: str,
    final: bool,
    handler: DecodeHandler,
    encoding: str,
    too_large: str,
) -> tuple[str, int]:
    """The text of the escape with hexadecimal digits at ``pos``, and where to go on; -1: what
    follows is needed."""
    digits = _LENGTHS[s[pos + 1]]
    wanted = pos + 2 + digits
    stop = _hex_end(s, pos + 2, min(wanted, size))
    if stop == wanted:
        code = _hex_value(s, pos + 2, stop)
        if code <= MAXUNICODE:
            return chr(code), stop
        return handler(errors, encoding, too_large, s, pos, stop)
    if stop == size and not final:
        return "", -1
    msg = f"truncated \\{s[pos + 1]}{'X' * digits} escape"
    return handler(errors, encoding, msg, s, pos, stop)


def unicode_encode_unicode_escape(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The first ``size`` characters, those that are not printable ASCII as escapes."""
    pieces = []
    for i in range(size):
        code = ord(s[i])
        if s[i] == "\\":
            pieces.append("\\\\")
        elif s[i] == "\t":
            pieces.append("\\t")
        elif s[i] == "\n":
            pieces.append("\\n")
        elif s[i] == "\r":
            pieces.append("\\r")
        elif 32 <= code < 127:
            pieces.append(s[i])
        elif code < 256:
            pieces.append("\\x" + _hex(code, 2))
        else:
            pieces.append(_long_escape(code))
    return "".join(pieces)


def _long_escape(code: int) -> str:
    return "\\u" + _hex(code, 4) if code < 0x10000 else "\\U" + _hex(code, 8)


def str_decode_raw_unicode_escape(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The same as ``str_decode_unicode_escape``, with no other escapes than ``\\u`` and
    ``\\U``."""
    handler = decode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        c = s[pos]
        if c != "\\" or (pos + 1 >= size and final):
            pieces.append(c)
            pos += 1
            continue
        if pos + 1 >= size:
            break
        if s[pos + 1] not in ("u", "U"):
            pieces.append(s[pos : pos + 2])
            pos += 2
            continue
        piece, next_pos = _numbered(
            s, pos, size, errors, final, handler, "rawunicodeescape", "\\Uxxxxxxxx out of range"
        )
        if next_pos < 0:
            break
        pieces.append(piece)
        pos = next_pos
    return "".join(pieces), pos


def unicode_encode_raw_unicode_escape(
    s: str, size: int, errors: str, errorhandler: EncodeHandler | None = None
) -> str:
    """The first ``size`` characters, those beyond 255 as escapes."""
    pieces = []
    for i in range(size):
        code = ord(s[i])
        pieces.append(s[i] if code < 256 else _long_escape(code))
    return "".join(pieces)


# -- tables -----------------------------------------------------------------------------------

_UNDEFINED = "character maps to <undefined>"


def str_decode_charmap(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
    mapping: dict[str, str] | None = None,
) -> tuple[str, int]:
    """The texts that the table has for the first ``size`` bytes (none, or U+FFFE: an error), and
    how many have been used.  Without a table they are characters."""
    if mapping is None:
        return s[:size], size
    handler = decode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        found = mapping.get(s[pos], "\ufffe")
        if found == "\ufffe":
            found, pos = handler(errors, "charmap", _UNDEFINED, s, pos, pos + 1)
        else:
            pos += 1
        pieces.append(found)
    return "".join(pieces), pos


def unicode_encode_charmap(
    s: str,
    size: int,
    errors: str,
    errorhandler: EncodeHandler | None = None,
    mapping: dict[str, str] | None = None,
) -> str:
    """The bytes that the table has for the first ``size`` characters (none: an error).  Without
    a table they are characters up to 255."""
    handler = encode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    while pos < size:
        found = _mapped(mapping, s[pos])
        if found != "":
            pieces.append(found)
            pos += 1
            continue
        text, data, next_pos = handler(errors, "charmap", _UNDEFINED, s, pos, pos + 1)
        if data is not None:
            pieces.append(data)
        elif text is not None:
            for c in text:
                found = _mapped(mapping, c)
                if found == "":
                    handler("strict", "charmap", _UNDEFINED, s, pos, pos + 1)
                pieces.append(found)
        pos = next_pos
    return "".join(pieces)


def _mapped(mapping: dict[str, str] | None, c: str) -> str:
    if mapping is None:
        return c if ord(c) < 256 else ""
    return mapping.get(c, "")
