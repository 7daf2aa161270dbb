"""What ``open`` gives: files of bytes, with a buffer, and files of text on top of them.

What is written stays in the buffer until that is full, the file is closed, another file is
opened, or the program ends.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Sequence

from rpython.rlib._codecs import decode, encode, incomplete_tail
from rpython.rlib._fileturns import OneAtATime
from rpython.rlib._system import failure, fstat

CHUNK = 8192

UNIVERSAL = 0
"""All ends of lines are ``\\n``."""
ANY_END = 1
"""They are as they are."""
ONE_END = 2
"""Only one of them ends a line."""

_dirty: dict[int, BinaryFile] = {}
"""Files with something to write, by descriptor."""


def flush_all() -> None:
    """Write what waits to be written, of all files."""
    for fd in list(_dirty):
        if fd in _dirty and not _dirty[fd].busy:
            _dirty[fd].flush()


def open_binary(file: str, flags: int, mode: str, buffering: int, closefd: bool) -> BinaryFile:
    """The file."""
    flush_all()
    if not closefd:
        raise ValueError("Cannot use closefd=False with file name")
    fd = os.open(file, flags | os.O_CLOEXEC, 0o666)
    if fstat(fd).st_mode & 0o170000 == 0o040000:
        os.close(fd)
        raise failure(errno.EISDIR, file)
    if flags & os.O_APPEND:
        os.lseek(fd, 0, os.SEEK_END)
    return BinaryFile(file, fd, mode, buffering, True)


def open_binary_fd(fd: int, flags: int, mode: str, buffering: int, closefd: bool) -> BinaryFile:
    """The file with that number."""
    if fd < 0:
        raise ValueError("negative file descriptor")
    fstat(fd)
    if flags & os.O_APPEND:
        os.lseek(fd, 0, os.SEEK_END)
    return BinaryFile("", fd, mode, buffering, closefd)


class BinaryFile(OneAtATime):
    """A file of bytes."""

    def __init__(self, name: str, fd: int, mode: str, buffering: int, closefd: bool) -> None:
        OneAtATime.__init__(self, fd)
        self._name = name
        self.mode = mode
        self.closed = False
        self._reads = "r" in mode or "+" in mode
        self._writes = "r" not in mode or "+" in mode
        self._room = CHUNK if buffering < 0 or buffering == 1 else buffering
        self._closefd = closefd
        self._ahead = b""
        """What has been read ahead, and how much of it has been given."""
        self._at = 0
        self._waiting: list[bytes] = []
        self._waiting_size = 0

    # -- reading ------------------------------------------------------------------------------

    def _before_reading(self, what: str = "read") -> None:
        self.wait_turn()
        if not self._reads:
            raise io.UnsupportedOperation(what)
        if self.closed:
            raise ValueError(what + " of closed file")
        if self._waiting:
            self.flush()

    def read(self, size: int | None = -1) -> bytes:
        self._before_reading()
        if size is None:
            size = -1
        if 0 <= size <= len(self._ahead) - self._at:
            self._at += size
            return self._ahead[self._at - size : self._at]
        pieces = [self._ahead[self._at :]]
        self._ahead = b""
        left = size - (len(pieces[0]))
        self._at = 0
        while size < 0 or left > 0:
            piece = self._read_some(1 << 18 if size < 0 else max(left, CHUNK))
            if not piece:
                break
            if size >= 0 and len(piece) > left:
                self._ahead, self._at = piece, left
                piece = piece[:left]
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def readinto(self, buffer: bytearray) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def read1(self, size: int = -1) -> bytes:
        self._before_reading()
        if size < 0:
            size = CHUNK
        if size == 0:
            return b""
        if self._at < len(self._ahead):
            piece = self._ahead[self._at : self._at + size]
            self._at += len(piece)
            return piece
        return self._read_some(size)

    def peek(self, size: int = 0) -> bytes:
        self._before_reading("peek" if self.closed else "read")
        if self._at == len(self._ahead):
            self._ahead, self._at = self._read_some(CHUNK), 0
        return self._ahead[self._at :]

    def readline(self, size: int = -1) -> bytes:
        self._before_reading("readline" if self.closed else "read")
        pieces: list[bytes] = []
        while size != 0:
            if self._at == len(self._ahead):
                self._ahead, self._at = self._read_some(CHUNK), 0
                if not self._ahead:
                    break
            stop = self._ahead.find(b"\n", self._at) + 1
            found = stop > 0
            if not found:
                stop = len(self._ahead)
            if size > 0:
                if stop - self._at >= size:
                    stop = self._at + size
                    found = True
                size -= stop - self._at
            pieces.append(self._ahead[self._at : stop])
            self._at = stop
            if found:
                break
        return b"".join(pieces)

    def readlines(self, hint: int = -1) -> list[bytes]:
        lines: list[bytes] = []
        size = 0
        while True:
            line = self.readline()
            if not line:
                return lines
            lines.append(line)
            size += len(line)
            if 0 < hint < size:
                return lines

    def __iter__(self) -> BinaryFile:
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        return self

    def __next__(self) -> bytes:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    # -- writing ------------------------------------------------------------------------------

    def write(self, data: bytes) -> int:
        if not self._writes:
            raise io.UnsupportedOperation("write")
        self.wait_turn()
        if self.closed:
            raise ValueError("write to closed file")
        self._forget()
        size = len(data)
        if size:
            if not self._waiting:
                _dirty[self._fd] = self
            self._waiting.append(data)
            self._waiting_size += size
            if self._waiting_size >= self._room:
                self.flush()
        return size

    def writelines(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            self.write(line)

    def _forget(self) -> None:
        """Go back to where the program is, before what has been read ahead."""
        unread = len(self._ahead) - self._at
        if unread:
            os.lseek(self._fd, -unread, os.SEEK_CUR)
        self._ahead, self._at = b"", 0

    def flush(self) -> None:
        self.wait_turn()
        if self.closed:
            raise ValueError("flush of closed file")
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting, self._waiting_size = [], 0
            del _dirty[self._fd]
            self._write_all(data)

    # -- the file -----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        if not self._name:
            raise NotImplementedError("the name of a file that was opened by its number")
        return self._name

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def _check_raw_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def tell(self) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return os.lseek(self._fd, 0, os.SEEK_CUR) - len(self._ahead) + self._at + self._waiting_size

    def seek(self, target: int, whence: int = 0) -> int:
        if self.closed:
            raise ValueError("seek of closed file")
        if whence < 0 or whence > 2:
            raise ValueError("whence value " + str(whence) + " unsupported")
        self.flush()
        self._forget()
        return os.lseek(self._fd, target, whence)

    def truncate(self, size: int | None = None) -> int:
        if not self._writes:
            raise io.UnsupportedOperation("truncate")
        if self.closed:
            raise ValueError("truncate of closed file")
        self.flush()
        if size is None:
            size = self.tell()
        os.ftruncate(self._fd, size)
        return size

    def close(self) -> None:
        if not self.closed:
            try:
                self.flush()
            finally:
                self.closed = True
                if self._closefd:
                    os.close(self._fd)

    def fileno(self) -> int:
        self._check_raw_open()
        return self._fd

    def isatty(self) -> bool:
        self._check_raw_open()
        return os.isatty(self._fd)

    def readable(self) -> bool:
        self._check_raw_open()
        return self._reads

    def writable(self) -> bool:
        self._check_raw_open()
        return self._writes

    def seekable(self) -> bool:
        self._check_raw_open()
        try:
            os.lseek(self._fd, 0, os.SEEK_CUR)
        except OSError:
            return False
        return True

    def __enter__(self) -> BinaryFile:
        self._check_open()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.close()


def open_text(
    file: str, flags: int, mode: str, buffering: int, codec: str, errors: str, ends: int,
    newline: str, closefd: bool,
) -> TextFile:  # fmt: skip
    """The file of text; ``newline``: the one end of lines, ``ends``: which others there are."""
    binary = open_binary(file, flags, mode, CHUNK if buffering == 1 else buffering, closefd)
    return _text_file(binary, buffering, codec, errors, ends, newline)


def open_text_fd(
    fd: int, flags: int, mode: str, buffering: int, codec: str, errors: str, ends: int,
    newline: str, closefd: bool,
) -> TextFile:  # fmt: skip
    """The same for the file with that number."""
    binary = open_binary_fd(fd, flags, mode, CHUNK if buffering == 1 else buffering, closefd)
    return _text_file(binary, buffering, codec, errors, ends, newline)


def _text_file(
    binary: BinaryFile, buffering: int, codec: str, errors: str, ends: int, newline: str
) -> TextFile:
    by_line = buffering == 1 or (buffering < 0 and binary.isatty())
    return TextFile(binary, codec, errors, ends, newline, by_line)


class TextFile:
    """A file of text."""

    def __init__(
        self, buffer: BinaryFile, codec: str, errors: str, ends: int, newline: str, by_line: bool
    ) -> None:
        self.buffer = buffer
        self.mode = buffer.mode
        self.errors = errors
        self.line_buffering = by_line
        self._codec = codec
        self._ends = ends
        self._newline = newline
        self._telling = True
        self._text = ""
        """Text read ahead, and how much of it has been given."""
        self._at = 0
        self._source = b""
        """The bytes of that text."""
        self._rest = b""
        """Bytes of half a character, or a \\r that may be half the end of a line."""

    # -- reading ------------------------------------------------------------------------------

    def _before_reading(self) -> None:
        self.buffer.wait_turn()
        self._check_open()
        if not self.buffer._reads:
            raise io.UnsupportedOperation("not readable")

    def _translated(self, data: bytes, final: bool) -> str:
        """The text of more bytes; what is half of something waits."""
        data = self._rest + data
        rest = 0 if final else incomplete_tail(self._codec, data)
        text = decode(data[: len(data) - rest], self._codec, self.errors)
        if self._ends != ONE_END:
            if not final and text.endswith("\r"):
                rest += 1
                text = text[:-1]
            if self._ends == UNIVERSAL and "\r" in text:
                text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._rest = data[len(data) - rest :]
        self._source += data[: len(data) - rest]
        return text

    def _more(self) -> bool:
        """Read another piece; False at the end of the file."""
        data = self.buffer.read1(CHUNK)
        self._source = self._source[self._bytes_given() :]
        self._text = self._text[self._at :] + self._translated(data, not data)
        self._at = 0
        return len(data) > 0

    def _bytes_given(self) -> int:
        """How many bytes of the source the text that has been given takes."""
        if self._at == 0:
            return 0
        if self._at == len(self._text):
            return len(self._source)
        if self.errors != "strict":
            raise OSError("can't reconstruct logical file position")
        if self._ends != UNIVERSAL or b"\r" not in self._source:
            return len(encode(self._text[: self._at], self._codec, self.errors))
        size = 0
        for i in range(self._at):
            c = self._text[i]
            if c == "\n" and self._source[size] == 13:
                size += 2 if self._source[size + 1 : size + 2] == b"\n" else 1
            else:
                size += len(encode(c, self._codec, self.errors))
        return size

    def read(self, size: int | None = -1) -> str:
        self._before_reading()
        if size is None:
            size = -1
        if size < 0:
            rest = self._translated(self.buffer.read(), True)
            result = self._text[self._at :] + rest
            self._forget()
            return result
        while len(self._text) - self._at < size:
            if not self._more():
                break
        start = self._at
        self._at = min(len(self._text), start + size)
        return self._text[start : self._at]

    def readline(self, size: int = -1) -> str:
        self._before_reading()
        return self._line(size)

    def _line(self, size: int) -> str:
        looked = 0
        while True:
            stop = self._line_end(self._at + looked)
            if stop >= 0:
                break
            looked = max(0, len(self._text) - self._at - 1)
            if 0 <= size <= looked or not self._more():
                stop = len(self._text)
                break
        start = self._at
        if 0 <= size < stop - start:
            stop = start + size
        self._at = stop
        return self._text[start:stop]

    def _line_end(self, start: int) -> int:
        """The end of the line in the text at hand, -1 when it is not there."""
        if self._ends == UNIVERSAL:
            return self._text.find("\n", start) + 1 or -1
        if self._ends == ONE_END:
            found = self._text.find(self._newline, start)
            return found if found < 0 else found + len(self._newline)
        lf = self._text.find("\n", start)
        cr = self._text.find("\r", start, lf if lf >= 0 else len(self._text))
        if cr < 0:
            return lf + 1 if lf >= 0 else -1
        return cr + 2 if lf == cr + 1 else cr + 1

    def readlines(self, hint: int = -1) -> list[str]:
        lines: list[str] = []
        size = 0
        while True:
            line = self.readline()
            if not line:
                return lines
            lines.append(line)
            size += len(line)
            if 0 < hint < size:
                return lines

    def __iter__(self) -> TextFile:
        self._check_open()
        return self

    def __next__(self) -> str:
        self._before_reading()
        self._telling = False
        line = self._line(-1)
        if not line:
            self._telling = True
            raise StopIteration
        return line

    # -- writing ------------------------------------------------------------------------------

    def write(self, text: str) -> int:
        self._check_open()
        if not self.buffer._writes:
            raise io.UnsupportedOperation("not writable")
        written = text
        if self._newline != "\n" and "\n" in text:
            written = text.replace("\n", self._newline)
        data = encode(written, self._codec, self.errors)
        if self._text or self._rest:
            self._forget()
        self.buffer.write(data)
        if self.line_buffering and ("\n" in text or "\r" in text):
            self.buffer.flush()
        return len(text)

    def writelines(self, lines: Sequence[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._check_open()
        self._telling = True
        self.buffer.flush()

    def _forget(self) -> None:
        self._text, self._at = "", 0
        self._source, self._rest = b"", b""

    # -- the file -----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.buffer.name

    @property
    def closed(self) -> bool:
        return self.buffer.closed

    def _check_open(self) -> None:
        if self.buffer.closed:
            raise ValueError("I/O operation on closed file.")

    def tell(self) -> int:
        self._check_open()
        if not self._telling:
            raise OSError("telling position disabled by next() call")
        self.buffer.flush()
        unread = len(self._source) - self._bytes_given() + len(self._rest)
        return self.buffer.tell() - unread

    def seek(self, cookie: int, whence: int = 0) -> int:
        self._check_open()
        if whence == 1:
            if cookie != 0:
                raise io.UnsupportedOperation("can't do nonzero cur-relative seeks")
            cookie = self.tell()
        elif whence == 2:
            if cookie != 0:
                raise io.UnsupportedOperation("can't do nonzero end-relative seeks")
            self.buffer.flush()
            self._forget()
            return self.buffer.seek(0, 2)
        elif whence != 0:
            raise ValueError("invalid whence (" + str(whence) + ", should be 0, 1 or 2)")
        if cookie < 0:
            raise ValueError("negative seek position " + str(cookie))
        self.buffer.flush()
        self._forget()
        self._telling = True
        return self.buffer.seek(cookie)

    def truncate(self, size: int | None = None) -> int:
        self.flush()
        return self.buffer.truncate(size)

    def close(self) -> None:
        self.buffer.close()

    def fileno(self) -> int:
        return self.buffer.fileno()

    def isatty(self) -> bool:
        return self.buffer.isatty()

    def readable(self) -> bool:
        return self.buffer.readable()

    def writable(self) -> bool:
        return self.buffer.writable()

    def seekable(self) -> bool:
        return self.buffer.seekable()

    def __enter__(self) -> TextFile:
        self._check_open()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.close()


def write_text(file: TextFile, text: str, flush: bool) -> None:
    """What ``print(..., file=file)`` does."""
    file.write(text)
    if flush:
        file.flush()
