"""What views of containers have for Python: code that runs inside of an extension module,
behind that of ``hostside``, where a module has such views.

Native code has a few methods for each kind of list (``views``); what is here is made of them.
"""

from __future__ import annotations

import collections.abc
import operator
from collections.abc import Iterable, Iterator
from typing import Any


class _ListMethods:
    """The members of the class of a view.  Items are compared and sorted in a copy."""

    def __len__(self: Any) -> int:
        length: int = self._native_length()
        return length

    def __getitem__(self: Any, index: Any) -> Any:
        if isinstance(index, slice):
            return self._native_copy()[index]
        return self._native_get(_index(index))

    def __setitem__(self: Any, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            items = self._native_copy()
            items[index] = value
            self._native_replace(items)
        else:
            self._native_put(_index(index), value)

    def __delitem__(self: Any, index: Any) -> None:
        if isinstance(index, slice):
            items = self._native_copy()
            del items[index]
            self._native_replace(items)
        else:
            self._native_delete(_index(index))

    def __iter__(self: Any) -> Iterator[Any]:
        i = 0
        while i < self._native_length():
            yield self._native_get(i)
            i += 1

    def __reversed__(self: Any) -> Iterator[Any]:
        i = self._native_length() - 1
        while 0 <= i < self._native_length():
            yield self._native_get(i)
            i -= 1

    def __contains__(self: Any, value: Any) -> bool:
        return value in self._native_copy()

    def append(self: Any, value: Any) -> None:
        self._native_insert(self._native_length(), value)

    def insert(self: Any, index: Any, value: Any) -> None:
        self._native_insert(operator.index(index), value)

    def extend(self: Any, values: Iterable[Any]) -> None:
        items = self._native_copy()
        items.extend(values)
        self._native_replace(items)

    def pop(self: Any, index: Any = -1) -> Any:
        length, index = self._native_length(), operator.index(index)
        if length == 0:
            raise IndexError("pop from empty list")
        if not -length <= index < length:
            raise IndexError("pop index out of range")
        value = self._native_get(index)
        self._native_delete(index)
        return value

    def remove(self: Any, value: Any) -> None:
        items = self._native_copy()
        if value not in items:
            raise ValueError("list.remove(x): x not in list")
        self._native_delete(items.index(value))

    def clear(self: Any) -> None:
        self._native_replace([])

    def reverse(self: Any) -> None:
        self._native_replace(self._native_copy()[::-1])

    def sort(self: Any, *, key: Any = None, reverse: Any = False) -> None:
        self._native_replace(sorted(self._native_copy(), key=key, reverse=reverse))

    def copy(self: Any) -> Any:
        return self._native_copy()

    def count(self: Any, value: Any) -> int:
        number: int = self._native_copy().count(value)
        return number

    def index(self: Any, value: Any, *bounds: Any) -> int:
        place: int = self._native_copy().index(value, *bounds)
        return place

    def __add__(self: Any, other: Any) -> Any:
        return self._native_copy() + _plain(other)

    def __radd__(self: Any, other: Any) -> Any:
        return other + self._native_copy()

    def __iadd__(self: Any, values: Any) -> Any:
        self.extend(values)
        return self

    def __mul__(self: Any, times: Any) -> Any:
        return self._native_copy() * times

    __rmul__ = __mul__

    def __imul__(self: Any, times: Any) -> Any:
        self._native_replace(self._native_copy() * times)
        return self

    def __repr__(self: Any) -> str:
        return repr(self._native_copy())

    def __copy__(self: Any) -> Any:
        return self._native_copy()

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return list, (self._native_copy(),)

    __hash__ = None  # type: ignore[assignment]


class _DictMethods:
    """The same of a dict.  A key that native code does not take may still be equal to one (1.0 is
    to 1), so that it is looked for in a copy."""

    def __len__(self: Any) -> int:
        length: int = self._native_length()
        return length

    def __getitem__(self: Any, key: Any) -> Any:
        try:
            return self._native_get(key)
        except (TypeError, OverflowError):
            return self._native_copy()[key]

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        self._native_put(key, value)

    def __delitem__(self: Any, key: Any) -> None:
        try:
            self._native_delete(key)
        except (TypeError, OverflowError):
            items = self._native_copy()
            del items[key]
            self._native_replace(items)

    def __contains__(self: Any, key: Any) -> bool:
        try:
            return bool(self._native_has(key))
        except (TypeError, OverflowError):
            return key in self._native_copy()

    def __iter__(self: Any) -> Iterator[Any]:
        return _keys(self, [*self._native_copy()])

    def __reversed__(self: Any) -> Iterator[Any]:
        return _keys(self, [*reversed(self._native_copy())])

    def keys(self: Any) -> Any:
        return _Keys(self)

    def values(self: Any) -> Any:
        return _Values(self)

    def items(self: Any) -> Any:
        return _Items(self)

    def get(self: Any, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def pop(self: Any, key: Any, *default: Any) -> Any:
        if key not in self and default:
            (value,) = default
            return value
        value = self[key]
        del self[key]
        return value

    def popitem(self: Any) -> Any:
        items = self._native_copy()
        key, value = items.popitem()
        del self[key]
        return key, value

    def setdefault(self: Any, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self: Any, *values: Any, **more: Any) -> None:
        items = self._native_copy()
        items.update(*map(_plain, values), **more)
        self._native_replace(items)

    def clear(self: Any) -> None:
        self._native_replace({})

    def copy(self: Any) -> Any:
        return self._native_copy()

    def __or__(self: Any, other: Any) -> Any:
        other = _plain(other)
        return self._native_copy() | other if isinstance(other, dict) else NotImplemented

    def __ror__(self: Any, other: Any) -> Any:
        return other | self._native_copy() if isinstance(other, dict) else NotImplemented

    def __ior__(self: Any, other: Any) -> Any:
        self.update(other)
        return self

    def __eq__(self: Any, other: Any) -> Any:
        other = _plain(other)
        return self._native_copy() == other if isinstance(other, dict) else NotImplemented

    def __repr__(self: Any) -> str:
        return repr(self._native_copy())

    def __copy__(self: Any) -> Any:
        return self._native_copy()

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return dict, (self._native_copy(),)

    __hash__ = None  # type: ignore[assignment]


def _keys(view: Any, keys: list[Any]) -> Iterator[Any]:
    for key in keys:
        if view._native_length() != len(keys):
            raise RuntimeError("dictionary changed size during iteration")
        yield key


class _SetMethods:
    """The same of a set."""

    def __len__(self: Any) -> int:
        length: int = self._native_length()
        return length

    def __contains__(self: Any, value: Any) -> bool:
        try:
            return bool(self._native_has(value))
        except (TypeError, OverflowError):
            return value in self._native_copy()

    def __iter__(self: Any) -> Iterator[Any]:
        items = [*self._native_copy()]
        for item in items:
            if self._native_length() != len(items):
                raise RuntimeError("Set changed size during iteration")
            yield item

    def add(self: Any, value: Any) -> None:
        self._native_add(value)

    def discard(self: Any, value: Any) -> None:
        if value in self:  # perhaps as 1.0, where native code has 1
            self._native_discard(next(each for each in self._native_copy() if each == value))

    def remove(self: Any, value: Any) -> None:
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self: Any) -> Any:
        value = self._native_copy().pop()
        self._native_discard(value)
        return value

    def clear(self: Any) -> None:
        self._native_replace(set())

    def copy(self: Any) -> Any:
        return self._native_copy()

    def __repr__(self: Any) -> str:
        return repr(self._native_copy())

    def __copy__(self: Any) -> Any:
        return self._native_copy()

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return set, (self._native_copy(),)

    __hash__ = None  # type: ignore[assignment]


_SET_READING = (
    "union intersection difference symmetric_difference isdisjoint issubset issuperset"
).split()
_SET_CHANGING = (
    "update intersection_update difference_update symmetric_difference_update"
).split()
_SET_OPERATORS = ("and", "or", "sub", "xor")


def _reading(name: str) -> Any:
    def method(self: Any, *others: Any) -> Any:
        return getattr(self._native_copy(), name)(*map(_plain, others))

    return method


def _changing(name: str) -> Any:
    def method(self: Any, *others: Any) -> None:
        items = self._native_copy()
        getattr(items, name)(*map(_plain, others))
        self._native_replace(items)

    return method


def _set_operator(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        return getattr(self._native_copy(), name)(_plain(other))

    return method


def _in_place(name: str) -> Any:
    def method(self: Any, other: Any) -> Any:
        items = getattr(self._native_copy(), name)(_plain(other))
        if items is NotImplemented:
            return items
        self._native_replace(items)
        return self

    return method


def _set_members() -> dict[str, Any]:
    found = {name: _reading(name) for name in _SET_READING}
    found |= {name: _changing(name) for name in _SET_CHANGING}
    for name in _SET_OPERATORS:
        found[f"__{name}__"] = _set_operator(f"__{name}__")
        found[f"__r{name}__"] = _set_operator(f"__r{name}__")
        found[f"__i{name}__"] = _in_place(f"__i{name}__")
    return found | {name: _set_operator(name) for name in _COMPARISONS}


class _Keys(collections.abc.KeysView[Any]):
    def __repr__(self) -> str:
        return f"dict_keys({[*self]!r})"


class _Values(collections.abc.ValuesView[Any]):
    def __repr__(self) -> str:
        return f"dict_values({[*self]!r})"


class _Items(collections.abc.ItemsView[Any, Any]):
    def __repr__(self) -> str:
        return f"dict_items({[*self]!r})"


def _compared(name: str) -> Any:
    compare = getattr(operator, name)

    def method(self: Any, other: Any) -> Any:
        other = _plain(other)
        return compare(self._native_copy(), other) if isinstance(other, list) else NotImplemented

    method.__name__ = name
    return method


def _index(index: Any) -> int:
    if not hasattr(index, "__index__"):
        raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}")
    return operator.index(index)


def _plain(value: Any) -> Any:
    """A view as a list, another value as it is."""
    return value._native_copy() if hasattr(type(value), "_native_copy") else value


_NOT_TAKEN = ("__dict__", "__weakref__", "__doc__", "__module__")
_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_KINDS: dict[str, tuple[Any, Any]] = {
    "list_view": (_ListMethods, collections.abc.MutableSequence),
    "dict_view": (_DictMethods, collections.abc.MutableMapping),
    "set_view": (_SetMethods, collections.abc.MutableSet),
}


def add_view_methods(members: dict[str, Any], kind: str) -> None:
    """Put what lists (dicts, sets) have into the dict of a class of views."""
    found = vars(_KINDS[kind][0])
    members.update({name: found[name] for name in found if name not in _NOT_TAKEN})
    if kind == "list_view":
        members.update({name: _compared(name) for name in _COMPARISONS})
    elif kind == "set_view":
        members.update(_set_members())


def register_view(cls: type) -> None:
    _KINDS[cls.__name__][1].register(cls)
