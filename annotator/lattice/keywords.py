"""The annotation of what a ``**kwargs`` parameter holds."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.model import K_KEYWORDS, SomeObject


class SomeKeywords(SomeObject):
    """Keyword arguments: a mapping whose keys, ``names``, are known; ``items`` are the
    annotations of the values.  It never changes."""

    __slots__ = ("items", "names")
    kinds = K_KEYWORDS

    def __init__(self, names: tuple[str, ...], items: tuple[SomeObject, ...]) -> None:
        self.names = names
        self.items = items
        self.const = None

    def key(self) -> tuple[Any, ...]:
        return (self.names, self.items)

    def describe(self) -> str:
        if not self.names:
            return "keyword arguments (none)"
        return "keyword arguments " + ", ".join(
            f"{name}: {s.describe()}" for name, s in zip(self.names, self.items)
        )

    def _details(self) -> str:
        return ", ".join(f"{name}={s!r}" for name, s in zip(self.names, self.items))
