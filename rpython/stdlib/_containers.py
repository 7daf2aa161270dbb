"""Operators as methods of containers: ``known = names.__contains__``."""

from __future__ import annotations

from typing import Any

from rpython.stdlib._registry import method_of


@method_of(list, dict, set, frozenset, name="__contains__")
def contains(a: Any, b: Any, /) -> Any:
    return b in a


@method_of(list, dict, set, frozenset, name="__getitem__")
def getitem(a: Any, b: Any, /) -> Any:
    return a[b]


@method_of(list, dict, set, frozenset, name="__setitem__")
def setitem(a: Any, b: Any, c: Any, /) -> None:
    a[b] = c


@method_of(list, dict, set, frozenset, name="__delitem__")
def delitem(a: Any, b: Any, /) -> None:
    del a[b]
