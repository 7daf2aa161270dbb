"""The annotation of ``super()`` in a method, before an attribute is read from it.

    super().__init__(name)      v1 = super: SomeSuper(Circle, the instance)
                                v2 = getattr(v1, "__init__"): a bound method of a class above
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.model import K_SUPER, SomeClass, SomeInstance, SomeObject


class SomeSuper(SomeObject):
    """``super()`` inside a method of ``start``: attributes come from the classes after it."""

    __slots__ = ("s_self", "start")
    kinds = K_SUPER

    def __init__(self, start: type, s_self: SomeInstance | SomeClass) -> None:
        self.start, self.s_self, self.const = start, s_self, None

    def key(self) -> tuple[Any, ...]:
        return (self.start, self.s_self)

    def describe(self) -> str:
        return f"super() of {self.start.__name__}"

    def _details(self) -> str:
        return f"{self.start.__name__}, {self.s_self!r}"
