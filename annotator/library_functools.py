"""What ``functools`` has in C, and ``iter`` of a function, in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def cmp_to_key(function: Any) -> type:
    """What ``functools.cmp_to_key`` makes of a function, as a class."""

    class Key:
        def __init__(self, obj: Any) -> None:
            self.obj = obj

        def __lt__(self, other: Any) -> Any:
            return function(self.obj, other.obj) < 0

        def __gt__(self, other: Any) -> Any:
            return function(self.obj, other.obj) > 0

        def __le__(self, other: Any) -> Any:
            return function(self.obj, other.obj) <= 0

        def __ge__(self, other: Any) -> Any:
            return function(self.obj, other.obj) >= 0

        def __eq__(self, other: Any) -> Any:
            return function(self.obj, other.obj) == 0

    return Key


def until(function: Any, sentinel: Any, /) -> Iterator[Any]:
    """``iter(function, sentinel)``"""
    while True:
        try:
            x = function()
        except StopIteration:
            return
        if sentinel == x:
            return
        yield x
