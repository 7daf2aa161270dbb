"""The annotations of sets."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.cells import DictDef
from rpython.annotator.lattice.describing import describe_item
from rpython.annotator.lattice.model import K_FROZENSET, K_SET, KIND_NAMES, Const, SomeObject


class SomeAnySet(SomeObject):
    """A set or a frozenset: the keys of dicts from items to None."""

    __slots__ = ("dictdef",)

    def __init__(self, dictdef: DictDef, const: Const | None = None) -> None:
        self.dictdef = dictdef
        self.const = const

    def key(self) -> tuple[Any, ...]:
        return (id(self.dictdef.find()), self.const)

    def without_const(self) -> SomeObject:
        return type(self)(self.dictdef)

    def describe(self) -> str:
        root = self.dictdef.find()
        return f"{KIND_NAMES[self.kinds]} of {describe_item(root, root.key.s_value)}"

    def _details(self) -> str:
        return repr(self.dictdef.find())


class SomeSet(SomeAnySet):
    __slots__ = ()
    kinds = K_SET


class SomeFrozenSet(SomeAnySet):
    __slots__ = ()
    kinds = K_FROZENSET
