"""Lists of weak references, found again by number.

    class Boxes(RWeakListMixin):
        def __init__(self):
            self.initialize()

    handle = boxes.add_handle(box)       # the numbers of dead ones are given again
    boxes.fetch_handle(handle)           # the box, or None
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

INITIAL_SIZE = 4


class RWeakListMixin(Generic[T]):
    """To be inherited, or taken in with ``import_from_mixin``; one kind of object per class.

    ``handles`` has None where nothing was stored yet."""

    handles: list[Callable[[], T | None] | None]
    look_distance: int

    def initialize(self) -> None:
        """Start without handles."""
        self.handles = []
        self.look_distance = 0

    def get_all_handles(self) -> list[Callable[[], T | None] | None]:
        """The weak references, dead ones too, by number."""
        return self.handles

    def reserve_next_handle_index(self) -> int:
        """A number that is free: that of a dead object, where looking on from the last one finds
        one after a few, else a new one."""
        length = len(self.handles)
        if length:
            start = self.look_distance
            for _ in range(min(INITIAL_SIZE, length)):
                index = start % length
                start += 1
                ref = self.handles[index]
                if ref is not None and ref() is None:
                    self.look_distance = start
                    return index
            self.look_distance = start % length
        self.handles.append(None)
        return length

    def add_handle(self, content: T) -> int:
        """Keep the object, weakly; its number."""
        index = self.reserve_next_handle_index()
        self.store_handle(index, content)
        return index

    def store_handle(self, index: int, content: T) -> None:
        """Keep the object as that number."""
        self.handles[index] = weakref.ref(content)

    def fetch_handle(self, index: int) -> T | None:
        """The object of that number; None when it is dead or the number is not used."""
        if 0 <= index < len(self.handles):
            ref = self.handles[index]
            if ref is not None:
                return ref()
        return None


