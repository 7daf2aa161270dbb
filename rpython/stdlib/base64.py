"""``base64``: what its source has formats of ``struct`` for that are made at run time."""

from __future__ import annotations

import base64
from typing import Any

from rpython.stdlib._registry import per_arguments, replaces


@replaces(base64._input_type_check)  # type: ignore[attr-defined]
@per_arguments
def _input_type_check(s: Any) -> None:
    if isinstance(s, str):
        raise TypeError("expected bytes-like object, not str")


@replaces(base64._85encode)  # type: ignore[attr-defined]
@per_arguments
def _85encode(
    b: Any, chars: list[bytes], chars2: list[bytes], pad: bool = False, foldnuls: bool = False,
    foldspaces: bool = False,
) -> bytes:  # fmt: skip
    data = bytes(b)
    padding = -len(data) % 4
    data += b"\0" * padding
    pieces: list[bytes] = []
    for at in range(0, len(data), 4):
        word = int.from_bytes(data[at : at + 4], "big")
        if foldnuls and word == 0:
            pieces.append(b"z")
        elif foldspaces and word == 0x20202020:
            pieces.append(b"y")
        else:
            pieces.append(chars2[word // 614125] + chars2[word // 85 % 7225] + chars[word % 85])
    if padding and not pad:
        if pieces[-1] == b"z":
            pieces[-1] = chars[0] * 5
        pieces[-1] = pieces[-1][:-padding]
    return b"".join(pieces)
