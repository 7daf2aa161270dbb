"""The standard streams, and what ``print`` and ``input`` do with files.

Standard input is a file like any other.  Standard output and standard error have a buffer of the
runtime's (``rtyper.ll.ll_io``), which ``print`` writes to directly.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from typing import Any

from rpython.rlib._files import BinaryFile
from rpython.rlib._streams import BYTES_LIKE, ByteStream, ItemsOf, Lines, TextWrapper, takes
from rpython.rlib._textdecoding import ONE_END
from rpython.rlib._textfiles import TextFile, standard_errors

# -- what the runtime does --------------------------------------------------------------------


def put_text(fd: int, text: str) -> None:
    """Write to standard output or standard error."""
    (sys.stderr if fd == 2 else sys.stdout).write(text)


def put_bytes(fd: int, data: bytes) -> None:
    """The same."""
    (sys.stderr if fd == 2 else sys.stdout).buffer.write(data)


def flush_bytes(fd: int) -> None:
    """Write out what ``sys.stdout.buffer`` holds, but not the text that waits in front of it."""
    (sys.stderr if fd == 2 else sys.stdout).buffer.flush()


def flush(fd: int) -> None:
    """Write out what its buffer holds."""
    (sys.stderr if fd == 2 else sys.stdout).flush()


def set_mode(fd: int, mode: int) -> None:
    """When it is flushed; one of the modes of ``rtyper.ll.ll_io``."""
    stream: Any = sys.stderr if fd == 2 else sys.stdout
    if mode == CLOSED:
        stream.close()
    else:
        stream.reconfigure(line_buffering=mode == BY_LINE)


def lost(fd: int) -> bool:
    """Was the program started without it?  CPython has None in its place then."""
    return (sys.stderr if fd == 2 else sys.stdout) is None


CLOSED, BUFFERED, BY_LINE = -1, 1, 2


# -- the streams ------------------------------------------------------------------------------


class StandardBytes(Lines, ByteStream):
    """``sys.stdout.buffer``"""

    def __init__(self, fd: int, name: str) -> None:
        self._fd = fd
        self._name = name
        self.mode = "wb"
        self._closed = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def closed(self) -> bool:
        return self._closed

    @takes(data=BYTES_LIKE)
    def write(self, data: bytes | bytearray) -> int:
        if self._closed:
            raise ValueError("write to closed file")
        if self._fd == 2:
            put_bytes(2, bytes(data))
        else:
            put_bytes(1, bytes(data))
        return len(data)

    @takes(lines=ItemsOf(BYTES_LIKE))
    def writelines(self, lines: Iterable[bytes]) -> None:
        self._check_open()
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if self._closed:
            raise ValueError("flush of closed file")
        if self._fd == 2:
            flush_bytes(2)
        else:
            flush_bytes(1)

    def close(self) -> None:
        if not self._closed:
            if self._fd == 2:
                flush(2)
                set_mode(2, CLOSED)
            else:
                flush(1)
                set_mode(1, CLOSED)
            self._closed = True

    def read(self, size: int | None = -1) -> bytes:
        raise io.UnsupportedOperation("read")

    def readline(self, size: int | None = -1) -> bytes:
        raise io.UnsupportedOperation("read")

    def fileno(self) -> int:
        return self._fd

    def isatty(self) -> bool:
        return os.isatty(self._fd)

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def __iter__(self) -> StandardBytes:
        return self


class StandardOutput(Lines, TextWrapper):
    """``sys.stdout`` and ``sys.stderr``"""

    def __init__(self, file: StandardBytes, errors: str) -> None:
        self._file = file
        self._fd = file._fd
        self.mode = "w"
        self.encoding = "utf-8"
        self.line_buffering = file._fd == 2
        self._errors = errors

    @property
    def name(self) -> str:
        return self._file.name

    @property
    def errors(self) -> str:
        return self._errors or standard_errors()

    @property
    def closed(self) -> bool:
        return self._file.closed

    @property
    def buffer(self) -> StandardBytes:
        if self.is_lost():
            raise AttributeError("'NoneType' object has no attribute 'buffer'")
        return self._file

    def is_lost(self) -> bool:
        return lost(2) if self._fd == 2 else lost(1)

    def _need(self, name: str) -> None:
        """Before that method."""
        if self.is_lost():
            raise AttributeError("'NoneType' object has no attribute '" + name + "'")
        self._check_open()

    @takes(text=str)
    def write(self, text: str) -> int:
        self._need("write")
        if self._fd == 2:
            put_text(2, text)
        else:
            put_text(1, text)
        return len(text)

    @takes(lines=ItemsOf(str))
    def writelines(self, lines: Iterable[str]) -> None:
        self._need("writelines")
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._need("flush")
        if self._fd == 2:
            flush(2)
        else:
            flush(1)

    def close(self) -> None:
        if self.is_lost():
            raise AttributeError("'NoneType' object has no attribute 'close'")
        self._file.close()

    def reconfigure(
        self, *, encoding: str | None = None, errors: str | None = None,
        newline: str | None = None, line_buffering: bool | None = None,
        write_through: bool | None = None,
    ) -> None:  # fmt: skip
        self._need("reconfigure")
        if encoding is not None and encoding.lower() != "utf-8" and encoding.lower() != "utf8":
            raise NotImplementedError("reconfigure() of this stream's encoding")
        if errors is not None and errors != self.errors:
            raise NotImplementedError("reconfigure() of this stream's errors")
        if newline is not None and newline != "\n" and newline:
            raise NotImplementedError("reconfigure() of this stream's newline")
        if write_through is not None and write_through:
            raise NotImplementedError("reconfigure() of this stream's write_through")
        self.flush()
        if line_buffering is not None:
            mode = BY_LINE if line_buffering else BUFFERED
            if self._fd == 1:
                set_mode(1, mode)

    def read(self, size: int | None = -1) -> str:
        self._need("read")
        raise io.UnsupportedOperation("not readable")

    def readline(self, size: int | None = -1) -> str:
        self._need("readline")
        raise io.UnsupportedOperation("not readable")

    def fileno(self) -> int:
        self._need("fileno")
        return self._fd

    def seekable(self) -> bool:
        self._need("seekable")
        try:
            os.lseek(self._fd, 0, os.SEEK_CUR)
        except OSError:
            return False
        return True

    def tell(self) -> int:
        self._need("tell")
        self.flush()
        return os.lseek(self._fd, 0, os.SEEK_CUR)

    def isatty(self) -> bool:
        self._need("isatty")
        return os.isatty(self._fd)

    def readable(self) -> bool:
        self._need("readable")
        return False

    def writable(self) -> bool:
        self._need("writable")
        return True


def _standard_input() -> TextFile:
    file = BinaryFile("<stdin>", 0, "rb", -1, False)
    stdin = TextFile(file, "utf-8", "utf-8", "", ONE_END, "\n", False)
    stdin.mode = "r"
    return stdin


STDIN = _standard_input()
STDOUT = StandardOutput(StandardBytes(1, "<stdout>"), "")
STDERR = StandardOutput(StandardBytes(2, "<stderr>"), "backslashreplace")


# -- print and input --------------------------------------------------------------------------


def print_text(file: Any, before: str, text: str, after: str) -> None:
    """A part of what ``print`` writes to a file; only ``text`` may be what the file's encoding
    does not have."""
    try:
        file.write(before + text + after)
    except UnicodeEncodeError:  # nothing has been written
        file.write(before)
        file.write(text)
        file.write(after)


def print_any_text(file: Any, before: str, text: str, after: str) -> None:
    """The same where the file may be None or a standard stream, which may not be there."""
    if not _is_none(file):
        print_text(file, before, text, after)
    elif not STDOUT.is_lost():
        print_text(STDOUT, before, text, after)


def _is_none(file: Any) -> bool:
    return file is None or (isinstance(file, StandardOutput) and file.is_lost())


def print_part(file: Any, text: str) -> None:
    """The same for an object that is no file, but has a method ``write``."""
    file.write(text)


def flush_printed(file: Any) -> None:
    """``print(..., flush=True)``"""
    file.flush()


def flush_any_printed(file: Any) -> None:
    """The same where the file may be None or a standard stream."""
    if not _is_none(file):
        file.flush()
    elif not STDOUT.is_lost():
        STDOUT.flush()


def print_items(first: Any, items: Iterable[Any], sep: str | None, end: str | None) -> None:
    """``print(*first, *items, sep=sep, end=end)``; ``first`` is a tuple."""
    rest = list(items)
    separator = " " if sep is None else sep
    if first:
        print(*first, sep=separator, end=separator if rest else "")
    started = False
    for item in rest:
        if started:
            print(separator, end="")
        print(item, end="")
        started = True
    print(end=end)


def print_items_to(
    file: Any, first: Any, items: Iterable[Any], sep: str | None, end: str | None
) -> None:
    """``print(*first, *items, sep=sep, end=end, file=file)``"""
    rest = list(items)
    separator = " " if sep is None else sep
    if first:
        print(*first, sep=separator, end=separator if rest else "", file=file)
    started = False
    for item in rest:
        if started:
            print(separator, end="", file=file)
        print(item, end="", file=file)
        started = True
    print(end=end, file=file)


def print_items_by(
    file: Any, first: Any, items: Iterable[Any], sep: str | None, end: str | None
) -> None:
    """The same for an object that is no file: it notices each call of ``write``."""
    rest = list(items)
    separator = " " if sep is None else sep
    if first:
        if not rest:
            print(*first, sep=separator, end=end, file=file)
            return
        print(*first, sep=separator, end=separator, file=file)
    started = False
    for item in rest:
        if started:
            file.write(separator)
        file.write(str(item))
        started = True
    file.write("\n" if end is None else end)


def input_line() -> str:
    """``input()`` after the prompt."""
    line = STDIN.readline()
    if not line:
        raise EOFError("EOF when reading a line")
    return line[:-1] if line.endswith("\n") else line
