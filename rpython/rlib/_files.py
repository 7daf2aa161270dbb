"""What ``open`` gives for bytes: files with a buffer.

What is written stays in the buffer until that is full, the file is closed, another file is
opened, or the program ends.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterable

from rpython.rlib._filelock import OneAtATime
from rpython.rlib._streams import BYTES_LIKE, ByteStream, ItemsOf, Lines, takes
from rpython.rlib._system import failure, fstat

CHUNK = 8192

_dirty: dict[int, BinaryFile] = {}
"""Files with something to write, by descriptor."""


def flush_all() -> None:
    """Write what waits to be written, of all files."""
    for fd in list(_dirty):
        if fd in _dirty and not _dirty[fd].busy:
            _dirty[fd].flush()


def flags_of(mode: str) -> int:
    """What ``os.open`` is given for a mode."""
    if "+" in mode:
        flags = os.O_RDWR
    elif "r" in mode:
        flags = os.O_RDONLY
    else:
        flags = os.O_WRONLY
    if "w" in mode:
        return flags | os.O_CREAT | os.O_TRUNC
    if "x" in mode:
        return flags | os.O_CREAT | os.O_EXCL
    if "a" in mode:
        return flags | os.O_CREAT | os.O_APPEND
    return flags


def shown_mode(mode: str) -> str:
    """The ``mode`` of a file of bytes."""
    action = "r" if "r" in mode else "w" if "w" in mode else "x" if "x" in mode else "a"
    return action + "b" + ("+" if "+" in mode else "")


def open_bytes(file: str, mode: str, buffering: int, closefd: bool) -> BinaryFile:
    """The file; the mode is known to be one for bytes."""
    return open_binary(file, flags_of(mode), shown_mode(mode), buffering, closefd)


def open_bytes_fd(fd: int, mode: str, buffering: int, closefd: bool) -> BinaryFile:
    """The same for the file with that number."""
    return open_binary_fd(fd, flags_of(mode), shown_mode(mode), buffering, closefd)


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


class BinaryFile(Lines, ByteStream, OneAtATime):
    """A file of bytes."""

    def __init__(self, name: str, fd: int, mode: str, buffering: int, closefd: bool) -> None:
        OneAtATime.__init__(self, fd)
        self._name = name
        self.mode = mode
        self._closed = False
        self.reads = "r" in mode or "+" in mode
        self.writes = "r" not in mode or "+" in mode
        self._room = CHUNK if buffering < 0 or buffering == 1 else buffering
        self._closefd = closefd
        self._ahead = b""
        """What has been read ahead, and how much of it has been given."""
        self._at = 0
        self._waiting: list[bytes] = []
        self._waiting_size = 0

    # -- reading ------------------------------------------------------------------------------

    def _before_reading(self, what: str = "read") -> None:
        self.wait_for_others()
        if not self.reads:
            raise io.UnsupportedOperation(what)
        if self._closed:
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
        self.wait_for_others()
        if self._waiting and self.reads and not self._closed:
            self._refuse_reading_on()
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

    def _refuse_reading_on(self) -> None:
        """CPython's ``read1``, which text files use, does not write first what waits, and reads
        what will be overwritten, or puts it behind what it has read."""
        if os.read(self._fd, 1):
            os.lseek(self._fd, -1, os.SEEK_CUR)
            raise io.UnsupportedOperation("reading on behind what was just written: seek() first")

    def peek(self, size: int = 0) -> bytes:
        self._before_reading("peek" if self._closed else "read")
        if self._at == len(self._ahead):
            self._ahead, self._at = self._read_some(CHUNK), 0
        return self._ahead[self._at :]

    def readline(self, size: int = -1) -> bytes:
        self._before_reading("readline" if self._closed else "read")
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

    # -- writing ------------------------------------------------------------------------------

    @takes(data=BYTES_LIKE)
    def write(self, data: bytes | bytearray) -> int:
        if not self.writes:
            raise io.UnsupportedOperation("write")
        self.wait_for_others()
        if self._closed:
            raise ValueError("write to closed file")
        self._forget()
        size = len(data)
        if size:
            if not self._waiting:
                _dirty[self._fd] = self
            self._waiting.append(bytes(data))
            self._waiting_size += size
            if self._waiting_size >= self._room:
                self.flush()
        return size

    @takes(lines=ItemsOf(BYTES_LIKE))
    def writelines(self, lines: Iterable[bytes]) -> None:
        self._check_open()
        for line in lines:
            self.write(line)

    def _forget(self) -> None:
        """Go back to where the program is, before what has been read ahead."""
        unread = len(self._ahead) - self._at
        if unread:
            os.lseek(self._fd, -unread, os.SEEK_CUR)
        self._ahead, self._at = b"", 0

    def flush(self) -> None:
        self.wait_for_others()
        if self._closed:
            raise ValueError("flush of closed file")
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting, self._waiting_size = [], 0
            del _dirty[self._fd]
            written = 0
            try:
                while written < len(data):
                    written += self._write_some(data[written:] if written else data)
            except OSError:
                self._waiting = [data[written:]]  # another try may succeed
                self._waiting_size = len(data) - written
                _dirty[self._fd] = self
                raise

    # -- the file -----------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def name(self) -> str:
        if not self._name:
            raise NotImplementedError("the name of a file that was opened by its number")
        return self._name

    def tell(self) -> int:
        self._check_raw_open()
        return os.lseek(self._fd, 0, os.SEEK_CUR) - len(self._ahead) + self._at + self._waiting_size

    def seek(self, target: int, whence: int = 0) -> int:
        if self._closed:
            raise ValueError("seek of closed file")
        if whence < 0 or whence > 2:
            raise ValueError("whence value " + str(whence) + " unsupported")
        self.flush()
        self._forget()
        return os.lseek(self._fd, target, whence)

    def truncate(self, size: int | None = None) -> int:
        if not self.writes:
            raise io.UnsupportedOperation("truncate")
        if self._closed:
            raise ValueError("truncate of closed file")
        self.flush()
        if size is None:
            size = self.tell()
        os.ftruncate(self._fd, size)
        return size

    def close(self) -> None:
        if not self._closed:
            try:
                self.flush()
            finally:
                self._closed = True
                self._drop()
                if self._closefd:
                    os.close(self._fd)

    def _drop(self) -> None:
        """Forget what could not be written."""
        if self._waiting:
            self._waiting, self._waiting_size = [], 0
            del _dirty[self._fd]

    def fileno(self) -> int:
        self._check_raw_open()
        return self._fd

    def isatty(self) -> bool:
        self._check_raw_open()
        return os.isatty(self._fd)

    def readable(self) -> bool:
        self._check_raw_open()
        return self.reads

    def writable(self) -> bool:
        self._check_raw_open()
        return self.writes

    def seekable(self) -> bool:
        self._check_raw_open()
        try:
            os.lseek(self._fd, 0, os.SEEK_CUR)
        except OSError:
            return False
        return True
