"""Tuples of a length that is only known at run time: ``tuple[T, ...]``.

    tuple(xs)           SomeVarTuple(T), T what the list xs holds
    (1, 2) or (3,)      SomeVarTuple(int): fixed tuples of several lengths

A list keeps what it holds in a cell, because whoever has the list may store into it: two lists
that meet must hold the same.  Nobody stores into a tuple.  So its annotation is a plain value that
joins item by item, as that of a fixed tuple does, and a tuple of ints may go where one of
``int | None`` is expected: the rtyper converts it, a copy being as good as the tuple.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.annotator.lattice.model import K_TUPLE, SomeObject, SomeTuple


class SomeVarTuple(SomeObject):
    """A tuple of any length, all items of which are ``s_item``."""

    __slots__ = ("s_item",)
    kinds = K_TUPLE

    def __init__(self, s_item: SomeObject) -> None:
        self.s_item, self.const = s_item.without_const(), None

    def key(self) -> tuple[Any, ...]:
        return (self.s_item,)

    def without_const(self) -> SomeObject:
        return self

    def describe(self) -> str:
        return f"tuple ({self.s_item.describe()}, ...)" if self.s_item.kinds else "tuple ()"

    def _details(self) -> str:
        return repr(self.s_item)


def tuple_items(s: SomeObject) -> Sequence[SomeObject] | None:
    """The annotations of the items of a tuple, of either form; None for other kinds."""
    if isinstance(s, SomeTuple):
        return s.items
    return (s.s_item,) if isinstance(s, SomeVarTuple) else None
