"""UTF-7 (RFC 2152): see ``runicode``.

Direct characters are bytes; all others are UTF-16 in base 64 between ``+`` and ``-``, where the
``-`` may be left out before a direct character that is no digit of base 64.
"""

from __future__ import annotations

from rpython.rlib._unierrors import DecodeHandler, EncodeHandler, decode_handler

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_DIRECT = "'(),-./:?"
_OPTIONAL = "!\"#$%&*;<=>@[]^_`{|}"
_SPACE = " \t\n\r"


def str_decode_utf_7(
    s: str,
    size: int,
    errors: str,
    final: bool = True,
    errorhandler: DecodeHandler | None = None,
) -> tuple[str, int]:
    """The text in the first ``size`` bytes, and how many have been used."""
    handler = decode_handler(errorhandler)
    pieces: list[str] = []
    pos = 0
    start = 0  # of the part in base 64 that we are in, or of an error
    kept = 0  # how many pieces there were before it
    inside = False
    bits = 0
    buffer = 0
    high = 0  # the first half of a character, or 0
    while pos < size:
        c = s[pos]
        msg = ""
        if inside:
            digit = _DIGITS.find(c)
            if digit >= 0:
                pos += 1
                buffer = buffer << 6 | digit
                bits += 6
                if bits >= 16:
                    bits -= 16
                    code = buffer >> bits
                    buffer &= (1 << bits) - 1
                    if high and 0xDC00 <= code <= 0xDFFF:
                        pieces.append(chr(0x10000 + ((high & 0x3FF) << 10 | code & 0x3FF)))
                        high = 0
                        continue
                    if high:
                        pieces.append(chr(high))
                        high = 0
                    if 0xD800 <= code <= 0xDBFF:
                        high = code
                    else:
                        pieces.append(chr(code))
                continue
            inside = False
            if bits >= 6:
                msg = "partial character in base64 shift sequence"
            elif buffer != 0:
                msg = "non-zero padding bits in shift sequence"
            else:
                if high and ord(c) < 128 and c != "+":
                    pieces.append(chr(high))
                high = 0
                if c == "-":
                    pos += 1
                continue
        elif c == "+":
            start = pos
            pos += 1
            following = s[pos] if pos < size else "A"
            if following == "-":
                pieces.append("+")
                pos += 1
                continue
            if _DIGITS.find(following) >= 0:
                inside = True
                high = bits = buffer = 0
                kept = len(pieces)
                continue
            msg = "ill-formed sequence"
        elif ord(c) < 128:
            pieces.append(c)
            pos += 1
            continue
        else:
            start = pos
            msg = "unexpected special character"
        piece, pos = handler(errors, "utf7", msg, s, start, pos + 1)
        pieces.append(piece)
    if inside and final:
        if high or bits >= 6 or buffer != 0:
            piece, pos = handler(errors, "utf7", "unterminated shift sequence", s, start, size)
            pieces.append(piece)
    elif inside:
        return "".join(pieces[:kept]), start
    return "".join(pieces), pos


def _is_direct(c: str, set_o: bool, white_space: bool) -> bool:
    if c in _SPACE:
        return not white_space
    if c in _OPTIONAL:
        return not set_o
    return c in _DIRECT or (c.isascii() and c.isalnum())


def unicode_encode_utf_7(
    s: str,
    size: int,
    errors: str,
    errorhandler: EncodeHandler | None = None,
    encodeSetO: bool = False,
    encodeWhiteSpace: bool = False,
) -> str:
    """The first ``size`` characters.  The last two arguments: in base 64, too, the characters that
    may be direct ones, and white space."""
    pieces = []
    inside = False
    bits = 0
    buffer = 0
    for i in range(size):
        c = s[i]
        if _is_direct(c, encodeSetO, encodeWhiteSpace):
            if inside:
                if bits:
                    pieces.append(_DIGITS[buffer << 6 - bits & 63])
                if c == "-" or _DIGITS.find(c) >= 0:
                    pieces.append("-")
                inside = False
                bits = buffer = 0
            pieces.append(c)
            continue
        if not inside and c == "+":
            pieces.append("+-")
            continue
        if not inside:
            pieces.append("+")
            inside = True
        code = ord(c)
        if code >= 0x10000:
            code -= 0x10000
            buffer = buffer << 32 | (0xD800 | code >> 10) << 16 | 0xDC00 | code & 0x3FF
            bits += 32
        else:
            buffer = buffer << 16 | code
            bits += 16
        while bits >= 6:
            bits -= 6
            pieces.append(_DIGITS[buffer >> bits & 63])
        buffer &= (1 << bits) - 1
    if bits:
        pieces.append(_DIGITS[buffer << 6 - bits & 63])
    if inside:
        pieces.append("-")
    return "".join(pieces)
