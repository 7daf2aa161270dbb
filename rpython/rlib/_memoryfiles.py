"""``io.StringIO`` and ``io.BytesIO``."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from rpython.rlib._streams import (
    BYTES_LIKE,
    ByteStream,
    ItemsOf,
    Lines,
    TextStream,
    takes,
)
from rpython.rlib._textdecoding import UNIVERSAL
from rpython.rlib._textfiles import ends_of, line_end


class StringIO(Lines, TextStream):
    """Text.  What is written at the end waits in a list until somebody wants to see it."""

    @takes(initial_value=(str, None), newline=(str, None))
    def __init__(self, initial_value: str | None = "", newline: str | None = "\n") -> None:
        if newline is not None and newline not in ("", "\n", "\r", "\r\n"):
            raise ValueError("illegal newline value: " + repr(newline))
        self._ends, self._newline = ends_of(newline)
        self._closed = False
        self.line_buffering = False
        self._text = ""
        self._waiting: list[str] = []
        self._length = 0
        self._at = 0
        if initial_value is not None and initial_value:
            self.write(initial_value)
            self._at = 0

    @property
    def closed(self) -> bool:
        return self._closed

    def _settle(self) -> None:
        """Have all of the text in one piece."""
        if self._waiting:
            self._text += "".join(self._waiting)
            self._waiting = []

    def getvalue(self) -> str:
        self._check_raw_open()
        self._settle()
        return self._text

    @takes(text=str)
    def write(self, text: str) -> int:
        self._check_raw_open()
        written = text
        if self._ends == UNIVERSAL:
            if "\r" in text:
                written = text.replace("\r\n", "\n").replace("\r", "\n")
        elif self._newline != "\n" and "\n" in text:
            written = text.replace("\n", self._newline)
        size = len(written)
        if size == 0:
            return len(text)
        if self._at > self._length:
            self._waiting.append("\0" * (self._at - self._length))
            self._length = self._at
        if self._at == self._length:
            self._waiting.append(written)
            self._length += size
        else:
            self._settle()
            self._text = self._text[: self._at] + written + self._text[self._at + size :]
            self._length = len(self._text)
        self._at += size
        return len(text)

    @takes(lines=ItemsOf(str))
    def writelines(self, lines: Iterable[str]) -> None:
        self._check_open()
        for line in lines:
            self.write(line)

    def read(self, size: int | None = -1) -> str:
        self._check_raw_open()
        self._settle()
        start = min(self._at, self._length)
        if size is None or size < 0 or size > self._length - start:
            stop = self._length
        else:
            stop = start + size
        if stop > self._at:
            self._at = stop
        return self._text[start:stop]

    def readline(self, size: int | None = -1) -> str:
        self._check_raw_open()
        self._settle()
        if self._at >= self._length:
            return ""
        start = self._at
        stop = line_end(self._text, start, self._ends, self._newline)
        if stop < 0:
            stop = self._length
        if size is not None and 0 <= size < stop - start:
            stop = start + size
        self._at = stop
        return self._text[start:stop]

    def tell(self) -> int:
        self._check_raw_open()
        return self._at

    def seek(self, cookie: int, whence: int = 0) -> int:
        self._check_raw_open()
        if whence < 0 or whence > 2:
            raise ValueError("Invalid whence (" + str(whence) + ", should be 0, 1 or 2)")
        if whence == 0 and cookie < 0:
            raise ValueError("Negative seek position " + str(cookie))
        if whence != 0 and cookie != 0:
            raise OSError("Can't do nonzero cur-relative seeks")
        if whence == 2:
            self._at = self._length
        elif whence == 0:
            self._at = cookie
        return self._at

    def truncate(self, size: int | None = None) -> int:
        self._check_raw_open()
        end = self._at if size is None else size
        if end < 0:
            raise ValueError("Negative size value " + str(end))
        if end < self._length:
            self._settle()
            self._text = self._text[:end]
            self._length = end
        return end

    def flush(self) -> None:
        self._check_raw_open()

    def close(self) -> None:
        self._closed = True
        self._text = ""
        self._waiting = []

    def isatty(self) -> bool:
        self._check_raw_open()
        return False

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")

    def readable(self) -> bool:
        self._check_raw_open()
        return True

    def writable(self) -> bool:
        self._check_raw_open()
        return True

    def seekable(self) -> bool:
        self._check_raw_open()
        return True


class BytesIO(Lines, ByteStream):
    """Bytes."""

    @takes(initial_bytes=(*BYTES_LIKE, None))
    def __init__(self, initial_bytes: bytes | bytearray | None = b"") -> None:
        self._data = bytearray()
        if initial_bytes is not None:
            self._data += initial_bytes
        self._at = 0
        self._closed = False

    @property
    def closed(self) -> bool:
        return self._closed

    def getvalue(self) -> bytes:
        self._check_open()
        return bytes(self._data)

    @takes(data=BYTES_LIKE)
    def write(self, data: bytes | bytearray) -> int:
        self._check_open()
        size = len(data)
        if size:
            missing = self._at - len(self._data)
            if missing > 0:
                self._data += bytes(missing)
            self._data[self._at : self._at + size] = data
            self._at += size
        return size

    @takes(lines=ItemsOf(BYTES_LIKE))
    def writelines(self, lines: Iterable[bytes]) -> None:
        self._check_open()
        for line in lines:
            self.write(line)

    def read(self, size: int | None = -1) -> bytes:
        self._check_open()
        start = min(self._at, len(self._data))
        if size is None or size < 0 or size > len(self._data) - start:
            stop = len(self._data)
        else:
            stop = start + size
        if stop > self._at:
            self._at = stop
        return bytes(self._data[start:stop])

    def read1(self, size: int | None = -1) -> bytes:
        return self.read(size)

    def readinto(self, buffer: bytearray) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def readline(self, size: int | None = -1) -> bytes:
        self._check_open()
        if self._at >= len(self._data):
            return b""
        start = self._at
        stop = self._data.find(b"\n", start) + 1
        if stop == 0:
            stop = len(self._data)
        if size is not None and 0 <= size < stop - start:
            stop = start + size
        self._at = stop
        return bytes(self._data[start:stop])

    def tell(self) -> int:
        self._check_open()
        return self._at

    def seek(self, target: int, whence: int = 0) -> int:
        self._check_open()
        if whence == 0:
            if target < 0:
                raise ValueError("negative seek value " + str(target))
            self._at = target
        elif whence == 1:
            self._at = max(0, self._at + target)
        elif whence == 2:
            self._at = max(0, len(self._data) + target)
        else:
            raise ValueError("invalid whence (" + str(whence) + ", should be 0, 1 or 2)")
        return self._at

    def truncate(self, size: int | None = None) -> int:
        self._check_open()
        end = self._at if size is None else size
        if end < 0:
            raise ValueError("negative size value " + str(end))
        if end < len(self._data):
            del self._data[end:]
        return end

    def flush(self) -> None:
        self._check_open()

    def close(self) -> None:
        self._closed = True
        self._data = bytearray()

    def isatty(self) -> bool:
        self._check_open()
        return False

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")

    def readable(self) -> bool:
        self._check_open()
        return True

    def writable(self) -> bool:
        self._check_open()
        return True

    def seekable(self) -> bool:
        self._check_open()
        return True


def file_in_memory(x: io.StringIO | io.BytesIO) -> StringIO | BytesIO:
    """What stands for one that was made before the program was translated."""
    if x.closed:
        raise NotImplementedError("a closed file in memory")
    made: StringIO | BytesIO
    if isinstance(x, io.BytesIO):
        made = BytesIO(x.getvalue())
    else:
        state: Any = x.__getstate__()
        made = StringIO("", state[1])
        made._text = x.getvalue()
        made._length = len(made._text)
    made.seek(x.tell())
    return made
