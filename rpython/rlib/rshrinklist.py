"""Lists that drop, now and then, the items that no longer matter."""

from __future__ import annotations

from typing import Any


class AbstractShrinkList:
    """Subclasses say in ``must_keep(x)`` whether an item still matters.

    The items are looked through when there are twice as many as were left last time, so that
    appending costs constant time."""

    def __init__(self) -> None:
        self._list: list[Any] = []
        self._next_shrink = 16

    def append(self, x: Any) -> None:
        """Add an item; may drop others."""
        self._do_shrink()
        self._list.append(x)

    def must_keep(self, x: Any) -> bool:
        """Does the item still matter?  Subclasses override it."""
        raise NotImplementedError

    def items(self) -> list[Any]:
        """The list itself: items that are gone may still be in it."""
        return self._list

    def length(self) -> int:
        """How many items are in the list."""
        return len(self._list)

    def _do_shrink(self) -> None:
        items = self._list
        if len(items) < self._next_shrink:
            return
        kept = 0
        for item in items:
            if self.must_keep(item):
                items[kept] = item
                kept += 1
        del items[kept:]
        self._next_shrink = 16 + 2 * kept
