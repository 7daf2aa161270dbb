"""Files, or memory of one's own, mapped into memory.

    m = mmap(fd, 0)                # all of the file
    m.setslice(2, "text")
    m.close()

Text is a str of bytes (characters up to U+00FF), as RPython's is.
"""

from __future__ import annotations

import mmap as _host
import os
from typing import Any

from rpython.lltypesystem.foreign.cdef import cdef

_c: Any = cdef(
    """
    void *mmap(void *addr, size_t length, int prot, int flags, int fd, long offset);
    int munmap(void *addr, size_t length);
    int msync(void *addr, size_t length, int flags);
    void *mremap(void *addr, size_t old_size, size_t new_size, int flags);
    """
)

MAP_SHARED, MAP_PRIVATE = int(_host.MAP_SHARED), int(_host.MAP_PRIVATE)
MAP_ANON = MAP_ANONYMOUS = int(_host.MAP_ANONYMOUS)
PROT_READ, PROT_WRITE, PROT_EXEC = int(_host.PROT_READ), int(_host.PROT_WRITE), int(_host.PROT_EXEC)
ACCESS_READ, ACCESS_WRITE, ACCESS_COPY = 1, 2, 3
_ACCESS_DEFAULT = 0
ALLOCATIONGRANULARITY = PAGESIZE = _host.PAGESIZE
_MS_SYNC = 4
_MREMAP_MAYMOVE = 1


class RValueError(Exception):
    """A wrong value, or a map that is closed; the text in ``message``."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __str__(self) -> str:
        return self.message


class RTypeError(Exception):
    """The map does not allow this; the text in ``message``."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __str__(self) -> str:
        return self.message


def _failed() -> OSError:
    number = _c.get_errno()
    return OSError(number, os.strerror(number))


class MMap:
    """Mapped memory with a position, like a file's."""

    def __init__(self, access: int, data: Any, size: int, fd: int, offset: int, flags: int) -> None:
        self.access = access
        self.data = data
        self.size = size
        self.pos = 0
        self.fd = fd
        self.offset = offset
        self.flags = flags

    # -- what is allowed -----------------------------------------------------------------------

    def check_valid(self) -> None:
        """Raises RValueError when the map is closed."""
        if self.data is None:
            raise RValueError("map closed or invalid")

    def check_writeable(self) -> None:
        """Raises RTypeError when the map can only be read."""
        if self.access == ACCESS_READ:
            raise RTypeError("mmap can't modify a readonly memory map.")

    def check_resizeable(self) -> None:
        """Raises RTypeError when the map's size cannot change."""
        if self.access not in (_ACCESS_DEFAULT, ACCESS_WRITE):
            raise RTypeError("mmap can't resize a readonly or copy-on-write memory map.")

    def _valid(self) -> Any:
        data = self.data
        if data is None:
            raise RValueError("map closed or invalid")
        return data

    def _text(self, start: int, length: int) -> str:
        return _c.unpack(self._valid() + start, length).decode("latin-1")  # type: ignore[no-any-return]

    # -- the map -------------------------------------------------------------------------------

    def close(self) -> None:
        """Unmap the memory and close the descriptor that the map has of its own."""
        data = self.data
        if data is not None:
            self.data = None
            _c.munmap(_c.cast("void *", data), self.size)
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def file_size(self) -> int:
        """The file's size now, or that of the map where there is no file."""
        self.check_valid()
        return os.fstat(self.fd).st_size if self.fd >= 0 else self.size

    def flush(self, offset: int = 0, size: int = 0) -> int:
        """Write the part to the file; size 0: to the end.  Raises RValueError for a part that
        is not in the map, OSError when the system refuses."""
        data = self._valid()
        if size == 0:
            size = self.size - offset
        if offset < 0 or size < 0 or offset + size > self.size:
            raise RValueError("flush values out of range")
        if _c.msync(_c.cast("void *", data + offset), size, _MS_SYNC) != 0:
            raise _failed()
        return 0

    def resize(self, newsize: int) -> None:
        """Make the file and the map ``newsize`` bytes long; the memory may move.  Raises
        RTypeError, RValueError, OSError."""
        data = self._valid()
        self.check_resizeable()
        if newsize <= 0:
            raise RValueError("new size out of range")
        if self.fd >= 0:
            os.ftruncate(self.fd, self.offset + newsize)
        moved = _c.mremap(_c.cast("void *", data), self.size, newsize, _MREMAP_MAYMOVE)
        if _is_failure(moved):
            raise _failed()
        self.data = _c.cast("char *", moved)
        self.size = newsize

    def getptr(self, offset: int) -> Any:
        """A C pointer, ``char *``, to a place in the map."""
        return self._valid() + offset

    # -- like a file ---------------------------------------------------------------------------

    def tell(self) -> int:
        """The position."""
        self.check_valid()
        return self.pos

    def seek(self, pos: int, whence: int = 0) -> None:
        """Go there: from the start (0), from here (1), from the end (2).  Raises RValueError."""
        self.check_valid()
        if whence == 1:
            pos += self.pos
        elif whence == 2:
            pos += self.size
        elif whence != 0:
            raise RValueError("unknown seek type")
        if not 0 <= pos <= self.size:
            raise RValueError("seek out of range")
        self.pos = pos

    def read(self, num: int = -1) -> str:
        """Up to ``num`` characters; a negative number: all to the end."""
        self.check_valid()
        length = self.size - self.pos
        if 0 <= num < length:
            length = num
        text = self._text(self.pos, length)
        self.pos += length
        return text

    def read_byte(self) -> str:
        """One character; raises RValueError at the end."""
        self.check_valid()
        if self.pos >= self.size:
            raise RValueError("read byte out of range")
        return self.read(1)

    def readline(self) -> str:
        """The rest of the line with its end."""
        self.check_valid()
        end = self.find("\n", self.pos, self.size)
        return self.read(self.size - self.pos if end < 0 else end + 1 - self.pos)

    def write(self, data: str) -> int:
        """Put the text at the position; how long it is.  Raises RValueError where it does not
        fit, RTypeError where the map can only be read."""
        self.check_valid()
        self.check_writeable()
        if len(data) > self.size - self.pos:
            raise RValueError("data out of range")
        self.setslice(self.pos, data)
        self.pos += len(data)
        return len(data)

    def write_byte(self, byte: str) -> None:
        """The same, of one character."""
        if len(byte) != 1:
            raise RTypeError("write_byte() argument must be char")
        self.write(byte)

    # -- like a list ---------------------------------------------------------------------------

    def getitem(self, index: int) -> str:
        """The character there, which must be in the map."""
        return self._text(index, 1)

    def setitem(self, index: int, value: str) -> None:
        """Put a character there, which must be in the map."""
        self.setslice(index, value)

    def getslice(self, start: int, length: int) -> str:
        """The text there, which must be in the map."""
        return self._text(start, length)

    def setslice(self, start: int, newdata: str) -> None:
        """Put the text there, where it must fit.  Raises RTypeError when the map can only be
        read."""
        data = self._valid()
        self.check_writeable()
        _c.memmove(data + start, newdata.encode("latin-1"), len(newdata))

    def find(self, tofind: str, start: int = 0, end: int = -1, reverse: bool = False) -> int:
        """Where the text is, first (or last) between ``start`` and ``end`` (-1: the map's);
        negative numbers count from the end.  -1 when it is not there."""
        self.check_valid()
        start = _within(start, self.size)
        end = self.size if end == -1 else _within(end, self.size)
        text = self._text(start, max(end - start, 0))
        at = text.rfind(tofind) if reverse else text.find(tofind)
        return at if at < 0 else start + at

    def move(self, dest: int, src: int, count: int) -> None:
        """Copy within the map; the parts may overlap.  Raises RValueError, RTypeError."""
        data = self._valid()
        self.check_writeable()
        if min(src, dest, count) < 0 or max(src, dest) + count > self.size:
            raise RValueError("source or destination out of range")
        _c.memmove(data + dest, _c.unpack(data + src, count), count)


def _within(index: int, size: int) -> int:
    if index < 0:
        index += size
    return min(max(index, 0), size)


def _is_failure(address: Any) -> bool:
    """``MAP_FAILED``."""
    return bool(address == _c.cast("void *", -1))


def mmap(
    fileno: int, length: int, flags: int = MAP_SHARED, prot: int = PROT_WRITE | PROT_READ,
    access: int = _ACCESS_DEFAULT, offset: int = 0,
) -> MMap:  # fmt: skip
    """Map ``length`` bytes of a file from ``offset`` on (0: all that follow); ``fileno`` -1:
    memory without a file.  ``access`` (``ACCESS_...``) stands for flags and protection together.

    Raises RValueError for values that do not go together, OSError when the system refuses."""
    if length < 0:
        raise RTypeError("memory mapped size must be positive")
    if offset < 0:
        raise RValueError("negative offset")
    if access != _ACCESS_DEFAULT and (flags != MAP_SHARED or prot != PROT_WRITE | PROT_READ):
        raise RValueError("mmap can't specify both access and flags, prot.")
    if access == ACCESS_READ:
        prot = PROT_READ
    elif access == ACCESS_COPY:
        flags = MAP_PRIVATE
    elif access == _ACCESS_DEFAULT:
        if not prot & PROT_WRITE:
            access = ACCESS_READ
    elif access != ACCESS_WRITE:
        raise RValueError("mmap invalid access parameter.")
    own = -1
    if fileno < 0:
        flags |= MAP_ANONYMOUS
    else:
        length = _length_in_file(fileno, length, offset)
        own = os.dup(fileno)
    address = _c.mmap(_c.NULL, length, prot, flags, own, offset)
    if _is_failure(address):
        error = _failed()
        if own >= 0:
            os.close(own)
        raise error
    return MMap(access, _c.cast("char *", address), length, own, offset, flags)


def _length_in_file(fileno: int, length: int, offset: int) -> int:
    size = os.fstat(fileno).st_size
    if length == 0:
        if size == 0:
            raise RValueError("cannot mmap an empty file")
        length = size - offset
        if length <= 0:
            raise RValueError("mmap offset is greater than file size")
    elif offset + length > size:
        raise RValueError("mmap length is greater than file size")
    return length


def alloc(map_size: int) -> Any:
    """Memory without a file, for code that the program makes: readable, writable, executable.  A
    C pointer, ``char *``.  Raises MemoryError."""
    address = _c.mmap(
        _c.NULL, map_size, PROT_EXEC | PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0
    )
    if _is_failure(address):
        raise MemoryError
    return _c.cast("char *", address)


def free(ptr: Any, map_size: int) -> None:
    """Give back what ``alloc`` gave."""
    _c.munmap(_c.cast("void *", ptr), map_size)
