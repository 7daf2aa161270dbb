"""``weakref``: dictionaries.

An entry whose value, or key, is gone counts as missing; what is left of it is removed when the
dictionary grows.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import per_site, refused, replaces

_LEAST = 16

_rpython_holds_locals_ = True
"""A key lives as long as its reference is looked for, also where the call is inlined."""


class _WeakDictionary:
    """What both have in common."""

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        made = cls()
        made.update(x)
        return made

    def __init__(self) -> None:
        self.entries: dict[Any, Any] = {}
        self.most = _LEAST

    def update(self: Any, other: Any) -> None:
        for key, value in other.items():
            self[key] = value

    def clear(self) -> None:
        self.entries.clear()

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError("comparing weak dictionaries")


@replaces(weakref.WeakValueDictionary)
@per_site()
class WeakValueDictionary(_WeakDictionary):
    """A dict with weak values."""

    def remove_lost(self) -> None:
        lost = [key for key, ref in self.entries.items() if ref() is None]
        for key in lost:
            del self.entries[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self.entries) >= self.most and key not in self.entries:
            self.remove_lost()
            self.most = 2 * len(self.entries) + _LEAST
        self.entries[key] = weakref.ref(value)

    def find(self, key: Any) -> Any:
        ref = self.entries.get(key, None)
        return None if ref is None else ref()

    def __getitem__(self, key: Any) -> Any:
        value = self.find(key)
        if value is None:
            raise KeyError(key)
        return value

    def __delitem__(self, key: Any) -> None:
        if self.find(key) is None:
            raise KeyError(key)
        del self.entries[key]

    def __contains__(self, key: Any) -> bool:
        return self.find(key) is not None

    def __len__(self) -> int:
        count = 0
        for ref in self.entries.values():
            if ref() is not None:
                count += 1
        return count

    def get(self, key: Any, default: Any = None) -> Any:
        value = self.find(key)
        return default if value is None else value

    def setdefault(self, key: Any, default: Any) -> Any:
        value = self.find(key)
        if value is None:
            self[key] = default
            return default
        return value

    def pop(self, key: Any, *default: Any) -> Any:
        value = self.find(key)
        if value is None:
            if default:
                return default[0]
            raise KeyError(key)
        del self.entries[key]
        return value

    def popitem(self) -> Any:
        while True:
            key, ref = self.entries.popitem()
            value = ref()
            if value is not None:
                return key, value

    def __iter__(self) -> Iterator[Any]:
        for key, ref in self.entries.items():
            if ref() is not None:
                yield key

    def keys(self) -> Iterator[Any]:
        for key, ref in self.entries.items():
            if ref() is not None:
                yield key

    def values(self) -> Iterator[Any]:
        for ref in self.entries.values():
            value = ref()
            if value is not None:
                yield value

    def items(self) -> Iterator[Any]:
        for key, ref in self.entries.items():
            value = ref()
            if value is not None:
                yield key, value


@replaces(weakref.WeakKeyDictionary)
@per_site()
class WeakKeyDictionary(_WeakDictionary):
    """A dict with weak keys."""

    def remove_lost(self) -> None:
        lost = [ref for ref in self.entries if ref() is None]
        for ref in lost:
            del self.entries[ref]

    def __setitem__(self, key: Any, value: Any) -> None:
        ref = weakref.ref(key)
        if len(self.entries) >= self.most and ref not in self.entries:
            self.remove_lost()
            self.most = 2 * len(self.entries) + _LEAST
        self.entries[ref] = value

    def __getitem__(self, key: Any) -> Any:
        return self.entries[weakref.ref(key)]

    def __delitem__(self, key: Any) -> None:
        del self.entries[weakref.ref(key)]

    def __contains__(self, key: Any) -> bool:
        return weakref.ref(key) in self.entries

    def __len__(self) -> int:
        count = 0
        for ref in self.entries:
            if ref() is not None:
                count += 1
        return count

    def get(self, key: Any, default: Any = None) -> Any:
        return self.entries.get(weakref.ref(key), default)

    def setdefault(self, key: Any, default: Any) -> Any:
        ref = weakref.ref(key)
        if ref not in self.entries:
            self[key] = default
        return self.entries[ref]

    def pop(self, key: Any, *default: Any) -> Any:
        ref = weakref.ref(key)
        if default and ref not in self.entries:
            return default[0]
        return self.entries.pop(ref)

    def popitem(self) -> Any:
        while True:
            ref, value = self.entries.popitem()
            key = ref()
            if key is not None:
                return key, value

    def __iter__(self) -> Iterator[Any]:
        for ref in self.entries:
            key = ref()
            if key is not None:
                yield key

    def keys(self) -> Iterator[Any]:
        for ref in self.entries:
            key = ref()
            if key is not None:
                yield key

    def values(self) -> Iterator[Any]:
        for ref, value in self.entries.items():
            if ref() is not None:
                yield value

    def items(self) -> Iterator[Any]:
        for ref, value in self.entries.items():
            key = ref()
            if key is not None:
                yield key, value


@replaces(weakref.WeakSet)
@per_site()
class WeakSet:
    """A set whose items are no reason for them to live."""

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        made = cls()
        for item in x:
            made.add(item)
        return made

    def __init__(self, data: Any = ()) -> None:
        self.items = WeakKeyDictionary()
        for item in data:
            self.items[item] = True

    def add(self, item: Any) -> None:
        self.items[item] = True

    def remove(self, item: Any) -> None:
        del self.items[item]

    def discard(self, item: Any) -> None:
        if item in self.items:
            del self.items[item]

    def clear(self) -> None:
        self.items.clear()

    def update(self, other: Any) -> None:
        for item in other:
            self.items[item] = True

    def __contains__(self, item: Any) -> bool:
        return item in self.items

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self.items.keys()))

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError("comparing weak sets")


def _refuse(name: str) -> None:
    @replaces(getattr(weakref, name))
    @refused(
        f"weakref.{name} is not supported: weakref.ref, WeakValueDictionary, WeakKeyDictionary and "
        "WeakSet are"
    )
    def function(*args: Any, **keywords: Any) -> Any:
        raise NotImplementedError


for _name in ("WeakMethod", "finalize", "proxy"):
    _refuse(_name)
