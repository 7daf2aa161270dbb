"""What programs get in place of some callables of the standard library.

``functools`` and ``operator`` make callables in C; here is the same in Python, to be
translated like the program's own code::

    operator.itemgetter(1)       def itemgetter(obj): return obj[1]
    functools.partial(f, 1)      an instance of a class with ``__call__``

Functions marked with ``per_arguments`` have a graph for every kind of argument.
"""

from __future__ import annotations

import abc
import contextlib
import functools
import io
import operator
import random
import struct
from collections.abc import Callable
from types import BuiltinMethodType, FunctionType, MethodDescriptorType, MethodType
from typing import Any

from rpython.annotator.library_contextlib import (
    makes_managers,
    manager_maker,
    suppress,
    suppressor,
)
from rpython.annotator.library_functools import cmp_to_key
from rpython.rlib import _random
from rpython.rlib._memoryfiles import file_in_memory
from rpython.rlib._struct import struct_object

CachedFunction: Any = type(functools.lru_cache(len))


class NotInLibrary(Exception):
    """The callable is made in a way that is not supported; the text says which."""


def per_arguments(func: Any) -> Any:
    """Decorator: the function has a graph for every kind of argument."""
    func._rpython_per_arguments_ = True
    return func


# -- operator ---------------------------------------------------------------------------------


def _contains(a: Any, b: Any, /) -> Any:
    return b in a


def _getitem(a: Any, b: Any, /) -> Any:
    return a[b]


def _setitem(a: Any, b: Any, c: Any, /) -> None:
    a[b] = c


def _delitem(a: Any, b: Any, /) -> None:
    del a[b]


SPECIAL_METHODS = {
    "__contains__": per_arguments(_contains), "__getitem__": per_arguments(_getitem),
    "__setitem__": per_arguments(_setitem), "__delitem__": per_arguments(_delitem),
}  # fmt: skip
"""Operators as methods of containers: ``known = names.__contains__``."""


def _itemgetter(*keys: Any) -> Callable[..., Any]:
    if len(keys) == 1:
        (key,) = keys

        def itemgetter(obj: Any, /) -> Any:
            return obj[key]

    elif len(keys) == 2:
        first, second = keys

        def itemgetter(obj: Any, /) -> Any:
            return (obj[first], obj[second])

    elif len(keys) == 3:
        first, second, third = keys

        def itemgetter(obj: Any, /) -> Any:
            return (obj[first], obj[second], obj[third])

    else:
        raise NotInLibrary("itemgetter of more than three keys is not supported")
    return itemgetter


def _attrgetter(*names: str) -> Callable[..., Any]:
    if len(names) == 1:
        first, dot, rest = names[0].partition(".")
        if dot:
            outer, inner = map(_attrgetter, (first, rest))

            def attrgetter(obj: Any, /) -> Any:
                return inner(outer(obj))

        else:

            def attrgetter(obj: Any, /) -> Any:
                return getattr(obj, first)

    elif len(names) in (2, 3):
        getters = [per_arguments(_attrgetter(name)) for name in names]
        get_first, get_second, get_last = getters[0], getters[1], getters[-1]
        if len(names) == 2:

            def attrgetter(obj: Any, /) -> Any:
                return (get_first(obj), get_last(obj))

        else:

            def attrgetter(obj: Any, /) -> Any:
                return (get_first(obj), get_second(obj), get_last(obj))

    else:
        raise NotInLibrary("attrgetter of more than three names is not supported")
    found: Callable[..., Any] = per_arguments(attrgetter)
    return found


def _methodcaller(name: str, /, *args: Any, **keywords: Any) -> Callable[..., Any]:
    if keywords:
        raise NotInLibrary("methodcaller with keyword arguments is not supported")

    def methodcaller(obj: Any, /) -> Any:
        return getattr(obj, name)(*args)

    return methodcaller


def _method_of(owner: type, name: str) -> Callable[..., Any]:
    """``str.upper`` and the like, called with the instance."""
    message = f"descriptor '{name}' for '{owner.__name__}' objects doesn't apply to a '"

    def method(obj: Any, /, *args: Any, **keywords: Any) -> Any:
        if not isinstance(obj, owner):
            raise TypeError(message + type(obj).__name__ + "' object")
        return getattr(obj, name)(*args, **keywords)

    method.__name__ = name
    found: Callable[..., Any] = per_arguments(method)
    return found


MAKERS: dict[Any, Callable[..., Callable[..., Any]]] = {
    operator.itemgetter: _itemgetter,
    operator.attrgetter: _attrgetter,
    operator.methodcaller: _methodcaller,
}
"""Classes whose instances are functions here, made from the same arguments."""


# -- functools --------------------------------------------------------------------------------


_METHOD_OWNERS = (str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float)


def _memo(func: Any, maxsize: int | None) -> Callable[..., Any]:
    """What ``functools.lru_cache`` makes of a function: the last ``maxsize`` results, the one
    used last at the end."""
    code = func.__code__
    if code.co_flags & 0x0C or code.co_kwonlyargcount or func.__defaults__:
        raise NotInLibrary("lru_cache of a function with defaults, keyword-only or star arguments")
    if code.co_argcount not in (1, 2, 3):
        raise NotInLibrary(f"lru_cache of a function of {code.co_argcount} arguments")
    cache: dict[Any, Any] = {}
    size = -1 if maxsize is None else maxsize

    def hit(key: Any) -> Any:
        result = cache[key]
        if size > 0:
            del cache[key]
            cache[key] = result
        return result

    def keep(key: Any, result: Any) -> Any:
        if size != 0 and key not in cache:
            if 0 < size <= len(cache):
                del cache[next(iter(cache))]
            cache[key] = result
        return result

    def memo(a: Any, /) -> Any:
        return hit(a) if a in cache else keep(a, func(a))

    def memo_of_two(a: Any, b: Any, /) -> Any:
        key = (a, b)
        return hit(key) if key in cache else keep(key, func(a, b))

    def memo_of_three(a: Any, b: Any, c: Any, /) -> Any:
        key = (a, b, c)
        return hit(key) if key in cache else keep(key, func(a, b, c))

    memos: list[Callable[..., Any]] = [memo, memo_of_two, memo_of_three]
    found: Callable[..., Any] = memos[code.co_argcount - 1]
    return found


def merged_keywords(known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """``{**known, **given}`` of two ``**`` parameters."""
    return {**known, **given}


class Partial(abc.ABC):
    """What ``functools.partial`` makes.  Each place that makes some has a subclass."""

    _rpython_keeps_members_ = True

    @abc.abstractmethod
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Call the function with more arguments."""


def _partial_init(self: Any, func: Any, args: Any, keywords: Any) -> None:
    self._rpython_func = func
    self._rpython_args = args
    self._rpython_keywords = keywords


def _partial_call(self: Any, /, *args: Any, **keywords: Any) -> Any:
    merged = merged_keywords(self._rpython_keywords, keywords)
    return self._rpython_func(*(self._rpython_args + args), **merged)


def partial_class() -> type:
    """A new subclass of ``Partial``, with methods of its own."""
    methods = {
        name: FunctionType(func.__code__, func.__globals__, name)
        for name, func in (("__init__", _partial_init), ("__call__", _partial_call))
    }
    for name, method in methods.items():
        method.__qualname__ = f"partial.{name}"
    return type("partial", (Partial,), {**methods, "__module__": "functools"})


def is_random_method(x: Any) -> bool:
    """Is it ``random.randint`` or the like?"""
    bound = isinstance(x, (MethodType, BuiltinMethodType))
    return bound and type(x.__self__) is random.Random


def _random_numbers(x: random.Random) -> _random.Random:
    if x is getattr(random.random, "__self__", None):
        return _random.unseeded()
    _, words, gauss = x.getstate()
    return _random.in_state(words, gauss)


class Library:
    """The stand-ins of one program: the same host object has the same one each time."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}
        self._made: dict[Any, FunctionType] = {}
        self._once: dict[Any, Any] = {}
        self._structs: dict[str, struct.Struct] = {}
        self._partial_classes: dict[Any, type] = {}

    def stand_in(self, x: Any) -> Any:
        """What stands for the host object in the program, itself in most cases.  Raises
        NotInLibrary."""
        known = self._known.get(id(x))
        if known is not None:
            return known[1]
        if isinstance(x, CachedFunction):
            if x.cache_info().currsize:
                raise NotInLibrary(f"{x.__name__} has cached results already: lru_cache")
            memo = _memo(x.__wrapped__, x.cache_parameters()["maxsize"])
            found: Any = functools.wraps(x)(memo)
        elif type(x) in MAKERS:
            _, arguments, *rest = x.__reduce__()
            if rest or not isinstance(arguments, tuple):
                raise NotInLibrary(f"{type(x).__name__} with keyword arguments is not supported")
            found = self.make(type(x), arguments)
        elif isinstance(x, functools.partial):
            found = self._partial(x)
        elif makes_managers(x):
            found = per_arguments(manager_maker(x))
        elif isinstance(x, MethodDescriptorType) and x.__objclass__ in _METHOD_OWNERS:
            found = _method_of(x.__objclass__, x.__name__)
        elif x is contextlib.suppress:
            found = suppress
        elif type(x) is contextlib.suppress:
            found = self.suppressor(x._exceptions)  # type: ignore[attr-defined]
        elif type(x) in (io.StringIO, io.BytesIO):
            found = file_in_memory(x)
        elif type(x) is random.Random:
            found = _random_numbers(x)
        elif isinstance(x, struct.Struct):
            found = struct_object(x.format)
        elif is_random_method(x):
            found = getattr(self.stand_in(x.__self__), x.__name__, x)
        else:
            return x
        self._known[id(x)] = (x, found)
        return found

    def knows(self, x: Any) -> bool:
        """Does the program have a stand-in for this object?"""
        return id(x) in self._known

    def make(self, maker: Any, arguments: tuple[Any, ...]) -> FunctionType:
        """The function that stands for ``maker(*arguments)``.  Raises NotInLibrary."""
        key = (maker, tuple((type(argument), argument) for argument in arguments))
        function = self._made.get(key)
        if function is None:
            function = self._made[key] = per_arguments(MAKERS[maker](*arguments))
        return function

    def struct_of(self, fmt: str | bytes) -> struct.Struct:
        """``struct.Struct(fmt)``.  Raises struct.error."""
        text = fmt.decode("ascii", "replace") if isinstance(fmt, bytes) else fmt
        if text not in self._structs:
            self._structs[text] = struct.Struct(text)
        return self._structs[text]

    def key_class(self, function: Any) -> type:
        """The class that stands for ``functools.cmp_to_key(function)``."""
        found: type = self._made_once(cmp_to_key, function)
        return found

    def suppressor(self, classes: tuple[type[BaseException], ...]) -> Any:
        """What stands for ``contextlib.suppress(*classes)``."""
        return self._made_once(suppressor, classes)

    def _made_once(self, make: Callable[[Any], Any], argument: Any) -> Any:
        if (make, argument) not in self._once:
            self._once[make, argument] = make(argument)
        return self._once[make, argument]

    def partial_class(self, key: Any) -> type:
        """The class of the partials made at one place of the program."""
        cls = self._partial_classes.get(key)
        if cls is None:
            cls = self._partial_classes[key] = partial_class()
        return cls

    def _partial(self, x: functools.partial[Any]) -> Any:
        kinds = tuple(map(type, x.args)), tuple((k, type(v)) for k, v in x.keywords.items())
        cls = self.partial_class((id(x.func), kinds))
        return cls(x.func, x.args, FrozenKeywords(x.keywords))


class FrozenKeywords:
    """Keyword arguments known at translation time."""

    def __init__(self, items: dict[str, Any]) -> None:
        self.items = dict(items)
