"""What ``open`` gives for text: files on top of files of bytes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable

from rpython.rlib._codecs import decode, encode, incomplete_tail
from rpython.rlib._files import CHUNK, BinaryFile, flags_of, open_binary, open_binary_fd
from rpython.rlib._streams import ItemsOf, Lines, TextWrapper, takes

UNIVERSAL = 0
"""All ends of lines are ``\\n``."""
ANY_END = 1
"""They are as they are."""
ONE_END = 2
"""Only one of them ends a line."""


def open_text(
    file: str, flags: int, mode: str, buffering: int, encoding: str, codec: str, errors: str,
    ends: int, newline: str, closefd: bool,
) -> TextFile:  # fmt: skip
    """The file of text; ``newline``: the one end of lines, ``ends``: which others there are."""
    binary = open_binary(file, flags, mode, CHUNK if buffering == 1 else buffering, closefd)
    return _text_file(binary, buffering, encoding, codec, errors, ends, newline)


def open_text_fd(
    fd: int, flags: int, mode: str, buffering: int, encoding: str, codec: str, errors: str,
    ends: int, newline: str, closefd: bool,
) -> TextFile:  # fmt: skip
    """The same for the file with that number."""
    binary = open_binary_fd(fd, flags, mode, CHUNK if buffering == 1 else buffering, closefd)
    return _text_file(binary, buffering, encoding, codec, errors, ends, newline)


def open_any(
    file: str, mode: str, buffering: int, encoding: str | None, errors: str | None,
    newline: str | None, closefd: bool,
) -> TextFile:  # fmt: skip
    """The file of text; the mode is known to be one for text."""
    codec = _codec_of(encoding)
    ends, end = ends_of(newline)
    return open_text(
        file, flags_of(mode), mode, _text_buffering(buffering), encoding or "UTF-8", codec,
        errors or "strict", ends, end, closefd,
    )  # fmt: skip


def open_any_fd(
    fd: int, mode: str, buffering: int, encoding: str | None, errors: str | None,
    newline: str | None, closefd: bool,
) -> TextFile:  # fmt: skip
    """The same for the file with that number."""
    codec = _codec_of(encoding)
    ends, end = ends_of(newline)
    return open_text_fd(
        fd, flags_of(mode), mode, _text_buffering(buffering), encoding or "UTF-8", codec,
        errors or "strict", ends, end, closefd,
    )  # fmt: skip


def _text_buffering(buffering: int) -> int:
    if buffering == 0:
        raise ValueError("can't have unbuffered text I/O")
    return buffering


def _codec_of(encoding: str | None) -> str:
    if encoding is None:
        return "utf-8"
    name = encoding.lower().replace("_", "-")
    if name in ("utf-8", "utf8", "u8", "utf"):
        return "utf-8"
    if name in ("latin-1", "latin1", "iso-8859-1", "iso8859-1", "latin", "l1"):
        return "latin-1"
    if name in ("ascii", "us-ascii", "646"):
        return "ascii"
    raise LookupError("unknown encoding: " + encoding)


def ends_of(newline: str | None) -> tuple[int, str]:
    """How lines end, and the one end; raises ValueError."""
    if newline is None:
        return UNIVERSAL, "\n"
    if newline == "":
        return ANY_END, "\n"
    if newline == "\n" or newline == "\r" or newline == "\r\n":
        return ONE_END, newline
    raise ValueError("illegal newline value: " + newline)


def _text_file(
    binary: BinaryFile, buffering: int, encoding: str, codec: str, errors: str, ends: int,
    newline: str,
) -> TextFile:  # fmt: skip
    by_line = buffering == 1 or (buffering < 0 and binary.isatty())
    return TextFile(binary, encoding, codec, errors, ends, newline, by_line)


_TOO_LATE = "It is not possible to set the encoding or newline of stream after the first read"


class TextFile(Lines, TextWrapper):
    """A file of text."""

    def __init__(
        self, buffer: BinaryFile, encoding: str, codec: str, errors: str, ends: int,
        newline: str, by_line: bool,
    ) -> None:  # fmt: skip
        self._file = buffer
        self.mode = buffer.mode
        self.encoding = encoding
        self._errors = errors
        self.line_buffering = by_line
        self._codec = codec
        self._ends = ends
        self._newline = newline
        self._telling = True
        self._text = ""
        """Text read ahead, and how much of it has been given."""
        self._at = 0
        self._source = b""
        """The bytes of that text."""
        self._rest = b""
        """Bytes of half a character, or a \\r that may be half the end of a line."""

    # -- reading ------------------------------------------------------------------------------

    def _before_reading(self) -> None:
        self._file.wait_turn()
        self._check_open()
        if not self._file.reads:
            raise io.UnsupportedOperation("not readable")

    def _translated(self, data: bytes, final: bool) -> str:
        """The text of more bytes; what is half of something waits."""
        data = self._rest + data
        rest = 0 if final else incomplete_tail(self._codec, data)
        if not self._errors:
            self._errors = standard_errors()
        text = decode(data[: len(data) - rest], self._codec, self._errors)
        if self._ends != ONE_END:
            if not final and text.endswith("\r"):
                rest += 1
                text = text[:-1]
            if self._ends == UNIVERSAL and "\r" in text:
                text = text.replace("\r\n", "\n").replace("\r", "\n")
        self._rest = data[len(data) - rest :]
        self._source += data[: len(data) - rest]
        return text

    def _more(self) -> bool:
        """Read another piece; False at the end of the file."""
        data = self._file.read1(CHUNK)
        self._source = self._source[self._bytes_given() :]
        self._text = self._text[self._at :] + self._translated(data, not data)
        self._at = 0
        return len(data) > 0

    def _bytes_given(self) -> int:
        """How many bytes of the source the text that has been given takes."""
        if self._at == 0:
            return 0
        if self._at == len(self._text):
            return len(self._source)
        given = self._text[: self._at]
        errors = self._errors
        if errors != "strict" and errors != "surrogateescape":
            if not _is_text_of(self._text, self._source, self._codec):
                return self._walk(len(given))
            errors = "strict"
        data = encode(given, self._codec, errors)
        size = len(data)
        if self._ends == UNIVERSAL and b"\r" in self._source:
            found = data.find(b"\n") + 1
            while found:
                place = found - 1 + size - len(data)
                if self._source[place : place + 2] == b"\r\n":
                    size += 1
                found = data.find(b"\n", found) + 1
        return size

    def _walk(self, count: int) -> int:
        """How many bytes of the source so many characters take, where errors are handled."""
        at = 0
        while count > 0:
            if self._ends == UNIVERSAL and self._source[at : at + 2] == b"\r\n":
                count -= 1
                at += 2
                continue
            size = 1
            while (
                at + size < len(self._source)
                and incomplete_tail(self._codec, self._source[at : at + size]) == size
            ):
                size += 1
            length = len(decode(self._source[at : at + size], self._codec, self._errors))
            if length > count:  # something broken and the character after it
                size -= 1
            count -= length
            at += size
        return at

    def read(self, size: int | None = -1) -> str:
        self._before_reading()
        if size is None:
            size = -1
        if size < 0:
            rest = self._translated(self._file.read(), True)
            result = self._text[self._at :] + rest
            self._forget()
            return result
        while len(self._text) - self._at < size:
            if not self._more():
                break
        start = self._at
        self._at = min(len(self._text), start + size)
        return self._text[start : self._at]

    def readline(self, size: int = -1) -> str:
        self._before_reading()
        return self._line(size)

    def _line(self, size: int) -> str:
        looked = 0
        while True:
            stop = self._line_end(self._at + looked)
            if stop >= 0:
                break
            looked = max(0, len(self._text) - self._at - 1)
            if 0 <= size <= looked or not self._more():
                stop = len(self._text)
                break
        start = self._at
        if 0 <= size < stop - start:
            stop = start + size
        self._at = stop
        return self._text[start:stop]

    def _line_end(self, start: int) -> int:
        """The end of the line in the text at hand, -1 when it is not there."""
        return line_end(self._text, start, self._ends, self._newline)

    def __next__(self) -> str:
        self._before_reading()
        self._telling = False
        line = self._line(-1)
        if not line:
            self._telling = True
            raise StopIteration
        return line

    # -- writing ------------------------------------------------------------------------------

    @takes(text=str)
    def write(self, text: str) -> int:
        self._check_open()
        if not self._file.writes:
            raise io.UnsupportedOperation("not writable")
        written = text
        if self._newline != "\n" and "\n" in text:
            written = text.replace("\n", self._newline)
        data = encode(written, self._codec, self._errors)
        if self._text or self._rest:
            self._forget()
        self._file.write(data)
        if self.line_buffering and ("\n" in text or "\r" in text):
            self._file.flush()
        return len(text)

    @takes(lines=ItemsOf(str))
    def writelines(self, lines: Iterable[str]) -> None:
        self._check_open()
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._check_open()
        self._telling = True
        self._file.flush()

    def _forget(self) -> None:
        self._text, self._at = "", 0
        self._source, self._rest = b"", b""

    # -- the file -----------------------------------------------------------------------------

    @property
    def errors(self) -> str:
        if not self._errors:
            self._errors = standard_errors()
        return self._errors

    @property
    def buffer(self) -> BinaryFile:
        return self._file

    @property
    def name(self) -> str:
        return self._file.name

    @property
    def closed(self) -> bool:
        return self._file.closed

    def tell(self) -> int:
        self._check_open()
        if not self._telling:
            raise OSError("telling position disabled by next() call")
        self._file.flush()
        unread = len(self._source) - self._bytes_given() + len(self._rest)
        return self._file.tell() - unread

    def seek(self, cookie: int, whence: int = 0) -> int:
        self._check_open()
        if whence == 1:
            if cookie != 0:
                raise io.UnsupportedOperation("can't do nonzero cur-relative seeks")
            cookie = self.tell()
        elif whence == 2:
            if cookie != 0:
                raise io.UnsupportedOperation("can't do nonzero end-relative seeks")
            self._file.flush()
            self._forget()
            return self._file.seek(0, 2)
        elif whence != 0:
            raise ValueError("invalid whence (" + str(whence) + ", should be 0, 1 or 2)")
        if cookie < 0:
            raise ValueError("negative seek position " + str(cookie))
        self._file.flush()
        self._forget()
        self._telling = True
        return self._file.seek(cookie)

    def truncate(self, size: int | None = None) -> int:
        self.flush()
        return self._file.truncate(size)

    def close(self) -> None:
        if not self._file.closed:
            try:
                self._file.flush()
            finally:
                self._file.close()

    def reconfigure(
        self, *, encoding: str | None = None, errors: str | None = None,
        newline: str | None = None, line_buffering: bool | None = None,
    ) -> None:  # fmt: skip
        self._check_open()
        if encoding is not None or newline is not None:
            if self._text or self._rest:
                raise io.UnsupportedOperation(_TOO_LATE)
        self.flush()
        if encoding is not None:
            self._codec = _codec_of(encoding)
            self.encoding = encoding
            self._errors = "strict"
        if errors is not None:
            self._errors = errors
        if newline is not None:
            self._ends, self._newline = ends_of(newline)
        if line_buffering is not None:
            self.line_buffering = line_buffering

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()

    def readable(self) -> bool:
        return self._file.readable()

    def writable(self) -> bool:
        return self._file.writable()

    def seekable(self) -> bool:
        return self._file.seekable()


def _is_text_of(text: str, data: bytes, codec: str) -> bool:
    """Was there no error when the data was decoded, and is each end of a line one character?"""
    try:
        return encode(text, codec, "strict") == data
    except UnicodeEncodeError:
        return False


def line_end(text: str, start: int, ends: int, newline: str) -> int:
    """The end of the line that starts there, -1 when it is not in the text."""
    if newline == "\n" and ends != ANY_END:
        return text.find("\n", start) + 1 or -1
    if ends == ONE_END:
        found = text.find(newline, start)
        return found if found < 0 else found + len(newline)
    lf = text.find("\n", start)
    cr = text.find("\r", start, lf if lf >= 0 else len(text))
    if cr < 0:
        return lf + 1 if lf >= 0 else -1
    return cr + 2 if lf == cr + 1 else cr + 1


def standard_errors() -> str:
    """What standard input and output do about errors: it depends on the locale."""
    return sys.stdin.errors or "strict"


@takes(buffer=BinaryFile)
def wrap_text(
    buffer: BinaryFile, encoding: str | None = None, errors: str | None = None,
    newline: str | None = None, line_buffering: bool = False, write_through: bool = False,
) -> TextFile:  # fmt: skip
    """``io.TextIOWrapper(buffer, ...)``"""
    if write_through:
        raise NotImplementedError("write_through of a TextIOWrapper")
    ends, end = ends_of(newline)
    name = encoding or "UTF-8"
    codec = _codec_of(encoding)
    return TextFile(buffer, name, codec, errors or "strict", ends, end, line_buffering)


wrap_text.__name__ = "TextIOWrapper"
TextWrapper._rpython_maker_ = wrap_text  # type: ignore[attr-defined]
