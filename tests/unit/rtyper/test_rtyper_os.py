"""os.open, os.read, os.write, os.close under CPython, interpreted and native."""

from __future__ import annotations

import errno
import os

import pytest

from rpython.translator.api import interpret
from rpython.translator.hosterrors import host_error
from rpython.translator.nativecall import compile
from tests.support.differential import agree, outcome

PATHS = [
    "/nonexistent", "/nonexistent/it's", "/nonex'i\"st\n", "", "/dev", "a\0b", "\ud800",
    "/dev/null/x", "/nonexistent/\xe9\u20ac\udc80", "\udc80\ud800\udfff",
]  # fmt: skip


def read_all(path: str, flags: int, size: int) -> bytes:
    fd = os.open(path, flags)
    result = b""
    try:
        chunk = os.read(fd, size)
        while len(chunk) > 0:
            result += chunk
            chunk = os.read(fd, size)
    finally:
        os.close(fd)
    return result


def failed_open(path: str, flags: int) -> tuple[int, str, str]:
    try:
        fd = os.open(path, flags)
    except FileNotFoundError as error:
        return error.errno, "not found", str(error)
    except OSError as error:
        return error.errno, "other", str(error)
    os.close(fd)
    return 0, "", ""


def write_error(fd: int, data: bytes) -> int:
    return os.write(fd, data)


@pytest.fixture
def data_file(tmp_path):
    path = tmp_path / "donn\xe9es"
    path.write_bytes(bytes(range(256)) * 9)
    return str(path)


def test_read(data_file):
    agree(read_all, *((data_file, os.O_RDONLY, size) for size in (50, 1000, 2304, 5000)))


def test_failures():
    agree(read_all, *((path, os.O_WRONLY, 10) for path in PATHS))
    agree(failed_open, *((path, os.O_WRONLY) for path in PATHS[:5]), ("/dev/null", 0))


def test_bad_numbers(data_file):
    agree(read_all, (data_file, 0, -1), (data_file, 1 << 40, 1), (data_file, -(1 << 40), 1))
    agree(write_error, (99, b"x"), (-1, b""), (1 << 35, b"x"), (-(1 << 31) - 1, b"x"))


def test_write(tmp_path):
    def f(path, data, more):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        written = os.write(fd, data)
        written += os.write(fd, more)
        os.close(fd)
        return written

    path = str(tmp_path / "out")
    assert interpret(f, [path, b"some ", bytearray(b"bytes")]) == 10
    with open(path, "rb") as file:
        assert file.read() == b"some bytes"
    assert os.stat(path).st_mode & 0o7777 == 0o640 & ~_umask()
    with pytest.raises(FileExistsError) as caught:
        interpret(f, [path, b"", bytearray()])
    assert caught.value.errno == errno.EEXIST
    assert caught.value.filename == path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_native(data_file):
    native = compile(read_all, [str, int, int])
    calls = [(data_file, 0, size) for size in (1, 1000, 2304, 5000)]
    calls += [(path, 1, 10) for path in PATHS]
    calls += [(data_file, 0, -1), (data_file, 1 << 40, 1), (data_file, 1, 1)]
    for args in calls:
        assert outcome(native, args) == outcome(read_all, args)


@pytest.mark.parametrize(
    "error",
    [
        OSError(2, "No such file or directory", "it's"),
        OSError(13, "Permission denied"),
        OSError("just text"),
        UnicodeDecodeError("utf-8", b"ab\xff", 2, 3, "invalid start byte"),
        UnicodeDecodeError("utf-8", b"\xe2\x82", 0, 2, "unexpected end of data"),
        UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
        UnicodeEncodeError("ascii", "\xe9\xe9", 0, 2, "ordinal not in range(128)"),
        KeyError("name"), KeyError(3), SystemExit(3), ValueError("it's"), ValueError(),
    ],
    ids=repr,
)  # fmt: skip
def test_host_errors_say_the_same(error):
    again = host_error(type(error), str(error) or None)
    assert type(again) is type(error)
    assert str(again) == str(error)
    for name in ("errno", "strerror", "filename", "start", "end", "reason", "code"):
        assert getattr(again, name, None) == getattr(error, name, None)
