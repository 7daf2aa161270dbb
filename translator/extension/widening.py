"""What Python may give where the program has given something so far."""

from __future__ import annotations

from rpython.annotator.lattice.model import (
    SomeInstance,
    SomeInteger,
    SomeObject,
    SomeString,
    SomeTuple,
    SomeUnion,
)
from rpython.annotator.lattice.parts import from_parts, parts_of
from rpython.annotator.lattice.vartuples import SomeVarTuple


def widened(s: SomeObject) -> SomeObject:
    """What may be assigned from Python where the program assigns ``s``."""
    s = s.without_const()
    if isinstance(s, SomeUnion):
        return from_parts([widened(part) for part in parts_of(s)])
    if isinstance(s, SomeInteger) and s.knowntype is int:
        return s.of_any_sign()
    if isinstance(s, SomeInstance):
        return SomeInstance(s.classdef)
    if isinstance(s, SomeString):
        return SomeString()
    if type(s) is SomeTuple:
        return SomeTuple(tuple(widened(item) for item in s.items))
    if isinstance(s, SomeVarTuple):
        return SomeVarTuple(widened(s.s_item))
    return s
