"""``gzip``: a file that is read is taken apart at once; one that is written goes out in pieces."""

from __future__ import annotations

import gzip
import os
import time
import zlib
from typing import Any

from rpython.rlib._memoryfiles import BytesIO, StringIO
from rpython.stdlib._registry import per_arguments, per_values, replaces

_CRC, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16


def _header(name: bytes, level: int, mtime: int) -> bytes:
    flags = 2 if level == 9 else 4 if level == 1 else 0
    start = b"\x1f\x8b\x08" + bytes([_NAME if name else 0]) + mtime.to_bytes(4, "little")
    return start + bytes([flags, 255]) + (name + b"\0" if name else b"")


def _trailer(crc: int, size: int) -> bytes:
    return crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")


@per_arguments
def _moment(mtime: Any) -> int:
    return int(time.time() if mtime is None else mtime)


@replaces(gzip.compress)
@per_arguments
def compress(data: Any, compresslevel: int = 9, *, mtime: Any = None) -> bytes:
    at = _moment(mtime)
    if at == 0 and mtime is not None:
        return zlib.compress(data, compresslevel, 31)
    packed = zlib.compress(data, compresslevel, -zlib.MAX_WBITS)
    end = _trailer(zlib.crc32(data), len(data))
    return _header(b"", compresslevel, at) + packed + end


def _end_of_header(data: bytes, at: int) -> int:
    """Of a member that begins there.  Raises BadGzipFile, EOFError."""
    if data[at : at + 2] != b"\x1f\x8b":
        raise gzip.BadGzipFile(f"Not a gzipped file ({data[at : at + 2]!r})")
    if len(data) < at + 10:
        raise EOFError("Compressed file ended before the end-of-stream marker was reached")
    if data[at + 2] != 8:
        raise gzip.BadGzipFile("Unknown compression method")
    flags = data[at + 3]
    at += 10
    if flags & _EXTRA:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for flag in (_NAME, _COMMENT):
        if flags & flag:
            at = data.find(b"\0", at) + 1
            if at == 0:
                at = len(data)
    return at + 2 if flags & _CRC else at


@replaces(gzip.decompress)
def decompress(data: bytes) -> bytes:
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        piece = unpacking.decompress(data[_end_of_header(data, at) :])
        rest = unpacking.unused_data
        if not unpacking.eof or len(rest) < 8:
            raise EOFError("Compressed file ended before the end-of-stream marker was reached")
        if int.from_bytes(rest[:4], "little") != zlib.crc32(piece):
            raise gzip.BadGzipFile("CRC check failed")
        if int.from_bytes(rest[4:8], "little") != len(piece) & 0xFFFFFFFF:
            raise gzip.BadGzipFile("Incorrect length of data produced")
        pieces.append(piece)
        at = len(data) - len(rest) + 8
        while at < len(data) and data[at] == 0:
            at += 1
    return b"".join(pieces)


class Writer:
    """Bytes go compressed to a file of bytes, which is closed with it if it is its own."""

    def __init__(self, file: Any, owned: bool, name: bytes, level: int, mtime: int) -> None:
        self._file = file
        self._owned = owned
        self._packing = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        self._crc = zlib.crc32(b"")
        self._size = 0
        self.closed = False
        file.write(_header(name, level, mtime))

    @per_arguments
    def write(self, data: Any) -> int:
        if self.closed:
            raise ValueError("write() on closed GzipFile object")
        given = bytes(data)
        self._crc = zlib.crc32(given, self._crc)
        self._size += len(given)
        self._file.write(self._packing.compress(given))
        return len(given)

    def flush(self) -> None:
        self._file.write(self._packing.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self._file.write(self._packing.flush() + _trailer(self._crc, self._size))
        if self._owned:
            self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self.close()


class TextWriter:
    """The same of text, in UTF-8."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def write(self, text: str) -> int:
        self._writer.write(text.encode("utf-8"))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()

    def __enter__(self) -> TextWriter:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self.close()


def _name_in_header(path: str) -> bytes:
    name = os.path.basename(path)
    if not all(ord(c) < 256 for c in name):
        return b""
    return name.encode("latin-1").removesuffix(b".gz")


def _writer_to(path: str, mode: str, level: int, mtime: int) -> Writer:
    if mode.startswith("a"):
        file = open(path, "ab")  # noqa: SIM115
    elif mode.startswith("x"):
        file = open(path, "xb")  # noqa: SIM115
    else:
        file = open(path, "wb")  # noqa: SIM115
    return Writer(file, True, _name_in_header(path), level, mtime)


def _contents(path: str) -> bytes:
    with open(path, "rb") as file:
        return decompress(file.read())


@replaces(gzip.open)
@per_values
def open_gzip(
    filename: Any, mode: str = "rb", compresslevel: int = 9, encoding: str | None = None,
    errors: str | None = None, newline: str | None = None,
) -> Any:  # fmt: skip
    _require_utf8(encoding, errors, newline)
    path = os.fspath(filename)
    if mode in ("r", "rb"):
        return BytesIO(_contents(path))
    elif mode == "rt":
        return StringIO(_contents(path).decode("utf-8"), None)
    elif mode in ("wt", "at", "xt"):
        return TextWriter(_writer_to(path, mode, compresslevel, _moment(None)))
    else:
        return _writer_to(path, mode, compresslevel, _moment(None))


def _require_utf8(encoding: str | None, errors: str | None, newline: str | None) -> None:
    if encoding is not None and encoding.lower() not in ("utf-8", "utf8"):
        raise NotImplementedError("gzip.open with another encoding than UTF-8")
    if errors is not None or newline is not None:
        raise NotImplementedError("gzip.open with errors or newline")


@per_values
def make_gzip_file(
    filename: Any = None, mode: str | None = None, compresslevel: int = 9, fileobj: Any = None,
    mtime: Any = None,
) -> Any:  # fmt: skip
    """``gzip.GzipFile(...)``"""
    if fileobj is None:
        path = os.fspath(filename)
        if mode is None or mode in ("r", "rb"):
            return BytesIO(_contents(path))
        else:
            return _writer_to(path, mode, compresslevel, _moment(mtime))
    else:
        if mode is None or mode in ("r", "rb"):
            return BytesIO(decompress(fileobj.read()))
        else:
            name = b"" if filename is None else _name_in_header(os.fspath(filename))
            return Writer(fileobj, False, name, compresslevel, _moment(mtime))


@replaces(gzip.GzipFile)
class GzipFile:
    """Of another class, by the mode."""

    _rpython_maker_ = make_gzip_file


make_gzip_file.__name__ = "GzipFile"
