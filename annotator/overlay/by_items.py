"""Iterating over instances of classes that have ``__getitem__`` and no ``__iter__``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import iterator_in_c


@iterator_in_c
def by_items(self: Any) -> Iterator[Any]:
    """``self[0]``, ``self[1]``, ... until there is none."""
    i = 0
    while True:
        try:
            item = self[i]
        except (IndexError, StopIteration):
            return
        i += 1
        yield item
