"""``asdict``, ``astuple`` and ``replace`` of data classes, and ``_asdict`` of named tuples: a
function for each class, which names its fields."""

from __future__ import annotations

import copy
import dataclasses
import enum
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from rpython.stdlib._registry import Refused, per_arguments


@per_arguments
def _plain(value: Any) -> Any:
    """A field as ``asdict`` gives it: a copy, in which data classes are dicts."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple([_plain(item) for item in value])
    if isinstance(value, set | frozenset):
        return value.copy()
    if dataclasses.is_dataclass(value):
        return dataclasses.asdict(value)  # type: ignore[arg-type]
    return value if isinstance(value, enum.Enum) else copy.deepcopy(value)


@per_arguments
def _listed(value: Any) -> Any:
    """The same as ``astuple`` gives it."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if isinstance(value, list):
        return [_listed(item) for item in value]
    if isinstance(value, dict):
        return {_listed(key): _listed(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple([_listed(item) for item in value])
    if isinstance(value, set | frozenset):
        return value.copy()
    if dataclasses.is_dataclass(value):
        return dataclasses.astuple(value)  # type: ignore[arg-type]
    return value if isinstance(value, enum.Enum) else copy.deepcopy(value)


def _names(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls)]


def _dict_of(names: Iterable[str], wrap: str) -> str:
    return "{" + ", ".join(f"{name!r}: {wrap}(x.{name})" for name in names) + "}"


def _asdict(cls: type, given: tuple[str, ...]) -> str:
    return _dict_of(_names(cls), "_plain")


def _astuple(cls: type, given: tuple[str, ...]) -> str:
    return "(" + "".join(f"_listed(x.{name}), " for name in _names(cls)) + ")"


def _replace(cls: type, given: tuple[str, ...]) -> str:
    for field in cls.__dataclass_fields__.values():  # type: ignore[attr-defined]
        if field._field_type is dataclasses._FIELD_INITVAR:  # type: ignore[attr-defined]
            raise Refused(f"replace() of {cls.__name__}, which has an InitVar, is not supported")
        if not field.init and field.name in given:
            raise Refused(f"replace() of field {field.name}, declared with init=False")
    kept = [f.name for f in dataclasses.fields(cls) if f.init and f.name not in given]
    return f"{cls.__name__}(" + "".join(f"{name}=x.{name}, " for name in kept) + "**changes)"


_WRITERS: dict[Any, Callable[[type, tuple[str, ...]], str]] = {
    dataclasses.asdict: _asdict, dataclasses.astuple: _astuple, dataclasses.replace: _replace,
}  # fmt: skip

OF_FIELDS = tuple(_WRITERS)
"""The functions that ``of_fields`` knows."""


@cache
def of_fields(host: Any, classes: tuple[type, ...], given: tuple[str, ...]) -> Any:
    """The function in place of ``host`` for an instance that is of exactly one of ``classes``;
    ``given`` are the names of the keyword arguments.  Raises Refused."""
    scope: dict[str, Any] = {"_plain": _plain, "_listed": _listed}
    lines = [f"def {host.__name__}(x, /, **changes):"]
    for cls in classes:
        if not dataclasses.is_dataclass(cls):
            raise Refused(f"{host.__name__}() of an instance of {cls.__name__}, no data class")
        scope[cls.__name__] = cls
        test = "" if cls is classes[-1] else f"if type(x) is {cls.__name__}: "
        lines.append(f"    {test}return {_WRITERS[host](cls, given)}")
    exec(compile("\n".join(lines), __file__, "exec"), scope)
    return per_arguments(scope[host.__name__])


@cache
def namedtuple_asdict(cls: Any) -> Any:
    """``cls._asdict``"""
    text = f"lambda x, /: {_dict_of(cls._fields, '')}"
    return per_arguments(eval(compile(text, __file__, "eval")))
