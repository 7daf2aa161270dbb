"""The types that ``rpython.rlib.signature`` takes, as what ``enforceargs`` takes."""

from __future__ import annotations

import builtins
from typing import Any


def any() -> Any:
    """Anything."""
    return None


def self() -> Any:
    """The class that the method is in: not looked at."""
    return None


def none() -> Any:
    return type(None)


def int() -> Any:
    return builtins.int


def int_nonneg() -> Any:
    """An int; its sign is not looked at."""
    return builtins.int


def bool() -> Any:
    return builtins.bool


def float() -> Any:
    return builtins.float


def str() -> Any:
    return builtins.str


def str0() -> Any:
    return builtins.str


def char() -> Any:
    """A str; its length is not looked at."""
    return builtins.str


def unicode() -> Any:
    return builtins.str


def bytearray() -> Any:
    return builtins.bytearray


def list(element: Any) -> Any:
    """A list; its items are not looked at."""
    return builtins.list[builtins.int]


array = list


def dict(keytype: Any, valuetype: Any) -> Any:
    """A dict; its items are not looked at."""
    return builtins.dict[builtins.int, builtins.int]


def instance(cls: type, can_be_None: Any = True) -> Any:
    """An instance of the class or of a subclass, or None."""
    return cls
