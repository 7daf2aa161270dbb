"""Dicts that hold their values or keys weakly.  Nothing is freed while a translated program runs,
so that theirs never go away: one of the things that may happen with weak references."""

from __future__ import annotations

from typing import Any

from rpython.rlib.objectmodel import specialize

_classes: dict[tuple[str, Any, Any], Any] = {}


def _new_class() -> Any:
    class WeakDictionary:
        def __init__(self) -> None:
            self._items: dict[Any, Any] = {}

        def get(self, key: Any) -> Any:
            """The value, None when there is none."""
            return self._items.get(key, None)

        def set(self, key: Any, value: Any) -> None:
            """Set or, with None, remove a value."""
            if value is None:
                if key in self._items:
                    del self._items[key]
            else:
                self._items[key] = value

        def length(self) -> int:
            """How many there are."""
            return len(self._items)

    return WeakDictionary


@specialize.memo()
def _weak_class(kind: str, keyclass: Any, valueclass: Any) -> Any:
    key = (kind, keyclass, valueclass)
    if key not in _classes:
        _classes[key] = _new_class()
    return _classes[key]


@specialize.arg(0, 1)
def RWeakValueDictionary(keyclass: Any, valueclass: Any) -> Any:
    """An empty dict from ``keyclass`` to instances of ``valueclass``, held weakly."""
    return _weak_class("value", keyclass, valueclass)()


@specialize.arg(0, 1)
def RWeakKeyDictionary(keyclass: Any, valueclass: Any) -> Any:
    """An empty dict from instances of ``keyclass``, held weakly, to instances of ``valueclass``."""
    return _weak_class("key", keyclass, valueclass)()
