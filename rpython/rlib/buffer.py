"""Buffers: text under one interface, whatever holds it.

Text is a str of bytes (characters up to U+00FF), as RPython's is."""

from __future__ import annotations


class Buffer:
    """Something with characters at places from 0 on."""

    _immutable_ = True
    readonly = True

    def getlength(self) -> int:
        """How many characters there are."""
        raise NotImplementedError

    def getitem(self, index: int) -> str:
        """The character there."""
        raise NotImplementedError

    def setitem(self, index: int, char: str) -> None:
        """Put a character; raises TypeError when the buffer can only be read."""
        raise TypeError("the buffer is read-only")

    def as_str(self) -> str:
        """All characters."""
        return self.getslice(0, self.getlength(), 1, self.getlength())

    def getslice(self, start: int, stop: int, step: int, size: int) -> str:
        """``size`` characters from ``start`` on, each ``step`` from the last."""
        return "".join([self.getitem(start + i * step) for i in range(size)])

    def setslice(self, start: int, string: str) -> None:
        """Put a text; raises TypeError when the buffer can only be read."""
        for i in range(len(string)):
            self.setitem(start + i, string[i])

    def getformat(self) -> str:
        """The format of the items in the words of ``struct``."""
        return "B"

    def getitemsize(self) -> int:
        """Bytes per item."""
        return 1

    def getndim(self) -> int:
        """Dimensions."""
        return 1


class StringBuffer(Buffer):
    """A str as a buffer."""

    _immutable_ = True

    def __init__(self, value: str) -> None:
        self.value = value

    def getlength(self) -> int:
        return len(self.value)

    def as_str(self) -> str:
        return self.value

    def getitem(self, index: int) -> str:
        return self.value[index]

    def getslice(self, start: int, stop: int, step: int, size: int) -> str:
        if step == 1:
            return self.value[start:stop]
        return Buffer.getslice(self, start, stop, step, size)


class ByteBuffer(Buffer):
    """Memory of its own, zeros at first, that may be written to."""

    readonly = False

    def __init__(self, n: int) -> None:
        self.data = bytearray(n)

    def getlength(self) -> int:
        return len(self.data)

    def getitem(self, index: int) -> str:
        return chr(self.data[index])

    def setitem(self, index: int, char: str) -> None:
        self.data[index] = ord(char)


class SubBuffer(Buffer):
    """A part of another buffer: up to ``size`` characters (-1: all) from ``offset`` on."""

    buffer: Buffer
    offset: int
    size: int

    def __init__(self, buffer: Buffer, offset: int, size: int) -> None:
        self.readonly = buffer.readonly
        if isinstance(buffer, SubBuffer):  # parts of parts stay fast
            if size >= 0:
                size = max(min(size, buffer.getlength() - offset), 0)
            elif buffer.size >= 0:
                size = max(buffer.getlength() - offset, 0)
            offset += buffer.offset
            buffer = buffer.buffer
        self.buffer = buffer
        self.offset = offset
        self.size = size

    def getlength(self) -> int:
        behind = max(self.buffer.getlength() - self.offset, 0)
        return behind if self.size < 0 else min(self.size, behind)

    def getitem(self, index: int) -> str:
        return self.buffer.getitem(self.offset + index)

    def setitem(self, index: int, char: str) -> None:
        self.buffer.setitem(self.offset + index, char)
