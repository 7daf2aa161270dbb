"""The types that ``rpython.rlib.signature`` takes."""

from __future__ import annotations

import builtins
from typing import Any

from rpython.rlib.declared import CHAR, NOT_NEGATIVE, SelfType


def any() -> Any:
    """Anything."""
    return None


def self() -> Any:
    """The class that the method is in, for ``finishsigs``; without that it is not looked at."""
    return SelfType


def none() -> Any:
    return type(None)


def int() -> Any:
    return builtins.int


def int_nonneg() -> Any:
    """An int that is known not to be negative."""
    return NOT_NEGATIVE


def bool() -> Any:
    return builtins.bool


def float() -> Any:
    return builtins.float


def str() -> Any:
    return builtins.str


def str0() -> Any:
    return builtins.str


def char() -> Any:
    """A str of length 1."""
    return CHAR


def unicode() -> Any:
    return builtins.str


def bytearray() -> Any:
    return builtins.bytearray


def list(element: Any) -> Any:
    """A list of such items."""
    return [element]


array = list


def dict(keytype: Any, valuetype: Any) -> Any:
    """A dict of such keys and values."""
    return builtins.dict[keytype, valuetype]


def instance(cls: Any, can_be_None: Any = False) -> Any:
    """An instance of the class or of a subclass, or None."""
    return cls | None if can_be_None else cls
