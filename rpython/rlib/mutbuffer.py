"""Text that is put together at places of known length."""

from __future__ import annotations


class MutableStringBuffer:
    """A str of bytes (characters up to U+00FF) in the making, zeros at first; each method raises
    IndexError for places outside."""

    def __init__(self, size: int) -> None:
        self._data = bytearray(size)
        self._size = size
        self.readonly = False

    def getlength(self) -> int:
        """How many characters it will have."""
        return self._size

    def _check(self, start: int, count: int) -> None:
        if start < 0 or count < 0 or start + count > self._size:
            raise IndexError("buffer index out of range")

    def getitem(self, index: int) -> str:
        """The character there."""
        self._check(index, 1)
        return chr(self._data[index])

    def setitem(self, index: int, char: str) -> None:
        """Put a character."""
        self._check(index, 1)
        self._data[index] = ord(char)

    def getslice(self, start: int, stop: int, step: int, size: int) -> str:
        """``size`` characters from ``start`` on, each ``step`` from the last."""
        return "".join([self.getitem(start + i * step) for i in range(size)])

    def setslice(self, start: int, string: str) -> None:
        """Put a text."""
        self._check(start, len(string))
        for i in range(len(string)):
            self._data[start + i] = ord(string[i])

    def setzeros(self, start: int, count: int) -> None:
        """Put ``count`` zeros."""
        self._check(start, count)
        for i in range(start, start + count):
            self._data[i] = 0

    def as_str(self) -> str:
        """The text as it is now."""
        return self._data.decode("latin-1")

    def finish(self) -> str:
        """The text; the buffer has no characters from then on."""
        text = self.as_str()
        self._data = bytearray()
        self._size = 0
        return text
