"""``functools``: what its source has an ``object()`` for, or has in C."""

from __future__ import annotations

import abc
import functools
from types import FunctionType
from typing import Any

from rpython.stdlib._registry import (
    FrozenKeywords,
    Refused,
    at_translation,
    classes_below,
    converts,
    merged_keywords,
    per_arguments,
    per_site,
    per_values,
    refused,
    replaces,
)


@replaces(functools.reduce)
def reduce(function: Any, iterable: Any, /, *initial: Any) -> Any:
    iterator = iter(iterable)
    if len(initial) == 0:
        try:
            value = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        value = initial[0]
    for item in iterator:
        value = function(value, item)
    return value


@replaces(functools.cmp_to_key)
@at_translation("mycmp", what="the function of cmp_to_key")
def cmp_to_key(mycmp: Any) -> type:
    class Key:
        def __init__(self, obj: Any) -> None:
            self.obj = obj

        def __lt__(self, other: Any) -> Any:
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other: Any) -> Any:
            return mycmp(self.obj, other.obj) > 0

        def __le__(self, other: Any) -> Any:
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other: Any) -> Any:
            return mycmp(self.obj, other.obj) >= 0

        def __eq__(self, other: Any) -> Any:
            return mycmp(self.obj, other.obj) == 0

    return Key


@replaces(functools.partial)
@per_site()
class partial:
    """The function and its arguments."""

    def __init__(self, func: Any, /, *args: Any, **keywords: Any) -> None:
        self.func = func
        self.args = args
        self._keywords = keywords

    @staticmethod
    def of_host(cls: Any, x: Any) -> Any:
        made = cls(x.func, *x.args)
        made._keywords = FrozenKeywords(x.keywords)
        return made

    def __call__(self, /, *args: Any, **keywords: Any) -> Any:
        merged = merged_keywords(self._keywords, keywords)
        return self.func(*(self.args + args), **merged)


CacheInfo = type(functools.lru_cache(len).cache_info())
"""A class of named tuples."""


Cached = type(functools.lru_cache(len))
"""The class of what ``functools.lru_cache`` makes of functions."""
_FUNCTIONS: dict[int, tuple[Any, Any]] = {}
"""Such objects, and partial methods, and the functions in their place, by id."""


@converts(Cached)
def function_with_cache(x: Any) -> Any:
    if x.cache_info().currsize:
        raise Refused(f"{x.__name__} has cached results already: lru_cache")
    if x.cache_parameters()["typed"]:
        raise Refused("lru_cache(typed=True)")
    if id(x) not in _FUNCTIONS:
        made = functools.wraps(x)(_memo(x.__wrapped__, x.cache_parameters()["maxsize"]))
        _FUNCTIONS[id(x)] = (x, made)
    return _FUNCTIONS[id(x)][1]


def method_with_cache(value: Any) -> Any:
    """The method, class method, static method or property that a value of a class is in which
    there is such an object; any other value as it is."""
    if isinstance(value, Cached):
        return function_with_cache(value)
    if isinstance(value, classmethod | staticmethod) and isinstance(value.__func__, Cached):
        return type(value)(function_with_cache(value.__func__))
    if isinstance(value, property) and isinstance(value.fget, Cached):
        return property(function_with_cache(value.fget), value.fset, value.fdel)
    if isinstance(value, functools.partialmethod) and isinstance(value.func, FunctionType):
        if id(value) not in _FUNCTIONS:
            _FUNCTIONS[id(value)] = (value, _partial_method(value))
        return _FUNCTIONS[id(value)][1]
    return value


def _partial_method(x: Any) -> Any:
    func, args = x.func, x.args
    keywords: Any = FrozenKeywords(x.keywords)

    @per_arguments
    def method(self: Any, /, *more: Any, **given: Any) -> Any:
        merged = merged_keywords(keywords, given)
        return func(self, *(args + more), **merged)

    return method


@per_arguments
def _is_key(arg: Any) -> bool:
    """Is it the key itself, where it is the only argument?  So ``f(1)`` and ``f(1.0)``, whose key
    is a tuple, have each a result."""
    return isinstance(arg, int | str) and not isinstance(arg, bool)


@per_arguments
def _key(args: Any) -> Any:
    if len(args) == 1 and _is_key(args[0]):
        return args[0]
    return args


@per_site()
class _CachedCall:
    """What ``lru_cache`` makes while the program runs: of a function in a function, say."""

    def __init__(self, func: Any, maxsize: int) -> None:
        self.__wrapped__ = func
        self._maxsize = maxsize
        self._results: dict[Any, Any] = {}
        self._hits = self._misses = 0

    @per_arguments
    def __call__(self, *args: Any) -> Any:
        results, key = self._results, _key(args)
        if key in results:
            self._hits += 1
            result = results[key]
            if self._maxsize > 0:
                del results[key]
                results[key] = result
            return result
        self._misses += 1
        result = self.__wrapped__(*args)
        if self._maxsize != 0 and key not in results:
            if 0 < self._maxsize <= len(results):
                del results[next(iter(results))]
            results[key] = result
        return result

    def cache_clear(self) -> None:
        self._results.clear()
        self._hits = self._misses = 0

    def cache_info(self) -> Any:
        maxsize = None if self._maxsize < 0 else self._maxsize
        return CacheInfo(self._hits, self._misses, maxsize, len(self._results))


@per_site()
class _Caching:
    def __init__(self, maxsize: int) -> None:
        self._maxsize = maxsize

    @per_arguments
    def __call__(self, func: Any, /) -> Any:
        return _CachedCall(func, self._maxsize)


@refused("lru_cache(typed=True)")
def _typed() -> Any:
    raise AssertionError


@replaces(functools.lru_cache)
@per_values
def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    if typed:
        return _typed()
    if maxsize is None:
        return _Caching(-1)
    if isinstance(maxsize, int):
        return _Caching(max(maxsize, 0))
    return _CachedCall(maxsize, 128)


@replaces(functools.cache)
@per_arguments
def cache(user_function: Any, /) -> Any:
    return _CachedCall(user_function, -1)


def _memo(func: Any, maxsize: int | None) -> Any:
    """What ``functools.lru_cache`` makes of a function: the last ``maxsize`` results, the one
    used last at the end."""
    code = func.__code__
    if code.co_flags & 0x0C:
        raise Refused("lru_cache of a function with star arguments")
    cache: dict[Any, Any] = {}
    size = -1 if maxsize is None else maxsize
    counts = [0, 0]  # hits, misses

    def cache_info() -> Any:
        return CacheInfo(counts[0], counts[1], maxsize, len(cache))

    def cache_clear() -> None:
        cache.clear()
        counts[0] = counts[1] = 0

    def hit(key: Any) -> Any:
        counts[0] += 1
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
        key = _key((a,))
        if key in cache:
            return hit(key)
        counts[1] += 1
        return keep(key, func(a))

    bind = _binder(func)
    shape = _shapes()

    @per_arguments
    def memo_of_any(*args: Any, **keywords: Any) -> Any:
        number = shape(len(args), **keywords)
        if len(args) == 1 and not keywords and _is_key(args[0]):
            number = -1
        key = bind(number, *args, **keywords)
        if key in cache:
            return hit(key)
        counts[1] += 1
        return keep(key, func(*args, **keywords))

    made: Any = memo_of_any
    if not code.co_kwonlyargcount and not func.__defaults__ and code.co_argcount == 1:
        made = memo
    vars(made).update(cache_info=cache_info, cache_clear=cache_clear)
    return made


def _binder(func: Any) -> Any:
    """A function that gives a tuple of a number and the parameters of this one."""
    code = func.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames[:count])
    positional = names[: code.co_posonlyargcount]
    declared = ["_number", *positional, "/", *names[len(positional) : code.co_argcount]]
    if code.co_kwonlyargcount:
        declared += ["*", *names[code.co_argcount :]]
    bind = eval(f"lambda {', '.join(declared)}: ({', '.join(['_number', *names])},)")
    bind.__defaults__, bind.__kwdefaults__ = func.__defaults__, func.__kwdefaults__
    bind.__module__ = __name__
    return per_arguments(bind)


def _shapes() -> Any:
    """What numbers the ways to pass arguments: calls that pass them otherwise have results of
    their own, as in CPython."""
    numbers: dict[tuple[int, tuple[str, ...]], int] = {}

    @at_translation("count **names", constants="count")
    def shape(count: int, names: tuple[str, ...]) -> Any:
        number = numbers.setdefault((count, names), len(numbers))

        def give(**keywords: Any) -> int:
            return number

        return per_arguments(give)

    return shape


_generic: Any = functools.singledispatch(lambda x: x)
_GENERIC = _generic.__code__
"""The code of what the decorator makes."""


def is_generic(x: Any) -> bool:
    """Was the function made by ``@functools.singledispatch``?"""
    return isinstance(x, FunctionType) and x.__code__ is _GENERIC and "registry" in vars(x)


def generic_function(made: Any) -> Any:
    """What stands for such a function: tests for the classes that are registered by now, those
    below others first."""
    name = made.__name__
    implementations = dict(made.registry)
    function = implementations.pop(object)
    classes = sorted(implementations, key=lambda cls: len(cls.__mro__))
    for cls in classes:
        _require_order(name, cls, classes)
        function = _first_for(cls, implementations[cls], function)

    @functools.wraps(made)
    def helper(*args: Any, **keywords: Any) -> Any:
        if not args:
            raise TypeError(f"{name} requires at least 1 positional argument")
        return function(*args, **keywords)

    return per_arguments(helper)


def _first_for(cls: type, implementation: Any, otherwise: Any) -> Any:
    @per_arguments
    def dispatch(x: Any, /, *args: Any, **keywords: Any) -> Any:
        if isinstance(x, cls):
            return implementation(x, *args, **keywords)
        return otherwise(x, *args, **keywords)

    return dispatch


def _require_order(name: str, cls: type, classes: list[type]) -> None:
    """Refuse classes of which a test and the order of bases may say different things."""
    if isinstance(cls, abc.ABCMeta):
        registered, *_ = abc._get_dump(cls)  # type: ignore[attr-defined]
        if registered or "__subclasshook__" in vars(cls):
            raise Refused(f"{name} is registered for {cls.__name__}, which has virtual subclasses")
    below = {cls, *classes_below(cls)}
    for other in classes:
        apart = not issubclass(cls, other) and not issubclass(other, cls)
        if apart and below & {other, *classes_below(other)}:
            both = f"{cls.__name__} and for {other.__name__}"
            raise Refused(f"{name} is registered for {both}, which have subclasses in common")
