"""What containers of one kind may be inside of: those that may contain themselves."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.cells import DictDef, ListDef
from rpython.annotator.lattice.model import (
    SomeDict,
    SomeDictView,
    SomeIterator,
    SomeList,
    SomeObject,
)
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.lattice.sets import SomeAnySet
from rpython.annotator.lattice.vartuples import tuple_items


def reaches(s: SomeObject, definition: ListDef | DictDef, seen: set[int] | None = None) -> bool:
    """Can values of ``s`` contain lists or dicts of ``definition`` (other than through
    instances, whose types are forward references anyway)?"""
    seen = set() if seen is None else seen
    inside: list[SomeObject] = []
    for part in parts_of(s):
        root: Any = None
        inside.extend(tuple_items(part) or ())
        if isinstance(part, SomeIterator):
            inside.extend(part.sources)
        elif isinstance(part, SomeList):
            root = part.listdef.find()
            inside.append(root.item.s_value)
        elif isinstance(part, (SomeDict, SomeDictView, SomeAnySet)):
            root = part.dictdef.find()
            inside.extend((root.key.s_value, root.value.s_value))
        if root is not None:
            if root is definition:
                return True
            if id(root) in seen:
                return False
            seen.add(id(root))
    return any(reaches(each, definition, seen) for each in inside)
