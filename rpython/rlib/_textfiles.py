"""What ``open`` gives for text: files on top of files of bytes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable

from rpython.rlib._codecs import OTHER_NAMES, encode
from rpython.rlib._files import CHUNK, BinaryFile, flags_of, open_binary, open_binary_fd
from rpython.rlib._streams import ItemsOf, Lines, TextWrapper, takes
from rpython.rlib._textdecoding import (
    ANY_END,
    ONE_END,
    UNIVERSAL,
    Decoder,
    Place,
    place_of,
    unpacked,
)


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
    name = encoding.lower().replace("_", "-").replace(" ", "-")
    if name in ("utf-8", "utf8", "u8", "utf", "cp65001", "locale"):
        return "utf-8"
    if name in ("latin-1", "latin1", "iso-8859-1", "iso8859-1", "latin", "l1"):
        return "latin-1"
    if name in ("ascii", "us-ascii", "646"):
        return "ascii"
    if name.replace("-", "_") in OTHER_NAMES:
        raise NotImplementedError("files of text in " + encoding)
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
        """Can the position be told?  Not between calls of ``next``."""
        self._decoder = Decoder(codec, errors, ends)
        self._text = ""
        """The text of the piece read last, and how much of it has been given."""
        self._at = 0
        self._holds_text = False
        """Has a piece been read, and not all of it been dropped?"""
        self._ratio = 0.0
        """How many bytes a character of that piece took."""
        self._source = b""
        """Its bytes with those that waited before it, and whether a \\r did."""
        self._source_after_cr = False
        self._has_source = False

    # -- reading ------------------------------------------------------------------------------

    def _before_reading(self) -> None:
        self._file.wait_for_others()
        self._check_open()
        if not self._file.reads:
            raise io.UnsupportedOperation("not readable")

    def _decode(self, data: bytes, final: bool) -> str:
        """The text of more bytes."""
        self._decoder.errors = self.errors
        return self._decoder.decode(data, final)

    def _more(self, wanted: int) -> bool:
        """Read another piece, for so many characters; False at the end of the file."""
        size = int(max(self._ratio, 1.0) * wanted)
        waiting, after_cr = self._decoder.rest, self._decoder.after_cr
        data = self._file.read1(max(size, CHUNK))
        text = self._decode(data, not data)
        self._text, self._at, self._holds_text = text, 0, True
        self._ratio = len(data) / len(text) if text else 0.0
        if self._telling:
            self._source, self._source_after_cr = waiting + data, after_cr
            self._has_source = True
        return len(data) > 0 or len(text) > 0

    def _given(self, size: int) -> str:
        """The next characters of the piece, fewer at its end."""
        start = self._at
        self._at = min(len(self._text), start + size)
        return self._text[start : self._at]

    def read(self, size: int | None = -1) -> str:
        self._before_reading()
        if size is None:
            size = -1
        if size < 0:
            rest = self._decode(self._file.read(), True)
            result = self._text[self._at :] + rest
            self._forget()
            return result
        result = self._given(size)
        if len(result) == size:
            return result
        pieces = [result]
        size -= len(result)
        while size > 0 and self._more(size):
            piece = self._given(size)
            size -= len(piece)
            pieces.append(piece)
        return "".join(pieces)

    def readline(self, size: int = -1) -> str:
        self._before_reading()
        return self._line(size)

    def _line(self, size: int) -> str:
        pieces: list[str] = []
        left = size
        before = ""
        """The first half of what may be the end of the line."""
        while True:
            while not self._text:
                if not self._more(0):
                    self._forget()
                    pieces.append(before)
                    return "".join(pieces)
            text, start = before + self._text, 0 if before else self._at
            stop = self._line_end(text, start)
            found = stop >= 0
            if not found:
                stop = len(text) - int(self._may_be_cut(text, start))
            if size >= 0 and stop - start >= left:
                stop = start + left
                found = True
            pieces.append(text[start:stop])
            if found:
                self._at = stop - len(before)
                return pieces[0] if len(pieces) == 1 else "".join(pieces)
            left -= stop - start
            before = text[stop:]
            self._drop_text()

    def _may_be_cut(self, text: str, start: int) -> bool:
        """May the text, from there, end with half the end of a line?"""
        return len(self._newline) == 2 and self._ends == ONE_END and text.endswith("\r", start)

    def _line_end(self, text: str, start: int) -> int:
        """The end of the line in the text, -1 when it is not there."""
        return line_end(text, start, self._ends, self._newline)

    def __next__(self) -> str:
        self._before_reading()
        self._telling = False
        line = self._line(-1)
        if not line:
            self._telling, self._has_source = True, False
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
        self._forget()
        self._decoder.restart()
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

    def _drop_text(self) -> None:
        self._text, self._at, self._holds_text = "", 0, False

    def _forget(self) -> None:
        """What is read next has nothing to do with the last piece."""
        self._drop_text()
        self._source, self._has_source = b"", False

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

    def _need_position(self) -> None:
        self._check_open()
        if not self._file.seekable():
            raise io.UnsupportedOperation("underlying stream is not seekable")

    def tell(self) -> int:
        self._need_position()
        if not self._telling:
            raise OSError("telling position disabled by next() call")
        self.flush()
        position = self._file.tell()
        if not self._has_source:
            return position
        start, after_cr = position - len(self._source), self._source_after_cr
        if self._at == 0:
            return Place(start, after_cr).packed()
        decoder = Decoder(self._codec, self.errors, self._ends)
        place = place_of(decoder, start, after_cr, self._source, self._at, self._ratio)
        return place.packed()

    def seek(self, cookie: int, whence: int = 0) -> int:
        self._need_position()
        if whence == 1:
            if cookie != 0:
                raise io.UnsupportedOperation("can't do nonzero cur-relative seeks")
            cookie = self.tell()
        elif whence == 2:
            if cookie != 0:
                raise io.UnsupportedOperation("can't do nonzero end-relative seeks")
            self.flush()
            self._forget()
            self._decoder.restart()
            return self._file.seek(0, 2)
        elif whence != 0:
            raise ValueError("invalid whence (" + str(whence) + ", should be 0, 1 or 2)")
        if cookie < 0:
            raise ValueError("negative seek position " + str(cookie))
        self.flush()
        self._go_to(unpacked(cookie))
        return cookie

    def _go_to(self, place: Place) -> None:
        self._file.seek(place.start)
        self._drop_text()
        self._decoder.restart(place.after_cr)
        self._source, self._source_after_cr, self._has_source = b"", place.after_cr, True
        if place.skipped > 0:
            self._source = self._file.read(place.fed)
            self._text = self._decode(self._source, place.at_end)
            self._holds_text = True
            if len(self._text) < place.skipped:
                raise OSError("can't restore logical file position")
            self._at = place.skipped

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
        if encoding is not None or newline is not None or errors is not None:
            if self._holds_text:
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
        self._decoder = Decoder(self._codec, self._errors, self._ends)
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
TextFile.__name__ = TextFile.__qualname__ = "TextIOWrapper"  # as ``type`` of a file tells
TextFile.__module__, TextFile.__doc__ = "_io", io.TextIOWrapper.__doc__
TextWrapper._rpython_maker_ = wrap_text  # type: ignore[attr-defined]
