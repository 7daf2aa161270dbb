"""Dicts with other equality and hash functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Eq = Callable[[Any, Any], bool]
Hash = Callable[[Any], int]

_classes: dict[tuple[Eq, Hash], Any] = {}


def _dict_class(key_eq: Eq, key_hash: Hash) -> Any:
    """The class of dicts with these functions, made when the program is translated."""
    known = _classes.get((key_eq, key_hash))
    if known is None:
        known = _classes[key_eq, key_hash] = _new_class(key_eq, key_hash)
    return known


_dict_class._annspecialcase_ = "specialize:memo"  # type: ignore[attr-defined]


def r_dict(
    key_eq: Eq, key_hash: Hash, force_non_null: bool = False, simple_hash_eq: bool = False
) -> Any:
    """An empty dict whose keys are compared by ``key_eq`` and hashed by ``key_hash``, in the order
    of insertion.  All dicts with the same two functions have keys of one type, and values.

    ``force_non_null`` (no key is None) and ``simple_hash_eq`` (the functions neither change
    anything nor raise) are promises that allow a faster dict; nothing is made of them here.
    """
    return _dict_class(key_eq, key_hash)()


r_dict._annspecialcase_ = "specialize:arg(0, 1)"  # type: ignore[attr-defined]
r_ordereddict = r_dict


def _new_class(key_eq: Eq, key_hash: Hash) -> Any:
    class Key:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Key) and key_eq(self.value, other.value)

        def __hash__(self) -> int:
            return key_hash(self.value)

    class Dict:
        def __init__(self) -> None:
            self._items: dict[Key, Any] = {}

        def __getitem__(self, key: Any) -> Any:
            try:
                return self._items[Key(key)]
            except KeyError:
                raise KeyError(key) from None

        def __setitem__(self, key: Any, value: Any) -> None:
            self._items[Key(key)] = value

        def __delitem__(self, key: Any) -> None:
            try:
                del self._items[Key(key)]
            except KeyError:
                raise KeyError(key) from None

        def __contains__(self, key: Any) -> bool:
            return Key(key) in self._items

        def __len__(self) -> int:
            return len(self._items)

        def __bool__(self) -> bool:
            return len(self._items) > 0

        def __iter__(self) -> Iterator[Any]:
            return iter(self.keys())

        def get(self, key: Any, default: Any = None) -> Any:
            return self._items.get(Key(key), default)

        def setdefault(self, key: Any, default: Any) -> Any:
            return self._items.setdefault(Key(key), default)

        def keys(self) -> list[Any]:
            return [key.value for key in self._items]

        def values(self) -> list[Any]:
            return list(self._items.values())

        def items(self) -> list[tuple[Any, Any]]:
            return [(key.value, value) for key, value in self._items.items()]

        def iterkeys(self) -> Iterator[Any]:
            return iter(self.keys())

        def itervalues(self) -> Iterator[Any]:
            return iter(self.values())

        def iteritems(self) -> Iterator[tuple[Any, Any]]:
            return iter(self.items())

        def pop(self, key: Any) -> Any:
            value = self[key]
            del self[key]
            return value

        def hash_of(self, key: Any) -> int:
            return key_hash(key)

        def popitem(self) -> tuple[Any, Any]:
            key, value = self._items.popitem()
            return key.value, value

        def clear(self) -> None:
            self._items.clear()

        def copy(self) -> Any:
            result = Dict()
            result._items = self._items.copy()
            return result

        def update(self, other: Any) -> None:
            for key, value in other._items.items():
                self._items[key] = value

    return Dict
