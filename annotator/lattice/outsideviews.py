"""The annotations of views of memory that Python has: of bytes, of arrays, of what numpy has."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.model import (
    K_NUMBERVIEW,
    SomeMemoryView,
    SomeObject,
    s_Float,
    s_Int,
)


class SomeOutsideView(SomeMemoryView):
    """A ``memoryview`` of bytes of Python's, which can be written where Python permits that."""

    __slots__ = ()


class SomeNumberView(SomeObject):
    """A ``memoryview`` of memory of Python's; its items are ``cls``, int or float, of any width."""

    __slots__ = ("cls",)
    kinds = K_NUMBERVIEW

    def __init__(self, cls: type) -> None:
        super().__init__()
        self.cls = cls

    def key(self) -> tuple[Any, ...]:
        return (self.cls,)

    @property
    def s_item(self) -> SomeObject:
        return s_Float if self.cls is float else s_Int

    def describe(self) -> str:
        return f"memoryview[{self.cls.__name__}]"
