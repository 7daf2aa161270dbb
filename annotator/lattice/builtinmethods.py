"""One of several methods of built-in kinds."""

from __future__ import annotations

from typing import Any

from rpython.annotator.lattice.model import K_BUILTIN_METHOD, SomeBuiltinMethod, SomeObject
from rpython.annotator.lattice.parts import place_name


def member(s: SomeBuiltinMethod) -> tuple[str, int, str]:
    """Which one the method is among several."""
    return method_among(s.name, s.s_self)


def method_among(name: str, s_self: SomeObject) -> tuple[str, int, str]:
    """The same for a method of that name."""
    return name, s_self.kinds, place_name(s_self)


class SomeBuiltinMethods(SomeObject):
    """One of several methods of built-in kinds: an item of ``[lst.append, lst.remove]``.  The
    parts are sorted by ``member``, which differs."""

    __slots__ = ("parts",)
    kinds = K_BUILTIN_METHOD

    def __init__(self, parts: tuple[SomeBuiltinMethod, ...]) -> None:
        self.parts, self.const = parts, None

    def key(self) -> tuple[Any, ...]:
        return self.parts

    def describe(self) -> str:
        return " or ".join(part.describe() for part in self.parts)

    def _details(self) -> str:
        return ", ".join(map(repr, self.parts))
