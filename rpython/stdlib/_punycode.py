"""The codec punycode, by the functions of its installed source."""

from __future__ import annotations

import sys
from encodings.punycode import punycode_decode, punycode_encode

from rpython.stdlib._textcodecs import Codec


class Punycode(Codec):
    """Text as the labels of domain names have it, without error handlers of its own."""

    def encode(self, text: str, errors: str) -> bytes:
        encoded: bytes = punycode_encode(text)
        return encoded

    def decode(self, data: bytes, errors: str) -> str:
        try:
            return _decoded(data, errors)
        except UnicodeError as error:
            if _TELLS_BY_NOTE:
                error.add_note("decoding with 'punycode' codec failed")
                raise
            if isinstance(error, UnicodeDecodeError):
                raise
            message = f"decoding with 'punycode' codec failed (UnicodeError: {error})"
            raise UnicodeError(message) from error


_TELLS_BY_NOTE = sys.version_info >= (3, 12)
"""How errors of codecs in Python say which codec it was."""


def _decoded(data: bytes, errors: str) -> str:
    if errors not in ("strict", "replace", "ignore"):
        raise UnicodeError("Unsupported error handling " + errors)
    decoded: str = punycode_decode(data, errors)
    return decoded
