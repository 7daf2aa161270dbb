"""os.read, os.write, os.open, os.close, and text to and from the operating system.

Files are read into raw memory, which does not move when other threads run meanwhile, and
written from bytes objects: the C code takes a copy first where there are threads.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn

from rpython.lltypesystem.foreign.external import CCHARARRAY, CCHARP, llexternal, make_charp
from rpython.lltypesystem.foreign.systemcalls import DATA_HEADER
from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Bool,
    Ptr,
    Signed,
    Unsigned,
    Void,
    _ptr,
    free,
    malloc,
    nullptr,
)
from rpython.lltypesystem.rstr import BYTES, STR, read_str
from rpython.rtyper.ll.ll_bytes import EMPTY_BYTES
from rpython.rtyper.ll.ll_decode import ll_decode_utf8
from rpython.rtyper.ll.ll_encode import (
    ll_is_surrogate,
    ll_put_byte,
    ll_put_utf8,
    ll_raise_surrogates,
)
from rpython.rtyper.ll.ll_number import ll_int2str
from rpython.rtyper.ll.ll_repr import ll_repr
from rpython.rtyper.ll.ll_str import ll_ord_at, ll_strconcat, prebuilt_str

CHARSPTR = Ptr(BYTES._flds["chars"])
MOST_AT_ONCE = 0x7FFFF000
"""What Linux reads or writes in one call at most."""

# -- the C functions --------------------------------------------------------------------------


def host_read(fd: int, chars: _ptr, count: int) -> int:
    try:
        if fd == 0 and sys.stdin is not sys.__stdin__:
            data = _replaced_input(count)
        else:
            data = os.read(fd, count)
    except OSError as error:
        return -(error.errno or errno.EIO)
    chars._obj.items[: len(data)] = data.decode("latin-1")
    return len(data)


def _replaced_input(count: int) -> bytes:
    """Read from what stands for the host's standard input."""
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:
        return sys.stdin.readline().encode()
    data: bytes = binary.read1(count)
    return data


def host_write(fd: int, chars: _ptr, count: int) -> int:
    try:
        return os.write(fd, "".join(chars._obj.items[:count]).encode("latin-1"))
    except OSError as error:
        return -(error.errno or errno.EIO)


def host_strerror(number: int) -> _ptr:
    return make_charp(os.strerror(number).encode())


_HEADERS = ("rpy_io.h", "rpy_os.h")
c_read = llexternal(
    "rpy_io_read", [Signed, CCHARP, Signed], Signed, host_read, _HEADERS, blocking=True
)
c_write = llexternal("rpy_io_write", [Signed, CHARSPTR, Signed], Signed, host_write, _HEADERS)
c_strerror = llexternal("rpy_io_strerror", [Signed], CCHARP, host_strerror, _HEADERS)


# -- errors -----------------------------------------------------------------------------------


def raise_os_error(
    exception: type[OSError], message: _ptr, number: int, path: _ptr, other: _ptr
) -> NoReturn:
    """Raise ``exception`` with that message (a STRPTR), ``errno``, and the paths it is about, or
    null.

    Translated, ``rtyper.builtins.os`` makes the instance.
    """
    error = exception(read_str(message))
    error.errno = number
    if path:
        error.filename = read_str(path)
    if other:
        error.filename2 = read_str(other)
    raise error


NO_PATH = nullptr(STR)
ERRNO = prebuilt_str("[Errno ")
BRACKET = prebuilt_str("] ")
COLON = prebuilt_str(": ")
ARROW = prebuilt_str(" -> ")


def ll_error_text(number: int) -> _ptr:
    return ll_from_system(c_strerror(number))


def ll_error_message(number: int) -> _ptr:
    message = ll_strconcat(ll_strconcat(ERRNO, ll_int2str(number)), BRACKET)
    return ll_strconcat(message, ll_error_text(number))


def ll_fail(number: int) -> None:
    """Raise the exception for an errno value."""
    ll_raise_for(number, ll_error_message(number), NO_PATH, NO_PATH)


def ll_fail_path(number: int, path: _ptr, table: _ptr) -> None:
    """The same for an operation on a path; ``table``: what ``repr`` needs."""
    message = ll_strconcat(ll_error_message(number), COLON)
    ll_raise_for(number, ll_strconcat(message, ll_repr(path, table)), path, NO_PATH)


def ll_fail_paths(number: int, path: _ptr, other: _ptr, table: _ptr) -> None:
    """The same for an operation on two."""
    message = ll_strconcat(ll_error_message(number), COLON)
    message = ll_strconcat(ll_strconcat(message, ll_repr(path, table)), ARROW)
    ll_raise_for(number, ll_strconcat(message, ll_repr(other, table)), path, other)


def ll_raise_for(number: int, message: _ptr, path: _ptr, other: _ptr) -> None:
    """The subclass of OSError that CPython chooses (PEP 3151)."""
    if number == errno.ECHILD:
        raise_os_error(ChildProcessError, message, number, path, other)
    if number == errno.ESRCH:
        raise_os_error(ProcessLookupError, message, number, path, other)
    if number == errno.ENOENT:
        raise_os_error(FileNotFoundError, message, number, path, other)
    if number == errno.EACCES or number == errno.EPERM:
        raise_os_error(PermissionError, message, number, path, other)
    if number == errno.EISDIR:
        raise_os_error(IsADirectoryError, message, number, path, other)
    if number == errno.ENOTDIR:
        raise_os_error(NotADirectoryError, message, number, path, other)
    if number == errno.EEXIST:
        raise_os_error(FileExistsError, message, number, path, other)
    if number == errno.EPIPE or number == errno.ESHUTDOWN:
        raise_os_error(BrokenPipeError, message, number, path, other)
    if number == errno.EAGAIN or number == errno.EALREADY or number == errno.EINPROGRESS:
        raise_os_error(BlockingIOError, message, number, path, other)
    if number == errno.EINTR:
        llop.safepoint(Void)  # raises the KeyboardInterrupt that ended the call
        raise_os_error(InterruptedError, message, number, path, other)
    if number == errno.ETIMEDOUT:
        raise_os_error(TimeoutError, message, number, path, other)
    if number == errno.ECONNRESET:
        raise_os_error(ConnectionResetError, message, number, path, other)
    if number == errno.ECONNREFUSED:
        raise_os_error(ConnectionRefusedError, message, number, path, other)
    if number == errno.ECONNABORTED:
        raise_os_error(ConnectionAbortedError, message, number, path, other)
    raise_os_error(OSError, message, number, path, other)


def ll_c_int(value: int) -> int:
    """An int that has to fit C's."""
    if value < -2147483648 or value > 2147483647:
        raise OverflowError("Python int too large to convert to C int")
    return value


def ll_uid(value: int) -> int:
    """The number of a user, or -1."""
    if value < -1 or value > 4294967295:
        raise OverflowError("uid is less than minimum")
    return value


def ll_gid(value: int) -> int:
    """The number of a group, or -1."""
    if value < -1 or value > 4294967295:
        raise OverflowError("gid is less than minimum")
    return value


def ll_device(value: int) -> int:
    if value < 0:
        raise OverflowError("can't convert negative int to unsigned")
    return value


# -- the operations ---------------------------------------------------------------------------


def ll_os_read(fd: int, size: int) -> _ptr:
    ll_c_int(fd)
    if size < 0:
        ll_fail(errno.EINVAL)
    if size > MOST_AT_ONCE:
        size = MOST_AT_ONCE
    piece = malloc(CCHARARRAY, size, flavor="raw")
    count = c_read(fd, piece, size)
    if count <= 0:
        free(piece, flavor="raw")
        if count < 0:
            ll_fail(-count)
        return EMPTY_BYTES
    result = malloc(BYTES, count)
    llop.copy_array_items(Void, piece, result.chars, 0, 0, count)
    free(piece, flavor="raw")
    return result


def ll_os_write(fd: int, data: _ptr) -> int:
    ll_c_int(fd)
    size = len(data.chars)
    if size > MOST_AT_ONCE:
        size = MOST_AT_ONCE
    count = c_write(fd, data.chars, size)
    if count < 0:
        ll_fail(-count)
    return count


def ll_check(result: int) -> int:
    """What a call of the system gave; raises OSError when it failed."""
    if result < 0:
        ll_fail(-result)
    return result


def ll_check_path(result: int, path: _ptr, table: _ptr) -> int:
    """The same for a call about a path."""
    if result < 0:
        ll_fail_path(-result, path, table)
    return result


def ll_check_paths(result: int, path: _ptr, other: _ptr, table: _ptr) -> int:
    """The same for a call about two paths."""
    if result < 0:
        ll_fail_paths(-result, path, other, table)
    return result


def ll_release(raw: _ptr) -> None:
    """Release what ``ll_to_system`` gave."""
    free(raw, flavor="raw")


def ll_text_from_system(raw: _ptr) -> _ptr:
    """The str, null for null."""
    if raw:
        return ll_from_system(raw)
    return nullptr(STR)


# -- data -------------------------------------------------------------------------------------


def ll_data_to_system(data: _ptr) -> _ptr:
    """A copy of bytes in raw memory, which does not move."""
    size = len(data.chars)
    raw = malloc(CCHARARRAY, size + 1, flavor="raw")
    llop.copy_array_items(Void, data.chars, raw, 0, 0, size)
    return raw


def ll_data_length(data: _ptr) -> int:
    return len(data.chars)


def ll_data_from_system(raw: _ptr) -> _ptr:
    """The bytes after the header; raises OSError when that says so."""
    size = 0
    i = DATA_HEADER
    while i > 0:
        i -= 1
        size = (size << 8) | ord(raw[i])
    if size < 0:
        ll_fail(-size)
    if size == 0:
        return EMPTY_BYTES
    result = malloc(BYTES, size)
    llop.copy_array_items(Void, raw, result.chars, DATA_HEADER, 0, size)
    return result


# -- text -------------------------------------------------------------------------------------


def ll_to_system(s: _ptr) -> _ptr:
    """A str as the operating system wants it: UTF-8 and a zero, in raw memory.  Lone
    surrogates that stand for bytes (PEP 383) become those bytes."""
    length = s.length
    per_character = 2
    if s.wide:
        per_character = 4
    ll_check_text(s)
    raw = malloc(CCHARARRAY, length * per_character + 1, flavor="raw")
    at = 0
    i = 0
    while i < length:
        code = ll_ord_at(s, i)
        if ll_is_surrogate(code):
            ll_put_byte(raw, at, code - 0xDC00)
            at += 1
        else:
            at = ll_put_utf8(raw, at, code)
        i += 1
    ll_put_byte(raw, at, 0)
    return raw


def ll_check_text(s: _ptr) -> None:
    """Refuse a str that cannot be a path."""
    i = 0
    while i < s.length:
        code = ll_ord_at(s, i)
        if code == 0:
            raise ValueError("embedded null byte")
        if ll_is_surrogate(code) and not ll_stands_for_byte(code):
            ll_raise_surrogates(s, i)
        i += 1


def ll_stands_for_byte(code: int) -> bool:
    offset = llop.cast_int_to_uint(Unsigned, code - 0xDC80)
    return llop.uint_lt(Bool, offset, llop.cast_int_to_uint(Unsigned, 128))


def ll_from_system(raw: _ptr) -> _ptr:
    """Zero-terminated text from the operating system as a str."""
    length = 0
    while ord(raw[length]) != 0:
        length += 1
    return ll_decode_utf8(raw, length, True)
