"""Codecs of files: ``utf-8``, ``latin-1`` and ``ascii``, with what to do about errors, chosen when
the program runs."""

from __future__ import annotations

import encodings
import pkgutil
from encodings.aliases import aliases

from rpython.rlib.objectmodel import specialize

OTHER_NAMES = dict.fromkeys(
    [*(module.name for module in pkgutil.iter_modules(encodings.__path__)), *aliases], True
)
"""What CPython calls codecs, these among them."""


def decode(data: bytes, codec: str, errors: str) -> str:
    """The text."""
    if codec == "latin-1":
        return data.decode("latin-1")
    if codec == "ascii":
        return _decoded(data, "ascii", errors)
    if errors != "strict":
        try:
            return data.decode("utf-8")  # which is fast
        except UnicodeDecodeError:
            pass
    return _decoded(data, "utf-8", errors)


@specialize.arg(1)
def _decoded(data: bytes, codec: str, errors: str) -> str:
    """The same for a codec that is a constant, as what to do about errors has to be."""
    if errors == "ignore":
        return data.decode(codec, "ignore")
    if errors == "replace":
        return data.decode(codec, "replace")
    if errors == "surrogateescape":
        return data.decode(codec, "surrogateescape")
    if errors == "backslashreplace":
        return data.decode(codec, "backslashreplace")
    return data.decode(codec)


def encode(text: str, codec: str, errors: str) -> bytes:
    """The bytes."""
    if codec == "latin-1":
        return _encoded(text, "latin-1", errors)
    if codec == "ascii":
        return _encoded(text, "ascii", errors)
    if errors != "strict":
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:
            pass
    return _encoded(text, "utf-8", errors)


@specialize.arg(1)
def _encoded(text: str, codec: str, errors: str) -> bytes:
    """The same for a codec that is a constant."""
    if errors == "ignore":
        return text.encode(codec, "ignore")
    if errors == "replace":
        return text.encode(codec, "replace")
    if errors == "surrogateescape":
        return text.encode(codec, "surrogateescape")
    if errors == "backslashreplace":
        return text.encode(codec, "backslashreplace")
    return text.encode(codec)


def incomplete_tail(codec: str, data: bytes) -> int:
    """How many bytes at the end may be the start of a character."""
    if codec != "utf-8":
        return 0
    length = len(data)
    for back in range(1, min(3, length) + 1):
        lead = data[length - back]
        if lead & 0xC0 == 0x80:
            continue
        size = 4 if 0xF0 <= lead <= 0xF4 else 3 if 0xE0 <= lead < 0xF0 else 2
        if lead < 0xC2 or lead > 0xF4 or back >= size:
            return 0
        if back >= 2:
            second = data[length - back + 1]
            # a surrogate half, which no text has, waits for its third byte, as in CPython
            if (
                (lead == 0xE0 and second < 0xA0)
                or (lead == 0xF0 and second < 0x90) or (lead == 0xF4 and second > 0x8F)
            ):  # fmt: skip
                return 0
        return back
    return 0
