"""``NotImplemented``, the answer of an operator method that has none."""

from __future__ import annotations

from rpython.annotator.lattice.hostconst import Const
from rpython.annotator.lattice.model import K_NOTIMPLEMENTED, SomeObject


class SomeNotImplemented(SomeObject):
    """``NotImplemented``, which a method for an operator returns to leave the answer to the
    other operand."""

    __slots__ = ()
    kinds = K_NOTIMPLEMENTED

    def __init__(self) -> None:
        self.const = _NOT_IMPLEMENTED

    def without_const(self) -> SomeObject:
        return self

    def describe(self) -> str:
        return "NotImplemented"

    def __repr__(self) -> str:
        return "SomeNotImplemented()"


_NOT_IMPLEMENTED = Const(NotImplemented)


s_NotImplemented = SomeNotImplemented()
