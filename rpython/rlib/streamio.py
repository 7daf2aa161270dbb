"""Files as towers of streams: a file, a buffer on it, a filter of line ends on that.

What is read and written is ``str`` whose characters are bytes, 0 to 255.  Writing another
character raises UnicodeEncodeError.  What the operating system refuses raises OSError.

    stream = open_file_as_stream("/etc/hosts")
    line = stream.readline()
    stream.close()
"""

from __future__ import annotations

import os
from collections.abc import Callable

BUFSIZE = 8192

NEWLINE_CR = 1
NEWLINE_LF = 2
NEWLINE_CRLF = 4

SignalChecker = Callable[[], None]


class StreamError(Exception):
    """What a stream cannot do; ``message`` says what."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class MyNotImplementedError(Exception):
    """The stream has no such operation."""


StreamErrors = (OSError, StreamError)
"""For ``except StreamErrors``."""


# -- opening ----------------------------------------------------------------------------------


def decode_mode(mode: str) -> tuple[str, bool, bool, bool]:
    """``(r, w or a; for both; universal newlines; binary)``.  Raises ValueError."""
    if mode.startswith("U"):
        mode = "r" + mode
    if not mode or mode[0] not in "rwa":
        raise ValueError(f"invalid mode: {mode!r}")
    for c in mode[1:]:
        if c not in "+Ubt":
            raise ValueError(f"invalid mode: {mode!r}")
    return mode[0], "+" in mode, "U" in mode, "b" in mode


def open_file_as_stream(
    path: str, mode: str = "r", buffering: int = -1, signal_checker: SignalChecker | None = None
) -> Stream:
    """The file ``path``, opened as ``mode`` says: ``r``, ``w`` or ``a``, then ``+``, ``b``,
    ``U`` if wanted.

    buffering: 0 none, 1 by lines, more: the size of the buffer.
    signal_checker: accepted; calls that a signal interrupts are repeated.

    Raises ValueError for another mode.
    """
    basemode, plus, universal, binary = decode_mode(mode)
    flags = os.O_RDWR if plus else os.O_RDONLY if basemode == "r" else os.O_WRONLY
    if basemode == "w":
        flags |= os.O_CREAT | os.O_TRUNC
    elif basemode == "a":
        flags |= os.O_CREAT
    fd = open_path_helper(path, flags, basemode == "a")
    reading, writing = plus or basemode == "r", plus or basemode != "r"
    return construct_stream_tower(DiskFile(fd), buffering, universal, reading, writing, binary)


def open_path_helper(path: str, os_flags: int, append: bool) -> int:
    """A file descriptor; the position is the end of the file if ``append``."""
    fd = os.open(path, os_flags, 0o666)
    if append:
        try:
            os.lseek(fd, 0, os.SEEK_END)
        except OSError:
            return fd  # a terminal or a pipe has no position
    return fd


def fdopen_as_stream(
    fd: int, mode: str, buffering: int = -1, signal_checker: SignalChecker | None = None
) -> Stream:
    """The same for an open file descriptor."""
    basemode, plus, universal, binary = decode_mode(mode)
    reading, writing = plus or basemode == "r", plus or basemode != "r"
    return construct_stream_tower(DiskFile(fd), buffering, universal, reading, writing, binary)


def construct_stream_tower(
    stream: Stream, buffering: int, universal: bool, reading: bool, writing: bool, binary: bool
) -> Stream:
    """``stream`` with buffers and filters on it."""
    if buffering != 0:
        if reading and writing:
            stream = BufferingInputOutputStream(stream, buffering)
        elif reading:
            stream = BufferingInputStream(stream, buffering)
        elif buffering == 1:
            stream = LineBufferingOutputStream(stream)
        else:
            stream = BufferingOutputStream(stream, buffering)
    if universal and reading:
        stream = TextInputFilter(stream)
    return stream


# -- streams ----------------------------------------------------------------------------------


class Stream:
    """What all streams can be asked; each can do some of it."""

    def read(self, n: int) -> str:
        """Up to ``n`` characters; none at the end only."""
        raise MyNotImplementedError

    def readall(self) -> str:
        """All the rest."""
        size = BUFSIZE
        pieces: list[str] = []
        while True:
            piece = self.read(size)
            if not piece:
                return "".join(pieces)
            pieces.append(piece)
            size = min(size * 2, 1 << 20)

    def readline(self) -> str:
        """The rest of the line with its end; nothing at the end of the file."""
        pieces: list[str] = []
        while True:
            c = self.read(1)
            pieces.append(c)
            if not c or c == "\n":
                return "".join(pieces)

    def write(self, data: str) -> None:
        """Write all of ``data``."""
        raise MyNotImplementedError

    def tell(self) -> int:
        """The position, in bytes."""
        raise MyNotImplementedError

    def seek(self, offset: int, whence: int) -> None:
        """Move to ``offset`` from the start (0), from here (1), or from the end (2)."""
        raise MyNotImplementedError

    def truncate(self, size: int) -> None:
        """Make the file ``size`` bytes long; the position stays."""
        raise MyNotImplementedError

    def flush_buffers(self) -> None:
        """Let the streams below be at the position of this one."""

    def flush(self) -> None:
        """Write what waits to be written."""

    def flushable(self) -> bool:
        """Whether something may wait to be written."""
        return False

    def close(self) -> None:
        """Flush, and close the file."""
        self.close1(True)

    def close1(self, closefileno: bool) -> None:
        """Flush, and close the file if ``closefileno``."""

    def peek(self) -> tuple[int, str]:
        """A text and a position in it: behind that, it will be read next.  It may be empty."""
        return 0, ""

    def try_to_find_file_descriptor(self) -> int:
        """-1 if there is none."""
        return -1

    def getnewlines(self) -> int:
        """Which line ends have been seen, a sum of NEWLINE_*."""
        return 0

    def count_buffered_bytes(self) -> int:
        """How many have been read below and not here."""
        return 0


class DiskFile(Stream):
    """An open file, without a buffer."""

    def __init__(self, fd: int, signal_checker: SignalChecker | None = None) -> None:
        self.fd = fd

    def read(self, n: int) -> str:
        assert n >= 0
        return os.read(self.fd, n).decode("latin-1")

    def write(self, data: str) -> None:
        rest = data.encode("latin-1")
        while rest:
            rest = rest[os.write(self.fd, rest) :]

    def tell(self) -> int:
        return os.lseek(self.fd, 0, os.SEEK_CUR)

    def seek(self, offset: int, whence: int) -> None:
        os.lseek(self.fd, offset, whence)

    def truncate(self, size: int) -> None:
        os.ftruncate(self.fd, size)

    def close1(self, closefileno: bool) -> None:
        if closefileno:
            os.close(self.fd)

    def try_to_find_file_descriptor(self) -> int:
        return self.fd


class Layer(Stream):
    """A stream on another one, ``base``; it hands on what it does not do itself."""

    def __init__(self, base: Stream) -> None:
        self.base = base

    def read(self, n: int) -> str:
        self.flush_buffers()
        return self.base.read(n)

    def write(self, data: str) -> None:
        self.flush_buffers()
        self.base.write(data)

    def tell(self) -> int:
        return self.base.tell()

    def seek(self, offset: int, whence: int) -> None:
        self.flush_buffers()
        self.base.seek(offset, whence)

    def truncate(self, size: int) -> None:
        self.flush_buffers()
        self.base.truncate(size)

    def flush(self) -> None:
        self.base.flush()

    def flushable(self) -> bool:
        return self.base.flushable()

    def close1(self, closefileno: bool) -> None:
        self.base.close1(closefileno)

    def try_to_find_file_descriptor(self) -> int:
        return self.base.try_to_find_file_descriptor()

    def getnewlines(self) -> int:
        return self.base.getnewlines()

    def count_buffered_bytes(self) -> int:
        return self.base.count_buffered_bytes()


# -- buffers ----------------------------------------------------------------------------------


class BufferingInputStream(Layer):
    """Reads blocks from its base."""

    def __init__(self, base: Stream, bufsize: int = -1) -> None:
        super().__init__(base)
        self.bufsize = bufsize if bufsize > 1 else BUFSIZE
        self.buf = ""
        self.pos = 0

    def flush_buffers(self) -> None:
        ahead = len(self.buf) - self.pos
        self._forget()
        if ahead > 0:
            self.base.seek(-ahead, 1)

    def _forget(self) -> None:
        self.buf = ""
        self.pos = 0

    def _fill(self) -> bool:
        """Read a block, when the last one has been used up; False at the end."""
        self.buf = self.base.read(self.bufsize)
        self.pos = 0
        return len(self.buf) > 0

    def read(self, n: int = -1) -> str:
        """``n`` characters, fewer at the end only; all the rest if it is negative."""
        if n < 0:
            return self.readall()
        start = self.pos
        if len(self.buf) - start >= n:
            self.pos = start + n
            return self.buf[start : self.pos]
        pieces = [self.buf[start:]]
        n -= len(pieces[0])
        while n > 0 and self._fill():
            self.pos = min(n, len(self.buf))
            pieces.append(self.buf[: self.pos])
            n -= self.pos
        if n > 0:
            self._forget()
        return "".join(pieces)

    def readall(self) -> str:
        rest = self.buf[self.pos :]
        self._forget()
        return rest + self.base.readall()

    def readline(self) -> str:
        start = self.pos
        end = self.buf.find("\n", start) + 1
        if end > 0:
            self.pos = end
            return self.buf[start:end]
        pieces = [self.buf[start:]]
        while self._fill():
            end = self.buf.find("\n") + 1
            if end > 0:
                self.pos = end
                pieces.append(self.buf[:end])
                break
            pieces.append(self.buf)
        if end == 0:
            self._forget()
        return "".join(pieces)

    def tell(self) -> int:
        return self.base.tell() - (len(self.buf) - self.pos)

    def seek(self, offset: int, whence: int) -> None:
        if whence == 1 and 0 <= self.pos + offset <= len(self.buf):
            self.pos += offset
            return
        if whence == 0:
            start = self.base.tell() - len(self.buf)
            if start <= offset <= start + len(self.buf):
                self.pos = offset - start
                return
        elif whence == 1:
            offset -= len(self.buf) - self.pos
        self.base.seek(offset, whence)
        self._forget()

    def peek(self) -> tuple[int, str]:
        return self.pos, self.buf

    def count_buffered_bytes(self) -> int:
        return self.base.count_buffered_bytes() + len(self.buf) - self.pos


class BufferingOutputStream(Layer):
    """Writes blocks to its base."""

    def __init__(self, base: Stream, bufsize: int = -1) -> None:
        super().__init__(base)
        self.bufsize = bufsize if bufsize > 1 else BUFSIZE
        self.pending: list[str] = []
        self.pending_size = 0

    def flush_buffers(self) -> None:
        if self.pending_size > 0:
            data = "".join(self.pending)
            self._forget()
            self.base.write(data)

    def _forget(self) -> None:
        self.pending = []
        self.pending_size = 0

    def write(self, data: str) -> None:
        self.pending.append(data)
        self.pending_size += len(data)
        if self.pending_size > self.bufsize:
            self.flush_buffers()

    def tell(self) -> int:
        return self.base.tell() + self.pending_size

    def flush(self) -> None:
        self.flush_buffers()
        self.base.flush()

    def flushable(self) -> bool:
        return True

    def close1(self, closefileno: bool) -> None:
        try:
            self.flush_buffers()
        finally:
            self.base.close1(closefileno)


class LineBufferingOutputStream(BufferingOutputStream):
    """Writes whole lines to its base."""

    def write(self, data: str) -> None:
        end = data.rfind("\n") + 1
        if end > 0:
            self.pending.append(data[:end])
            self.pending_size += end
            self.flush_buffers()
            data = data[end:]
        if data:
            BufferingOutputStream.write(self, data)


class BufferingInputOutputStream(BufferingInputStream):
    """Reads and writes blocks, never ahead of one and behind with the other at a time."""

    def __init__(self, base: Stream, bufsize: int = -1) -> None:
        super().__init__(base, bufsize)
        self.output = BufferingOutputStream(base, bufsize)

    def flush_buffers(self) -> None:
        self.output.flush_buffers()
        BufferingInputStream.flush_buffers(self)

    def _fill(self) -> bool:
        self.output.flush_buffers()
        return BufferingInputStream._fill(self)

    def readall(self) -> str:
        self.output.flush_buffers()
        return BufferingInputStream.readall(self)

    def write(self, data: str) -> None:
        BufferingInputStream.flush_buffers(self)
        self.output.write(data)

    def tell(self) -> int:
        return BufferingInputStream.tell(self) + self.output.pending_size

    def seek(self, offset: int, whence: int) -> None:
        self.output.flush_buffers()
        BufferingInputStream.seek(self, offset, whence)

    def flush(self) -> None:
        self.output.flush()

    def flushable(self) -> bool:
        return True

    def close1(self, closefileno: bool) -> None:
        self.output.close1(closefileno)


# -- line ends --------------------------------------------------------------------------------


class TextInputFilter(Layer):
    """Makes ``\\n`` of every ``\\r\\n`` and ``\\r`` that is read."""

    def __init__(self, base: Stream) -> None:
        super().__init__(base)
        self.atcr = False
        """Whether the last thing read was a ``\\r``, so that a ``\\n`` belongs to it."""
        self.buf = ""
        """What has been read below and not here, as it is there."""
        self.seen = 0

    def getnewlines(self) -> int:
        return self.seen

    def _piece(self, n: int) -> str:
        """Up to ``n`` characters as they are below; none at the end only."""
        if not self.buf:
            return self.base.read(n)
        data = self.buf[:n]
        self.buf = self.buf[n:]
        return data

    def read(self, n: int) -> str:
        if n == 0:
            return ""
        while True:
            data = self._piece(n)
            if not data:
                return self._after_cr(data)
            data = self._after_cr(data)
            if data:
                return self._translated(data)

    def readall(self) -> str:
        data = self.buf
        self.buf = ""
        return self._translated(self._after_cr(data + self.base.readall()))

    def _after_cr(self, data: str) -> str:
        """What follows a possible ``\\n`` that belongs to what has been read."""
        if self.atcr:
            self.atcr = False
            if data.startswith("\n"):
                self.seen |= NEWLINE_CRLF
                return data[1:]
            self.seen |= NEWLINE_CR
        return data

    def _translated(self, data: str) -> str:
        pairs = data.count("\r\n")
        if pairs > 0:
            self.seen |= NEWLINE_CRLF
        if data.count("\n") > pairs:
            self.seen |= NEWLINE_LF
        returns = data.count("\r") - pairs
        if data.endswith("\r"):
            self.atcr = True
            returns -= 1
        if returns > 0:
            self.seen |= NEWLINE_CR
        return data.replace("\r\n", "\n").replace("\r", "\n")

    def readline(self) -> str:
        pieces: list[str] = []
        while True:
            data = self._piece(BUFSIZE)
            more = len(data) > 0
            data = self._after_cr(data)
            end = _line_end(data)
            if end > 0:
                self.buf = data[end:] + self.buf
                data = data[:end]
            pieces.append(self._translated(data))
            if end > 0 or not more:
                return "".join(pieces)

    def tell(self) -> int:
        position = self.base.tell() - len(self.buf)
        if self.atcr:
            if not self.buf:
                self.buf = self.base.read(1)
            if self.buf.startswith("\n"):
                position += 1
        return position

    def seek(self, offset: int, whence: int) -> None:
        if whence == 1:
            offset += self.tell()
            whence = 0
        self.base.seek(offset, whence)
        self.buf = ""
        self.atcr = False

    def flush_buffers(self) -> None:
        if self.buf or self.atcr:
            self.seek(0, 1)

    def write(self, data: str) -> None:
        self.flush_buffers()
        self.base.write(data)

    def peek(self) -> tuple[int, str]:
        data = self.buf
        if self.atcr and data.startswith("\n"):
            data = data[1:]
        return 0, data.replace("\r\n", "\n").replace("\r", "\n")

    def count_buffered_bytes(self) -> int:
        return self.base.count_buffered_bytes() + len(self.buf)


def _line_end(data: str) -> int:
    """Where the first line ends, behind ``\\n``, ``\\r\\n`` or ``\\r``; 0 if it does not."""
    feed = data.find("\n") + 1
    end = data.find("\r", 0, feed if feed > 0 else len(data)) + 1
    return feed if end == 0 or feed == end + 1 else end


class TextOutputFilter(Layer):
    """Writes ``linesep`` for every ``\\n``."""

    def __init__(self, base: Stream, linesep: str = "\r\n") -> None:
        assert linesep in ("\n", "\r\n", "\r")
        super().__init__(base)
        self.linesep = linesep

    def write(self, data: str) -> None:
        self.base.write(data.replace("\n", self.linesep))
