"""``copy``: of built-in containers, of instances of the program's classes, and of objects that say
how they are copied.

What instances hold is known when the program is translated: there is a function for the classes
that an argument may be of, which names their attributes (``instance_copier``).
"""

from __future__ import annotations

import copy as host
import enum
import types
from collections import OrderedDict
from functools import cache
from typing import Any, TypeAlias

from rpython.stdlib._registry import PER_SITE, Refused, per_arguments, replaces
from rpython.stdlib._subclasses import Extended, is_extended

_OWN_WAYS = (
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
    "__getnewargs_ex__", "__deepcopy__", "__new__", "__getattr__", "__getattribute__",
)  # fmt: skip
"""Methods that CPython calls for a copy, and we do not."""

COPIED = "_rpython_copied_"
"""Of a class of the library whose instances never change: the method that makes a copy of one, none
where CPython gives the instance itself.  A private one is told whether the copy is deep."""

Memo: TypeAlias = dict[int, list[tuple[Any, Any]]]
"""References to objects and to their copies, by the identities of the objects.  Two objects may
have one: an object that is there before the program starts has that which it had then."""


def of_instance(x: Any) -> Any:
    """The copy of an instance; the annotator chooses an ``instance_copier``."""
    return host.copy(x)


def deep_of_instance(x: Any, memo: Memo) -> Any:
    """The same for a deep copy."""
    return host.deepcopy(x)


def deep_of_tuple(x: Any, memo: Memo) -> Any:
    """The same of a tuple; a ``tuple_copier``."""
    return host.deepcopy(x)


def same_again(x: Any, cls: type) -> Any:
    """A new instance that holds what ``x`` does, an instance of exactly the class."""
    return host.copy(x)


def as_reference(x: Any) -> Any:
    """A pointer to a list, dict, set or instance."""
    return x


def referred(reference: Any, example: Any) -> Any:
    """What the pointer is to: something of the same type as ``example``."""
    return reference


@replaces(host.copy)
def copy(x: Any) -> Any:
    if x is None or isinstance(x, bool | int | float | str | bytes | tuple | frozenset | range):
        return x
    if is_extended(x):
        return of_instance(x)
    if isinstance(x, list | dict | set):
        return x.copy()
    if isinstance(x, bytearray):
        return bytearray(x)
    if isinstance(x, enum.Enum):
        return x
    return of_instance(x)


@replaces(host.deepcopy)
def deepcopy(x: Any) -> Any:
    return _deep(x, {})


@per_arguments
def _deep(x: Any, memo: Memo) -> Any:
    if x is None or isinstance(x, bool | int | float | str | bytes | range):
        return x
    if is_extended(x):
        return deep_of_instance(x, memo)
    if isinstance(x, list | set):
        items: Any = [] if isinstance(x, list) else set()
        kept = remember(memo, x, items)
        if kept is items:
            add = items.append if isinstance(x, list) else items.add
            for item in x:
                add(_deep(item, memo))
        return kept
    if isinstance(x, dict):
        entries: Any = OrderedDict() if isinstance(x, OrderedDict) else {}
        kept = remember(memo, x, entries)
        if kept is entries:
            for key, value in x.items():
                entries[_deep(key, memo)] = _deep(value, memo)
        return kept
    if isinstance(x, tuple):
        return deep_of_tuple(x, memo)
    if isinstance(x, frozenset):
        return frozenset([_deep(item, memo) for item in x])
    if isinstance(x, bytearray):
        return bytearray(x)
    if isinstance(x, enum.Enum | types.FunctionType | type):
        return x
    if isinstance(x, types.MethodType):
        raise NotImplementedError("deepcopy() of a bound method")
    return deep_of_instance(x, memo)


@per_arguments
def remember(memo: Memo, x: Any, new: Any) -> Any:
    """The copy of ``x``, ``new`` if there is none so far."""
    place = as_reference(x)
    known = memo.setdefault(id(x), [])
    for original, copied in known:
        if original == place:
            return referred(copied, new)
    known.append((place, as_reference(new)))
    return new


def _refuse_overridden(cls: Any) -> None:
    """Refuse a class of which CPython makes copies by methods that the program has defined."""
    host = getattr(cls, PER_SITE)
    for name in _CALLED_FOR_COPIES[host]:
        found = next(vars(base)[name] for base in cls.__mro__ if name in vars(base))
        if found.__module__ != Extended.__module__:
            raise Refused(f"class {cls.__name__} defines {name}, which a copy would be made by")


_CALLED_FOR_COPIES: dict[type, tuple[str, ...]] = {
    list: ("__iter__", "append", "extend"),
    dict: ("items", "__setitem__"),
    OrderedDict: ("items", "__setitem__", "__init__"),
    set: ("__iter__", "__init__"),
}


@cache
def tuple_copier(cls: type, length: int | None) -> Any:
    """The function in place of ``deep_of_tuple`` for tuples of a class, and of such a length."""
    if length is None:
        text = "lambda x, memo: tuple([deep(item, memo) for item in x])"
    else:
        items = "".join(f"deep(x[{i}], memo), " for i in range(length))
        text = f"lambda x, memo: {'' if cls is tuple else 'cls'}({items})"
    return per_arguments(eval(compile(text, __file__, "eval"), {"deep": _deep, "cls": cls}))


def _copied_by(method: str, deep: bool) -> list[str]:
    """How an instance of such a class of the library is copied; no method: it is its own copy."""
    if not method:
        return ["        return x"]
    if not deep:
        return [f"        return x.{method}()"]
    argument = "True" if method.startswith("_copy") else ""
    return [f"        return remember(memo, x, x.{method}({argument}))"]


@cache
def instance_copier(deep: bool, classes: tuple[tuple[type, tuple[str, ...]], ...]) -> Any:
    """The function in place of ``of_instance`` or ``deep_of_instance``.

    Args:
        classes: those that the instance may be of exactly, with the names of the attributes that
            instances may have.
    Raises Refused.
    """
    scope: dict[str, Any] = {"deep": _deep, "remember": remember, "same_again": same_again}
    lines = ["def copier(x, memo):" if deep else "def copier(x):"]
    for number, (cls, names) in enumerate(classes):
        scope[f"class{number}"] = cls
        if COPIED in vars(cls):
            lines.append(f"    if type(x) is class{number}:")
            lines += _copied_by(vars(cls)[COPIED], deep)
            continue
        for own in _OWN_WAYS:
            if getattr(cls, own, None) is not getattr(object, own, None):
                raise Refused(f"class {cls.__name__} has a {own}, which is not called")
        if issubclass(cls, Extended):
            _refuse_overridden(cls)
        lines.append(f"    if type(x) is class{number}:")
        if not deep:
            if hasattr(cls, "__copy__"):
                lines.append("        return x.__copy__()")
                continue
            lines.append(f"        new = same_again(x, class{number})")
            if issubclass(cls, Extended):
                lines.append("        new._rpython_items_ = x._rpython_items_.copy()")
            lines.append("        return new")
            continue
        lines += [
            f"        new = same_again(x, class{number})",
            "        kept = remember(memo, x, new)",
            "        if kept is not new: return kept",
        ]
        for name in names:
            copied = f"object.__setattr__(new, {name!r}, deep(x.{name}, memo))"
            lines.append(f"        if hasattr(x, {name!r}): {copied}")
        lines.append("        return new")
    lines.append("    raise TypeError")
    exec(compile("\n".join(lines), __file__, "exec"), scope)
    return per_arguments(scope["copier"])
