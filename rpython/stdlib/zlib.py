"""``zlib``: the checksums, and compression by the C library (``rpython.rlib.rzlib``)."""

from __future__ import annotations

import zlib
from typing import Any

from rpython.rlib import rzlib
from rpython.stdlib import binascii
from rpython.stdlib._registry import BytesLike, per_arguments, replaces

replaces(zlib.crc32)(binascii.crc32)

_MODULUS = 65521


@replaces(zlib.adler32)
def adler32(data: BytesLike, value: int = 1, /) -> int:
    low, high = value & 0xFFFF, value >> 16 & 0xFFFF
    for byte in bytes(data):
        low = (low + byte) % _MODULUS
        high = (high + low) % _MODULUS
    return high << 16 | low


def _failure(error: rzlib.RZlibError) -> zlib.error:
    text = str(error)
    for doing in ("while compressing", "while decompressing"):
        text = text.replace(doing, doing + " data")
    return zlib.error(text)


@per_arguments
def _text(data: Any) -> str:
    """As ``rzlib`` has bytes."""
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    else:
        return bytes(data).decode("latin-1")


def _deflating(level: int, method: int, wbits: int, memory: int, strategy: int) -> rzlib.Stream:
    if not -1 <= level <= 9:
        raise zlib.error("Bad compression level")
    return rzlib.deflateInit(level, method, wbits, memory, strategy)


@replaces(zlib.compress)
@per_arguments
def compress(data: Any, /, level: int = -1, wbits: int = zlib.MAX_WBITS) -> bytes:
    stream = _deflating(level, zlib.DEFLATED, wbits, zlib.DEF_MEM_LEVEL, 0)
    try:
        return rzlib.compress(stream, _text(data), zlib.Z_FINISH).encode("latin-1")
    except rzlib.RZlibError as error:
        raise _failure(error) from None
    finally:
        rzlib.deflateEnd(stream)


@replaces(zlib.decompress)
@per_arguments
def decompress(data: Any, /, wbits: int = zlib.MAX_WBITS, bufsize: int = 0) -> bytes:
    stream = rzlib.inflateInit(wbits)
    try:
        out, _, _ = rzlib.decompress(stream, _text(data), zlib.Z_FINISH)
    except rzlib.RZlibError as error:
        raise _failure(error) from None
    finally:
        rzlib.inflateEnd(stream)
    return out.encode("latin-1")


_COMPRESSOR = type(zlib.compressobj())
_DECOMPRESSOR = type(zlib.decompressobj())


@replaces(_COMPRESSOR)
class Compress:
    def __init__(self, stream: rzlib.Stream) -> None:
        self._stream = stream
        self._ended = False

    @per_arguments
    def compress(self, data: Any, /) -> bytes:
        return self._run(_text(data), zlib.Z_NO_FLUSH)

    def flush(self, mode: int = zlib.Z_FINISH, /) -> bytes:
        if mode == zlib.Z_NO_FLUSH:
            return b""
        result = self._run("", mode)
        if mode == zlib.Z_FINISH:
            self._end()
        return result

    def _run(self, text: str, flush: int) -> bytes:
        if self._ended:
            raise zlib.error("Error -2 while compressing data: inconsistent stream state")
        try:
            return rzlib.compress(self._stream, text, flush).encode("latin-1")
        except rzlib.RZlibError as error:
            raise _failure(error) from None

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            rzlib.deflateEnd(self._stream)

    def __del__(self) -> None:
        self._end()


@replaces(zlib.compressobj)
def compressobj(
    level: int = -1, method: int = zlib.DEFLATED, wbits: int = zlib.MAX_WBITS,
    memLevel: int = zlib.DEF_MEM_LEVEL, strategy: int = 0,
) -> Compress:  # fmt: skip
    return Compress(_deflating(level, method, wbits, memLevel, strategy))


@replaces(_DECOMPRESSOR)
class Decompress:
    def __init__(self, stream: rzlib.Stream) -> None:
        self._stream = stream
        self._released = False
        self.eof = False
        self.unused_data = b""
        self.unconsumed_tail = b""

    @per_arguments
    def decompress(self, data: Any, /, max_length: int = 0) -> bytes:
        if max_length < 0:
            raise ValueError("max_length must be non-negative")
        return self._run(_text(data), max_length or rzlib.MAX_LENGTH)

    def _run(self, given: str, room: int) -> bytes:
        if self.eof:
            self._save(given.encode("latin-1"))
            return b""
        try:
            out, self.eof, unused = rzlib.decompress(self._stream, given, zlib.Z_SYNC_FLUSH, room)
        except rzlib.RZlibError as error:
            raise _failure(error) from None
        self._save(given[len(given) - unused :].encode("latin-1"))
        return out.encode("latin-1")

    def _save(self, rest: bytes) -> None:
        """What was not used.  As in CPython, what follows the end stays in the tail, too, where
        there was one."""
        if self.eof:
            self.unused_data += rest
        if self.unconsumed_tail or (rest and not self.eof):
            self.unconsumed_tail = rest

    def flush(self, length: int = 16384, /) -> bytes:
        if length <= 0:
            raise ValueError("length must be greater than zero")
        return self._run(self.unconsumed_tail.decode("latin-1"), rzlib.MAX_LENGTH)

    def __del__(self) -> None:
        if not self._released:
            self._released = True
            rzlib.inflateEnd(self._stream)


@replaces(zlib.decompressobj)
def decompressobj(wbits: int = zlib.MAX_WBITS) -> Decompress:
    return Decompress(rzlib.inflateInit(wbits))
