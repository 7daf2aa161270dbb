"""Dicts that hold their values or keys weakly: an entry is gone when a collection has found that
nothing else refers to its value, or key.

    texts = RWeakValueDictionary(str, Text)
    texts.set("a", text)
    texts.get("a")              text, or None

What is left of entries that are gone is removed when the dict grows."""

from __future__ import annotations

import weakref
from typing import Any

from rpython.rlib.objectmodel import specialize

ref = weakref.ref
_classes: dict[tuple[str, Any, Any], Any] = {}


def has_weakref_support() -> bool:
    """Are there weak references?  Always."""
    return True


def _new_value_class() -> Any:
    class WeakValueDictionary:
        def __init__(self) -> None:
            self._refs: dict[Any, Any] = {}
            self._most = 16

        def get(self, key: Any) -> Any:
            """The value, None when there is none."""
            ref = self._refs.get(key, None)
            return None if ref is None else ref()

        def set(self, key: Any, value: Any) -> None:
            """Set or, with None, remove a value."""
            if value is None:
                if key in self._refs:
                    del self._refs[key]
                return
            if len(self._refs) >= self._most:
                self._most = 2 * self.length() + 16
            self._refs[key] = weakref.ref(value)

        def length(self) -> int:
            """How many there are; what is left of others is removed."""
            gone = [key for key, ref in self._refs.items() if ref() is None]
            for key in gone:
                del self._refs[key]
            return len(self._refs)

    return WeakValueDictionary


def _new_key_class() -> Any:
    class WeakKeyDictionary:
        def __init__(self) -> None:
            self._items: dict[Any, Any] = {}
            self._most = 16

        def get(self, key: Any) -> Any:
            """The value, None when there is none."""
            return self._items.get(weakref.ref(key), None)

        def set(self, key: Any, value: Any) -> None:
            """Set or, with None, remove a value."""
            ref = weakref.ref(key)
            if value is None:
                if ref in self._items:
                    del self._items[ref]
                return
            if len(self._items) >= self._most:
                self._most = 2 * self.length() + 16
            self._items[ref] = value

        def length(self) -> int:
            """How many there are; the values of others, which are kept until now, are removed."""
            gone = [ref for ref in self._items if ref() is None]
            for ref in gone:
                del self._items[ref]
            return len(self._items)

    return WeakKeyDictionary


@specialize.memo()
def _weak_class(by_value: bool, keyclass: Any, valueclass: Any) -> Any:
    key = ("value" if by_value else "key", keyclass, valueclass)
    if key not in _classes:
        _classes[key] = _new_value_class() if by_value else _new_key_class()
    return _classes[key]


@specialize.arg(0, 1)
def RWeakValueDictionary(keyclass: Any, valueclass: Any) -> Any:
    """An empty dict from ``keyclass`` to instances of ``valueclass``, held weakly."""
    return _weak_class(True, keyclass, valueclass)()


@specialize.arg(0, 1)
def RWeakKeyDictionary(keyclass: Any, valueclass: Any) -> Any:
    """An empty dict from instances of ``keyclass``, held weakly, to instances of ``valueclass``."""
    return _weak_class(False, keyclass, valueclass)()
