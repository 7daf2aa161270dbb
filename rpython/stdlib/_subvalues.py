"""What classes of programs extend in place of ``str``, ``int``, ``float`` and ``tuple``: a class
around such a value, which never changes.

What CPython's methods give is a plain value, whatever class the operands are of, and so it is here.
Where a value is wanted and an instance is there, the operation takes the value inside of it
(``annotator.conversions``).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from rpython.stdlib._registry import extended_as, per_arguments, per_values, replaces


@per_arguments
def inside(x: Any) -> Any:
    """The value inside of an instance of one of these classes; any other value as it is."""
    return x._rpython_value_ if isinstance(x, ExtendedValue) else x


class ExtendedValue:
    """What all of them have."""

    _rpython_value_: Any

    def __hash__(self) -> int:
        return hash(self._rpython_value_)

    def __repr__(self) -> str:
        return repr(self._rpython_value_)

    def __format__(self, spec: str) -> str:
        return format(self._rpython_value_, spec) if spec else str(self)

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        made = object.__new__(cls)
        host = cls._rpython_per_site_
        (made._rpython_value_,) = host.__getnewargs__(x)
        return made


def _new(host: Any) -> Callable[[type], type]:
    """Give the class the ``__new__`` of the built-in class."""

    def __new__(cls: Any, *args: Any, **keywords: Any) -> Any:
        made = object.__new__(cls)
        made._rpython_value_ = host(*args, **keywords)
        return made

    __new__._annspecialcase_ = "specialize:arg(0)"  # type: ignore[attr-defined]

    def mark(cls: Any) -> type:
        cls.__new__ = staticmethod(__new__)
        replaces(host.__new__)(__new__)
        return cls  # type: ignore[no-any-return]

    return mark


def _forward(names: str, text: str, **scope: Any) -> Callable[[type], type]:
    """Give the class methods of those names; in ``text``, NAME is the name."""

    def mark(cls: type) -> type:
        for name in names.split():
            made: dict[str, Any] = {}
            source = text.replace("NAME", name)
            exec(compile(source, __file__, "exec"), {"inside": inside, **scope}, made)
            (method,) = made.values()
            method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
            method.__module__ = __name__
            setattr(cls, method.__name__, per_arguments(method))
        return cls

    return mark


_METHOD = """
def NAME(self, *args, **keywords):
    return self._rpython_value_.NAME(*args, **keywords)
"""
_BINARY = """
def __NAME__(self, other, /):
    if isinstance(other, KINDS):
        return OPERATION
    return NotImplemented
"""
_COMPARED = "eq == ne != lt < le <= gt > ge >="
_ARITHMETIC = "add + sub - floordiv // mod % truediv / pow **"
_BITS = "and & or | xor ^ lshift << rshift >>"


def _operators(symbols: str, kinds: Any, reflected: bool) -> Callable[[type], type]:
    """Give the class operators on values of those kinds: methods, each with its operator."""
    words = symbols.split()

    def mark(cls: type) -> type:
        for name, symbol in zip(words[::2], words[1::2], strict=True):
            value, other = "self._rpython_value_", "inside(other)"
            ways = [(name, f"{value} {symbol} {other}")]
            if reflected:
                ways.append(("r" + name, f"{other} {symbol} {value}"))
            for method, operation in ways:
                text = _BINARY.replace("OPERATION", operation)
                _forward(method, text, KINDS=kinds)(cls)
        return cls

    return mark


@extended_as(str)
@_new(str)
@_operators(_COMPARED, str, False)
@_operators("add +", str, True)
@_forward(
    "capitalize casefold center count encode endswith expandtabs find format_map index isalnum "
    "isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle "
    "isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex "
    "rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate "
    "upper zfill",
    _METHOD,
)
class StrBase(ExtendedValue):
    def _rpython_str_(self) -> Any:
        """For operations that want a str."""
        return self._rpython_value_

    def __str__(self) -> Any:
        return self._rpython_value_

    def __len__(self) -> int:
        return len(self._rpython_value_)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rpython_value_)

    def __contains__(self, part: Any, /) -> bool:
        return part in self._rpython_value_

    def __getitem__(self, i: Any, /) -> Any:
        return self._rpython_value_[i]

    def __mul__(self, n: Any, /) -> Any:
        return self._rpython_value_ * n

    def __rmul__(self, n: Any, /) -> Any:
        return self._rpython_value_ * n


class _Number(ExtendedValue):
    def _rpython_float_(self) -> float:
        """For operations that want a float."""
        return float(self._rpython_value_)

    def __bool__(self) -> Any:
        return self._rpython_value_ != 0

    def __int__(self) -> int:
        return int(self._rpython_value_)

    def __float__(self) -> float:
        return float(self._rpython_value_)

    def __neg__(self) -> Any:
        return -self._rpython_value_

    def __pos__(self) -> Any:
        return +self._rpython_value_

    def __abs__(self) -> Any:
        return abs(self._rpython_value_)

    @per_arguments
    def __round__(self, *digits: Any) -> Any:
        return round(self._rpython_value_, *digits)

    def __divmod__(self, other: Any, /) -> Any:
        return divmod(self._rpython_value_, inside(other))

    def __rdivmod__(self, other: Any, /) -> Any:
        return divmod(other, self._rpython_value_)


_BOTH = (int, float)


@extended_as(int)
@_new(int)
@_operators(_COMPARED, _BOTH, False)
@_operators(_ARITHMETIC, _BOTH, True)
@_operators("mul *", (*_BOTH, str, bytes, list, tuple), True)
@_operators(_BITS, int, True)
@_forward("bit_length bit_count to_bytes", _METHOD)
class IntBase(_Number):
    def _rpython_int_(self) -> Any:
        """For operations that want an int."""
        return self._rpython_value_

    def __index__(self) -> Any:
        return self._rpython_value_

    def __invert__(self) -> Any:
        return ~self._rpython_value_


@extended_as(float)
@_new(float)
@_operators(_COMPARED, _BOTH, False)
@_operators(_ARITHMETIC + " mul *", _BOTH, True)
@_forward("is_integer hex", _METHOD)
class FloatBase(_Number):
    """What numbers have is all it has."""


@extended_as(tuple)
@_new(tuple)
@_operators(_COMPARED, tuple, False)
@_operators("add +", tuple, True)
@_forward("count index", _METHOD)
class TupleBase(ExtendedValue):
    __class_getitem__: Any = classmethod(types.GenericAlias)

    def __len__(self) -> int:
        return len(self._rpython_value_)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rpython_value_)

    def __contains__(self, x: Any, /) -> bool:
        return x in self._rpython_value_

    @per_values
    def __getitem__(self, i: Any, /) -> Any:
        return self._rpython_value_[i]

    def __mul__(self, n: Any, /) -> Any:
        return self._rpython_value_ * n

    def __rmul__(self, n: Any, /) -> Any:
        return self._rpython_value_ * n
