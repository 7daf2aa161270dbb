"""``itertools``, and ``iter`` of a function, in Python: generators to be translated like the
program's own.

Each call of the program has a copy, a class of generators by itself::

    itertools.islice(xs, 3)     ->    islice_to(iter(xs), 3)

Parameters called ``it`` are made iterators when the generator is made, as CPython does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any


def _chain_1(a: Any, /) -> Iterator[Any]:
    yield from a


def _chain_2(a: Any, b: Any, /) -> Iterator[Any]:
    for x in a:
        yield x
    for x in b:
        yield x


def _chain_3(a: Any, b: Any, c: Any, /) -> Iterator[Any]:
    for x in a:
        yield x
    for x in b:
        yield x
    for x in c:
        yield x


def _chain_4(a: Any, b: Any, c: Any, d: Any, /) -> Iterator[Any]:
    for x in a:
        yield x
    for x in b:
        yield x
    for x in c:
        yield x
    for x in d:
        yield x


def _count_0() -> Iterator[int]:
    n = 0
    while True:
        yield n
        n += 1


def _count_1(start: Any, /) -> Iterator[Any]:
    while True:
        yield start
        start += 1


def _count_2(start: Any, step: Any, /) -> Iterator[Any]:
    while True:
        yield start
        start += step


def _repeat_1(x: Any, /) -> Iterator[Any]:
    while True:
        yield x


def _repeat_2(x: Any, times: int, /) -> Iterator[Any]:
    while times > 0:
        times -= 1
        yield x


def _cycle(it: Any, /) -> Iterator[Any]:
    saved = []
    for x in it:
        saved.append(x)
        yield x
    while saved:
        for x in saved:
            yield x


def _islice_to(it: Any, stop: int, /) -> Iterator[Any]:
    if stop > 0:
        for x in it:
            yield x
            stop -= 1
            if stop == 0:
                return


def _islice(it: Any, start: int, stop: int, step: int = 1, /) -> Iterator[Any]:
    i = 0
    place = start
    if start > 0 or stop > 0:
        for x in it:
            i += 1
            if place < i <= stop:
                place = stop if step > stop - place else place + step
                yield x
            if i >= stop and i >= place:
                return


def _accumulate_1(it: Any, /) -> Iterator[Any]:
    for total in it:
        yield total
        for x in it:
            total = total + x
            yield total
        return


def _accumulate_2(it: Any, function: Any, /) -> Iterator[Any]:
    for total in it:
        yield total
        for x in it:
            total = function(total, x)
            yield total
        return


def _takewhile(predicate: Any, it: Any, /) -> Iterator[Any]:
    for x in it:
        if not predicate(x):
            return
        yield x


def _dropwhile(predicate: Any, it: Any, /) -> Iterator[Any]:
    dropping = True
    for x in it:
        if dropping and predicate(x):
            continue
        dropping = False
        yield x


def _filterfalse(predicate: Any, it: Any, /) -> Iterator[Any]:
    for x in it:
        if not predicate(x):
            yield x


def _pairwise(it: Any, /) -> Iterator[Any]:
    for before in it:
        for x in it:
            yield (before, x)
            before = x
        return


def _until(function: Any, sentinel: Any, /) -> Iterator[Any]:
    while True:
        try:
            x = function()
        except StopIteration:
            return
        if sentinel == x:
            return
        yield x


def check_islice(*bounds: int) -> None:
    """What ``islice`` raises when it is called (-1 is a case by itself in CPython)."""
    start = bounds[0] if len(bounds) > 1 else 0
    stop = bounds[1] if len(bounds) > 1 else bounds[0]
    if stop == -1:
        raise ValueError(
            "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if start < 0 or stop < 0:
        raise ValueError(
            "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if len(bounds) > 2 and bounds[2] < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")


ITERATORS: dict[Any, dict[int, Callable[..., Iterator[Any]]]] = {
    itertools.chain: {1: _chain_1, 2: _chain_2, 3: _chain_3, 4: _chain_4},
    itertools.count: {0: _count_0, 1: _count_1, 2: _count_2},
    itertools.repeat: {1: _repeat_1, 2: _repeat_2},
    itertools.cycle: {1: _cycle},
    itertools.islice: {2: _islice_to, 3: _islice, 4: _islice},
    itertools.accumulate: {1: _accumulate_1, 2: _accumulate_2},
    itertools.takewhile: {2: _takewhile},
    itertools.dropwhile: {2: _dropwhile},
    itertools.filterfalse: {2: _filterfalse},
    itertools.pairwise: {1: _pairwise},
    iter: {2: _until},
}
"""Maker of iterators -> number of arguments -> the generator function."""


def copied_function(host: Any, function: Any) -> FunctionType:
    """A new function with the same code."""
    defaults = function.__defaults__
    copy = FunctionType(function.__code__, function.__globals__, host.__name__, defaults)
    copy.__qualname__ = host.__name__
    return copy


def iterator_places(function: Any) -> list[int]:
    """Which parameters are made iterators beforehand."""
    code = function.__code__
    return [i for i, name in enumerate(code.co_varnames[: code.co_argcount]) if name == "it"]
