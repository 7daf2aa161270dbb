"""The annotation of lists under construction."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.cells import ListDef
from rpython.annotator.lattice.model import K_LIST_BUILDER, SomeObject


class SomeListBuilder(SomeObject):
    """A list that a comprehension fills, and that nobody else has yet; ``listdef``: of the list
    that it will be, which need not be resized for that."""

    __slots__ = ("listdef",)
    kinds = K_LIST_BUILDER

    def __init__(self, listdef: ListDef) -> None:
        self.listdef, self.const = listdef, None

    def key(self) -> tuple[Any, ...]:
        return (id(self.listdef.find()),)

    def describe(self) -> str:
        return "a list under construction"

    def _details(self) -> str:
        return repr(self.listdef.find())
