"""``itertools``: functions that take iterators when they are called, as CPython's do, and give
iterators.  Those that an exception does not end are marked; it ends CPython's other ones, too.

Where it is a constant how long a tuple is (of ``product`` the number of its arguments), and at most
four, the items are as each for itself; other tuples have a length known at run time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from rpython.stdlib._registry import (
    converts,
    iterator_in_c,
    per_site,
    per_values,
    replaces,
    savepoint,
)
from rpython.stdlib._started import count_for, cycle_for

_BOUNDS = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
_STOP = "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
_STEP = "Step for islice() must be a positive integer or None."
_ENDLESS = 0x7FFFFFFFFFFFFFFF


converts(itertools.count)(count_for)
converts(itertools.cycle)(cycle_for)


# -- one after the other ----------------------------------------------------------------------


@replaces(itertools.chain)
def chain(*iterables: Any) -> Any:
    if len(iterables) == 0:
        return iter(())
    return _chain(iterables[0], chain(*iterables[1:]))


@iterator_in_c
def _chain(a: Any, b: Any) -> Iterator[Any]:
    begun = [False]
    savepoint()
    if begun[0]:
        return  # iter() has raised
    begun[0] = True
    first = iter(a)
    savepoint()
    yield from first
    second = iter(b)  # an iterator already
    savepoint()
    yield from second


@replaces(itertools.chain.from_iterable)
def from_iterable(iterable: Any, /) -> Any:
    return _flattened(iter(iterable))


@iterator_in_c
def _flattened(it: Any) -> Iterator[Any]:
    fetching = [False]  # the next part, in which an exception is the end
    savepoint()
    if fetching[0]:
        return
    fetching[0] = True
    for part in it:
        inner = iter(part)
        fetching[0] = False
        savepoint()
        yield from inner
        if fetching[0]:
            return
        fetching[0] = True


chain.from_iterable = from_iterable  # type: ignore[attr-defined]


@replaces(itertools.cycle)
def cycle(iterable: Any, /) -> Any:
    return _cycled(iter(iterable))


@iterator_in_c
def _cycled(it: Any) -> Iterator[Any]:
    saved = []
    for x in it:
        saved.append(x)
        yield x
    while saved:
        yield from saved


@replaces(itertools.count)
@iterator_in_c
def count(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    while True:
        yield start
        start += step


@replaces(itertools.repeat)
def repeat(object: Any, *times: int) -> Any:
    if len(times) == 0:
        return _repeated(object)
    if len(times) > 1:
        raise TypeError(f"repeat() takes at most 2 arguments ({len(times) + 1} given)")
    return _repeated_times(object, times[0])


def _repeated(x: Any) -> Iterator[Any]:
    while True:
        yield x


def _repeated_times(x: Any, times: int) -> Iterator[Any]:
    while times > 0:
        times -= 1
        yield x


# -- some of them -----------------------------------------------------------------------------


@replaces(itertools.islice)
def islice(iterable: Any, first: Any, /, *more: Any) -> Any:
    if len(more) == 0:
        return _islice(iter(iterable), *_checked(None, first, None))
    step = more[1] if len(more) == 2 else None
    return _islice(iter(iterable), *_checked(first, more[0], step))


def _checked(start: Any, stop: Any, step: Any) -> tuple[int, int, int]:
    first = 0 if start is None else start
    end = _ENDLESS if stop is None else stop
    by = 1 if step is None else step
    if end == -1:
        raise ValueError(_STOP)
    if first < 0 or end < 0:
        raise ValueError(_BOUNDS)
    if by < 1:
        raise ValueError(_STEP)
    return first, end, by


def _islice(it: Any, start: int, stop: int, step: int) -> Iterator[Any]:
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


@replaces(itertools.takewhile)
def takewhile(predicate: Any, iterable: Any, /) -> Any:
    return _taken(predicate, iter(iterable))


@iterator_in_c
def _taken(predicate: Any, it: Any) -> Iterator[Any]:
    for x in it:
        if not predicate(x):
            return
        yield x


@replaces(itertools.dropwhile)
def dropwhile(predicate: Any, iterable: Any, /) -> Any:
    return _dropped(predicate, iter(iterable))


@iterator_in_c
def _dropped(predicate: Any, it: Any) -> Iterator[Any]:
    dropping = True
    for x in it:
        if dropping and predicate(x):
            continue
        dropping = False
        yield x


@replaces(itertools.filterfalse)
def filterfalse(function: Any, iterable: Any, /) -> Any:
    return _false(iter(iterable)) if function is None else _rejected(function, iter(iterable))


@iterator_in_c
def _false(it: Any) -> Iterator[Any]:
    for x in it:
        if not x:
            yield x


@iterator_in_c
def _rejected(function: Any, it: Any) -> Iterator[Any]:
    for x in it:
        if not function(x):
            yield x


@replaces(itertools.compress)
def compress(data: Any, selectors: Any) -> Any:
    return _selected(iter(data), iter(selectors))


@iterator_in_c
def _selected(data: Any, selectors: Any) -> Iterator[Any]:
    for x, selected in zip(data, selectors):
        if selected:
            yield x


# -- made of them -----------------------------------------------------------------------------


@replaces(itertools.accumulate)
def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    if initial is None:
        return _sums(iter(iterable)) if func is None else _reduced(iter(iterable), func)
    if func is None:
        return _sums_from(iter(iterable), initial)
    return _reduced_from(iter(iterable), func, initial)


@iterator_in_c
def _sums(it: Any) -> Iterator[Any]:
    for total in it:
        yield total
        for x in it:
            total = total + x
            yield total
        return


@iterator_in_c
def _sums_from(it: Any, total: Any) -> Iterator[Any]:
    yield total
    for x in it:
        total = total + x
        yield total


@iterator_in_c
def _reduced(it: Any, function: Any) -> Iterator[Any]:
    for total in it:
        yield total
        for x in it:
            total = function(total, x)
            yield total
        return


@iterator_in_c
def _reduced_from(it: Any, function: Any, total: Any) -> Iterator[Any]:
    yield total
    for x in it:
        total = function(total, x)
        yield total


@replaces(itertools.starmap)
def starmap(function: Any, iterable: Any, /) -> Any:
    return _called(function, iter(iterable))


@iterator_in_c
def _called(function: Any, it: Any) -> Iterator[Any]:
    for args in it:
        yield function(*args)


@replaces(itertools.pairwise)
def pairwise(iterable: Any, /) -> Any:
    return _pairs(iter(iterable))


def _pairs(it: Any) -> Iterator[Any]:
    for before in it:
        for x in it:
            yield (before, x)
            before = x
        return


@replaces(itertools.zip_longest)
def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    if len(iterables) == 1:
        return _longest_1(iter(iterables[0]))
    if len(iterables) == 2:
        return _longest_2(iter(iterables[0]), iter(iterables[1]), fillvalue, fillvalue)
    if len(iterables) == 3:
        a, b, c = iterables
        return _longest_3(iter(a), iter(b), iter(c), fillvalue)
    raise NotImplementedError("zip_longest of no or more than three iterables")


def _longest_1(a: Any) -> Iterator[Any]:
    for x in a:
        yield (x,)


def _longest_2(a: Any, b: Any, first: Any, second: Any) -> Iterator[Any]:
    for x in a:
        for y in b:
            yield (x, y)
            break
        else:
            yield (x, second)
            for x in a:
                yield (x, second)
            return
    for y in b:
        yield (first, y)


def _longest_3(a: Any, b: Any, c: Any, fill: Any) -> Iterator[Any]:
    for (x, y), z in _longest_2(_longest_2(a, b, fill, fill), c, (fill, fill), fill):
        yield (x, y, z)


@replaces(itertools.groupby)
@per_site()
class groupby:
    """Each group is read from the same iterator, and ends when the next one is asked for.  An item
    that is read and not given yet, its key and the key of the group are in lists, which are empty
    where there is none."""

    def __init__(self, iterable: Any, key: Any = None) -> None:
        self._it = iter(iterable)
        self._key_of = key
        self._group = 0
        self._items: list[Any] = []
        self._key: list[Any] = []
        self._group_key: list[Any] = []

    def __iter__(self) -> Any:
        return self

    def _read(self) -> None:
        item = next(self._it)
        key = item if self._key_of is None else self._key_of(item)
        self._items = [item]
        self._key = [key]

    def __next__(self) -> Any:
        self._group += 1
        while not self._key or (self._group_key and self._group_key[0] == self._key[0]):
            self._read()
        key = self._key[0]
        self._group_key = [key]
        return key, self._grouper(self._group, key)

    @iterator_in_c
    def _grouper(self, group: int, key: Any) -> Iterator[Any]:
        while self._group == group:
            if not self._items:
                self._read()
            same = key == self._key[0]
            if not same:
                return
            item = self._items[0]
            self._items = []
            self._key = []
            yield item


@per_site()
class _Shared:
    """What the iterators of ``tee`` have not all read."""

    def __init__(self, it: Any) -> None:
        self._it = it
        self._read: list[Any] = []

    @iterator_in_c
    def follow(self) -> Iterator[Any]:
        i = 0
        while True:
            if i == len(self._read):
                self._read.append(next(self._it))
            yield self._read[i]
            i += 1


@replaces(itertools.tee)
@per_values
def tee(iterable: Any, n: int = 2, /) -> Any:
    shared = _Shared(iter(iterable))
    if n == 2:
        return shared.follow(), shared.follow()
    if n == 3:
        return shared.follow(), shared.follow(), shared.follow()
    if n == 1:
        return (shared.follow(),)
    raise NotImplementedError("tee for other numbers than 1, 2 and 3")


# -- choices ----------------------------------------------------------------------------------


@replaces(itertools.product)
@per_values
def product(*iterables: Any, repeat: int = 1) -> Any:
    if repeat == 1:
        if len(iterables) == 1:
            return _product_1(list(iterables[0]))
        if len(iterables) == 2:
            return _product_2(list(iterables[0]), list(iterables[1]))
        if len(iterables) == 3:
            a, b, c = iterables
            return _product_3(list(a), list(b), list(c))
        if len(iterables) == 4:
            a, b, c, d = iterables
            return _product_4(list(a), list(b), list(c), list(d))
    elif len(iterables) == 1:
        pool = list(iterables[0])
        if repeat == 2:
            return _product_2(pool, pool)
        if repeat == 3:
            return _product_3(pool, pool, pool)
        if repeat == 4:
            return _product_4(pool, pool, pool, pool)
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    if len(iterables) == 0 or repeat == 0:
        return _product_0()
    return _product_more([list(a) for a in iterables] * repeat)


def _product_0() -> Iterator[Any]:
    yield ()


def _product_1(a: Any) -> Iterator[Any]:
    for x in a:
        yield (x,)


def _product_2(a: Any, b: Any) -> Iterator[Any]:
    for x in a:
        for y in b:
            yield (x, y)


def _product_3(a: Any, b: Any, c: Any) -> Iterator[Any]:
    for x in a:
        for y in b:
            for z in c:
                yield (x, y, z)


def _product_4(a: Any, b: Any, c: Any, d: Any) -> Iterator[Any]:
    for x in a:
        for y in b:
            for z in c:
                for w in d:
                    yield (x, y, z, w)


def _product_more(pools: list[Any]) -> Iterator[Any]:
    """The last place changes with each tuple."""
    places = [0] * len(pools)
    for pool in pools:
        if len(pool) == 0:
            return
    while True:
        yield tuple([pool[place] for pool, place in zip(pools, places)])
        i = len(pools) - 1
        while places[i] == len(pools[i]) - 1:
            places[i] = 0
            i -= 1
            if i < 0:
                return
        places[i] += 1


@replaces(itertools.permutations)
@per_values
def permutations(iterable: Any, r: int | None = None) -> Any:
    pool = list(iterable)
    if r is None:
        return _chosen_more(pool, len(pool), False, False)
    return _chosen(pool, r, False, False)


@replaces(itertools.combinations)
@per_values
def combinations(iterable: Any, r: int) -> Any:
    return _chosen(list(iterable), r, True, False)


@replaces(itertools.combinations_with_replacement)
@per_values
def combinations_with_replacement(iterable: Any, r: int) -> Any:
    return _chosen(list(iterable), r, True, True)


@per_values
def _chosen(pool: Any, r: int, ordered: bool, again: bool) -> Any:
    if r < 0:
        raise ValueError("r must be non-negative")
    if r == 0:
        return _product_0()
    if r == 1:
        return _product_1(pool)
    if r == 2:
        return _chosen_2(pool, ordered, again)
    if r == 3:
        return _chosen_3(pool, ordered, again)
    if r == 4:
        return _chosen_4(pool, ordered, again)
    return _chosen_more(pool, r, ordered, again)


def _places(size: int, length: int, ordered: bool, again: bool) -> Iterator[list[int]]:
    """The numbers of the items: in rising order, if ``ordered``; each ``again`` and again."""
    chosen: list[int] = []
    i = 0
    while True:
        if len(chosen) == length:
            yield chosen
        elif i < size:
            if ordered or i not in chosen:
                chosen.append(i)
                i = (i if again else i + 1) if ordered else 0
                continue
            i += 1
            continue
        if not chosen:
            return
        i = chosen.pop() + 1


def _chosen_2(pool: Any, ordered: bool, again: bool) -> Iterator[Any]:
    for a in _places(len(pool), 2, ordered, again):
        yield (pool[a[0]], pool[a[1]])


def _chosen_3(pool: Any, ordered: bool, again: bool) -> Iterator[Any]:
    for a in _places(len(pool), 3, ordered, again):
        yield (pool[a[0]], pool[a[1]], pool[a[2]])


def _chosen_4(pool: Any, ordered: bool, again: bool) -> Iterator[Any]:
    for a in _places(len(pool), 4, ordered, again):
        yield (pool[a[0]], pool[a[1]], pool[a[2]], pool[a[3]])


def _chosen_more(pool: Any, r: int, ordered: bool, again: bool) -> Iterator[Any]:
    for a in _places(len(pool), r, ordered, again):
        yield tuple([pool[i] for i in a])
