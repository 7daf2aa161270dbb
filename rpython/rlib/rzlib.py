"""Compression with the C library zlib.

    stream = deflateInit()
    packed = compress(stream, text) + compress(stream, "", Z_FINISH)
    deflateEnd(stream)

Text is a str of bytes (characters up to U+00FF), as RPython's is.  No header of zlib is needed:
the declarations below are taken as they are.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.foreign.cdef import cdef

_zlib: Any = cdef(
    """
    typedef struct {
        unsigned char *next_in;
        unsigned int avail_in;
        unsigned long total_in;
        unsigned char *next_out;
        unsigned int avail_out;
        unsigned long total_out;
        const char *msg;
        void *state;
        void *zalloc, *zfree, *opaque;
        int data_type;
        unsigned long adler, reserved;
    } z_stream;
    const char *zlibVersion(void);
    unsigned long crc32(unsigned long crc, const unsigned char *buf, unsigned int len);
    unsigned long adler32(unsigned long adler, const unsigned char *buf, unsigned int len);
    int deflateInit2_(z_stream *strm, int level, int method, int windowBits, int memLevel,
                      int strategy, const char *version, int stream_size);
    int deflate(z_stream *strm, int flush);
    int deflateEnd(z_stream *strm);
    int deflateSetDictionary(z_stream *strm, const unsigned char *dictionary, unsigned int len);
    int inflateInit2_(z_stream *strm, int windowBits, const char *version, int stream_size);
    int inflate(z_stream *strm, int flush);
    int inflateEnd(z_stream *strm);
    int inflateSetDictionary(z_stream *strm, const unsigned char *dictionary, unsigned int len);
    """,
    libraries=["z"],
)

Z_OK, Z_STREAM_END, Z_NEED_DICT = 0, 1, 2
Z_STREAM_ERROR, Z_DATA_ERROR, Z_MEM_ERROR, Z_BUF_ERROR, Z_VERSION_ERROR = -2, -3, -4, -5, -6
Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH = 0, 1, 2, 3, 4
Z_BEST_SPEED, Z_BEST_COMPRESSION, Z_DEFAULT_COMPRESSION = 1, 9, -1
Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY = 0, 1, 2
Z_DEFLATED = 8
MAX_WBITS = 15
DEF_MEM_LEVEL = 8
OUTPUT_BUFFER_SIZE = 32 * 1024
CRC32_DEFAULT_START = 0
ADLER32_DEFAULT_START = 1
MAX_LENGTH = 2**63 - 1

_FAULTS = {
    Z_BUF_ERROR: "incomplete or truncated stream",
    Z_STREAM_ERROR: "inconsistent stream state",
    Z_DATA_ERROR: "invalid input data",
}


class RZlibError(Exception):
    """What zlib says is wrong, in ``msg``."""

    def __init__(self, msg: str) -> None:
        self.msg = msg

    def __str__(self) -> str:
        return self.msg


class Stream:
    """A running compression or decompression; ended, ``state`` is None."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def running(self) -> Any:
        """The ``z_stream``; raises RZlibError after the end."""
        state = self.state
        if state is None:
            raise RZlibError("the stream was ended")
        return state


def _error(state: Any, status: int, doing: str) -> RZlibError:
    if state.msg:
        text = _zlib.string(state.msg).decode("latin-1")
    else:
        text = _FAULTS.get(status, "")
    reason = f": {text}" if text else ""
    return RZlibError(f"Error {status} {doing}{reason}")


# -- checksums --------------------------------------------------------------------------------


def crc32(string: str, start: int = CRC32_DEFAULT_START) -> int:
    """The CRC-32 of the text, going on from ``start``; 32 bits, not negative."""
    return int(_zlib.crc32(start, string.encode("latin-1"), len(string)))


def adler32(string: str, start: int = ADLER32_DEFAULT_START) -> int:
    """The Adler-32 checksum of the text, going on from ``start``; 32 bits, not negative."""
    return int(_zlib.adler32(start, string.encode("latin-1"), len(string)))


# -- compression ------------------------------------------------------------------------------


def deflateInit(
    level: int = Z_DEFAULT_COMPRESSION,
    method: int = Z_DEFLATED,
    wbits: int = MAX_WBITS,
    memLevel: int = DEF_MEM_LEVEL,
    strategy: int = Z_DEFAULT_STRATEGY,
    zdict: str | None = None,
) -> Stream:
    """Start compressing.  Raises ValueError for options that zlib does not know."""
    state = _zlib.new("z_stream *")
    size = _zlib.sizeof("z_stream")
    status = _zlib.deflateInit2_(
        state, level, method, wbits, memLevel, strategy, _zlib.zlibVersion(), size
    )
    if status == Z_OK and zdict is not None:
        status = _zlib.deflateSetDictionary(state, zdict.encode("latin-1"), len(zdict))
        if status != Z_OK:
            _zlib.deflateEnd(state)
    if status != Z_OK:
        error = _error(state, status, "while creating compression object")
        _zlib.release(state)
        if status == Z_STREAM_ERROR:
            raise ValueError("Invalid initialization option")
        raise error
    return Stream(state)


def deflateEnd(stream: Stream) -> None:
    """Free what the stream holds.  Raises RZlibError when that was done before."""
    state = stream.running()
    stream.state = None
    _zlib.deflateEnd(state)
    _zlib.release(state)


def compress(stream: Stream, data: str, flush: int = Z_NO_FLUSH) -> str:
    """Compress more text; what comes out of the stream so far.  Raises RZlibError."""
    output, _, _ = _operate(stream, data, flush, MAX_LENGTH, True, "while compressing")
    return output


# -- decompression ----------------------------------------------------------------------------


def inflateInit(wbits: int = MAX_WBITS, zdict: str | None = None) -> Stream:
    """Start expanding; a negative ``wbits`` is for text without zlib's header, which is the only
    kind whose dictionary is given now.  Raises ValueError for options that zlib does not know."""
    state = _zlib.new("z_stream *")
    size = _zlib.sizeof("z_stream")
    status = _zlib.inflateInit2_(state, wbits, _zlib.zlibVersion(), size)
    if status != Z_OK:
        error = _error(state, status, "while creating decompression object")
        _zlib.release(state)
        if status == Z_STREAM_ERROR:
            raise ValueError("Invalid initialization option")
        raise error
    stream = Stream(state)
    if zdict is not None and wbits < 0:
        inflateSetDictionary(stream, zdict)
    return stream


def inflateSetDictionary(stream: Stream, string: str) -> None:
    """Give the dictionary that the text was compressed with.  Raises RZlibError when it is
    another one."""
    state = stream.running()
    status = _zlib.inflateSetDictionary(state, string.encode("latin-1"), len(string))
    if status != Z_OK:
        raise _error(state, status, "while setting a dictionary")


def inflateEnd(stream: Stream) -> None:
    """Free what the stream holds.  Raises RZlibError when that was done before."""
    state = stream.running()
    stream.state = None
    _zlib.inflateEnd(state)
    _zlib.release(state)


def decompress(
    stream: Stream,
    data: str,
    flush: int = Z_SYNC_FLUSH,
    max_length: int = MAX_LENGTH,
    zdict: str | None = None,
) -> tuple[str, bool, int]:
    """Expand more text: what comes out, at most ``max_length`` characters; whether the end was
    reached; how many characters of ``data`` are behind it or were not needed.  ``zdict`` is used
    where the text asks for a dictionary.  Raises RZlibError."""
    # with Z_FINISH zlib wants room for all at once
    should_finish = flush == Z_FINISH
    wanted = Z_SYNC_FLUSH if should_finish else flush
    output, finished, unused = _operate(
        stream, data, wanted, max_length, False, "while decompressing", zdict
    )
    if should_finish and not finished and len(output) < max_length:
        raise _error(stream.running(), Z_BUF_ERROR, "while decompressing")
    return output, finished, unused


def _operate(
    stream: Stream, data: str, flush: int, max_length: int, packing: bool, doing: str,
    zdict: str | None = None,
) -> tuple[str, bool, int]:  # fmt: skip
    """Let zlib work until it needs more text or has given enough."""
    state = stream.running()
    pieces: list[bytes] = []
    room, finished, unused = max_length, False, 0
    with (
        _zlib.new("unsigned char[]", data.encode("latin-1")) as source,
        _zlib.new("unsigned char[]", OUTPUT_BUFFER_SIZE) as target,
    ):
        state.next_in, state.avail_in = source, len(data)
        while room > 0:
            size = min(OUTPUT_BUFFER_SIZE, room)
            state.next_out, state.avail_out = target, size
            status = _zlib.deflate(state, flush) if packing else _zlib.inflate(state, flush)
            if status == Z_NEED_DICT and zdict is not None:
                inflateSetDictionary(stream, zdict)
                continue
            got = size - state.avail_out
            pieces.append(_zlib.unpack(_zlib.cast("char *", target), got))
            room -= got
            finished = status == Z_STREAM_END
            if finished or status == Z_BUF_ERROR:  # the latter: nothing more can be done now
                break
            if status != Z_OK:
                raise _error(state, status, doing)
            if state.avail_out > 0:
                break
        unused = state.avail_in
        state.next_in, state.next_out = _zlib.NULL, _zlib.NULL
    return b"".join(pieces).decode("latin-1"), finished, unused
