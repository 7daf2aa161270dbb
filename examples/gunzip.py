"""Decompress gzip files to standard output, as `gunzip -c` does.

    gunzip.py [FILE]...        with no FILE, or when FILE is -, read standard input

The formats are RFC 1951 (DEFLATE) and RFC 1952 (gzip).  Read from the bottom up, the
file follows the data: a file is a row of members, a member is a header, a deflate
stream and a trailer, a stream is a row of blocks, a block is a row of Huffman codes.

This is ordinary Python that is also restricted Python: every name holds one type and
every number fits 64 bits, so `rpython build examples/gunzip.py` makes it native.
"""

import os
import sys

from inflate import (
    BitReader,
    BytesSink,
    BytesSource,
    FileSink,
    FileSource,
    GzipError,
    Sink,
    Source,
    Window,
    crc32,
    inflate,
)

# ---------------------------------------------------------------- gzip

FHCRC = 2
FEXTRA = 4
FNAME = 8
FCOMMENT = 16
RESERVED = 0xE0


class Gunzip:
    """Decompresses all members of one gzip file from a source to a sink."""

    def __init__(self, source: Source, sink: Sink) -> None:
        self.reader = BitReader(source)
        self.window = Window(sink)
        self.header = bytearray()

    def run(self) -> bool:
        """Returns whether the members were all there was: false if something other
        than zeros follows them.  Raises GzipError, after writing what it could."""
        if not self.read_magic():
            raise GzipError("not in gzip format")
        while True:
            self.read_header()
            self.read_data()
            if self.reader.at_end():
                return True
            if not self.read_magic():
                return self.only_zeros()

    def read_magic(self) -> bool:
        """Does a header begin here?  Reads its two magic bytes, or up to the first
        that differs."""
        self.header = bytearray()
        return self.header_byte() == 0x1F and self.header_byte() == 0x8B

    def only_zeros(self) -> bool:
        """Is what follows the last member, and is not a member, all zeros?"""
        if self.header[0] != 0:
            return False
        while not self.reader.at_end():
            if self.reader.byte() != 0:
                return False
        return True

    def header_byte(self) -> int:
        byte = self.reader.byte()
        self.header.append(byte)
        return byte

    def read_header(self) -> None:
        """The rest of a header, after the two magic bytes."""
        method = self.header_byte()
        if method != 8:
            raise GzipError(f"unknown method {method} -- not supported")
        flags = self.header_byte()
        if flags & RESERVED:
            raise GzipError(f"reserved flags {flags & RESERVED} -- not supported")
        for _ in range(6):  # time, compression level, operating system
            self.header_byte()
        if flags & FEXTRA:
            size = self.header_byte()
            size |= self.header_byte() << 8
            for _ in range(size):
                self.header_byte()
        if flags & FNAME:
            self.skip_string()
        if flags & FCOMMENT:
            self.skip_string()
        if flags & FHCRC:
            crc = crc32(0, bytes(self.header)) & 0xFFFF
            if self.reader.uint16() != crc:
                raise GzipError("header checksum error")

    def skip_string(self) -> None:
        while self.header_byte() != 0:
            pass

    def read_data(self) -> None:
        """The deflate stream and the trailer."""
        window = self.window
        window.restart()
        try:
            inflate(self.reader, window)
        except GzipError as error:
            window.flush()
            if self.reader.trailer_missing():
                error.message = "unexpected end of file"
            raise
        if self.reader.uint32() != window.crc:
            raise GzipError("invalid compressed data--crc error")
        if self.reader.uint32() != window.total & 0xFFFFFFFF:
            raise GzipError("invalid compressed data--length error")


def decompress(data: bytes) -> bytes:
    """The contents of a gzip file.  Raises GzipError if it is not one."""
    sink = BytesSink()
    Gunzip(BytesSource(data), sink).run()
    return bytes(sink.data)


# ---------------------------------------------------------------- the command


def complain(name: str, message: str) -> None:
    os.write(2, f"gunzip.py: {name}: {message}\n".encode())


def gunzip_file(name: str) -> int:
    """Decompress one file to standard output.  Returns the exit status: 0, 1 for an
    error, 2 for a warning."""
    fd = 0
    if name == "-":
        name = "stdin"
    else:
        try:
            fd = os.open(name, os.O_RDONLY)
        except OSError:
            complain(name, "cannot open file")
            return 1
    try:
        if Gunzip(FileSource(fd), FileSink(1)).run():
            return 0
        complain(name, "decompression OK, trailing garbage ignored")
        return 2
    except GzipError as error:
        complain(name, error.message)
        return 1
    except OSError:
        complain(name, "input or output error")
        return 1
    finally:
        os.close(fd)


def entry_point(argv: list[str]) -> int:
    names = argv[1:]
    if len(names) == 0:
        names = ["-"]
    status = 0
    for name in names:
        result = gunzip_file(name)
        if result == 1 or status == 0:
            status = result
    return status


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
