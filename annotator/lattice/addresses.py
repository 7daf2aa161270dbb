"""The annotations of ``llmemory``: addresses, offsets, and ``adr.signed`` between the two."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.model import K_ACCESS, K_ADDRESS, K_OFFSET, SomeObject
from rpython.lltypesystem.lltype import LowLevelType


class SomeAddress(SomeObject):
    """An address."""

    __slots__ = ()
    kinds = K_ADDRESS

    def describe(self) -> str:
        return "address"


class SomeOffset(SomeObject):
    """A symbolic offset or size."""

    __slots__ = ()
    kinds = K_OFFSET

    def describe(self) -> str:
        return "offset"


class SomeAccess(SomeObject):
    """``adr.signed``: memory as items of type ``T``."""

    __slots__ = ("T",)
    kinds = K_ACCESS

    def __init__(self, T: LowLevelType) -> None:
        self.T, self.const = T, None

    def key(self) -> tuple[Any, ...]:
        return (self.T,)

    def without_const(self) -> SomeObject:
        return self

    def describe(self) -> str:
        return f"memory of {self.T}"

    def _details(self) -> str:
        return str(self.T)


s_Address = SomeAddress()
s_Offset = SomeOffset()
