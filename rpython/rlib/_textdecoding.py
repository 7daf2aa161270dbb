"""Text from bytes, piece by piece, and which byte of a file belongs to a character of its text.

The position that ``tell`` of a text file gives is worked out as in CPython's ``TextIOWrapper``: the
last piece of the file is decoded once more, from where the decoder held nothing back, up to the
character.
"""

from __future__ import annotations

from rpython.rlib._codecs import decode, incomplete_tail

UNIVERSAL = 0
"""All ends of lines are ``\\n``."""
ANY_END = 1
"""They are as they are."""
ONE_END = 2
"""Only one of them ends a line."""


class Decoder:
    """Decodes the pieces of a text.  Bytes of half a character, and a ``\\r`` that may be half the
    end of a line, wait for the next piece."""

    def __init__(self, codec: str, errors: str, ends: int) -> None:
        """``errors`` may be "": to be set before the first piece."""
        self.codec = codec
        self.errors = errors
        self.ends = ends
        self.rest = b""
        self.after_cr = False
        """Does a ``\\r`` wait?"""

    def restart(self, after_cr: bool = False) -> None:
        """No bytes wait."""
        self.rest = b""
        self.after_cr = after_cr

    def decode(self, data: bytes, final: bool) -> str:
        """The text of one more piece; ``final``: there are no more.  Raises UnicodeDecodeError."""
        if self.rest:
            data = self.rest + data
        size = len(data) - (0 if final else incomplete_tail(self.codec, data))
        text = decode(data[:size], self.codec, self.errors)
        self.rest = data[size:]
        if self.ends == ONE_END:
            return text
        if self.after_cr and (text or final):
            text = "\r" + text
            self.after_cr = False
        if text.endswith("\r") and not final:
            text = text[:-1]
            self.after_cr = True
        if self.ends == UNIVERSAL and "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text


class Place:
    """Where to go on reading: ``start`` of a file, where a ``\\r`` waits if ``after_cr``; there
    ``fed`` bytes are decoded, as the last ones if ``at_end``, and ``skipped`` characters of them
    have been given."""

    def __init__(
        self, start: int, after_cr: bool, fed: int = 0, skipped: int = 0, at_end: bool = False
    ) -> None:
        self.start = start
        self.after_cr = after_cr
        self.fed = fed
        self.skipped = skipped
        self.at_end = at_end

    def packed(self) -> int:
        """What ``tell`` gives: the byte where nothing else needs to be known, as in CPython, whose
        number for the rest does not fit an int.  Raises OverflowError."""
        if not (self.after_cr or self.fed or self.skipped or self.at_end):
            return self.start
        if self.start >= 1 << _START or self.fed >= 1 << _FED or self.skipped >= 1 << _SKIPPED:
            raise OverflowError("the position in a text file")
        number = self.start | int(self.after_cr) << _START | int(self.at_end) << (_START + 1)
        return _PACKED | number | self.fed << (_START + 2) | self.skipped << (_START + 2 + _FED)


_START, _FED, _SKIPPED = 44, 5, 11
"""How many bits each takes."""
_PACKED = 1 << 62


def unpacked(number: int) -> Place:
    """The place for which ``packed`` gave that number."""
    if number < _PACKED:
        return Place(number, False)
    flags = number >> _START
    return Place(
        number & ((1 << _START) - 1), flags & 1 != 0, (flags >> 2) & ((1 << _FED) - 1),
        (flags >> (2 + _FED)) & ((1 << _SKIPPED) - 1), flags & 2 != 0,
    )  # fmt: skip


def place_of(
    decoder: Decoder, start: int, after_cr: bool, data: bytes, count: int, ratio: float
) -> Place:
    """The place behind ``count`` characters of ``data``, which is at ``start`` of the file, where a
    ``\\r`` waits if ``after_cr``.

    decoder: a new one.  ratio: about how many bytes a character takes.

    Raises OSError when the data is too short.
    """
    skipped, decoded = _bytes_before(decoder, after_cr, data, count, ratio)
    place = Place(start + skipped, decoder.after_cr, 0, count - decoded)
    if place.skipped == 0:
        return place
    decoded = 0
    for at in range(skipped, len(data)):
        decoded += len(decoder.decode(data[at : at + 1], False))
        place.fed += 1
        if not decoder.rest and decoded <= place.skipped:  # one can start here, too
            place.start += place.fed
            place.skipped -= decoded
            place.after_cr = decoder.after_cr
            place.fed = decoded = 0
        if decoded >= place.skipped:
            return place
    decoded += len(decoder.decode(b"", True))
    place.at_end = True
    if decoded < place.skipped:
        raise OSError("can't reconstruct logical file position")
    return place


def _bytes_before(
    decoder: Decoder, after_cr: bool, data: bytes, count: int, ratio: float
) -> tuple[int, int]:
    """Decode as many bytes of the data, about, as can be decoded without getting behind ``count``
    characters, and leave nothing that waits: how many, and the characters that they are."""
    size = min(int(ratio * count), len(data))
    step = 1
    while size > 0:
        decoder.restart(after_cr)
        decoded = len(decoder.decode(data[:size], False))
        if decoded > count:
            size -= step
            step *= 2
        elif decoder.rest:
            size -= len(decoder.rest)
            step = 1
        else:
            return size, decoded
    decoder.restart(after_cr)
    return 0, 0
