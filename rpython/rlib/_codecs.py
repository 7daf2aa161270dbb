"""Codecs of files: ``utf-8``, ``latin-1`` and ``ascii``, with what to do about errors, chosen when
the program runs."""

from __future__ import annotations


def decode(data: bytes, codec: str, errors: str) -> str:
    """The text."""
    if codec == "latin-1":
        return data.decode("latin-1")
    if codec == "ascii":
        if errors == "ignore":
            return data.decode("ascii", "ignore")
        if errors == "replace":
            return data.decode("ascii", "replace")
        if errors == "surrogateescape":
            return data.decode("ascii", "surrogateescape")
        if errors == "backslashreplace":
            return data.decode("ascii", "backslashreplace")
        return data.decode("ascii")
    if errors != "strict":
        try:
            return data.decode("utf-8")  # which is fast
        except UnicodeDecodeError:
            pass
    if errors == "ignore":
        return data.decode("utf-8", "ignore")
    if errors == "replace":
        return data.decode("utf-8", "replace")
    if errors == "surrogateescape":
        return data.decode("utf-8", "surrogateescape")
    if errors == "backslashreplace":
        return data.decode("utf-8", "backslashreplace")
    return data.decode("utf-8")


def encode(text: str, codec: str, errors: str) -> bytes:
    """The bytes."""
    if codec == "latin-1":
        if errors == "ignore":
            return text.encode("latin-1", "ignore")
        if errors == "replace":
            return text.encode("latin-1", "replace")
        if errors == "surrogateescape":
            return text.encode("latin-1", "surrogateescape")
        if errors == "backslashreplace":
            return text.encode("latin-1", "backslashreplace")
        return text.encode("latin-1")
    if codec == "ascii":
        if errors == "ignore":
            return text.encode("ascii", "ignore")
        if errors == "replace":
            return text.encode("ascii", "replace")
        if errors == "surrogateescape":
            return text.encode("ascii", "surrogateescape")
        if errors == "backslashreplace":
            return text.encode("ascii", "backslashreplace")
        return text.encode("ascii")
    if errors != "strict":
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:
            pass
    if errors == "ignore":
        return text.encode("utf-8", "ignore")
    if errors == "replace":
        return text.encode("utf-8", "replace")
    if errors == "surrogateescape":
        return text.encode("utf-8", "surrogateescape")
    if errors == "backslashreplace":
        return text.encode("utf-8", "backslashreplace")
    return text.encode("utf-8")


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
