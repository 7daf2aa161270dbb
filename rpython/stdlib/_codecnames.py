"""Which codec a name means: those of ``_textcodecs``, and that there are others."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
import sys
from collections.abc import Callable
from encodings.aliases import aliases
from functools import cache

from rpython.rlib.rutf8 import MAXUNICODE
from rpython.stdlib._escapecodecs import RawUnicodeEscape, UnicodeEscape
from rpython.stdlib._punycode import Punycode
from rpython.stdlib._registry import BytesLike, Refused, per_arguments
from rpython.stdlib._textcodecs import CharmapCodec, Codec, NarrowCodec, SignedUtf8, WideCodec

_SURROGATES = "surrogates not allowed"
_BIG = sys.byteorder == "big"
_CODECS: dict[str, Codec] = {
    "utf-8": NarrowCodec("utf-8", "utf-8", _SURROGATES, "utf-8", MAXUNICODE + 1),
    "utf-8-sig": SignedUtf8("utf-8-sig", "utf-8", _SURROGATES, "utf-8", MAXUNICODE + 1),
    "iso8859-1": NarrowCodec("iso8859-1", "latin-1", "ordinal not in range(256)", "latin-1", 256),
    "ascii": NarrowCodec("ascii", "ascii", "ordinal not in range(128)", "ascii", 128),
    "utf-16": WideCodec(2, _BIG, True), "utf-16-le": WideCodec(2, False, False),
    "utf-16-be": WideCodec(2, True, False),
    "utf-32": WideCodec(4, _BIG, True), "utf-32-le": WideCodec(4, False, False),
    "utf-32-be": WideCodec(4, True, False),
    "punycode": Punycode("punycode", "punycode", ""),
    "unicode-escape": UnicodeEscape("unicode-escape", "unicodeescape", ""),
    "raw-unicode-escape": RawUnicodeEscape("raw-unicode-escape", "rawunicodeescape", ""),
}  # fmt: skip
"""By the name that ``codecs.lookup`` gives; those by tables come when they are asked for."""


def codec_of(name: str) -> Codec | None:
    """The codec of any of its names; None: programs have not this one.  Raises LookupError."""
    info = codecs.lookup(name)
    if info.name not in _CODECS:
        module = sys.modules.get(getattr(info.incrementalencoder, "__module__", ""))
        table = getattr(module, "decoding_table", None)
        if table is None:
            return None
        _CODECS[info.name] = CharmapCodec(info.name, table)
    return _CODECS[info.name]


def normalized(encoding: str) -> str:
    """The name as ``encodings`` looks for it."""
    pieces: list[str] = []
    between = False
    for char in encoding:
        if char.isalnum() or char == ".":
            if between and len(pieces) > 0:
                pieces.append("_")
            between = False
            if char.isascii():
                pieces.append(char.lower())
        else:
            between = True
    return "".join(pieces)


class Names:
    """The codecs by their normalized names, with and without those that programs have not."""

    def __init__(self) -> None:
        self.codecs: dict[str, Codec] = {}
        self.others: dict[str, bool] = {}
        """By name: are they about text?"""
        modules = [module.name for module in pkgutil.iter_modules(encodings.__path__)]
        for name in [*modules, *aliases]:
            try:
                found = codec_of(name)
            except LookupError:  # it is for another system
                continue
            if found is None:
                self.others[name] = codecs.lookup(name)._is_text_encoding
            else:
                self.codecs[name] = found

    def find(self, encoding: str, does: str) -> Codec:
        """``does``: "encode" or "decode", which text codecs only do.  Raises LookupError."""
        if "\0" in encoding:
            raise ValueError("embedded null character")
        name = normalized(encoding)
        if name not in self.codecs and name.replace(".", "_") in aliases:
            name = name.replace(".", "_")
        if name in self.codecs:
            return self.codecs[name]
        if name not in self.others:
            raise LookupError(f"unknown encoding: {encoding}")
        if does != "" and not self.others[name]:
            raise LookupError(
                f"'{encoding}' is not a text encoding; "
                f"use codecs.{does}() to handle arbitrary codecs"
            )
        raise NotImplementedError(f"the codec {encoding!r}")


@cache
def names() -> Names:
    """Those of the host."""
    return Names()


class ByName:
    """In place of a codec, where that is known at run time."""

    def __init__(self) -> None:
        self.names = names()

    def named(self, encoding: str, does: str) -> Codec:
        return self.names.find(encoding, does)


class Known:
    """A codec that is known at translation time.  Raises Refused if there is none of that name."""

    def __init__(self, name: str) -> None:
        try:
            found = codec_of(name)
        except LookupError:
            raise Refused(f"unknown encoding: {name}") from None
        if found is None:
            raise Refused(f"the codec {name!r} is not supported")
        self.codec = found

    def named(self, encoding: str, does: str) -> Codec:
        return self.codec


def finder_of(name: str | None) -> ByName | Known:
    """What has ``named``; None: any name.  Raises Refused."""
    return ByName() if name is None else Known(name)


@cache
def encoder(name: str | None) -> Callable[..., bytes]:
    """What ``text.encode(encoding, errors)`` calls where the codec has that name; None: where it is
    known at run time.  Raises Refused."""
    finder = finder_of(name)

    @per_arguments
    def encode(text: str, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return finder.named(encoding, "encode").encode(text, errors)

    return encode


@cache
def bytearray_encoder(name: str | None) -> Callable[..., bytearray]:
    """The same of ``bytearray(text, encoding, errors)``."""
    finder = finder_of(name)

    @per_arguments
    def encode(text: str, encoding: str = "utf-8", errors: str = "strict") -> bytearray:
        return bytearray(finder.named(encoding, "encode").encode(text, errors))

    return encode


@cache
def decoder(name: str | None) -> Callable[..., str]:
    """The same of ``data.decode(encoding, errors)``."""
    finder = finder_of(name)

    @per_arguments
    def decode(data: BytesLike, encoding: str = "utf-8", errors: str = "strict") -> str:
        return finder.named(encoding, "decode").decode(bytes(data), errors)

    return decode
