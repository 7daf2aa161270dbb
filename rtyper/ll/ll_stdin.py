"""Standard input as text in UTF-8, read ahead in big pieces.

    unread bytes:  data[start:stop]     the rest of ``data`` is room for more

Newlines are as they are: CPython does not translate those of its standard input either.
"""

from __future__ import annotations

import sys

from lltypesystem.external import CCHARARRAY, CCHARP, llexternal
from lltypesystem.lloperation import llop
from lltypesystem.lltype import Ptr, Signed, Struct, Void, _ptr, free, malloc
from lltypesystem.rstr import BYTES
from rtyper.ll.ll_decode import ll_decode_utf8
from rtyper.ll.ll_os import ll_fail
from rtyper.ll.ll_str import ll_ord_at, ll_slice

INPUT = Struct(
    "rpy_input", ("data", CCHARP), ("room", Signed), ("start", Signed), ("stop", Signed)
)
INPUTPTR = Ptr(INPUT)
PIECE = 65536
LF = 10


def host_read(fd: int, buffer: _ptr, count: int) -> int:
    """Read from the host's standard input."""
    binary = getattr(sys.stdin, "buffer", None)
    data = binary.read1(count) if binary is not None else sys.stdin.readline().encode()
    buffer._obj.items[: len(data)] = data.decode("latin-1")
    return len(data)


c_read = llexternal(
    "rpy_io_read", [Signed, CCHARP, Signed], Signed, host_read, ("rpy_io.h", "rpy_os.h"),
    blocking=True,
)  # fmt: skip


def ll_read_more(stdin: _ptr) -> bool:
    """Read another piece; False at the end of the input."""
    piece = malloc(CCHARARRAY, PIECE, flavor="raw")
    count = c_read(0, piece, PIECE)  # meanwhile other threads may read, too
    if count > 0:
        if stdin.room - stdin.stop < PIECE:
            ll_make_room(stdin, stdin.stop - stdin.start)
        llop.copy_array_items(Void, piece, stdin.data, 0, stdin.stop, count)
        stdin.stop += count
    free(piece, flavor="raw")
    if count < 0:
        ll_fail(-count)
    return count > 0


def ll_make_room(stdin: _ptr, unread: int) -> None:
    """Move what is unread to the front, of bigger memory if it has to be."""
    if stdin.room - unread >= PIECE:
        llop.copy_array_items(Void, stdin.data, stdin.data, stdin.start, 0, unread)
    else:
        room = (unread + PIECE) * 2
        data = malloc(CCHARARRAY, room, flavor="raw")
        if stdin.room > 0:
            llop.copy_array_items(Void, stdin.data, data, stdin.start, 0, unread)
            free(stdin.data, flavor="raw")
        stdin.data = data
        stdin.room = room
    stdin.start = 0
    stdin.stop = unread


def ll_readline(stdin: _ptr) -> _ptr:
    """``sys.stdin.readline()``: the next line with its newline, '' at the end."""
    return ll_take_text(stdin, ll_line_size(stdin))


def ll_line_size(stdin: _ptr) -> int:
    """How many bytes the next line has."""
    size = 0
    while True:
        if stdin.start + size == stdin.stop and not ll_read_more(stdin):
            return size
        size += 1
        if ord(stdin.data[stdin.start + size - 1]) == LF:
            return size


def ll_readline_bytes(stdin: _ptr) -> _ptr:
    """``sys.stdin.buffer.readline()``"""
    return ll_take(stdin, ll_line_size(stdin))


def ll_read_some(stdin: _ptr, size: int) -> _ptr:
    """``sys.stdin.buffer.read(size)``"""
    if size < 0:
        return ll_read_bytes(stdin)
    while stdin.stop - stdin.start < size and ll_read_more(stdin):
        pass
    if stdin.stop - stdin.start < size:
        size = stdin.stop - stdin.start
    return ll_take(stdin, size)


def ll_peek(stdin: _ptr, size: int) -> _ptr:
    """``sys.stdin.buffer.peek()``: some of what comes next."""
    if stdin.start == stdin.stop:
        ll_read_more(stdin)
    start = stdin.start
    data = ll_take(stdin, stdin.stop - start)
    stdin.start = start
    return data


def ll_take_text(stdin: _ptr, size: int) -> _ptr:
    """Decode the next ``size`` bytes."""
    data = ll_take(stdin, size)
    return ll_decode_utf8(data.chars, size, False)


def ll_take(stdin: _ptr, size: int) -> _ptr:
    """The next ``size`` bytes: BYTESPTR."""
    data = malloc(BYTES, size)
    if size > 0:
        llop.copy_array_items(Void, stdin.data, data.chars, stdin.start, 0, size)
        stdin.start += size
    return data


def ll_read(stdin: _ptr) -> _ptr:
    """``sys.stdin.read()``: the rest."""
    data = ll_read_bytes(stdin)
    return ll_decode_utf8(data.chars, len(data.chars), False)


def ll_read_bytes(stdin: _ptr) -> _ptr:
    """``sys.stdin.buffer.read()``: the rest."""
    while ll_read_more(stdin):
        pass
    return ll_take(stdin, stdin.stop - stdin.start)


def ll_input(stdin: _ptr) -> _ptr:
    """``input()`` after the prompt: a line without its newline."""
    line = ll_readline(stdin)
    length = line.length
    if length == 0:
        raise EOFError("EOF when reading a line")
    if ll_ord_at(line, length - 1) == LF:
        return ll_slice(line, 0, length - 1)
    return line


def ll_size(data: _ptr) -> int:
    return len(data.chars)
