"""Codecs of text, chosen by a name when the program runs, or by a constant.

A Codec has ``encode(text, errors)`` and ``decode(data, errors)``.  Each says how a character is
written and how bytes are read; what to do about those that cannot be is decided here once, as
CPython's error handlers do it.
"""

from __future__ import annotations

from typing import NoReturn

from rpython.rlib import _codecs
from rpython.rlib.rutf8 import MAXUNICODE, is_surrogate

UNDEFINED = "\ufffe"
"""In tables of codecs: a byte that stands for nothing."""
_HANDLERS = ("strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass")
_ENCODE_HANDLERS = (*_HANDLERS, "xmlcharrefreplace")


def _require_handler(errors: str, known: tuple[str, ...]) -> None:
    """Raises LookupError for what no error handler is called."""
    if errors == "namereplace":
        raise NotImplementedError("the error handler 'namereplace'")
    if errors not in known:
        if errors == "xmlcharrefreplace":
            raise TypeError("don't know how to handle UnicodeDecodeError in error callback")
        raise LookupError(f"unknown error handler name '{errors}'")


def _escaped(code: int) -> str:
    """As ``backslashreplace`` writes a character."""
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


class Codec:
    """How text is written as bytes.

    Attributes:
        known_as: its name, as ``codecs.lookup`` gives it.
        writes, reads: its name in the messages of errors.
        reason: why a character cannot be encoded.
        mark: what stands in front of each text.
        by_runs: is an error about all characters in a row that cannot be encoded?
        wide: is a character more than one byte, always?
        halves: is a surrogate half written where ``surrogatepass`` asks for it?
    """

    by_runs = True
    wide = False
    halves = False

    def __init__(self, known_as: str, name: str, reason: str, mark: bytes = b"") -> None:
        self.known_as = known_as
        self.writes = name
        self.reads = name
        self.reason = reason
        self.mark = mark

    def takes(self, code: int) -> bool:
        """Can the character be encoded?"""
        raise NotImplementedError

    def put(self, code: int, out: bytearray) -> None:
        """Write the character, which may be a surrogate half if the codec has them."""
        raise NotImplementedError

    def decode(self, data: bytes, errors: str) -> str:
        """Raises UnicodeDecodeError, LookupError."""
        raise NotImplementedError

    def half_at(self, data: bytes, start: int) -> int:
        """The surrogate half that is written there; 0 if there is none."""
        return 0

    def encode(self, text: str, errors: str) -> bytes:
        """Raises UnicodeEncodeError, LookupError."""
        out = bytearray(self.mark)
        i = 0
        length = len(text)
        while i < length:
            code = ord(text[i])
            if self.takes(code):
                self.put(code, out)
                i += 1
                continue
            end = i + 1
            while self.by_runs and end < length and not self.takes(ord(text[end])):
                end += 1
            self._put_instead(text, i, end, errors, out)
            i = end
        return bytes(out)

    def _refuse(self, text: str, start: int, end: int) -> NoReturn:
        raise UnicodeEncodeError(self.writes, text, start, end, self.reason)

    def _put_instead(self, text: str, start: int, end: int, errors: str, out: bytearray) -> None:
        """Write what the error handler gives for characters."""
        if errors == "strict":
            self._refuse(text, start, end)
        _require_handler(errors, _ENCODE_HANDLERS)
        if errors == "ignore":
            return
        if errors == "surrogateescape":
            self.put_escaped(text, start, end, out)
            return
        passed = errors == "surrogatepass"
        for i in range(start, end):
            code = ord(text[i])
            if passed and not (self.halves and is_surrogate(code)):
                self._refuse(text, start, end)
        for i in range(start, end):
            code = ord(text[i])
            if passed:
                self.put(code, out)
            elif errors == "backslashreplace":
                self._put_text(_escaped(code), text, start, end, out)
            elif errors == "xmlcharrefreplace":
                self._put_text(f"&#{code};", text, start, end, out)
            else:
                self._put_text("?", text, start, end, out)

    def _put_text(self, instead: str, text: str, start: int, end: int, out: bytearray) -> None:
        for char in instead:
            if not self.takes(ord(char)):
                self._refuse(text, start, end)
            self.put(ord(char), out)

    def put_escaped(self, text: str, start: int, end: int, out: bytearray) -> None:
        """Write the bytes that ``surrogateescape`` has read as surrogate halves."""
        if self.wide:
            self._refuse(text, start, end)  # one byte is no character
        for i in range(start, end):
            if not 0xDC80 <= ord(text[i]) <= 0xDCFF:
                self._refuse(text, start, end)
            out.append(ord(text[i]) - 0xDC00)

    def read_instead(
        self, data: bytes, start: int, end: int, reason: str, errors: str, pieces: list[str]
    ) -> int:
        """Add what the error handler gives for bytes; where to go on."""
        if errors != "strict":
            _require_handler(errors, _HANDLERS)
        if errors == "ignore":
            return end
        if errors == "replace":
            pieces.append("\ufffd")
            return end
        if errors == "backslashreplace":
            for byte in data[start:end]:
                pieces.append(f"\\x{byte:02x}")
            return end
        if errors == "surrogateescape":
            i = start
            while i < end and i < start + 4 and data[i] >= 0x80:
                pieces.append(chr(0xDC00 + data[i]))
                i += 1
            if i > start:
                return i
        if errors == "surrogatepass" and self.halves:
            half = self.half_at(data, start)
            if half:
                pieces.append(chr(half))
                return start + self.half_size
        raise UnicodeDecodeError(self.reads, data, start, end, reason)

    half_size = 0


class NarrowCodec(Codec):
    """UTF-8, Latin-1 and ASCII, for which there is something faster where nothing is wrong.
    Characters below ``limit`` can be encoded."""

    half_size = 3

    def __init__(self, known_as: str, name: str, reason: str, fast: str, limit: int) -> None:
        Codec.__init__(self, known_as, name, reason)
        self.fast = fast
        self.limit = limit
        self.halves = limit > MAXUNICODE

    def takes(self, code: int) -> bool:
        return code < self.limit and not (self.halves and is_surrogate(code))

    def put(self, code: int, out: bytearray) -> None:
        if code < 0x80 or not self.halves:
            out.append(code)
        elif code < 0x800:
            out.append(0xC0 | code >> 6)
            out.append(0x80 | code & 0x3F)
        elif code < 0x10000:
            out.append(0xE0 | code >> 12)
            out.append(0x80 | code >> 6 & 0x3F)
            out.append(0x80 | code & 0x3F)
        else:
            out.append(0xF0 | code >> 18)
            out.append(0x80 | code >> 12 & 0x3F)
            out.append(0x80 | code >> 6 & 0x3F)
            out.append(0x80 | code & 0x3F)

    def encode(self, text: str, errors: str) -> bytes:
        try:
            return _codecs.encode(text, self.fast, "strict")
        except UnicodeEncodeError:
            if errors == "strict":
                raise
        return Codec.encode(self, text, errors)

    def put_escaped(self, text: str, start: int, end: int, out: bytearray) -> None:
        for i in range(start, end):
            if not 0xDC80 <= ord(text[i]) <= 0xDCFF:
                self._refuse(text, i, end)
            out.append(ord(text[i]) - 0xDC00)

    def decode(self, data: bytes, errors: str) -> str:
        pieces: list[str] = []
        pos = 0
        while True:
            try:
                pieces.append(_codecs.decode(data[pos:], self.fast, "strict"))
                return "".join(pieces)
            except UnicodeDecodeError as error:
                if errors == "strict":
                    raise
                start, end, reason = pos + error.start, pos + error.end, error.reason
            if errors in _HANDLERS[:5]:
                return _codecs.decode(data, self.fast, errors)
            pieces.append(_codecs.decode(data[pos:start], self.fast, "strict"))
            pos = self.read_instead(data, start, end, reason, errors, pieces)

    def half_at(self, data: bytes, start: int) -> int:
        if start + 3 > len(data):
            return 0
        first, second, third = data[start], data[start + 1], data[start + 2]
        if first != 0xED or second & 0xE0 != 0xA0 or third & 0xC0 != 0x80:
            return 0
        return 0xD000 | (second & 0x3F) << 6 | third & 0x3F


class SignedUtf8(NarrowCodec):
    """``utf-8-sig``: with a mark in front, which need not be there."""

    def encode(self, text: str, errors: str) -> bytes:
        return b"\xef\xbb\xbf" + NarrowCodec.encode(self, text, errors)

    def decode(self, data: bytes, errors: str) -> str:
        if data[:3] == b"\xef\xbb\xbf":
            data = data[3:]
        return NarrowCodec.decode(self, data, errors)


class WideCodec(Codec):
    """UTF-16 and UTF-32.  ``big``: high bytes come first; ``marked``: a mark says which."""

    by_runs = False
    wide = True
    halves = True

    def __init__(self, size: int, big: bool, marked: bool) -> None:
        name = f"utf-{8 * size}"
        ordered = f"{name}-be" if big else f"{name}-le"
        self.size = size
        self.half_size = size
        self.big = big
        self.marked = marked
        Codec.__init__(self, name if marked else ordered, name, "surrogates not allowed")
        if marked:
            mark = bytearray()
            self.put(0xFEFF, mark)
            self.mark = bytes(mark)
        else:
            self.writes = ordered
        self.reads = ordered

    def takes(self, code: int) -> bool:
        return not is_surrogate(code)

    def put(self, code: int, out: bytearray) -> None:
        if self.size == 2 and code > 0xFFFF:
            self.put(0xD800 | code - 0x10000 >> 10, out)
            self.put(0xDC00 | code - 0x10000 & 0x3FF, out)
            return
        for i in range(self.size):
            shift = 8 * (self.size - 1 - i if self.big else i)
            out.append(code >> shift & 0xFF)

    def _unit(self, data: bytes, pos: int) -> int:
        result = 0
        for i in range(self.size):
            result = result << 8 | data[pos + i if self.big else pos + self.size - 1 - i]
        return result

    def half_at(self, data: bytes, start: int) -> int:
        if start + self.size > len(data):
            return 0
        code = self._unit(data, start)
        return code if is_surrogate(code) else 0

    def decode(self, data: bytes, errors: str) -> str:
        if self.marked and len(data) >= self.size:
            if self._unit(data, 0) == 0xFEFF:
                return self._decoded(data, self.size, errors)
            if self._unit(data, 0) == (0xFFFE if self.size == 2 else 0xFFFE0000):
                return WideCodec(self.size, not self.big, False)._decoded(data, self.size, errors)
        return self._decoded(data, 0, errors)

    def _decoded(self, data: bytes, pos: int, errors: str) -> str:
        pieces: list[str] = []
        while pos < len(data):
            end = min(pos + self.size, len(data))
            code = self._unit(data, pos) if pos + self.size <= len(data) else -1
            reason = "truncated data"
            if code >= 0 and not is_surrogate(code) and code <= MAXUNICODE:
                pieces.append(chr(code))
                pos = end
                continue
            if code > MAXUNICODE:
                reason = "code point not in range(0x110000)"
            elif code >= 0 and self.size == 4:
                reason = "code point in surrogate code point range(0xd800, 0xe000)"
            elif code >= 0xDC00:
                reason = "illegal encoding"
            elif code >= 0 and end + 2 > len(data):
                end = len(data)
                reason = "unexpected end of data"
            elif code >= 0:
                low = self._unit(data, end)
                if 0xDC00 <= low <= 0xDFFF:
                    pieces.append(chr(0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF)))
                    pos = end + 2
                    continue
                reason = "illegal UTF-16 surrogate"
            pos = self.read_instead(data, pos, end, reason, errors, pieces)
        return "".join(pieces)


class CharmapCodec(Codec):
    """A byte is a character, by a table of 256.  Of two bytes for one the last is written."""

    def __init__(self, known_as: str, table: str) -> None:
        Codec.__init__(self, known_as, "charmap", "character maps to <undefined>")
        self.table = table
        self.written: dict[int, int] = {}

    def _bytes(self) -> dict[int, int]:
        if len(self.written) == 0:
            written = {}
            for byte in range(len(self.table)):
                code = ord(self.table[byte])
                if self.table[byte] != UNDEFINED:
                    written[code] = byte
            self.written = written
        return self.written

    def takes(self, code: int) -> bool:
        return code in self._bytes()

    def put(self, code: int, out: bytearray) -> None:
        out.append(self._bytes()[code])

    def decode(self, data: bytes, errors: str) -> str:
        pieces: list[str] = []
        pos = 0
        while pos < len(data):
            char = self.table[data[pos]]
            if char == UNDEFINED:
                reason = "character maps to <undefined>"
                pos = self.read_instead(data, pos, pos + 1, reason, errors, pieces)
            else:
                pieces.append(char)
                pos += 1
        return "".join(pieces)
