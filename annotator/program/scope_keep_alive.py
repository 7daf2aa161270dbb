"""Decide in which programs locals stay alive to the end of their scope, as CPython's frames do: in
those that can tell when objects die.  And for values of which kinds; ``scope_keep_alive`` of
``translator.flow`` marks the scopes in graphs."""

from __future__ import annotations

import dis
import sys
import sysconfig
from collections.abc import Callable, Iterator
from inspect import CO_COROUTINE, CO_GENERATOR
from types import CodeType, FunctionType, ModuleType
from typing import Any

from rpython.annotator.lattice.model import (
    ALL_KINDS,
    K_DICT,
    K_FROZENSET,
    K_INSTANCE,
    K_LIST,
    K_NONE,
    K_SET,
    K_TUPLE,
    SomeObject,
    s_None,
)
from rpython.annotator.lattice.parts import representable
from rpython.annotator.lattice.union import Pairs, union
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.translator.ir.home import home_of_module
from rpython.translator.ir.intrinsics import keep_in_scope

_TELLING = frozenset({"weakref", "rweakref", "FinalizerQueue", "__del__"})
"""A program that can tell when objects die mentions one of these."""

_HANDLER = dis.opmap["PUSH_EXC_INFO"]

_INSTALLED = tuple({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})

_NOTHING = ModuleType("builtins")

_HOLDING = K_INSTANCE | K_LIST | K_DICT | K_SET | K_FROZENSET | K_TUPLE | K_NONE


class SomeUnkept(SomeObject):
    """What a held variable is that would have to be of several kinds: nothing."""

    __slots__ = ()
    kinds = ALL_KINDS

    def describe(self) -> str:
        return "nothing that is held"


s_Unkept = SomeUnkept()


FUNCTIONS.gives(s_None, keep_in_scope)


def join_held(a: SomeObject, b: SomeObject) -> SomeObject:
    """The join for a held variable.  It changes neither: lists that meet here stay apart."""
    if a is s_Unkept or b is s_Unkept:
        return s_Unkept
    pairs = Pairs()
    joined = union(a, b, pairs)
    if joined.kinds & ~_HOLDING or any(x.find() is not y.find() for x, y in pairs):
        return s_Unkept
    return joined if representable(joined) else s_Unkept


class Watching:
    """Which modules belong to programs that can tell when objects die?"""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def watches(self, func: Callable[..., Any]) -> bool:
        """Can the program that the function's module, and those it refers to, are tell it?"""
        namespace = getattr(func, "__globals__", None)
        if namespace is None or not home_of_module(str(namespace.get("__name__"))).is_program:
            return False
        todo = [namespace]
        while todo:
            namespace = todo.pop()
            if id(namespace) not in self._known:
                self._known[id(namespace)] = not _TELLING.isdisjoint(_names(namespace))
                todo += _modules(namespace)
        return any(self._known.values())


def _home(value: object) -> str:
    """The name of a module, or of the one where a function, a class or an instance's is from."""
    if isinstance(value, ModuleType):
        return value.__name__
    return str((value if isinstance(value, type | FunctionType) else type(value)).__module__)


def _names(namespace: dict[str, Any]) -> Iterator[str]:
    """The names that a module mentions, as far as matters here."""
    for name, value in list(namespace.items()):
        yield name
        yield _home(value).rpartition(".")[2]
        if isinstance(value, FunctionType):
            yield from _names_in_code(value.__code__)
        elif isinstance(value, type) and home_of_module(value.__module__).is_program:
            for cls in value.__mro__:
                yield cls.__name__
                yield from vars(cls)
            for method in vars(value).values():
                if isinstance(method, FunctionType):
                    yield from _names_in_code(method.__code__)


def _names_in_code(code: CodeType) -> Iterator[str]:
    if code.co_flags & (CO_GENERATOR | CO_COROUTINE) and _HANDLER in code.co_code[::2]:
        yield "__del__"  # a generator with a handler may run it when it is dropped
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _names_in_code(const)


def _modules(namespace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The namespaces of other modules of the program that a module refers to.  Of what is
    installed, only the classes count that these mention: nearly every library has a weak
    reference somewhere."""
    for value in list(namespace.values()):
        if isinstance(value, FunctionType):
            found = value.__globals__
        else:
            found = vars(sys.modules.get(_home(value), _NOTHING))
        if home_of_module(str(found.get("__name__"))).is_program:
            if not str(found.get("__file__")).startswith(_INSTALLED):
                yield found
