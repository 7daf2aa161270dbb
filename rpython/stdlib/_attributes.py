"""``x.__dict__`` and ``vars(x)`` in Python: an object that reads and assigns the attributes of
``x`` whenever it is asked, so that it is never behind what they are.

    x.__dict__["a"]         if "a" is set: x.a
    for name in vars(x)     the attributes that are set, in the order in which they were

The attributes that ``x`` may have are known for each class (``Shapes``); when each was set, the
instance counts (``attribute_order``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from rpython.rlib.unroll import unrolling_iterable
from rpython.stdlib._registry import per_arguments, per_site, per_values, refused
from rpython.stdlib._subclasses import _Mapping, inside

Shapes = tuple[tuple[type, tuple[str, ...]], ...]
"""The names of the attributes by class, the most special classes first."""

PLAINLY = "_rpython_plainly_"
"""The mark of functions in which attributes are looked up without ``__getattr__``."""

_CHANGED = "dictionary changed size during iteration"
_LATER = "is not supported: assign the attributes by name"


def plainly(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: attributes are looked up without ``__getattr__``."""
    vars(function)[PLAINLY] = True
    return per_arguments(function)


def reserve_attribute(x: Any, name: str) -> None:
    """The attribute will be set; its place among the others is here."""


def attribute_order(x: Any, name: str) -> int:
    """How many attributes had been set when this one was, itself included; 0: it is not set."""
    names = list(vars(x))
    return 1 + names.index(name) if name in names else 0


def attribute_names(x: Any) -> list[str]:
    """The names of the attributes that are set, in the order in which they were."""
    return list(vars(x))


def attribute_value(x: Any, key: Any) -> Any:
    """``x.__dict__[key]``"""
    return vars(x)[key]


def set_attribute(x: Any, name: str, value: Any) -> None:
    """``x.__dict__[name] = value``, whatever the class has under the name."""
    vars(x)[name] = value


def set_attributes(x: Any, values: Any) -> None:
    """``x.__dict__.update(values)``, of keyword arguments."""
    vars(x).update(values)


@cache
def names_of(shapes: Shapes) -> Callable[[Any], list[str]]:
    """What ``attribute_names`` is for instances of these classes."""
    steps = unrolling_iterable((cls, unrolling_iterable(names)) for cls, names in shapes)

    @plainly
    def names(x: Any, /) -> list[str]:
        found: list[tuple[int, str]] = []
        for cls, known in steps:
            if isinstance(x, cls):
                for name in known:
                    order = attribute_order(x, name)
                    if order:
                        found.append((order, name))
                break
        found.sort()
        return [name for _, name in found]

    return names


@cache
def value_of(shapes: Shapes) -> Callable[[Any, str], Any]:
    """What ``attribute_value`` is for instances of these classes."""
    steps = unrolling_iterable((cls, unrolling_iterable(names)) for cls, names in shapes)

    @plainly
    def value(x: Any, key: Any, /) -> Any:
        for cls, known in steps:
            if isinstance(x, cls):
                for name in known:
                    if key == name and attribute_order(x, name):
                        return getattr(x, name)
                break
        raise KeyError(key)

    return value


@cache
def setter_of(names: tuple[str, ...]) -> Callable[[Any, Any], None]:
    """What ``set_attributes`` is for keyword arguments of these names."""
    lines = "".join(f"    set_attribute(x, {name!r}, values[{name!r}])\n" for name in names)
    scope: dict[str, Any] = {"set_attribute": set_attribute}
    exec(compile(f"def assign(x, values, /):\n{lines}    return None\n", __file__, "exec"), scope)
    assign: Callable[[Any, Any], None] = per_arguments(scope["assign"])
    return assign


@per_arguments
def dict_of(x: Any, /) -> Any:
    """``x.__dict__``"""
    return AttributeDict(x)


class _View:
    def __init__(self, attributes: Any) -> None:
        self._rpython_of_ = attributes

    def __len__(self) -> int:
        return len(self._rpython_of_)

    @refused(f"comparing what vars(x) holds {_LATER}")
    def __eq__(self, other: object, /) -> bool:
        raise AssertionError

    __hash__ = None  # type: ignore[assignment]


@per_site()
class Values(_View):
    def __iter__(self) -> Iterator[Any]:
        attributes = self._rpython_of_
        for name in attributes:
            yield attributes[name]

    def __repr__(self) -> str:
        return f"dict_values({list(self)!r})"


@per_site()
class Items(_View):
    def __iter__(self) -> Iterator[Any]:
        attributes = self._rpython_of_
        for name in attributes:
            yield name, attributes[name]

    def __repr__(self) -> str:
        return f"dict_items({list(self)!r})"


@per_site(extends=dict)
class AttributeDict(_Mapping):
    def __init__(self, of: Any) -> None:
        self._rpython_of_ = of

    @property
    def _rpython_items_(self) -> Any:
        return {name: attribute_value(self._rpython_of_, name) for name in self}

    def __len__(self) -> int:
        return len(attribute_names(self._rpython_of_))

    def __iter__(self) -> Iterator[str]:
        names = attribute_names(self._rpython_of_)
        for name in names:
            yield name
            if len(self) != len(names):
                raise RuntimeError(_CHANGED)

    def __contains__(self, key: Any, /) -> bool:
        return key in attribute_names(self._rpython_of_)

    @per_values
    def __getitem__(self, key: Any, /) -> Any:
        return attribute_value(self._rpython_of_, key)

    @per_values
    def __setitem__(self, key: Any, value: Any, /) -> None:
        set_attribute(self._rpython_of_, key, value)

    @per_values
    def get(self, key: Any, default: Any = None, /) -> Any:
        try:
            return attribute_value(self._rpython_of_, key)
        except KeyError:
            return default

    @per_arguments
    def update(self, *sources: Any, **keywords: Any) -> None:
        if len(sources) > 1:
            raise TypeError(f"update expected at most 1 argument, got {len(sources)}")
        if sources:
            set_attributes(self._rpython_of_, sources[0])
        set_attributes(self._rpython_of_, keywords)

    def items(self) -> Any:
        return Items(self)

    def values(self) -> Any:
        return Values(self)

    def __eq__(self, other: Any, /) -> Any:
        return self._rpython_items_ == inside(other) if isinstance(other, dict) else NotImplemented

    def __or__(self, other: Any, /) -> Any:
        return self._rpython_items_ | inside(other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any, /) -> Any:
        return other | self._rpython_items_ if isinstance(other, dict) else NotImplemented

    @refused(f"clear() of vars(x) {_LATER}")
    def clear(self) -> None:
        raise AssertionError

    @refused(f"deleting from vars(x) {_LATER}")
    def __delitem__(self, key: Any, /) -> None:
        raise AssertionError

    @refused(f"pop() of vars(x) {_LATER}")
    def pop(self, key: Any, /, *default: Any) -> Any:
        raise AssertionError

    @refused(f"setdefault() of vars(x) {_LATER}")
    def setdefault(self, key: Any, default: Any = None, /) -> Any:
        raise AssertionError
