"""Standard output and standard error: buffered text in UTF-8.

One ``STREAM`` per file descriptor, part of the program's prebuilt data.  As in CPython,
stdout is flushed when its buffer is full, at exit and, on a terminal, after each line;
stderr after each call.  Under the LLInterpreter the host's streams are written, after each
call.

CPython keeps text apart from the bytes that ``sys.stdout.buffer`` is given, up to 8 kB of it, until
the stream is flushed.  Where a program writes both (``mixed``), the last ``text`` bytes of the
buffer are such text, and bytes get in front of it.
"""

from __future__ import annotations

import errno
import sys

from rpython.lltypesystem.foreign.external import CCHARARRAY, CCHARP, llexternal, read_charp
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import Bool, Ptr, Signed, Struct, Void, _ptr, free, malloc
from rpython.rtyper.ll.ll_encode import (
    ll_escape,
    ll_is_surrogate,
    ll_put_byte,
    ll_put_utf8,
    ll_raise_surrogates,
)
from rpython.rtyper.ll.ll_os import ll_fail
from rpython.rtyper.ll.ll_str import ll_narrow, ll_ord_at, ll_wide

STREAM = Struct(
    "rpy_stream", ("fd", Signed), ("mode", Signed), ("used", Signed), ("buffer", CCHARP),
    ("mixed", Bool), ("text", Signed),
)  # fmt: skip
STREAMPTR = Ptr(STREAM)
SIZE = 65536
MOST_TEXT = 8192
MOST_BYTES = 4096

CLOSED = -1
UNOPENED = 0
BUFFERED = 1
BY_LINE = 2
DIRECT = 3
"""Modes: when to flush (DIRECT: after each call)."""


def host_mode(fd: int) -> int:
    return DIRECT - BUFFERED


def host_write(fd: int, buffer: _ptr, size: int) -> int:
    """Write to the host's stream."""
    stream = sys.stderr if fd == 2 else sys.stdout
    data = read_charp(buffer, size)
    try:
        stream.write(data.decode("utf-8"))
    except UnicodeDecodeError:
        stream.flush()
        stream.buffer.write(data)
    return size


def host_escapes() -> int:
    """What the host's locale says."""
    return int(sys.stdin.errors == "surrogateescape")


def host_errno() -> int:
    """Never asked: the host's streams raise by themselves."""
    return errno.EIO


c_isatty = llexternal("rpy_os_isatty", [Signed], Signed, host_mode, ["rpy_os.h"])
c_write = llexternal(
    "rpy_os_write", [Signed, CCHARP, Signed], Signed, host_write, ["rpy_os.h"]
)

c_lost = llexternal("rpy_os_lost", [Signed], Signed, lambda fd: 0, ["rpy_os.h"])
c_escapes = llexternal("rpy_os_escapes", [], Signed, host_escapes, ["rpy_os.h"])
c_errno = llexternal("rpy_errno", [], Signed, host_errno, ["rpy_os.h"])


def ll_open(stream: _ptr) -> None:
    """Get ready at first use."""
    if stream.mode == CLOSED:
        raise ValueError("I/O operation on closed file.")
    if stream.mode == UNOPENED:
        stream.mode = BUFFERED + c_isatty(stream.fd)
    if not stream.buffer:
        stream.buffer = malloc(CCHARARRAY, SIZE, flavor="raw")


def ll_write_text(stream: _ptr, s: _ptr) -> None:
    """Put the text into the stream's buffer; ``ll_written`` must follow."""
    ll_open(stream)
    if stream.mixed:
        ll_write_mixed(stream, s)
    else:
        ll_write_any(stream, s)


def ll_write_any(stream: _ptr, s: _ptr) -> None:
    if s.wide:
        ll_write_wide(stream, s)
    else:
        ll_write_narrow(stream, ll_narrow(s), s.length)


def ll_write_mixed(stream: _ptr, s: _ptr) -> None:
    """The same, and note how much of what is in the buffer is text."""
    if s.length >= MOST_TEXT:
        stream.text = 0
        ll_write_any(stream, s)
        return
    if stream.used > SIZE // 4:
        ll_flush_bytes(stream)
    before = stream.used
    ll_write_any(stream, s)
    size = stream.used - before
    if stream.text + size > MOST_TEXT:
        stream.text = 0
    stream.text += size
    if stream.text >= MOST_TEXT:
        stream.text = 0


def ll_flush_bytes(stream: _ptr) -> None:
    """Write out what is in front of the text."""
    text = stream.text
    if text == 0:
        ll_flush(stream)
        return
    waiting = ll_take_text(stream)
    ll_flush(stream)
    ll_give_text(stream, waiting, text)


def ll_take_text(stream: _ptr) -> _ptr:
    """Remove the text from the buffer."""
    size = stream.text
    start = stream.used - size
    waiting = malloc(CCHARARRAY, size, flavor="raw")
    llop.copy_array_items(Void, stream.buffer, waiting, start, 0, size)
    stream.used = start
    stream.text = 0
    return waiting


def ll_give_text(stream: _ptr, waiting: _ptr, size: int) -> None:
    """Put it back, at the end."""
    if SIZE - stream.used < size:
        ll_flush(stream)
    llop.copy_array_items(Void, waiting, stream.buffer, 0, stream.used, size)
    free(waiting, flavor="raw")
    stream.used += size
    stream.text = size


def ll_write_narrow(stream: _ptr, p: _ptr, length: int) -> None:
    start = 0
    while start < length:
        stop = start
        limit = start + SIZE - 4 - stream.used
        if limit > length:
            limit = length
        while stop < limit and ord(p.chars[stop]) < 128:
            stop += 1
        size = stop - start
        if size > 0:
            llop.copy_array_items(Void, p.chars, stream.buffer, start, stream.used, size)
            stream.used += size
            start = stop
        if stream.used + 4 >= SIZE:
            ll_flush(stream)
        elif start < length:
            stream.used = ll_put_utf8(stream.buffer, stream.used, ord(p.chars[start]))
            start += 1


def ll_write_wide(stream: _ptr, s: _ptr) -> None:
    p = ll_wide(s)
    i = 0
    if stream.fd != 2:
        while i < s.length:
            if ll_is_surrogate(ord(p.chars[i])) and not ll_is_escaped(ord(p.chars[i])):
                ll_raise_surrogates(s, i)
            i += 1
    i = 0
    while i < s.length:
        code = ord(p.chars[i])
        if ll_is_surrogate(code) and stream.fd != 2:
            if stream.used + 4 >= SIZE:
                ll_flush(stream)
            ll_put_byte(stream.buffer, stream.used, code & 0xFF)
            stream.used += 1
        elif ll_is_surrogate(code):
            ll_write_narrow(stream, ll_narrow(ll_escape(code)), 6)
        else:
            if stream.used + 4 >= SIZE:
                ll_flush(stream)
            stream.used = ll_put_utf8(stream.buffer, stream.used, code)
        i += 1


def ll_is_escaped(code: int) -> bool:
    """Does the surrogate stand for a byte that was read from standard input?"""
    return 0xDC80 <= code and code <= 0xDCFF and c_escapes() != 0


def ll_choose_errors(strict: _ptr, escape: _ptr) -> _ptr:
    """What standard input and output do about errors; STRPTR."""
    if c_escapes():
        return escape
    return strict


def ll_set_mode(stream: _ptr, mode: int) -> None:
    stream.mode = mode


def ll_written(stream: _ptr, last: _ptr) -> None:
    """A call that wrote text, ``last`` at its end, is finished: flush if that is the mode."""
    if stream.mode == BUFFERED:
        return
    if stream.mode == DIRECT or ll_has_newline(last):
        ll_flush(stream)


def ll_has_newline(s: _ptr) -> bool:
    i = 0
    while i < s.length:
        code = ll_ord_at(s, i)
        if code == 10 or code == 13:
            return True
        i += 1
    return False


def ll_flush(stream: _ptr) -> None:
    """Write out the buffer.  Raises OSError.  What could not be written is lost then, as CPython
    loses text that does not fit into the buffer of bytes behind it, or else stays buffered."""
    stream.text = 0
    used = stream.used
    start = 0
    while start < used:
        if start > 0:
            # only after a write that took a part: the rest moves to the front
            llop.copy_array_items(Void, stream.buffer, stream.buffer, start, 0, used - start)
            used -= start
            stream.used = used
        start = c_write(stream.fd, stream.buffer, used)
        if start < 0:
            error = c_errno()
            if used > MOST_BYTES:
                stream.used = 0
            ll_fail(error)
    stream.used = 0


def ll_is_lost(fd: int) -> bool:
    """Was the program started without it?"""
    return c_lost(fd) != 0


def ll_printed_to(errors: _ptr, output: _ptr) -> _ptr:
    """Where ``print(file=sys.stderr)`` writes: without standard error, that is None."""
    if c_lost(2):
        return output
    return errors


def ll_check_for_input() -> None:
    """What ``input`` needs."""
    if c_lost(0):
        raise RuntimeError("input(): lost sys.stdin")
    if c_lost(1):
        raise RuntimeError("input(): lost sys.stdout")
    if c_lost(2):
        raise RuntimeError("input(): lost sys.stderr")


def ll_flush_for_input(stream: _ptr) -> None:
    """``input`` shows its prompt if it can."""
    try:
        ll_flush(stream)
    except OSError:
        pass


def ll_flush_if(stream: _ptr, wanted: bool) -> None:
    if wanted:
        ll_flush(stream)


def ll_text_or(text: _ptr, default: _ptr) -> _ptr:
    """``text``, or ``default`` when it is null."""
    if text:
        return text
    return default


def ll_write_bytes(stream: _ptr, data: _ptr) -> None:
    """``sys.stdout.buffer.write(bytes)``"""
    ll_write_chars(stream, data.chars, len(data.chars))


def ll_write_chars(stream: _ptr, chars: _ptr, length: int) -> None:
    """Put bytes into the buffer, which is flushed as often as it is full."""
    ll_open(stream)
    text = stream.text
    if text > 0:
        waiting = ll_take_text(stream)
        ll_put_chars(stream, chars, length)
        ll_give_text(stream, waiting, text)
    else:
        ll_put_chars(stream, chars, length)
    if stream.mode == DIRECT:
        ll_flush(stream)


def ll_put_chars(stream: _ptr, chars: _ptr, length: int) -> None:
    start = 0
    while start < length:
        size = SIZE - stream.used
        if size > length - start:
            size = length - start
        llop.copy_array_items(Void, chars, stream.buffer, start, stream.used, size)
        stream.used += size
        start += size
        if stream.used == SIZE:
            ll_flush(stream)
