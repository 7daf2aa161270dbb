"""Random choices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """What a generator decides with: the same for the same number."""

    def __init__(self, number: int) -> None:
        self._chance = random.Random(number)

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, ``limit``."""
        return self._chance.randrange(limit) if limit > 1 else 0

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) >= 100 - percent

    def several(self, most: int, least: int = 0) -> range:
        """As many steps as happen to be."""
        return range(least + self.below(most - least + 1))
