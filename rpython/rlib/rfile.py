"""Files as C's ``stdio`` has them, on the streams of ``streamio``.

What is read and written is ``str`` whose characters are bytes, 0 to 255.  What the operating
system refuses raises OSError.  A file that is not closed is closed when the object dies, at the end
of the program at the latest.
"""

from __future__ import annotations

import os
import sys

from rpython.rlib.streamio import (
    DiskFile,
    Layer,
    Stream,
    fdopen_as_stream,
    open_file_as_stream,
)

SEEK_SET = 0
SEEK_CUR = 1
SEEK_END = 2


def _check_mode(mode: str) -> None:
    if not mode:
        raise ValueError("empty mode string")
    if mode[0] not in "rwaU":
        raise ValueError(
            "mode string must begin with one of 'r', 'w', 'a' or 'U', not " + repr(mode)
        )


def create_file(filename: str, mode: str = "r", buffering: int = -1) -> RFile:
    """The file, opened.

    mode: ``r``, ``w``, ``a`` or ``U``, with ``+`` and ``b`` if wanted.
    buffering: 0 none, 1 by lines, more: the size of the buffer.

    Raises ValueError for another mode.
    """
    _check_mode(mode)
    stream = open_file_as_stream(filename, mode, buffering)
    return RFile(stream)


def create_fdopen_rfile(fd: int, mode: str = "r", buffering: int = -1) -> RFile:
    """The same for an open file descriptor."""
    _check_mode(mode)
    return RFile(fdopen_as_stream(fd, mode, buffering))


class _StandardInput(Layer):
    """Reads on behind what ``sys.stdin.buffer`` has given."""

    def read(self, n: int) -> str:
        data: bytes = sys.stdin.buffer.read1(n)  # type: ignore[union-attr]  # a BufferedReader
        return data.decode("latin-1")

    def readall(self) -> str:
        return sys.stdin.buffer.read().decode("latin-1")

    def readline(self) -> str:
        return sys.stdin.buffer.readline().decode("latin-1")

    def tell(self) -> int:
        self.base.tell()  # has it a position?
        return sys.stdin.buffer.tell()

    def seek(self, offset: int, whence: int) -> None:
        self.base.tell()
        sys.stdin.buffer.seek(offset, whence)


class _StandardOutput(Layer):
    """Writes to the buffer of ``print``, so that what both write stays in order."""

    def write(self, data: str) -> None:
        if data.isascii():
            sys.stdout.write(data)
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data.encode("latin-1"))

    def tell(self) -> int:
        sys.stdout.flush()
        return self.base.tell()

    def flush_buffers(self) -> None:
        sys.stdout.flush()

    def flush(self) -> None:
        sys.stdout.flush()


class _StandardError(Layer):
    """Writes at once, behind what was printed to ``sys.stderr``."""

    def write(self, data: str) -> None:
        sys.stderr.flush()
        self.base.write(data)


_STDIN = _StandardInput(DiskFile(0))
_STDOUT = _StandardOutput(DiskFile(1))
_STDERR = _StandardError(DiskFile(2))


def create_stdio() -> tuple[RFile, RFile, RFile]:
    """Standard input, output and error output.  All that are made share one buffer, that of
    ``sys.stdin`` and ``sys.stdout``; closing one flushes it, and leaves the descriptor open."""
    return RFile(_STDIN, False), RFile(_STDOUT, False), RFile(_STDERR, False)


class RFile:
    """An open file.  After ``close`` everything else raises ValueError."""

    def __init__(self, stream: Stream, owns_stream: bool = True) -> None:
        """``owns_stream``: is the file closed with this object?"""
        self._stream: Stream | None = stream
        self._owns_stream = owns_stream

    def __del__(self) -> None:
        if self._owns_stream:
            self.close()

    def _open(self) -> Stream:
        stream = self._stream
        if stream is None:
            raise ValueError("I/O operation on closed file")
        return stream

    @property
    def closed(self) -> bool:
        """Was it closed?"""
        return self._stream is None

    def __enter__(self) -> RFile:
        self._open()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.close()

    def read(self, size: int = -1) -> str:
        """``size`` characters, fewer at the end only; all the rest if it is negative."""
        stream = self._open()
        if size < 0:
            return stream.readall()
        pieces: list[str] = []
        while size > 0:
            piece = stream.read(size)
            if not piece:
                break
            pieces.append(piece)
            size -= len(piece)
        return "".join(pieces)

    def readline(self, size: int = -1) -> str:
        """The rest of the line with its end, up to ``size`` characters of it unless that is
        negative; nothing at the end of the file."""
        stream = self._open()
        if size < 0:
            return stream.readline()
        pieces: list[str] = []
        while size > 0:
            c = stream.read(1)
            pieces.append(c)
            size -= 1
            if not c or c == "\n":
                break
        return "".join(pieces)

    def write(self, value: str) -> None:
        """Write all of ``value``."""
        self._open().write(value)

    def flush(self) -> None:
        """Write what waits to be written."""
        self._open().flush()

    def seek(self, pos: int, whence: int = SEEK_SET) -> None:
        """Move to ``pos`` from the start, from here, or from the end."""
        self._open().seek(pos, whence)

    def tell(self) -> int:
        """The position."""
        return self._open().tell()

    def truncate(self, arg: int = -1) -> None:
        """Make the file ``arg`` bytes long, or end it here; the position stays."""
        stream = self._open()
        if arg < 0:
            arg = stream.tell()
        stream.flush()
        stream.truncate(arg)

    def fileno(self) -> int:
        """The file descriptor."""
        return self._open().try_to_find_file_descriptor()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return os.isatty(self.fileno())

    def close(self) -> int:
        """Write what waits, and close; a second time it does nothing.  The result is 0."""
        stream = self._stream
        if stream is not None:
            self._stream = None
            if self._owns_stream:
                stream.close()
            else:
                stream.flush()
        return 0
