"""Errors of the codecs of ``runicode``, and what handles them."""

from __future__ import annotations

from collections.abc import Callable

DecodeHandler = Callable[[str, str, str, str, int, int], tuple[str, int]]
EncodeHandler = Callable[[str, str, str, str, int, int], tuple[str | None, str | None, int]]


class CodecError(ValueError):
    """Text or bytes that cannot be converted."""

    def __init__(self, encoding: str, object: str, start: int, end: int, reason: str) -> None:
        super().__init__(f"'{encoding}' codec: {reason} (at {start} to {end})")
        self.encoding = encoding
        self.object = object
        self.start = start
        self.end = end
        self.reason = reason


def default_unicode_error_decode(
    errors: str, encoding: str, msg: str, s: str, startingpos: int, endingpos: int
) -> tuple[str, int]:
    """``strict``, ``ignore``, ``replace``.  Raises CodecError."""
    if errors == "replace":
        return "\ufffd", endingpos
    if errors == "ignore":
        return "", endingpos
    raise CodecError(encoding, s, startingpos, endingpos, msg)


def default_unicode_error_encode(
    errors: str, encoding: str, msg: str, s: str, startingpos: int, endingpos: int
) -> tuple[str | None, str | None, int]:
    """``strict``, ``ignore``, ``replace``.  Raises CodecError."""
    if errors == "replace":
        return "?" * (endingpos - startingpos), None, endingpos
    if errors == "ignore":
        return "", None, endingpos
    raise CodecError(encoding, s, startingpos, endingpos, msg)


def decode_handler(handler: DecodeHandler | None) -> DecodeHandler:
    """The handler, or the default one."""
    return default_unicode_error_decode if handler is None else handler


def encode_handler(handler: EncodeHandler | None) -> EncodeHandler:
    """The same."""
    return default_unicode_error_encode if handler is None else handler
