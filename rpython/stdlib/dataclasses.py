"""``asdict``, ``astuple``, ``replace`` and ``fields`` of data classes, and ``_asdict`` of named
tuples: a function for each class, which names its fields."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from rpython.rlib.unroll import unrolling_iterable
from rpython.stdlib._registry import Refused, converts, per_arguments, refused
from rpython.stdlib._subclasses import Extended


@refused("a defaultdict or a Counter in a field, of which asdict() and astuple() make no copy")
def _of_collections(value: Any) -> Any:
    return value


def _copier(whole: Callable[[Any], Any]) -> Any:
    """How a field of a data class is copied by ``whole``, one of ``asdict`` and ``astuple``."""

    @per_arguments
    def copied(value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float | str | bytes):
            return value
        if isinstance(value, collections.defaultdict | collections.Counter):
            return _of_collections(value)
        if isinstance(value, Extended):
            if isinstance(value, list):
                return type(value)([copied(item) for item in value])
            if isinstance(value, dict):
                pairs = [(copied(key), copied(item)) for key, item in value.items()]
                return type(value)(pairs)
            return copy.deepcopy(value)
        if isinstance(value, list):
            return [copied(item) for item in value]
        if isinstance(value, OrderedDict):
            return OrderedDict([(copied(key), copied(item)) for key, item in value.items()])
        if isinstance(value, dict):
            return {copied(key): copied(item) for key, item in value.items()}
        if isinstance(value, tuple):
            if hasattr(value, "_fields"):
                return value._mapped_(copied)  # type: ignore[attr-defined]
            return tuple([copied(item) for item in value])
        if isinstance(value, set | frozenset):
            return value.copy()
        if dataclasses.is_dataclass(value):
            return whole(value)
        return value if isinstance(value, enum.Enum) else copy.deepcopy(value)

    return copied


_COPIERS = {
    "for_dict": _copier(dataclasses.asdict), "for_tuple": _copier(dataclasses.astuple),
}  # fmt: skip


def _names(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls)]


def _dict_of(names: Iterable[str], wrap: str) -> str:
    return "{" + ", ".join(f"{name!r}: {wrap}(x.{name})" for name in names) + "}"


def _asdict(cls: type, made: str, given: tuple[str, ...]) -> str:
    return _dict_of(_names(cls), "for_dict")


def _astuple(cls: type, made: str, given: tuple[str, ...]) -> str:
    return "(" + "".join(f"for_tuple(x.{name}), " for name in _names(cls)) + ")"


def _replace(cls: type, made: str, given: tuple[str, ...]) -> str:
    for field in cls.__dataclass_fields__.values():  # type: ignore[attr-defined]
        if field._field_type is dataclasses._FIELD_INITVAR:  # type: ignore[attr-defined]
            raise Refused(f"replace() of {cls.__name__}, which has an InitVar, is not supported")
        if not field.init and field.name in given:
            raise Refused(f"replace() of field {field.name}, declared with init=False")
    kept = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in given]
    return f"{made}(" + "".join(f"{name}=x.{name}, " for name in kept) + "**changes)"


_WRITERS: dict[Any, Callable[[type, str, tuple[str, ...]], str]] = {
    dataclasses.asdict: _asdict, dataclasses.astuple: _astuple, dataclasses.replace: _replace,
}  # fmt: skip
"""What such a function does with ``x``, an instance of exactly the class, whose name there is the
second argument."""

OF_FIELDS = tuple(_WRITERS)
"""The functions that ``of_fields`` knows."""


@cache
def of_fields(host: Any, classes: tuple[type, ...], given: tuple[str, ...]) -> Any:
    """The function in place of ``host`` for an instance that is of exactly one of ``classes``;
    ``given`` are the names of the keyword arguments.  Raises Refused."""
    scope: dict[str, Any] = dict(_COPIERS)
    lines = [f"def {host.__name__}(x, /, **changes):"]
    for number, cls in enumerate(classes):
        if not dataclasses.is_dataclass(cls):
            raise Refused(f"{host.__name__}() of an instance of {cls.__name__}, no data class")
        name = f"class{number}"
        scope[name] = cls
        test = "" if cls is classes[-1] else f"if type(x) is {name}: "
        lines.append(f"    {test}return {_WRITERS[host](cls, name, given)}")
    exec(compile("\n".join(lines), __file__, "exec"), scope)
    return per_arguments(scope[host.__name__])


class Field:
    """What ``fields`` tells of a field, but for its type and its default."""

    def __init__(self, of: dataclasses.Field[Any]) -> None:
        self.name = of.name
        self.init = of.init
        self.repr = of.repr
        self.compare = of.compare
        self.kw_only = bool(of.kw_only)

    @refused("the text of a Field is not supported: print its name")
    def __repr__(self) -> str:
        raise AssertionError


_FIELDS: dict[int, tuple[dataclasses.Field[Any], Field]] = {}
"""By the id of what the host has."""


@converts(dataclasses.Field)
def field_of(x: dataclasses.Field[Any]) -> Field:
    if id(x) not in _FIELDS:
        _FIELDS[id(x)] = (x, Field(x))
    return _FIELDS[id(x)][1]


@cache
def fields_of(classes: tuple[Any, ...]) -> Any:
    """What ``fields`` is for instances of exactly these classes, or for the only one.  Raises
    Refused."""
    for cls in classes:
        if not dataclasses.is_dataclass(cls):
            raise Refused(f"fields() of {cls.__name__}, no data class")
    known = [(cls, list(map(field_of, dataclasses.fields(cls)))) for cls in classes]
    if len(known) == 1:
        return _fields_of_one(known[0][1])
    steps = unrolling_iterable(known)

    @per_arguments
    def fields_of_instance(x: Any, /) -> Any:
        for cls, found in steps:
            if type(x) is cls:
                return tuple(found)
        raise AssertionError

    return fields_of_instance


def _fields_of_one(found: list[Field]) -> Any:
    @per_arguments
    def fields_of_class(x: Any, /) -> Any:
        return tuple(found)

    return fields_of_class


@cache
def namedtuple_asdict(cls: Any) -> Any:
    """``cls._asdict``"""
    return _function_of_tuple(cls, f"lambda x, /: {_dict_of(cls._fields, '')}")


@cache
def namedtuple_mapped(cls: Any) -> Any:
    """What gives such a tuple of what a function makes of each item."""
    items = ", ".join(f"f(x.{name})" for name in cls._fields)
    return _function_of_tuple(cls, f"lambda x, f, /: cls({items})")


@cache
def namedtuple_made(cls: Any) -> Any:
    """``cls._make`` of items whose number is not known."""
    count = len(cls._fields)

    def make(items: Any, /) -> Any:
        given = tuple(items)
        if len(given) != count:
            raise TypeError(f"Expected {count} arguments, got {len(given)}")
        return build(given)

    fields = ", ".join(f"given[{i}]" for i in range(count))
    build = _function_of_tuple(cls, f"lambda given, /: cls({fields})")
    return per_arguments(make)


@cache
def namedtuple_new(cls: Any) -> Any:
    """``cls.__new__``, for ``cls(*items)`` of items whose number is not known."""
    defaults = cls._field_defaults
    parameters = ", ".join(f"{x}=defaults[{x!r}]" if x in defaults else x for x in cls._fields)
    made = f"lambda _cls, {parameters}: cls({', '.join(cls._fields)})"
    function = eval(compile(made, __file__, "eval"), {"cls": cls, "defaults": defaults})
    function.__name__ = function.__qualname__ = f"{cls.__name__}.__new__"
    return per_arguments(function)


def _function_of_tuple(cls: Any, text: str) -> Any:
    return per_arguments(eval(compile(text, __file__, "eval"), {"cls": cls}))


def refuse_assignment(name: str) -> None:
    """``x.name = value`` of an instance of a frozen data class."""
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
