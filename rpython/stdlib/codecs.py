"""``codecs``: codecs by their names, what reads text piece by piece, and files of text.

A codec whose name is a constant is the only one in the program.  Those from bytes to bytes and from
text to text are there for constants.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

from rpython.rlib._codecs import incomplete_tail
from rpython.stdlib import _codecnames
from rpython.stdlib._registry import Refused, at_translation, per_arguments, per_values, replaces
from rpython.stdlib._textcodecs import Codec, NarrowCodec, WideCodec

_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm",
)


def _rot13(obj: str) -> str:
    return obj.translate(_ROT13)


_OTHERS: dict[str, tuple[Any, Any]] = {
    "rot-13": (_rot13, _rot13),
    "hex": (binascii.b2a_hex, binascii.a2b_hex),
    "base64": (base64.encodebytes, base64.decodebytes),
    "zlib": (zlib.compress, zlib.decompress),
}
"""What ``codecs.encode`` and ``codecs.decode`` do, by the name that ``codecs.lookup`` gives."""


@cache
def _other(name: str, which: int) -> Any:
    """A function of these; None for a codec of text.  Raises Refused."""
    try:
        found = codecs.lookup(name)
    except (LookupError, TypeError):
        raise Refused(f"unknown encoding: {name}") from None
    if found.name not in _OTHERS:
        return None
    convert = _OTHERS[found.name][which]

    def converted(obj: Any, errors: str = "strict") -> Any:
        return convert(obj)

    return converted


def _any_encode(obj: str, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    return obj.encode(encoding, errors)


def _any_decode(obj: Any, encoding: str = "utf-8", errors: str = "strict") -> str:
    return bytes(obj).decode(encoding, errors)


@cache
def _text_encode(encoding: str) -> Callable[..., bytes]:
    def encode(obj: str, errors: str = "strict") -> bytes:
        return obj.encode(encoding, errors)

    return encode


@cache
def _text_decode(encoding: str) -> Callable[..., str]:
    def decode(obj: Any, errors: str = "strict") -> str:
        return bytes(obj).decode(encoding, errors)

    return decode


@replaces(codecs.encode)
@at_translation("obj encoding errors", "encoding", otherwise=_any_encode)
def encode(encoding: str = "utf-8") -> Any:
    return _other(encoding, 0) or _text_encode(encoding)


@replaces(codecs.decode)
@at_translation("obj encoding errors", "encoding", otherwise=_any_decode)
def decode(encoding: str = "utf-8") -> Any:
    return _other(encoding, 1) or _text_decode(encoding)


# -- what lookup() gives --------------------------------------------------------------------------


class CodecInfo:
    """A codec.  (That of the host is a tuple, too.)"""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.name = codec.known_as

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        return self.codec.encode(input, errors), len(input)

    def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
        return self.codec.decode(input, errors), len(input)

    def incrementaldecoder(self, errors: str = "strict") -> IncrementalDecoder:
        return IncrementalDecoder(self.codec, errors)

    def incrementalencoder(self, errors: str = "strict") -> IncrementalEncoder:
        return IncrementalEncoder(self.codec, errors)

    def __repr__(self) -> str:
        raise NotImplementedError("repr() of a codec")


class IncrementalDecoder:
    """Text from bytes that come in pieces."""

    def __init__(self, codec: Codec, errors: str) -> None:
        if isinstance(codec, WideCodec) and codec.marked:
            raise NotImplementedError(f"reading {codec.known_as} in pieces")
        if codec.known_as == "utf-8-sig":
            raise NotImplementedError(f"reading {codec.known_as} in pieces")
        self.codec = codec
        self.errors = errors
        self.rest = b""

    def decode(self, input: bytes, final: bool = False) -> str:
        data = self.rest + bytes(input)
        size = len(data)
        if not final:
            size -= _incomplete(self.codec, data)
        text = self.codec.decode(data[:size], self.errors)
        self.rest = data[size:]
        return text

    def reset(self) -> None:
        self.rest = b""


def _incomplete(codec: Codec, data: bytes) -> int:
    """How many bytes at the end may be the start of a character."""
    if isinstance(codec, NarrowCodec):
        return incomplete_tail(codec.fast, data)
    if not isinstance(codec, WideCodec):
        return 0
    rest = len(data) % codec.size
    end = len(data) - rest
    if codec.size == 2 and end >= 2 and 0xD800 <= codec.half_at(data, end - 2) < 0xDC00:
        return rest + 2
    return rest


class IncrementalEncoder:
    """Bytes from text that comes in pieces."""

    def __init__(self, codec: Codec, errors: str) -> None:
        self.codec = codec
        self.errors = errors
        self.started = False

    def encode(self, input: str, final: bool = False) -> bytes:
        data = self.codec.encode(input, self.errors)
        if self.started:
            data = data[len(self.codec.encode("", "strict")) :]  # what marks the start
        self.started = True
        return data

    def reset(self) -> None:
        self.started = False


@cache
def _known(encoding: Any) -> CodecInfo:
    """Raises Refused."""
    if not isinstance(encoding, str):
        raise Refused("the name of a codec is a str")
    return CodecInfo(_codecnames.Known(encoding).codec)


@at_translation("")
def _names() -> _codecnames.Names:
    return _codecnames.names()


def _any_lookup(encoding: str) -> CodecInfo:
    return CodecInfo(_names().find(encoding, ""))


@replaces(codecs.lookup)
@at_translation("encoding", otherwise=_any_lookup)
def lookup(encoding: str) -> CodecInfo:
    return _known(encoding)


@replaces(codecs.getencoder)
@at_translation("encoding", what="the name of the codec")
def getencoder(encoding: str) -> Any:
    return _known(encoding).encode


@replaces(codecs.getdecoder)
@at_translation("encoding", what="the name of the codec")
def getdecoder(encoding: str) -> Any:
    return _known(encoding).decode


@replaces(codecs.getincrementalencoder)
@at_translation("encoding", what="the name of the codec")
def getincrementalencoder(encoding: str) -> Any:
    return _known(encoding).incrementalencoder


@replaces(codecs.getincrementaldecoder)
@at_translation("encoding", what="the name of the codec")
def getincrementaldecoder(encoding: str) -> Any:
    return _known(encoding).incrementaldecoder


# -- files ----------------------------------------------------------------------------------------


class _Stream:
    """Text over a file of bytes, whose lines end as ``str.splitlines`` has it.  What is read is
    read as a whole."""

    def __init__(self, stream: Any, codec: Codec, errors: str) -> None:
        self.stream = stream
        self.errors = errors
        self._codec = codec
        self._waiting = ""
        self._writes = IncrementalEncoder(codec, errors)

    def _fill(self) -> None:
        data = self.stream.read()
        if len(data):
            self._waiting += self._codec.decode(data, self.errors)

    def read(self, size: int = -1) -> str:
        if size >= 0:
            raise NotImplementedError("reading a number of characters of a stream of codecs")
        self._fill()
        text, self._waiting = self._waiting, ""
        return text

    def readline(self, size: int | None = None, keepends: bool = True) -> str:
        if size is not None:
            raise NotImplementedError("reading a part of a line of a stream of codecs")
        self._fill()
        lines = self._waiting.splitlines(keepends=True)
        if len(lines) == 0:
            return ""
        self._waiting = self._waiting[len(lines[0]) :]
        return lines[0] if keepends else lines[0].splitlines()[0]

    def readlines(self, sizehint: int | None = None, keepends: bool = True) -> list[str]:
        return self.read().splitlines(keepends)

    def __iter__(self) -> _Stream:
        return self

    def __next__(self) -> str:
        line = self.readline()
        if line == "":
            raise StopIteration
        return line

    def write(self, data: str) -> None:
        self.stream.write(self._writes.encode(data))

    def writelines(self, list: list[str]) -> None:
        self.write("".join(list))

    def seek(self, offset: int, whence: int = 0) -> None:
        self.stream.seek(offset, whence)
        self._waiting = ""
        if whence == 0 and offset == 0:
            self._writes.reset()

    def flush(self) -> None:
        self.stream.flush()

    def close(self) -> None:
        self.stream.close()

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, type: Any, value: Any, tb: Any) -> None:
        self.stream.close()


@replaces(codecs.open)
@per_values
def open_stream(
    filename: Any, mode: str = "r", encoding: str | None = None, errors: str = "strict",
    buffering: int = -1,
) -> Any:  # fmt: skip
    if encoding is None:
        return open(filename, mode, buffering)
    elif "b" in mode:
        return _Stream(open(filename, mode, buffering), lookup(encoding).codec, errors)
    else:
        return _Stream(open(filename, mode + "b", buffering), lookup(encoding).codec, errors)


@cache
def _stream_maker(encoding: str) -> Callable[..., _Stream]:
    codec = _known(encoding).codec

    @per_arguments
    def make(stream: Any, errors: str = "strict") -> _Stream:
        return _Stream(stream, codec, errors)

    return make


@replaces(codecs.getreader)
@at_translation("encoding", what="the name of the codec")
def getreader(encoding: str) -> Any:
    _known(encoding)
    return _stream_maker(encoding)


@replaces(codecs.getwriter)
@at_translation("encoding", what="the name of the codec")
def getwriter(encoding: str) -> Any:
    _known(encoding)
    return _stream_maker(encoding)
