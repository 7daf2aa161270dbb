"""What stands for ``weakref.WeakValueDictionary`` and ``WeakKeyDictionary`` in programs: a class
for each prebuilt one, and for each place that makes some: a variable, or an attribute of a class.

The methods are Python, to be translated like the program's own.  An entry whose value, or key, is
gone counts as missing; what is left of it is removed when the dictionary grows.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from types import FunctionType
from typing import Any

_LEAST = 16


class WeakValues:
    """A dict with weak values."""

    def __init__(self) -> None:
        self.refs: dict[Any, Any] = {}
        self.most = _LEAST

    def remove_lost(self) -> None:
        lost = [key for key, ref in self.refs.items() if ref() is None]
        for key in lost:
            del self.refs[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self.refs) >= self.most and key not in self.refs:
            self.remove_lost()
            self.most = 2 * len(self.refs) + _LEAST
        self.refs[key] = weakref.ref(value)

    def find(self, key: Any) -> Any:
        ref = self.refs.get(key, None)
        return None if ref is None else ref()

    def __getitem__(self, key: Any) -> Any:
        value = self.find(key)
        if value is None:
            raise KeyError(key)
        return value

    def __delitem__(self, key: Any) -> None:
        if self.find(key) is None:
            raise KeyError(key)
        del self.refs[key]

    def __contains__(self, key: Any) -> bool:
        return self.find(key) is not None

    def __len__(self) -> int:
        count = 0
        for ref in self.refs.values():
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
        del self.refs[key]
        return value

    def popitem(self) -> Any:
        while True:
            key, ref = self.refs.popitem()
            value = ref()
            if value is not None:
                return key, value

    def update(self, other: Any) -> None:
        for key, value in other.items():
            self[key] = value

    def clear(self) -> None:
        self.refs.clear()

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError("comparing weak dictionaries")

    def __iter__(self) -> Iterator[Any]:
        for key, ref in self.refs.items():
            if ref() is not None:
                yield key

    def keys(self) -> Iterator[Any]:
        for key, ref in self.refs.items():
            if ref() is not None:
                yield key

    def values(self) -> Iterator[Any]:
        for ref in self.refs.values():
            value = ref()
            if value is not None:
                yield value

    def items(self) -> Iterator[Any]:
        for key, ref in self.refs.items():
            value = ref()
            if value is not None:
                yield key, value


class WeakKeys:
    """A dict with weak keys."""

    def __init__(self) -> None:
        self.entries: dict[Any, Any] = {}
        self.most = _LEAST

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

    def update(self, other: Any) -> None:
        for key, value in other.items():
            self[key] = value

    def clear(self) -> None:
        self.entries.clear()

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError("comparing weak dictionaries")

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


KINDS: dict[Any, type] = {
    weakref.WeakValueDictionary: WeakValues, weakref.WeakKeyDictionary: WeakKeys,
}  # fmt: skip
_NAMES = {"__module__": "weakref", "__hash__": None}
_BASES = {host: type(host.__name__, (), dict(_NAMES)) for host in KINDS}
"""The class of what a variable holds that has dictionaries of several places."""


class WeakDictClasses:
    """The classes of one program."""

    def __init__(self) -> None:
        self.places: dict[object, object] = {}
        """An operation that makes a dictionary -> the place for which it does."""
        self._classes: dict[object, type] = {}
        self._known: dict[int, tuple[Any, Any]] = {}

    def made_by(self, host: Any, op: object) -> type:
        """The class of what an operation makes."""
        return self.of(host, self.places[op])

    def of(self, host: Any, place: object) -> type:
        """The class of the ``host`` dictionaries made for a place."""
        found = self._classes.get((host, place))
        if found is None:
            methods = {
                name: _copied(function) for name, function in vars(KINDS[host]).items()
                if isinstance(function, FunctionType)
            }  # fmt: skip
            found = type(host.__name__, (_BASES[host],), {**methods, **_NAMES})
            self._classes[host, place] = found
        return found

    def stand_in(self, x: Any) -> Any:
        """A prebuilt weak dictionary as an instance of such a class; other objects themselves."""
        if type(x) not in KINDS:
            return x
        if id(x) not in self._known:
            made = self.of(type(x), id(x))()
            self._known[id(x)] = (x, made)
            for key, value in x.items():
                made[key] = value
        return self._known[id(x)][1]


def _copied(function: FunctionType) -> FunctionType:
    copied = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__
    )
    copied.__qualname__ = function.__qualname__
    return copied
