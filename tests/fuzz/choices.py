"""Random choices, drawn from hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[int]], int]


@cache
def _below(limit: int) -> st.SearchStrategy[int]:
    return st.integers(0, limit - 1)


class Choices:
    """What a generator decides with.  The first alternative is the simplest."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, ``limit``."""
        return self._draw(_below(limit)) if limit > 1 else 0

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) >= 100 - percent

    def several(self, most: int, least: int = 0) -> range:
        """As many steps as happen to be."""
        return range(least + self.below(most - least + 1))
