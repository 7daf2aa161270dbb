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
_ErasedInt = type(erase_int(0))


def is_integer(erased: Any) -> bool:
    """Was the value erased by ``erase_int``?"""
    return isinstance(erased, _ErasedInt)


_list_pairs: dict[type, Any] = {}


def _list_pair(Type: type) -> Any:
    """The pair for lists with such items, made when the program is translated."""
    if Type not in _list_pairs:
        _list_pairs[Type] = new_erasing_pair(f"list_of_{Type.__name__}")
    return _list_pairs[Type]


_list_pair._annspecialcase_ = "specialize:memo"  # type: ignore[attr-defined]


def erase_fixedsizelist(lst: Any, Type: Any) -> Any:
    """A list of instances of ``Type``, erased."""
    return _list_pair(Type)[0](lst)


def unerase_fixedsizelist(erased: Any, Type: Any) -> Any:
    """The list that ``erase_fixedsizelist`` erased."""
    return _list_pair(Type)[1](erased)


erase_fixedsizelist._annspecialcase_ = "specialize:arg(1)"  # type: ignore[attr-defined]
unerase_fixedsizelist._annspecialcase_ = "specialize:arg(1)"  # type: ignore[attr-defined]
