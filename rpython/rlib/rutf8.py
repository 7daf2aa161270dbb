"""UTF-8 in a ``str`` whose characters are its bytes, 0 to 255.

Positions are those of bytes; where a function takes one, it is the start of a code point of
valid UTF-8.  Surrogates are encoded as other code points are, where they are allowed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rpython.rlib.rstring import StringBuilder

MAXUNICODE = 0x10FFFF
INDEX_STEP = 64


class OutOfRange(Exception):
    """No code point."""


class CheckError(Exception):
    """No valid UTF-8, from the byte ``pos`` on."""

    def __init__(self, pos: int) -> None:
        super().__init__(pos)
        self.pos = pos


# -- code points ------------------------------------------------------------------------------


def is_surrogate(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF


def unichr_as_utf8(code: int, allow_surrogates: bool = False) -> str:
    """The bytes of a code point.

    Raises OutOfRange for what is none, and for a surrogate unless ``allow_surrogates``.
    """
    if code < 0 or code > MAXUNICODE or (is_surrogate(code) and not allow_surrogates):
        raise OutOfRange
    if code < 0x80:
        return chr(code)
    if code < 0x800:
        return chr(0xC0 | code >> 6) + _last(code)
    if code < 0x10000:
        return chr(0xE0 | code >> 12) + _last(code >> 6) + _last(code)
    return chr(0xF0 | code >> 18) + _last(code >> 12) + _last(code >> 6) + _last(code)


def _last(code: int) -> str:
    """The byte that continues with the low six bits."""
    return chr(0x80 | code & 0x3F)


def unichr_as_utf8_append(
    builder: StringBuilder, code: int, allow_surrogates: bool = False
) -> None:
    """Append these bytes to ``builder``."""
    builder.append(unichr_as_utf8(code, allow_surrogates))


def next_codepoint_pos(code: str, pos: int) -> int:
    """The position of the code point behind the one at ``pos``."""
    c = code[pos]
    if c < "\x80":
        return pos + 1
    if c < "\xe0":
        return pos + 2
    return pos + (3 if c < "\xf0" else 4)


def prev_codepoint_pos(code: str, pos: int) -> int:
    """The position of the code point before ``pos``, which is not 0."""
    pos -= 1
    while pos > 0 and "\x80" <= code[pos] < "\xc0":
        pos -= 1
    return pos


def codepoint_at_pos(code: str, pos: int) -> int:
    """The code point at ``pos``."""
    first = ord(code[pos])
    if first < 0x80:
        return first
    second = ord(code[pos + 1]) & 0x3F
    if first < 0xE0:
        return (first & 0x1F) << 6 | second
    third = ord(code[pos + 2]) & 0x3F
    if first < 0xF0:
        return (first & 0x0F) << 12 | second << 6 | third
    return (first & 0x07) << 18 | second << 12 | third << 6 | ord(code[pos + 3]) & 0x3F


def codepoint_before_pos(code: str, pos: int) -> int:
    """The code point before ``pos``, which is not 0."""
    return codepoint_at_pos(code, prev_codepoint_pos(code, pos))


# -- whole texts ------------------------------------------------------------------------------


def check_ascii(s: str) -> None:
    """Raise CheckError unless all is ASCII."""
    pos = first_non_ascii_char(s)
    if pos >= 0:
        raise CheckError(pos)


def first_non_ascii_char(s: str) -> int:
    """The position of the first byte from 128 on, -1 if there is none."""
    for i in range(len(s)):
        if s[i] >= "\x80":
            return i
    return -1


def check_utf8(s: str, allow_surrogates: bool = False, start: int = 0, stop: int = -1) -> int:
    """The number of code points in ``s[start:stop]``, to the end if ``stop`` is negative.

    Raises CheckError.
    """
    end = len(s) if stop < 0 else stop
    pos = start
    count = 0
    while pos < end:
        size = _size_of_valid(s, pos, end, allow_surrogates)
        if size == 0:
            raise CheckError(pos)
        pos += size
        count += 1
    return count


def _size_of_valid(s: str, pos: int, end: int, allow_surrogates: bool) -> int:
    """How many bytes the code point at ``pos`` has, 0 if it is not valid."""
    c = s[pos]
    if c < "\x80":
        return 1
    if c < "\xc2" or c > "\xf4" or pos + 1 >= end:
        return 0
    second = s[pos + 1]
    low, high = "\x80", "\xbf"
    if c == "\xe0":
        low = "\xa0"
    elif c == "\xed" and not allow_surrogates:
        high = "\x9f"
    elif c == "\xf0":
        low = "\x90"
    elif c == "\xf4":
        high = "\x8f"
    if not low <= second <= high:
        return 0
    size = 2 if c < "\xe0" else 3 if c < "\xf0" else 4
    if pos + size > end:
        return 0
    for i in range(pos + 2, pos + size):
        if not "\x80" <= s[i] <= "\xbf":
            return 0
    return size


def codepoints_in_utf8(value: str, start: int = 0, end: int = sys.maxsize) -> int:
    """The number of code points in ``value[start:end]``, which is valid."""
    count = 0
    for i in range(start, min(end, len(value))):
        if not "\x80" <= value[i] <= "\xbf":
            count += 1
    return count


def get_utf8_length(s: str, start: int = 0, end: int = -1) -> int:
    """The same; to the end if ``end`` is negative."""
    return codepoints_in_utf8(s, start, len(s) if end < 0 else end)


def surrogate_in_utf8(value: str) -> int:
    """The position of the first surrogate, -1 if there is none."""
    for i in range(len(value) - 2):
        if value[i] == "\xed" and value[i + 1] >= "\xa0":
            return i
    return -1


def has_surrogates(value: str) -> bool:
    """Whether there is one."""
    return surrogate_in_utf8(value) >= 0


def utf8_in_chars(value: str, pos: int, chars: str) -> bool:
    """Whether the code point at ``pos`` is one of those in ``chars``."""
    wanted = codepoint_at_pos(value, pos)
    i = 0
    while i < len(chars):
        if codepoint_at_pos(chars, i) == wanted:
            return True
        i = next_codepoint_pos(chars, i)
    return False


def isspace(utf8s: str, index: int) -> bool:
    """Whether the code point at ``index`` is white space."""
    return chr(codepoint_at_pos(utf8s, index)).isspace()


def islinebreak(utf8s: str, index: int) -> bool:
    """Whether a line ends with the code point at ``index``."""
    return chr(codepoint_at_pos(utf8s, index)) in "\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"


def reverse_utf8(value: str) -> str:
    """The code points, the last one first."""
    pieces: list[str] = []
    pos = len(value)
    while pos > 0:
        start = prev_codepoint_pos(value, pos)
        pieces.append(value[start:pos])
        pos = start
    return "".join(pieces)


def decode_latin_1(s: str) -> str:
    """The UTF-8 of text in Latin-1."""
    return "".join([unichr_as_utf8(ord(c)) for c in s])


def utf8_of(text: str) -> str:
    """The UTF-8 of a text; surrogates are allowed."""
    return "".join([unichr_as_utf8(ord(c), True) for c in text])


def text_of(utf8: str) -> str:
    """The text whose UTF-8 that is; surrogates are allowed.  Raises CheckError."""
    check_utf8(utf8, True)
    return "".join([chr(code) for code in Utf8StringIterator(utf8)])


# -- positions of many code points ------------------------------------------------------------


def create_utf8_index_storage(utf8: str, utf8len: int) -> list[int]:
    """Where each 64th code point is: what the functions below need to be fast."""
    storage: list[int] = []
    pos = 0
    for i in range(utf8len):
        if i % INDEX_STEP == 0:
            storage.append(pos)
        pos = next_codepoint_pos(utf8, pos)
    return storage


def codepoint_position_at_index(utf8: str, storage: list[int], index: int) -> int:
    """The position of code point ``index``; the length of ``utf8`` for the one behind the
    last."""
    block = index // INDEX_STEP
    if block == len(storage):
        return len(utf8)
    pos = storage[block]
    for _ in range(index % INDEX_STEP):
        pos = next_codepoint_pos(utf8, pos)
    return pos


def codepoint_at_index(utf8: str, storage: list[int], index: int) -> int:
    """Code point ``index``."""
    return codepoint_at_pos(utf8, codepoint_position_at_index(utf8, storage, index))


def codepoint_index_at_byte_position(utf8: str, storage: list[int], bytepos: int) -> int:
    """The index of the code point at ``bytepos``."""
    low, high = 0, len(storage)
    while low < high:
        middle = (low + high) >> 1
        if storage[middle] <= bytepos:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return 0
    return (low - 1) * INDEX_STEP + codepoints_in_utf8(utf8, storage[low - 1], bytepos)


# -- building and walking ---------------------------------------------------------------------


class Utf8StringBuilder:
    """UTF-8 that grows at its end, and the number of its code points."""

    def __init__(self, size: int = 0) -> None:
        self._builder = StringBuilder(size)
        self._length = 0

    def append(self, s: str) -> None:
        """Append UTF-8."""
        self._builder.append(s)
        self._length += codepoints_in_utf8(s)

    def append_utf8(self, utf8: str, length: int) -> None:
        """Append UTF-8 of ``length`` code points."""
        self._builder.append(utf8)
        self._length += length

    def append_char(self, c: str) -> None:
        """Append an ASCII character."""
        assert c < "\x80"
        self._builder.append(c)
        self._length += 1

    def append_code(self, code: int) -> None:
        """Append a code point, which may be a surrogate.  Raises OutOfRange."""
        self._builder.append(unichr_as_utf8(code, True))
        self._length += 1

    def append_slice(self, s: str, start: int, end: int) -> None:
        """Append the UTF-8 ``s[start:end]``."""
        self.append(s[start:end])

    def append_utf8_slice(self, s: str, start: int, end: int, length: int) -> None:
        """The same, of ``length`` code points."""
        self._builder.append_slice(s, start, end)
        self._length += length

    def append_multiple_char(self, utf8: str, count: int) -> None:
        """Append one code point, ``count`` times."""
        for _ in range(count):
            self._builder.append(utf8)
        self._length += max(count, 0)

    def getlength(self) -> int:
        """The number of code points."""
        return self._length

    def build(self) -> str:
        """The UTF-8 so far."""
        return self._builder.build()


def Utf8StringIterator(utf8s: str) -> Iterator[int]:
    """The code points."""
    pos = 0
    while pos < len(utf8s):
        yield codepoint_at_pos(utf8s, pos)
        pos = next_codepoint_pos(utf8s, pos)


def Utf8StringPosIterator(utf8s: str) -> Iterator[tuple[int, int]]:
    """The code points and the positions of each."""
    pos = 0
    while pos < len(utf8s):
        yield codepoint_at_pos(utf8s, pos), pos
        pos = next_codepoint_pos(utf8s, pos)
