"""How error messages name containers, which may hold themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rpython.annotator.lattice.model import SomeObject

_describing: set[int] = set()


def describe_item(root: object, s_item: SomeObject) -> str:
    """What is in the containers of a definition; "..." inside that."""
    if id(root) in _describing:
        return "..."
    _describing.add(id(root))
    try:
        return s_item.describe()
    finally:
        _describing.discard(id(root))
