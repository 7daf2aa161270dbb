"""``collections``: ``deque``, ``defaultdict`` and ``Counter``, and a method of ``ChainMap``.

Each place of a program that makes one has a class of its own (``per_site``), whose methods are
copies: there ``__class__`` is that class.
"""

from __future__ import annotations

import collections
import heapq
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import per_site, replaces


@replaces(collections.deque)
@per_site()
class deque:
    """Two lists, of the items in front backwards and of those behind: each end is the end of one.
    When one is empty, half of the other moves there."""

    def __init__(self, iterable: Any = (), maxlen: int | None = None) -> None:
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self._front: list[Any] = []
        self._back: list[Any] = []
        self._limit = -1 if maxlen is None else maxlen
        self._changes = 0
        self._shown = False
        """Is its text being made?"""
        self.extend(iterable)

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        return cls(x, x.maxlen)

    @property
    def maxlen(self) -> int | None:
        return None if self._limit < 0 else self._limit

    def append(self, x: Any, /) -> None:
        self._changes += 1
        self._back.append(x)
        if 0 <= self._limit < len(self):
            self.popleft()

    def appendleft(self, x: Any, /) -> None:
        self._changes += 1
        self._front.append(x)
        if 0 <= self._limit < len(self):
            self.pop()

    def extend(self, iterable: Any, /) -> None:
        if iterable is self:
            for x in list(self):
                self.append(x)
            return
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable: Any, /) -> None:
        if iterable is self:
            for x in list(self):
                self.appendleft(x)
            return
        for x in iterable:
            self.appendleft(x)

    def pop(self) -> Any:
        if not self._back:
            if not self._front:
                raise IndexError("pop from an empty deque")
            count = (len(self._front) + 1) // 2
            self._back = self._front[:count]
            self._back.reverse()
            del self._front[:count]
        self._changes += 1
        return self._back.pop()

    def popleft(self) -> Any:
        if not self._front:
            if not self._back:
                raise IndexError("pop from an empty deque")
            count = (len(self._back) + 1) // 2
            self._front = self._back[:count]
            self._front.reverse()
            del self._back[:count]
        self._changes += 1
        return self._front.pop()

    def clear(self) -> None:
        self._changes += 1
        self._front.clear()
        self._back.clear()

    def copy(self) -> Any:
        return type(self)(self, self.maxlen)

    def __copy__(self) -> Any:
        return self.copy()

    def count(self, x: Any, /) -> int:
        changes = self._changes
        found = list(self).count(x)
        self._check_unchanged(changes)
        return found

    def index(self, x: Any, start: int = 0, stop: int = 0x7FFFFFFFFFFFFFFF, /) -> int:
        size = len(self)
        if start < 0:
            start = max(start + size, 0)
        if stop < 0:
            stop = max(stop + size, 0)
        changes = self._changes
        items = list(self)[start:stop]
        found = x in items
        self._check_unchanged(changes)
        if not found:
            raise ValueError(f"{x!r} is not in deque")
        return start + items.index(x)

    def _check_unchanged(self, changes: int) -> None:
        """Has nothing changed since, in comparisons with items?"""
        if self._changes != changes:
            raise RuntimeError("deque mutated during iteration")

    def insert(self, i: int, x: Any, /) -> None:
        if len(self) == self._limit:
            raise IndexError("deque already at its maximum size")
        size = len(self)
        i = max(i + size, 0) if i < 0 else min(i, size)
        self._changes += 1
        before = len(self._front)
        if i < before:
            self._front.insert(before - i, x)
        elif i == 0:
            self._front.append(x)
        else:
            self._back.insert(i - before, x)

    def remove(self, value: Any, /) -> None:
        changes = self._changes
        items = list(self)
        found = value in items
        if self._changes != changes:
            raise IndexError("deque mutated during remove().")
        if not found:
            raise ValueError(f"{value!r} is not in deque")
        del self[items.index(value)]

    def reverse(self) -> None:
        self._front, self._back = self._back, self._front

    def rotate(self, n: int = 1, /) -> None:
        size = len(self)
        if size < 2:
            return
        n %= size
        if 2 * n <= size:
            for _ in range(n):
                self._front.append(self.pop())
        else:
            for _ in range(size - n):
                self._back.append(self.popleft())

    def _at(self, i: int) -> Any:
        before = len(self._front)
        return self._front[before - 1 - i] if i < before else self._back[i - before]

    def _place(self, i: int) -> int:
        """The number of an item counted from the front.  Raises IndexError."""
        size = len(self)
        if not -size <= i < size:
            raise IndexError("deque index out of range")
        return i + size if i < 0 else i

    def __len__(self) -> int:
        return len(self._front) + len(self._back)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __getitem__(self, i: int, /) -> Any:
        return self._at(self._place(i))

    def __setitem__(self, i: int, x: Any, /) -> None:
        i = self._place(i)
        before = len(self._front)
        if i < before:
            self._front[before - 1 - i] = x
        else:
            self._back[i - before] = x

    def __delitem__(self, i: int, /) -> None:
        i = self._place(i)
        self._changes += 1
        before = len(self._front)
        if i < before:
            del self._front[before - 1 - i]
        else:
            del self._back[i - before]

    def __contains__(self, x: Any, /) -> bool:
        changes = self._changes
        found = x in list(self)
        self._check_unchanged(changes)
        return found

    def __iter__(self) -> Iterator[Any]:
        return self._iterate(len(self), self._changes)

    def _iterate(self, size: int, changes: int) -> Iterator[Any]:
        for i in range(size):
            if self._changes != changes:
                raise RuntimeError("deque mutated during iteration")
            yield self._at(i)
        if self._changes != changes:
            raise RuntimeError("deque mutated during iteration")

    def __reversed__(self) -> Iterator[Any]:
        return self._iterate_back(len(self), self._changes)

    def _iterate_back(self, size: int, changes: int) -> Iterator[Any]:
        while size > 0:
            if self._changes != changes:
                raise RuntimeError("deque mutated during iteration")
            size -= 1
            yield self._at(size)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, __class__):  # type: ignore[name-defined]
            return self is other or list(self) == list(other)
        if isinstance(other, deque):
            return list(self) == list(other)
        return NotImplemented

    def __lt__(self, other: Any) -> Any:
        return list(self) < list(other) if isinstance(other, deque) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return list(self) <= list(other) if isinstance(other, deque) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return list(self) > list(other) if isinstance(other, deque) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return list(self) >= list(other) if isinstance(other, deque) else NotImplemented

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, deque):
            name = type(other).__name__
            raise TypeError(f'can only concatenate deque (not "{name}") to deque')
        found = self.copy()
        found.extend(other)
        return found

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)
        return self

    def __mul__(self, n: int) -> Any:
        found = self.copy()
        found *= n
        return found

    def __rmul__(self, n: int) -> Any:
        return self * n

    def __imul__(self, n: int) -> Any:
        items = list(self)
        if n <= 0:
            self.clear()
        for _ in range(n - 1):
            self.extend(items)
        return self

    def __repr__(self) -> str:
        if self._shown:
            return "[...]"
        self._shown = True
        try:
            items = repr(list(self))
        finally:
            self._shown = False
        name = type(self).__name__
        return f"{name}({items})" if self._limit < 0 else f"{name}({items}, maxlen={self._limit})"


class _Mapping:
    """What a class that extends ``dict`` has, around a dict."""

    def _rpython_new_(self) -> None:
        self._rpython_items_: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self._rpython_items_)

    def __bool__(self) -> bool:
        return len(self._rpython_items_) > 0

    def __contains__(self, key: Any, /) -> bool:
        return key in self._rpython_items_

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rpython_items_)

    def __reversed__(self) -> Any:
        return reversed(self._rpython_items_)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        self._rpython_items_[key] = value

    def __delitem__(self, key: Any, /) -> None:
        del self._rpython_items_[key]

    def keys(self) -> Any:
        return self._rpython_items_.keys()

    def values(self) -> Any:
        return self._rpython_items_.values()

    def items(self) -> Any:
        return self._rpython_items_.items()

    def get(self, key: Any, default: Any = None, /) -> Any:
        return self._rpython_items_.get(key, default)

    def pop(self, key: Any, /, *default: Any) -> Any:
        return self._rpython_items_.pop(key, *default)

    def popitem(self) -> Any:
        return self._rpython_items_.popitem()

    def setdefault(self, key: Any, default: Any = None, /) -> Any:
        return self._rpython_items_.setdefault(key, default)

    def clear(self) -> None:
        self._rpython_items_.clear()

    def __eq__(self, other: object) -> Any:
        if isinstance(other, __class__):  # type: ignore[name-defined]
            return self._rpython_items_ == other._rpython_items_
        return self._rpython_items_ == other


def _of_host(cls: Any, *args: Any) -> Any:
    """An instance that is made while the program is translated."""
    made = object.__new__(cls)
    made._rpython_new_()
    made.__init__(*args)
    return made


@replaces(collections.defaultdict)
@per_site(extends=dict)
class defaultdict(_Mapping):
    """A dict, and what makes the value of a missing key."""

    def __init__(self, default_factory: Any = None, iterable: Any = (), /) -> None:
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        self.default_factory = default_factory
        self.update(iterable)

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        return _of_host(cls, x.default_factory, dict(x))

    def update(self, other: Any = (), /) -> None:
        if isinstance(other, dict | _Mapping):
            for key, value in other.items():
                self._rpython_items_[key] = value
        else:
            for key, value in other:
                self._rpython_items_[key] = value

    def __missing__(self, key: Any, /) -> Any:
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self._rpython_items_[key] = value
        return value

    def __getitem__(self, key: Any, /) -> Any:
        if key in self._rpython_items_:
            return self._rpython_items_[key]
        return self.__missing__(key)

    def copy(self) -> Any:
        return type(self)(self.default_factory, self._rpython_items_)

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        found = self.copy()
        found.update(other)
        return found

    def __ror__(self, other: Any) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        found = type(self)(self.default_factory, other)
        found.update(self)
        return found

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __copy__(self) -> Any:
        return self.copy()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.default_factory!r}, {self._rpython_items_!r})"


@replaces(collections.Counter)
@per_site(extends=dict)
class Counter(_Mapping):
    """How often there is each of some items."""

    def __init__(self, iterable: Any = None, /, **counts: int) -> None:
        if iterable is not None:
            self.update(iterable)
        if counts:
            self.update(counts)

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        return _of_host(cls, dict(x))

    def __missing__(self, key: Any, /) -> int:
        return 0

    def __getitem__(self, key: Any, /) -> Any:
        return self._rpython_items_.get(key, 0)

    def __delitem__(self, key: Any, /) -> None:
        if key in self._rpython_items_:
            del self._rpython_items_[key]

    def update(self, iterable: Any = (), /, **counts: int) -> None:
        if isinstance(iterable, dict | _Mapping):
            for item, count in iterable.items():
                self._rpython_items_[item] = self._rpython_items_.get(item, 0) + count
        else:
            for item in iterable:
                self._rpython_items_[item] = self._rpython_items_.get(item, 0) + 1
        if counts:
            self.update(counts)

    def subtract(self, iterable: Any = (), /, **counts: int) -> None:
        if isinstance(iterable, dict | _Mapping):
            for item, count in iterable.items():
                self._rpython_items_[item] = self._rpython_items_.get(item, 0) - count
        else:
            for item in iterable:
                self._rpython_items_[item] = self._rpython_items_.get(item, 0) - 1
        if counts:
            self.subtract(counts)

    def most_common(self, n: int | None = None) -> Any:
        if n is None:
            return sorted(self._rpython_items_.items(), key=lambda pair: pair[1], reverse=True)
        return heapq.nlargest(n, self._rpython_items_.items(), key=lambda pair: pair[1])

    def elements(self) -> Iterator[Any]:
        for item, count in self._rpython_items_.items():
            for _ in range(count):
                yield item

    def total(self) -> Any:
        return sum(self._rpython_items_.values())

    def copy(self) -> Any:
        return type(self)(self)

    def _plain(self) -> Any:
        """A copy that is of no class of the program."""
        return __class__(self)  # type: ignore[name-defined]

    def __copy__(self) -> Any:
        return self.copy()

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Counter):
            return self._rpython_items_ == other
        return all(self[e] == other[e] for c in (self, other) for e in c)

    def __le__(self, other: Any) -> Any:
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[e] <= other[e] for c in (self, other) for e in c)

    def __lt__(self, other: Any) -> Any:
        return self <= other and self != other

    def __ge__(self, other: Any) -> Any:
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[e] >= other[e] for c in (self, other) for e in c)

    def __gt__(self, other: Any) -> Any:
        return self >= other and self != other

    def __add__(self, other: Any) -> Any:
        found = self._plain()
        found += other
        return found

    def __sub__(self, other: Any) -> Any:
        found = self._plain()
        found -= other
        return found

    def __or__(self, other: Any) -> Any:
        found = self._plain()
        found |= other
        return found

    def __and__(self, other: Any) -> Any:
        found = self._plain()
        found &= other
        return found

    def __pos__(self) -> Any:
        return self._plain()._keep_positive()

    def __neg__(self) -> Any:
        found = __class__()  # type: ignore[name-defined]
        for item, count in self._rpython_items_.items():
            if count < 0:
                found[item] = -count
        return found

    def _keep_positive(self) -> Any:
        for item in [item for item, count in self._rpython_items_.items() if not count > 0]:
            del self._rpython_items_[item]
        return self

    def __iadd__(self, other: Any) -> Any:
        for item, count in other.items():
            self[item] += count
        return self._keep_positive()

    def __isub__(self, other: Any) -> Any:
        for item, count in other.items():
            self[item] -= count
        return self._keep_positive()

    def __ior__(self, other: Any) -> Any:
        for item, count in other.items():
            if count > self[item]:
                self[item] = count
        return self._keep_positive()

    def __iand__(self, other: Any) -> Any:
        for item, count in list(self._rpython_items_.items()):
            if other[item] < count:
                self[item] = other[item]
        return self._keep_positive()

    def __repr__(self) -> str:
        if not self._rpython_items_:
            return type(self).__name__ + "()"
        shown = ", ".join([f"{item!r}: {count!r}" for item, count in self.most_common()])
        return type(self).__name__ + "({" + shown + "})"


@replaces(collections.ChainMap.__len__)
def _length_of_chain(self: Any) -> int:
    """The same without a call that has as many arguments as there are mappings."""
    keys = set()
    for mapping in self.maps:
        keys.update(mapping)
    return len(keys)
