"""``bytes(x)`` and ``bytearray(x)`` of instances, and of items that are."""

from __future__ import annotations

import operator
from typing import Any

from rpython.stdlib._registry import per_arguments


@per_arguments
def own_bytes(x: Any) -> bytes:
    """``bytes(x)`` where the class of ``x`` has ``__bytes__``."""
    made = x.__bytes__()
    if not isinstance(made, bytes):
        raise TypeError(f"__bytes__ returned non-bytes (type {type(made).__name__})")
    return made


@per_arguments
def bytes_of_items(items: Any) -> bytes:
    return bytes([_byte(x, "bytes must be in range(0, 256)") for x in items])


@per_arguments
def bytearray_of_items(items: Any) -> bytearray:
    return bytearray([_byte(x, "byte must be in range(0, 256)") for x in items])


@per_arguments
def _byte(x: Any, wrong: str) -> int:
    if isinstance(x, int):
        if not 0 <= x < 256:  # of any size
            raise ValueError(wrong)
        return operator.index(x)
    if x is None or isinstance(x, (str, bytes, float)):
        raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")
    return operator.index(x)
