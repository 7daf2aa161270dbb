"""What classes of programs extend in place of ``list``, ``dict``, ``OrderedDict`` and ``set``: a
class in Python around one of those.

Each class of the program that names one of these among its bases has a copy (``per_site``), so the
items of each are of a kind of their own.  A method works on the container inside, whatever methods
a class below has, as CPython's in C do; what gives a plain container there gives one here.
"""

from __future__ import annotations

import collections
import sys
import types
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import extended_as, per_arguments

_END = 0x7FFFFFFFFFFFFFFF
_AS_DICT = sys.version_info >= (3, 12)
"""Does an ``OrderedDict`` show what a dict does?"""


@per_arguments
def inside(x: Any) -> Any:
    """The container inside of an instance of one of these classes; any other value as it is."""
    return x._rpython_items_ if isinstance(x, Extended) else x


@per_arguments
def is_extended(x: Any) -> bool:
    """Is it of a class that extends a built-in container, in the library or in the program?"""
    return isinstance(x, (Extended, collections.defaultdict, collections.Counter))


@per_arguments
def plain_dict(x: Any) -> Any:
    """A dict as it is, and what ``dict(x)`` takes from an instance of a class that extends it."""
    return dict(x) if is_extended(x) else x


class Extended:
    """What all of them have; the methods of each are those of its own kind."""

    __class_getitem__: Any = classmethod(types.GenericAlias)
    _rpython_items_: Any
    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._rpython_items_)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rpython_items_)

    def __contains__(self, x: Any, /) -> bool:
        return x in self._rpython_items_

    def __repr__(self) -> str:
        return repr(self._rpython_items_)

    def clear(self) -> None:
        self._rpython_items_.clear()

    def copy(self) -> Any:
        return self._rpython_items_.copy()

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        made = object.__new__(cls)
        made._rpython_items_ = cls._rpython_inside_(x)
        return made


@extended_as(list)
class ListBase(Extended):
    def _rpython_new_(self) -> None:
        self._rpython_items_ = []

    @staticmethod
    def _rpython_inside_(x: Any) -> Any:
        return list(list.__iter__(x))

    def __init__(self, iterable: Any = (), /) -> None:
        self._rpython_items_.clear()
        self._rpython_items_.extend(iterable)

    def __getitem__(self, i: Any, /) -> Any:
        return self._rpython_items_[i]

    def __setitem__(self, i: Any, value: Any, /) -> None:
        if isinstance(i, slice):
            self._rpython_items_[i] = list(value)
        else:
            self._rpython_items_[i] = value

    def __delitem__(self, i: Any, /) -> None:
        del self._rpython_items_[i]

    def __reversed__(self) -> Any:
        return reversed(self._rpython_items_)

    def append(self, x: Any, /) -> None:
        self._rpython_items_.append(x)

    @per_arguments
    def extend(self, iterable: Any, /) -> None:
        if iterable is self:
            self._rpython_items_.extend(self._rpython_items_[:])
        else:
            self._rpython_items_.extend(iterable)

    def insert(self, i: int, x: Any, /) -> None:
        self._rpython_items_.insert(i, x)

    def pop(self, i: int = -1, /) -> Any:
        return self._rpython_items_.pop(i)

    def remove(self, x: Any, /) -> None:
        self._rpython_items_.remove(x)

    def index(self, x: Any, start: int = 0, stop: int = _END, /) -> Any:
        return self._rpython_items_.index(x, start, stop)

    def count(self, x: Any, /) -> Any:
        return self._rpython_items_.count(x)

    def reverse(self) -> None:
        self._rpython_items_.reverse()

    @per_arguments
    def sort(self, *, key: Any = None, reverse: Any = False) -> None:
        if key is None:
            self._rpython_items_.sort(reverse=reverse)
        else:
            self._rpython_items_.sort(key=key, reverse=reverse)

    def __add__(self, other: Any, /) -> Any:
        if not isinstance(other, list):
            return NotImplemented
        return self._rpython_items_ + inside(other)

    def __radd__(self, other: Any, /) -> Any:
        return other + self._rpython_items_ if isinstance(other, list) else NotImplemented

    def __iadd__(self, other: Any, /) -> Any:
        if other is self:
            self._rpython_items_.extend(self._rpython_items_[:])
        else:
            self._rpython_items_.extend(other)
        return self

    def __mul__(self, n: Any, /) -> Any:
        return self._rpython_items_ * n

    def __rmul__(self, n: Any, /) -> Any:
        return self._rpython_items_ * n

    def __imul__(self, n: Any, /) -> Any:
        self._rpython_items_ *= n
        return self

    def __eq__(self, other: Any, /) -> Any:
        return self._rpython_items_ == inside(other) if isinstance(other, list) else NotImplemented

    def __ne__(self, other: Any, /) -> Any:
        return self._rpython_items_ != inside(other) if isinstance(other, list) else NotImplemented

    def __lt__(self, other: Any, /) -> Any:
        return self._rpython_items_ < inside(other) if isinstance(other, list) else NotImplemented

    def __le__(self, other: Any, /) -> Any:
        return self._rpython_items_ <= inside(other) if isinstance(other, list) else NotImplemented

    def __gt__(self, other: Any, /) -> Any:
        return self._rpython_items_ > inside(other) if isinstance(other, list) else NotImplemented

    def __ge__(self, other: Any, /) -> Any:
        return self._rpython_items_ >= inside(other) if isinstance(other, list) else NotImplemented


class _Mapping(Extended):
    """What dicts of both kinds have."""

    def __getitem__(self, key: Any, /) -> Any:
        if key in self._rpython_items_:
            return self._rpython_items_[key]
        return self.__missing__(key)

    def __missing__(self, key: Any, /) -> Any:
        raise KeyError(key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        self._rpython_items_[key] = value

    def __delitem__(self, key: Any, /) -> None:
        del self._rpython_items_[key]

    def __reversed__(self) -> Any:
        return reversed(self._rpython_items_)

    def keys(self) -> Any:
        return self._rpython_items_.keys()

    def values(self) -> Any:
        return self._rpython_items_.values()

    def items(self) -> Any:
        return self._rpython_items_.items()

    @per_arguments
    def get(self, key: Any, default: Any = None, /) -> Any:
        return self._rpython_items_.get(key, default)

    @classmethod
    def fromkeys(cls, iterable: Any, value: Any = None, /) -> Any:
        made = cls()
        for key in iterable:
            made[key] = value
        return made

    def __ne__(self, other: Any, /) -> Any:
        return self._rpython_items_ != inside(other) if isinstance(other, dict) else NotImplemented


@extended_as(dict)
class DictBase(_Mapping):
    def _rpython_new_(self) -> None:
        self._rpython_items_ = {}

    @staticmethod
    def _rpython_inside_(x: Any) -> Any:
        return dict(dict.items(x))

    @per_arguments
    def __init__(self, source: Any = (), /, **keywords: Any) -> None:
        self._rpython_items_.update(source, **keywords)

    @per_arguments
    def update(self, source: Any = (), /, **keywords: Any) -> None:
        self._rpython_items_.update(source, **keywords)

    @per_arguments
    def pop(self, key: Any, /, *default: Any) -> Any:
        return self._rpython_items_.pop(key, *default)

    def popitem(self) -> Any:
        return self._rpython_items_.popitem()

    @per_arguments
    def setdefault(self, key: Any, default: Any = None, /) -> Any:
        return self._rpython_items_.setdefault(key, default)

    def __or__(self, other: Any, /) -> Any:
        return self._rpython_items_ | inside(other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any, /) -> Any:
        return other | self._rpython_items_ if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any, /) -> Any:
        self._rpython_items_.update(other)
        return self

    def __eq__(self, other: Any, /) -> Any:
        return self._rpython_items_ == inside(other) if isinstance(other, dict) else NotImplemented


@extended_as(OrderedDict)
class OrderedDictBase(_Mapping):
    """Methods that change it go through those for items, as those of CPython do."""

    _rpython_shown_ = False

    def _rpython_new_(self) -> None:
        self._rpython_items_ = OrderedDict()

    @staticmethod
    def _rpython_inside_(x: Any) -> Any:
        return OrderedDict((key, dict.__getitem__(x, key)) for key in OrderedDict.__iter__(x))

    @per_arguments
    def __init__(self, source: Any = (), /, **keywords: Any) -> None:
        for key, value in OrderedDict(source, **keywords).items():
            self[key] = value

    @per_arguments
    def update(self, source: Any = (), /, **keywords: Any) -> None:
        for key, value in OrderedDict(source, **keywords).items():
            self[key] = value

    def move_to_end(self, key: Any, last: bool = True) -> None:
        self._rpython_items_.move_to_end(key, last)

    @per_arguments
    def pop(self, key: Any, /, *default: Any) -> Any:
        return self._rpython_items_.pop(key, *default)

    def popitem(self, last: bool = True) -> Any:
        return self._rpython_items_.popitem(last)

    @per_arguments
    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key in self:
            return self[key]
        self[key] = default
        return default

    def copy(self) -> Any:
        made = type(self)()
        for key in self:
            made[key] = self[key]
        return made

    def __eq__(self, other: Any, /) -> Any:
        return self._rpython_items_ == inside(other) if isinstance(other, dict) else NotImplemented

    def __repr__(self) -> str:
        name = type(self).__name__
        if len(self._rpython_items_) == 0:
            return name + "()"
        if self._rpython_shown_:
            return "..."
        self._rpython_shown_ = True
        try:
            items = repr(dict(self.items())) if _AS_DICT else repr(list(self.items()))
        finally:
            self._rpython_shown_ = False
        return f"{name}({items})"


@extended_as(set)
class SetBase(Extended):
    _rpython_shown_ = False
    """Is its text being made?"""

    def _rpython_new_(self) -> None:
        self._rpython_items_ = set()

    @staticmethod
    def _rpython_inside_(x: Any) -> Any:
        return set(set.__iter__(x))

    def __init__(self, iterable: Any = (), /) -> None:
        self._rpython_items_.clear()
        self._rpython_items_.update(iterable)

    def __repr__(self) -> str:
        name = type(self).__name__
        if self._rpython_shown_:
            return name + "(...)"
        if len(self._rpython_items_) == 0:
            return name + "()"
        self._rpython_shown_ = True
        try:
            items = repr(self._rpython_items_)
        finally:
            self._rpython_shown_ = False
        return f"{name}({items})"

    def add(self, x: Any, /) -> None:
        self._rpython_items_.add(x)

    def discard(self, x: Any, /) -> None:
        self._rpython_items_.discard(x)

    def remove(self, x: Any, /) -> None:
        self._rpython_items_.remove(x)

    def pop(self) -> Any:
        return self._rpython_items_.pop()

    @per_arguments
    def update(self, *others: Any) -> None:
        self._rpython_items_.update(*others)

    @per_arguments
    def union(self, *others: Any) -> Any:
        return self._rpython_items_.union(*others)

    @per_arguments
    def intersection(self, *others: Any) -> Any:
        return self._rpython_items_.intersection(*others)

    @per_arguments
    def difference(self, *others: Any) -> Any:
        return self._rpython_items_.difference(*others)

    @per_arguments
    def intersection_update(self, *others: Any) -> None:
        self._rpython_items_.intersection_update(*others)

    @per_arguments
    def difference_update(self, *others: Any) -> None:
        self._rpython_items_.difference_update(*others)

    @per_arguments
    def symmetric_difference(self, other: Any, /) -> Any:
        return self._rpython_items_.symmetric_difference(other)

    @per_arguments
    def symmetric_difference_update(self, other: Any, /) -> None:
        self._rpython_items_.symmetric_difference_update(other)

    @per_arguments
    def isdisjoint(self, other: Any, /) -> Any:
        return self._rpython_items_.isdisjoint(other)

    @per_arguments
    def issubset(self, other: Any, /) -> Any:
        return self._rpython_items_.issubset(other)

    @per_arguments
    def issuperset(self, other: Any, /) -> Any:
        return self._rpython_items_.issuperset(other)

    def __or__(self, other: Any, /) -> Any:
        return self._rpython_items_ | inside(other) if _is_set(other) else NotImplemented

    def __and__(self, other: Any, /) -> Any:
        return self._rpython_items_ & inside(other) if _is_set(other) else NotImplemented

    def __sub__(self, other: Any, /) -> Any:
        return self._rpython_items_ - inside(other) if _is_set(other) else NotImplemented

    def __xor__(self, other: Any, /) -> Any:
        return self._rpython_items_ ^ inside(other) if _is_set(other) else NotImplemented

    def __ror__(self, other: Any, /) -> Any:
        return other | self._rpython_items_ if _is_set(other) else NotImplemented

    def __rand__(self, other: Any, /) -> Any:
        return other & self._rpython_items_ if _is_set(other) else NotImplemented

    def __rsub__(self, other: Any, /) -> Any:
        return other - self._rpython_items_ if _is_set(other) else NotImplemented

    def __rxor__(self, other: Any, /) -> Any:
        return other ^ self._rpython_items_ if _is_set(other) else NotImplemented

    def __ior__(self, other: Any, /) -> Any:
        self._rpython_items_ |= inside(other)
        return self

    def __iand__(self, other: Any, /) -> Any:
        self._rpython_items_ &= inside(other)
        return self

    def __isub__(self, other: Any, /) -> Any:
        self._rpython_items_ -= inside(other)
        return self

    def __ixor__(self, other: Any, /) -> Any:
        self._rpython_items_ ^= inside(other)
        return self

    def __eq__(self, other: Any, /) -> Any:
        return self._rpython_items_ == inside(other) if _is_set(other) else NotImplemented

    def __ne__(self, other: Any, /) -> Any:
        return self._rpython_items_ != inside(other) if _is_set(other) else NotImplemented

    def __lt__(self, other: Any, /) -> Any:
        return self._rpython_items_ < inside(other) if _is_set(other) else NotImplemented

    def __le__(self, other: Any, /) -> Any:
        return self._rpython_items_ <= inside(other) if _is_set(other) else NotImplemented

    def __gt__(self, other: Any, /) -> Any:
        return self._rpython_items_ > inside(other) if _is_set(other) else NotImplemented

    def __ge__(self, other: Any, /) -> Any:
        return self._rpython_items_ >= inside(other) if _is_set(other) else NotImplemented


@per_arguments
def _is_set(x: Any) -> bool:
    return isinstance(x, set | frozenset)

