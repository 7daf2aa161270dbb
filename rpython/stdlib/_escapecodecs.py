"""``unicode_escape`` and ``raw_unicode_escape``: text with the escapes of Python's literals."""

from __future__ import annotations

from rpython.rlib._unierrors import DecodeHandler
from rpython.rlib.runicode import (
    str_decode_raw_unicode_escape,
    str_decode_unicode_escape,
    unicode_encode_raw_unicode_escape,
    unicode_encode_unicode_escape,
)
from rpython.stdlib._textcodecs import Codec


def _handler_of(data: bytes) -> DecodeHandler:
    """What is done about errors in those bytes, of which the decoders see a text."""

    def handle(
        errors: str, encoding: str, reason: str, s: str, start: int, end: int
    ) -> tuple[str, int]:
        if s[start : start + 2] == "\\N":
            if s[end : end + 1] == "{":
                raise NotImplementedError("decoding names of characters, \\N{...}")
            reason = "malformed \\N character escape"
        if errors == "ignore":
            return "", end
        if errors == "replace":
            return "\ufffd", end
        if errors != "strict":
            raise NotImplementedError(f"decoding {encoding} with the error handler {errors!r}")
        raise UnicodeDecodeError(encoding, data, start, end, reason)

    return handle


class UnicodeEscape(Codec):
    """Characters that are not printable ASCII are escapes."""

    def encode(self, text: str, errors: str) -> bytes:
        return unicode_encode_unicode_escape(text, len(text), errors).encode("latin-1")

    def decode(self, data: bytes, errors: str) -> str:
        text = data.decode("latin-1")
        return str_decode_unicode_escape(text, len(text), errors, True, _handler_of(data))[0]


class RawUnicodeEscape(Codec):
    r"""Only ``\u`` and ``\U`` are escapes; other characters are bytes of Latin-1."""

    def encode(self, text: str, errors: str) -> bytes:
        return unicode_encode_raw_unicode_escape(text, len(text), errors).encode("latin-1")

    def decode(self, data: bytes, errors: str) -> str:
        text = data.decode("latin-1")
        return str_decode_raw_unicode_escape(text, len(text), errors, True, _handler_of(data))[0]
