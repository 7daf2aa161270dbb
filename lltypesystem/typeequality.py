"""Equality of low-level types: by structure, which may be cyclic."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

if TYPE_CHECKING:
    from rpython.lltypesystem.primitives import LowLevelType


def same_type(a: LowLevelType, b: LowLevelType) -> bool:
    """Are two types of the same class equal?"""
    one, two = a._canonical, b._canonical
    if one is not None and two is not None:
        return one is two
    if a.__dict__ is b.__dict__:
        return True  # a forward reference and what it became
    if hash(a) != hash(b):
        return False
    one, two = one or _canonical(a), two or _canonical(b)
    if one is None or two is None:
        return _same_structure(a, b, set())
    return one is two


def _same_structure(a: LowLevelType, b: LowLevelType, assumed: set[tuple[int, int]]) -> bool:
    if a is b or a.__dict__ is b.__dict__:
        return True
    if a._canonical is not None and b._canonical is not None:
        return a._canonical is b._canonical
    if type(a) is not type(b) or hash(a) != hash(b):
        return False
    pair = (id(a), id(b))
    if pair in assumed:
        return True
    assumed.add(pair)
    mine, theirs = a._children(), b._children()
    return (
        a._shallow() == b._shallow()
        and len(mine) == len(theirs)
        and all(_same_structure(x, y, assumed) for x, y in zip(mine, theirs, strict=True))
    )


_canonical_types: dict[int, list[ref[LowLevelType]]] = {}
"""By hash: the first of all equal types."""


def _canonical(T: LowLevelType) -> LowLevelType | None:
    """The first of all types equal to ``T``, so that comparing is mostly comparing
    identities; None while a forward reference that ``T`` leads to has not become anything."""
    if not _is_complete(T):
        return None
    known = _canonical_types.setdefault(hash(T), [])
    known[:] = [reference for reference in known if reference() is not None]
    for reference in known:
        first = reference()
        if first is not None and _same_structure(T, first, set()):
            T._canonical = first
            return first
    T._canonical = T
    known.append(ref(T))
    return T


def _is_complete(T: LowLevelType) -> bool:
    seen: set[int] = set()
    todo = [T]
    while todo:
        part = todo.pop()
        if part._is_forward:
            return False
        if part._canonical is None and id(part) not in seen:
            seen.add(id(part))
            todo.extend(part._children())
    return True
