"""What MD5 and SHA-1 share: text comes in pieces and is hashed in blocks of 64 bytes.

Text is a str of bytes (characters up to U+00FF), as RPython's is."""

from __future__ import annotations

from typing import TypeVar

MASK = 0xFFFFFFFF
BLOCK = 64
D = TypeVar("D", bound="Digest")


def rotated(x: int, count: int) -> int:
    """The 32 bits of ``x``, turned to the left."""
    return (x << count | x >> (32 - count)) & MASK


class Digest:
    """``state``: the words of 32 bits that the blocks so far gave."""

    big_endian = False

    def __init__(self, start: list[int], initialdata: str) -> None:
        self.state = list(start)
        self.rest = ""
        self.length = 0
        self.update(initialdata)

    def add_block(self, state: list[int], words: list[int]) -> None:
        """Mix 16 words of 32 bits into the state."""
        raise NotImplementedError

    def update(self, text: str) -> None:
        """Hash more."""
        self.length += len(text)
        text = self.rest + text
        position = 0
        while position + BLOCK <= len(text):
            self.add_block(self.state, self._words(text, position))
            position += BLOCK
        self.rest = text[position:]

    def digest(self) -> str:
        """What all text so far gives, a character for each byte."""
        state = list(self.state)
        zeros = (BLOCK - 9 - len(self.rest)) % BLOCK
        ending = self.rest + "\x80" + "\0" * zeros + self._number(self.length * 8, 8)
        for position in range(0, len(ending), BLOCK):
            self.add_block(state, self._words(ending, position))
        return "".join([self._number(word, 4) for word in state])

    def hexdigest(self) -> str:
        """The same in hexadecimal digits."""
        return "".join([f"{ord(char):02x}" for char in self.digest()])

    def copied_to(self, other: D) -> D:
        """``other`` with the text of this one."""
        other.state = list(self.state)
        other.rest = self.rest
        other.length = self.length
        return other

    def _words(self, text: str, position: int) -> list[int]:
        words = []
        for i in range(position, position + BLOCK, 4):
            first, second, third, fourth = (
                ord(text[i]), ord(text[i + 1]), ord(text[i + 2]), ord(text[i + 3])
            )  # fmt: skip
            if self.big_endian:
                words.append(first << 24 | second << 16 | third << 8 | fourth)
            else:
                words.append(fourth << 24 | third << 16 | second << 8 | first)
        return words

    def _number(self, number: int, size: int) -> str:
        """The bytes of a number."""
        chars = []
        for i in range(size):
            place = size - 1 - i if self.big_endian else i
            chars.append(chr(number >> 8 * place & 0xFF))
        return "".join(chars)
