"""What views of lists have for Python: code that runs inside of an extension module, behind that of
``hostside``, where a module has such views.

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


def add_list_methods(members: dict[str, Any]) -> None:
    """Put what lists have into the dict of a class of views."""
    for name, value in vars(_ListMethods).items():
        if name not in ("__dict__", "__weakref__", "__doc__", "__module__"):
            members[name] = value
    for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
        members[name] = _compared(name)


def register_view(cls: type) -> None:
    collections.abc.MutableSequence.register(cls)
