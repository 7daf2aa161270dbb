"""``array``: arrays of numbers, whose type code is known when the program is translated.

There is a class for each type code.  The items lie in a list; that they fit the type code is
tested where they come in.
"""

from __future__ import annotations

import array as host
import functools
import operator
import struct
from collections.abc import Callable, Iterator
from typing import Any

from rpython.rlib.rarithmetic import r_singlefloat
from rpython.stdlib._registry import (
    Refused,
    at_translation,
    converts,
    per_arguments,
    replaces,
)
from rpython.stdlib._seen import HOST

_FORMATS = {code: code for code in "bBhHiIqQfd"} | {"l": "q", "L": "Q"}
"""What ``struct`` calls what the arrays of a type code hold."""

_IN_WORDS = {
    "b": "signed char", "B": "unsigned byte integer", "h": "signed short integer",
    "H": "unsigned short", "i": "signed integer", "I": "unsigned int",
}  # fmt: skip

_NEGATIVE = {
    "I": "can't convert negative value to unsigned int",
    "L": "can't convert negative value to unsigned int",
    "Q": "can't convert negative int to unsigned",
}

_FIRST = {"b": "h", "H": "i"}
"""The type codes whose items CPython reads as larger numbers first, and which."""


def _range(code: str) -> tuple[int, int]:
    """The least and the greatest item, as far as an int can be."""
    bits = 8 * struct.calcsize(_FORMATS[code])
    if code.islower():
        return -(1 << bits - 1), (1 << bits - 1) - 1
    return 0, min(1 << bits, 1 << 63) - 1


def _integers(code: str) -> Callable[[Any], int]:
    """The function that makes items of an integer type code."""
    low, high = _range(code)
    first = _FIRST.get(code, code)
    first_low, first_high = _range(first)

    @per_arguments
    def item(x: Any) -> int:
        number = operator.index(x)
        if not low <= number <= high:
            name = code if first_low <= number <= first_high else first
            if number > 0:
                raise OverflowError(f"{_IN_WORDS[name]} is greater than maximum")
            if name in _NEGATIVE:
                raise OverflowError(_NEGATIVE[name])
            raise OverflowError(f"{_IN_WORDS[name]} is less than minimum")
        return number

    return item


def _floats(code: str) -> Callable[[Any], float]:
    """The function that makes items of a floating-point type code."""

    @per_arguments
    def item(x: Any) -> float:
        if isinstance(x, str | bytes):
            raise TypeError(f"must be real number, not {type(x).__name__}")
        if code == "f":
            return float(r_singlefloat(float(x)))
        return float(x)

    return item


class _Array:
    """The base of all arrays."""

    typecode = ""
    _rpython_buffer_ = True

    def _text(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._text()


class _Integers(_Array):
    """Those of ints."""

    def _integers(self) -> list[int]:
        raise NotImplementedError


class _Floats(_Array):
    """Those of floats."""

    def _floats(self) -> list[float]:
        raise NotImplementedError


@per_arguments
def _difference(a: Any, b: Any) -> int:
    """The place of the first items that differ, or -1."""
    for i in range(min(len(a), len(b))):
        if a[i] != b[i]:
            return i
    return -1


@per_arguments
def _equal(a: Any, b: Any) -> bool:
    return len(a) == len(b) and _difference(a, b) < 0


@per_arguments
def _less(a: Any, b: Any, or_equal: bool) -> bool:
    i = _difference(a, b)
    if i < 0:
        return len(a) <= len(b) if or_equal else len(a) < len(b)
    return bool(a[i] <= b[i] if or_equal else a[i] < b[i])


@functools.cache
def _array_class(code: str) -> Any:
    base: Any = _Floats if code in "fd" else _Integers
    item: Any = _floats(code) if code in "fd" else _integers(code)
    form = struct.Struct("<" + _FORMATS[code])
    size = form.size

    class array(base):  # type: ignore[misc]
        typecode = code
        itemsize = size

        @per_arguments
        def __init__(self, initializer: Any = ()) -> None:
            self._items: list[Any] = []
            if isinstance(initializer, str):
                raise TypeError(f"cannot use a str to initialize an array with typecode {code!r}")
            if isinstance(initializer, bytes | bytearray):
                self.frombytes(initializer)
            else:
                for x in initializer:
                    self._items.append(item(x))

        def _integers(self) -> Any:
            return self._items

        def _floats(self) -> Any:
            return self._items

        def _made(self, items: list[Any]) -> Any:
            new = array()
            new._items = items
            return new

        def __len__(self) -> int:
            return len(self._items)

        def __bool__(self) -> bool:
            return len(self._items) > 0

        def __iter__(self) -> Iterator[Any]:
            return iter(self._items)

        def __reversed__(self) -> Iterator[Any]:
            i = len(self._items) - 1
            while 0 <= i < len(self._items):
                yield self._items[i]
                i -= 1

        @per_arguments
        def __contains__(self, x: Any, /) -> bool:
            return self._find(x, 0, len(self._items)) >= 0

        @per_arguments
        def __getitem__(self, i: Any, /) -> Any:
            if isinstance(i, slice):
                return self._made(self._items[i])
            if not -len(self._items) <= i < len(self._items):
                raise IndexError("array index out of range")
            return self._items[i]

        @per_arguments
        def __setitem__(self, i: Any, x: Any, /) -> None:
            if isinstance(i, slice):
                if not isinstance(x, array):
                    self._refuse(x, "assign array", "to array slice")
                else:
                    try:
                        self._items[i] = x._items
                    except ValueError as error:
                        raise ValueError(str(error).replace("sequence", "array")) from None
            else:
                self._check(i)
                self._items[i] = item(x)

        @per_arguments
        def __delitem__(self, i: Any, /) -> None:
            if not isinstance(i, slice):
                self._check(i)
            del self._items[i]

        def _check(self, i: int) -> None:
            if not -len(self._items) <= i < len(self._items):
                raise IndexError("array assignment index out of range")

        @per_arguments
        def _refuse(self, other: Any, what: str, to: str) -> None:
            if isinstance(other, _Array):
                raise TypeError("bad argument type for built-in operation")
            raise TypeError(f'can only {what} (not "{type(other).__name__}") {to}')

        @per_arguments
        def __eq__(self, other: Any) -> Any:
            if isinstance(other, _Integers):
                return _equal(self._items, other._integers())
            if isinstance(other, _Floats):
                return _equal(self._items, other._floats())
            return NotImplemented

        @per_arguments
        def __lt__(self, other: Any) -> Any:
            if isinstance(other, _Integers):
                return _less(self._items, other._integers(), False)
            if isinstance(other, _Floats):
                return _less(self._items, other._floats(), False)
            return NotImplemented

        @per_arguments
        def __le__(self, other: Any) -> Any:
            if isinstance(other, _Integers):
                return _less(self._items, other._integers(), True)
            if isinstance(other, _Floats):
                return _less(self._items, other._floats(), True)
            return NotImplemented

        __hash__ = None  # type: ignore[assignment]

        @per_arguments
        def __add__(self, other: Any) -> Any:
            if not isinstance(other, array):
                self._refuse(other, "append array", "to array")
            return self._made(self._items + other._items)

        @per_arguments
        def __iadd__(self, other: Any) -> Any:
            if not isinstance(other, _Array):
                raise TypeError(f'can only extend with array (not "{type(other).__name__}")')
            self.extend(other)
            return self

        def __mul__(self, n: int) -> Any:
            return self._made(self._items * n)

        def __rmul__(self, n: int) -> Any:
            return self._made(self._items * n)

        def __imul__(self, n: int) -> Any:
            self._items *= n
            return self

        @per_arguments
        def append(self, x: Any, /) -> None:
            self._items.append(item(x))

        @per_arguments
        def extend(self, iterable: Any, /) -> None:
            if isinstance(iterable, _Array):
                if not isinstance(iterable, array):
                    raise TypeError("can only extend with array of same kind")
                self._items.extend(iterable._items)
            else:
                for x in iterable:
                    self._items.append(item(x))

        @per_arguments
        def fromlist(self, items: Any, /) -> None:
            if not isinstance(items, list):
                raise TypeError("arg must be list")
            self._items.extend([item(x) for x in items])

        @per_arguments
        def insert(self, i: int, x: Any, /) -> None:
            self._items.insert(i, item(x))

        def pop(self, i: int = -1, /) -> Any:
            if not self._items:
                raise IndexError("pop from empty array")
            if not -len(self._items) <= i < len(self._items):
                raise IndexError("pop index out of range")
            return self._items.pop(i)

        @per_arguments
        def _find(self, x: Any, start: int, stop: int) -> int:
            for i in range(start, stop):
                if i < len(self._items) and self._items[i] == x:
                    return i
            return -1

        @per_arguments
        def index(self, x: Any, start: int = 0, stop: int = 0x7FFFFFFFFFFFFFFF, /) -> int:
            size = len(self._items)
            start = max(start + size, 0) if start < 0 else start
            stop = max(stop + size, 0) if stop < 0 else min(stop, size)
            found = self._find(x, start, stop)
            if found < 0:
                raise ValueError("array.index(x): x not in array")
            return found

        @per_arguments
        def remove(self, x: Any, /) -> None:
            found = self._find(x, 0, len(self._items))
            if found < 0:
                raise ValueError("array.remove(x): x not in array")
            del self._items[found]

        @per_arguments
        def count(self, x: Any, /) -> int:
            found = 0
            for y in self._items:
                if y == x:
                    found += 1
            return found

        def reverse(self) -> None:
            self._items.reverse()

        def tolist(self) -> Any:
            return list(self._items)

        def tobytes(self) -> bytes:
            return b"".join([form.pack(x) for x in self._items])

        def __bytes__(self) -> bytes:
            return self.tobytes()

        @per_arguments
        def frombytes(self, data: Any, /) -> None:
            if len(data) % size:
                raise ValueError("bytes length not a multiple of item size")
            for i in range(0, len(data), size):
                self._items.append(form.unpack(data[i : i + size])[0])

        def tofile(self, f: Any, /) -> None:
            f.write(self.tobytes())

        def fromfile(self, f: Any, n: int, /) -> None:
            data = f.read(n * size)
            missing = len(data) != n * size
            self.frombytes(data)
            if missing:
                raise EOFError("read() didn't return enough bytes")

        def byteswap(self) -> None:
            for i in range(len(self._items)):
                self._items[i] = form.unpack(form.pack(self._items[i])[::-1])[0]

        def __copy__(self) -> Any:
            return self._made(list(self._items))

        def _text(self) -> str:
            return f"array({code!r}, {self._items!r})" if self._items else f"array({code!r})"

    array.__module__ = array.__qualname__ = "array"
    setattr(array, HOST, host.array)
    return array


@functools.cache
def _maker(code: str) -> Any:
    cls = _array_class(code)

    @per_arguments
    def make(initializer: Any = ()) -> Any:
        return cls(initializer)

    return make


@replaces(host.array)
@at_translation("_typecode _initializer", "_typecode", what="the type code of an array")
def array(_typecode: Any) -> Any:
    if not isinstance(_typecode, str) or _typecode not in _FORMATS:
        codes = ", ".join(_FORMATS)
        raise Refused(f"arrays of type code {_typecode!r} are not supported; there are {codes}")
    return _maker(_typecode)


@converts(host.array)
def array_for(x: Any) -> Any:
    return _array_class(x.typecode)(x)
