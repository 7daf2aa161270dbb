"""zlib from C: compresses standard input to standard output, or with -d expands it.

    rpython run examples/deflate.py < text > packed
    rpython run examples/deflate.py -d < packed

The same bytes as Python's zlib module.  No header of zlib is needed: the declarations below
are taken as they are, and the library is the one that CPython itself loads.
"""

import sys

import rpython

zlib = rpython.cdef(
    """
    unsigned long crc32(unsigned long crc, const unsigned char *buf, unsigned int len);
    unsigned long compressBound(unsigned long sourceLen);
    int compress2(unsigned char *dest, unsigned long *destLen,
                  const unsigned char *source, unsigned long sourceLen, int level);
    const char *zlibVersion(void);

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
    int inflateInit_(z_stream *strm, const char *version, int stream_size);
    int inflate(z_stream *strm, int flush);
    int inflateEnd(z_stream *strm);

    #define Z_OK 0
    #define Z_STREAM_END 1
    #define Z_NO_FLUSH 0
    """,
    libraries=["z"],
)

CHUNK = 4096


class ZlibError(Exception):
    pass


def checksum(data: bytes) -> int:
    return zlib.crc32(zlib.crc32(0, zlib.NULL, 0), data, len(data))


def compress(data: bytes, level: int = 6) -> bytes:
    bound = zlib.compressBound(len(data))
    with zlib.new("unsigned char[]", bound) as target, zlib.new("unsigned long *", bound) as size:
        status = zlib.compress2(target, size, data, len(data), level)
        if status != zlib.Z_OK:
            raise ZlibError(f"compress2 gave {status}")
        return zlib.unpack(zlib.cast("char *", target), size[0])


def expand(data: bytes) -> bytes:
    """What inflate makes of the data, in pieces of CHUNK bytes."""
    pieces = []
    with (
        zlib.new("z_stream *") as stream,
        zlib.new("unsigned char[]", data) as source,
        zlib.new("unsigned char[]", CHUNK) as target,
    ):
        status = zlib.inflateInit_(stream, zlib.zlibVersion(), zlib.sizeof("z_stream"))
        if status != zlib.Z_OK:
            raise ZlibError(f"inflateInit gave {status}")
        stream.next_in = source
        stream.avail_in = len(data)
        try:
            while status != zlib.Z_STREAM_END:
                stream.next_out = target
                stream.avail_out = CHUNK
                status = zlib.inflate(stream, zlib.Z_NO_FLUSH)
                if status < 0:
                    text = zlib.string(stream.msg) if stream.msg else b"truncated"
                    raise ZlibError(text.decode())
                pieces.append(zlib.unpack(zlib.cast("char *", target), CHUNK - stream.avail_out))
        finally:
            zlib.inflateEnd(stream)
    return b"".join(pieces)


def entry_point(argv: list[str]) -> int:
    data = sys.stdin.buffer.read()
    try:
        result = expand(data) if "-d" in argv[1:] else compress(data)
    except ZlibError as error:
        print(f"deflate: {error}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(result)
    sys.stdout.flush()
    print(f"crc32 {checksum(data):08x} -> {checksum(result):08x}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
