"""Values of different types in one variable.

``erase(x)`` is an object of one type, whatever ``x`` is; ``unerase(e)`` gives ``x`` back, and has
to be of the same pair: another one raises AssertionError (in RPython anything may happen).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Erased:
    """What every ``erase`` gives."""


class ErasingPairIdentity:
    """What a pair is known by."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"ErasingPairIdentity({self.name!r})"


def new_erasing_pair(name: str) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """``(erase, unerase)``, for values of one type.  Call it at import time."""

    class ErasedValue(Erased):
        def __init__(self, value: Any) -> None:
            self.value = value

    def erase(x: Any) -> Any:
        return ErasedValue(x)

    def unerase(erased: Any) -> Any:
        assert isinstance(erased, ErasedValue)
        return erased.value

    ErasedValue.__qualname__ = ErasedValue.__name__ = f"Erased_{name}"
    erase.__name__, unerase.__name__ = f"erase_{name}", f"unerase_{name}"
    return erase, unerase


def new_static_erasing_pair(name: str) -> tuple[Any, Any]:
    """The same as static methods, for the body of a class."""
    erase, unerase = new_erasing_pair(name)
    return staticmethod(erase), staticmethod(unerase)


erase_int, unerase_int = new_erasing_pair("int")
