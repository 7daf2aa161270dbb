"""``functools``: what its source has an ``object()`` for, or has in C."""

from __future__ import annotations

import functools
from typing import Any

from rpython.stdlib._registry import (
    FrozenKeywords,
    Refused,
    at_translation,
    converts,
    merged_keywords,
    per_site,
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


@converts(type(functools.lru_cache(len)))
def function_with_cache(x: Any) -> Any:
    if x.cache_info().currsize:
        raise Refused(f"{x.__name__} has cached results already: lru_cache")
    return functools.wraps(x)(_memo(x.__wrapped__, x.cache_parameters()["maxsize"]))


def _memo(func: Any, maxsize: int | None) -> Any:
    """What ``functools.lru_cache`` makes of a function: the last ``maxsize`` results, the one
    used last at the end."""
    code = func.__code__
    if code.co_flags & 0x0C or code.co_kwonlyargcount or func.__defaults__:
        raise Refused("lru_cache of a function with defaults, keyword-only or star arguments")
    if code.co_argcount not in (1, 2, 3):
        raise Refused(f"lru_cache of a function of {code.co_argcount} arguments")
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
        if a in cache:
            return hit(a)
        counts[1] += 1
        return keep(a, func(a))

    def memo_of_two(a: Any, b: Any, /) -> Any:
        key = (a, b)
        if key in cache:
            return hit(key)
        counts[1] += 1
        return keep(key, func(a, b))

    def memo_of_three(a: Any, b: Any, c: Any, /) -> Any:
        key = (a, b, c)
        if key in cache:
            return hit(key)
        counts[1] += 1
        return keep(key, func(a, b, c))

    made = (memo, memo_of_two, memo_of_three)[code.co_argcount - 1]
    vars(made).update(cache_info=cache_info, cache_clear=cache_clear)
    return made
