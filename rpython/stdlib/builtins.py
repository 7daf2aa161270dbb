"""Built-in functions that are algorithms over anything that can be iterated over.

Built-in functions and methods as values, ``{"max": max}``, where a variable may hold a function of
the program, too.
"""

from __future__ import annotations

import builtins
import inspect
import itertools
import math
from collections.abc import Iterator
from types import FunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any, NoReturn

from rpython.stdlib._registry import (
    base_in_place_of,
    called_for,
    converts,
    expanded,
    grows,
    iterator_in_c,
    per_arguments,
    replaces,
)
from rpython.stdlib._seen import named_like, note_hosts
from rpython.stdlib._starcalls import CALLED_WITH_STAR


@replaces(builtins.any)
@expanded
def any(iterable: Any, /) -> bool:
    for item in iterable:  # noqa: SIM110  this is what it does
        if item:
            return True
    return False


@replaces(builtins.all)
@expanded
def all(iterable: Any, /) -> bool:
    for item in iterable:  # noqa: SIM110
        if not item:
            return False
    return True


@replaces(dict.fromkeys)
@expanded
def fromkeys(iterable: Any, value: Any = None, /) -> Any:
    made = {}
    for key in iterable:
        made[key] = value
    return made


@expanded
def contained(iterable: Any, wanted: Any, /) -> bool:
    """``wanted in iterable``, where the items have to be looked at one by one."""
    for item in iterable:  # noqa: SIM110
        if item == wanted:
            return True
    return False


@expanded
def pop_unhashable(items: Any, key: Any, default: Any, /) -> Any:
    """``items.pop(key, default)`` of a dict, with a list as the key: an empty dict does not hash
    it."""
    if items:
        raise TypeError("unhashable type: '" + type(key).__name__ + "'")
    return default


# -- what the annotator chooses by the arguments (``annotator.builtins.algorithms``) ------------
#
# What they raise is raised outside of ``except`` clauses: it has no context.


def dict_of_sequences(sequences: Any, /) -> Any:
    """``dict(sequences)`` of what need not be pairs: it is seen when the program runs."""
    made: dict[Any, Any] = {}
    update_of_sequences(made, sequences)
    return made


def update_of_sequences(made: Any, sequences: Any, /) -> None:
    """``made.update(sequences)`` likewise."""
    for number, sequence in enumerate(sequences):
        at = f"dictionary update sequence element #{number}"
        try:
            items = [] if sequence is None else list(sequence)
        except TypeError:
            sequence = None
        if sequence is None:
            raise TypeError(f"cannot convert {at} to a sequence")
        if len(items) != 2:
            raise ValueError(f"{at} has length {len(items)}; 2 is required")
        made[items[0]] = items[1]


def raise_value_error(message: str) -> NoReturn:
    """Not expanded: there is one for all calls."""
    raise ValueError(message)


@expanded
def smallest(iterable: Any, /, *, key: Any = None) -> Any:
    """``min(iterable)``"""
    return _best_in(None, iter(iterable), key, "min() arg is an empty sequence")


@expanded
def largest(iterable: Any, /, *, key: Any = None) -> Any:
    """``max(iterable)``"""
    return _best_in(True, iter(iterable), key, "max() arg is an empty sequence")


@expanded
def _best_in(largest: Any, iterator: Any, key: Any, message: str) -> Any:
    """``largest``: not None where that is the best."""
    try:
        best = next(iterator)
    except StopIteration:
        pass
    else:
        return _best_of(largest, best, iterator, key)
    raise_value_error(message)


@expanded
def smallest_or(iterable: Any, /, *, default: Any, key: Any = None) -> Any:
    """``min(iterable, default=x)``"""
    return _best_or(None, iter(iterable), default, key)


@expanded
def largest_or(iterable: Any, /, *, default: Any, key: Any = None) -> Any:
    """``max(iterable, default=x)``"""
    return _best_or(True, iter(iterable), default, key)


@expanded
def _best_or(largest: Any, iterator: Any, default: Any, key: Any) -> Any:
    try:
        best = next(iterator)
    except StopIteration:
        return default
    return _best_of(largest, best, iterator, key)


@expanded
def _best_of(largest: Any, best: Any, iterator: Any, key: Any) -> Any:
    known = best if key is None else key(best)
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return best
        compared = item if key is None else key(item)
        if compared < known if largest is None else compared > known:
            best, known = item, compared


@expanded
def smaller(best: Any, /, *others: Any, key: Any = None) -> Any:
    """``min(x, y, ...)``"""
    return _best(None, key, best, best if key is None else key(best), *others)


@expanded
def larger(best: Any, /, *others: Any, key: Any = None) -> Any:
    """``max(x, y, ...)``"""
    return _best(True, key, best, best if key is None else key(best), *others)


@expanded
def _best(largest: Any, key: Any, best: Any, known: Any, item: Any, *others: Any) -> Any:
    compared = item if key is None else key(item)
    if compared < known if largest is None else compared > known:
        best, known = item, compared
    return _best(largest, key, best, known, *others) if len(others) else best


@expanded
@grows
def total(iterable: Any, /, start: Any = 0) -> Any:
    """``sum(iterable, start)``"""
    result = start
    for item in iterable:
        result = result + item
    return result


@expanded
@grows
def total_of_others(iterable: Any, /, start: Any = 0) -> Any:
    """The same that begins with an int where the items are of another kind: the result is of
    that kind and, of no items, an error, because CPython gives the int."""
    iterator = iter(iterable)
    try:
        result = start + next(iterator)
    except StopIteration:
        pass
    else:
        for item in iterator:
            result = result + item
        return result
    raise_value_error("the sum of no items is an int: write sum(xs, 0.0)")


@expanded
@grows
def product(iterable: Any, /, *, start: Any = 1) -> Any:
    """``math.prod(iterable, start=start)``"""
    result = start
    for item in iterable:
        result = result * item
    return result


@expanded
@grows
def product_of_others(iterable: Any, /, *, start: Any = 1) -> Any:
    """The same as for ``sum``."""
    iterator = iter(iterable)
    try:
        result = start * next(iterator)
    except StopIteration:
        pass
    else:
        for item in iterator:
            result = result * item
        return result
    raise_value_error("the product of no items is an int: write math.prod(xs, start=1.0)")


@expanded
def apply(function: Any, /, *args: Any, **keywords: Any) -> Any:
    """The call that a built-in makes of one of its arguments: of ``key``, of what ``map`` maps."""
    return function(*args, **keywords)


# -- iterators over what may be an iterator of one of several kinds ------------------------------


@per_arguments
def mapped(function: Any, /, *iterables: Any) -> Any:
    """``map(function, *iterables)``"""
    if len(iterables) == 1:
        return _mapped(function, iter(iterables[0]))
    return itertools.starmap(function, zip(*iterables))


@iterator_in_c
def _mapped(function: Any, it: Any) -> Iterator[Any]:
    for x in it:
        yield function(x)


@per_arguments
def filtered(function: Any, iterable: Any, /) -> Any:
    """``filter(function, iterable)``"""
    return _true(iter(iterable)) if function is None else _accepted(function, iter(iterable))


@iterator_in_c
def _true(it: Any) -> Iterator[Any]:
    for x in it:
        if x:
            yield x


@iterator_in_c
def _accepted(function: Any, it: Any) -> Iterator[Any]:
    for x in it:
        if function(x):
            yield x


@per_arguments
def numbered(iterable: Any, start: int = 0) -> Any:
    """``enumerate(iterable, start)``"""
    return _numbered(iter(iterable), start)


@iterator_in_c
def _numbered(it: Any, i: int) -> Iterator[Any]:
    for x in it:
        i += 1
        yield i - 1, x


@per_arguments
def zipped(*iterables: Any, strict: bool = False) -> Any:
    """``zip(*iterables)``; one at most where it is strict."""
    if len(iterables) == 0:
        return _zipped_none([])
    if len(iterables) == 1:
        return _zipped_1(iter(iterables[0]))
    return _zipped_more(zipped(*iterables[:-1]), iter(iterables[-1]))


@iterator_in_c
def _zipped_none(empty: list[Any]) -> Iterator[Any]:
    for x in empty:
        yield (x,)


@iterator_in_c
def _zipped_1(it: Any) -> Iterator[Any]:
    for x in it:
        yield (x,)


@iterator_in_c
def _zipped_more(tuples: Any, it: Any) -> Iterator[Any]:
    for items in tuples:
        for x in it:
            yield (*items, x)
            break
        else:
            return


# -- mappings: what ``dict(m)``, ``d.update(m)`` take from an instance ---------------------------


@per_arguments
def pairs_by_keys(mapping: Any, /) -> Any:
    """What an OrderedDict takes from anything with ``keys``, as it takes it."""
    for key in mapping.keys():  # noqa: SIM118 - it may have a method of its own
        yield key, mapping[key]


@per_arguments
def pairs_by_list_of_keys(mapping: Any, /) -> Any:
    """What a dict takes: CPython asks for all keys first."""
    for key in list(mapping.keys()):
        yield key, mapping[key]


@per_arguments
def dict_inside(mapping: Any, /) -> Any:
    """What it takes from an instance of a class that extends ``dict``, whatever methods that has
    but ``__iter__``."""
    return mapping._rpython_items_


@per_arguments
def equal_in_any_order(a: Any, b: Any, /) -> bool:
    """``a == b`` of an ``OrderedDict`` and a dict."""
    if len(a) != len(b):
        return False
    for key, value in a.items():  # noqa: SIM110 - the same without a generator
        if key not in b or [b[key]] != [value]:
            return False
    return True


# -- values --------------------------------------------------------------------------------------


_OWNERS = (str, bytes, bytearray, list, tuple, dict, set, frozenset, int, float)


_FUNCTIONS: dict[str, Any] = {"__repr__": repr, "__str__": str, "__len__": len, "__hash__": hash}
"""What special methods of plain values are."""


@converts(MethodDescriptorType, WrapperDescriptorType)
def function_for(x: Any) -> Any:
    owner, name = x.__objclass__, x.__name__
    base = base_in_place_of(owner)
    extended = getattr(base, name, None) if base is not owner else None
    if owner not in _OWNERS and extended is None:
        return x
    if not isinstance(x, MethodDescriptorType) and not isinstance(extended, FunctionType):
        return x
    message = f"descriptor '{name}' for '{owner.__name__}' objects doesn't apply to a '"

    def method(obj: Any, /, *args: Any, **keywords: Any) -> Any:
        if not isinstance(obj, owner):
            raise TypeError(message + type(obj).__name__ + "' object")
        return getattr(obj, name)(*args, **keywords)

    if name in _FUNCTIONS:
        method = _FUNCTIONS[name]

    def method_of_any(obj: Any, /, *args: Any, **keywords: Any) -> Any:
        if isinstance(obj, base):  # whatever a class of the program has in place of it
            return extended(obj, *args, **keywords)  # type: ignore[misc]
        return method(obj, *args, **keywords)

    chosen = method if extended is None else method_of_any
    chosen.__name__ = name
    note_hosts(chosen, x)
    if name not in _FUNCTIONS:
        per_arguments(method)
    return per_arguments(chosen)


@named_like(object)
class PlainObject:
    """What ``object()`` makes: something that is only itself."""

    __slots__ = ()
    _rpython_of_builtin_ = object

    def __repr__(self) -> str:
        return f"<object object at 0x{id(self):x}>"


_PLAIN_OBJECTS: dict[int, tuple[object, PlainObject]] = {}
"""The host's, and what stands for them, by id."""


@converts(object)
def plain_object(x: object) -> PlainObject:
    return _PLAIN_OBJECTS.setdefault(id(x), (x, PlainObject()))[1]


@called_for(object)
def new_object() -> PlainObject:
    return PlainObject()


_ANY_NUMBER = 1 << 30
_COUNTS = {math.log: (1, 2), next: (1, 2), iter: (1, 2), getattr: (2, 3)}


def _counts(builtin: Any) -> tuple[int, int]:
    """How many positional arguments it takes, at least and at most."""
    try:
        parameters = inspect.signature(builtin).parameters.values()
    except ValueError:
        return _COUNTS.get(builtin, (0, _ANY_NUMBER))
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return 0, _ANY_NUMBER
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return sum(p.default is p.empty for p in positional), len(positional)


def _wrong_count(builtin: Any, count: int) -> str:
    """What CPython says of a number of arguments that it does not take."""
    try:
        builtin(*[None] * count)
    except TypeError as error:
        return str(error)
    raise AssertionError(f"{builtin.__name__}() takes {count} arguments")


def calling(builtin: Any) -> FunctionType:
    """A function with the name of ``builtin`` that does the same.

    It passes a few arguments one by one: which kinds each may be is known then, and how many there
    are need not be.
    """
    least, most = _counts(builtin)
    takes = [least <= count <= most for count in range(4)]
    none, one, two, three = takes
    limited = most <= 3
    if not limited:
        none = False
    if builtin in CALLED_WITH_STAR:
        one = False
    too_few = [_wrong_count(builtin, count) for count in range(min(least, 4))]
    before, _, after = _wrong_count(builtin, 9).partition("9") if limited else ("", "", "")

    def function(*args: Any, **keywords: Any) -> Any:
        if keywords:
            return builtin(*args, **keywords)
        count = len(args)
        if none and count == 0:
            return builtin()
        if one and count == 1:
            return builtin(args[0])
        if two and count == 2:
            return builtin(args[0], args[1])
        if three and count == 3:
            return builtin(args[0], args[1], args[2])
        if not limited:
            return builtin(*args)
        if count < least:
            raise TypeError(too_few[count])
        raise TypeError(before + str(count) + after)

    assert isinstance(function, FunctionType)
    function.__name__ = function.__qualname__ = builtin.__name__
    note_hosts(function, builtin)
    return function


@replaces(builtins.aiter)
@per_arguments
def aiter(async_iterable: Any, /) -> Any:
    return async_iterable.__aiter__()


@replaces(builtins.anext)
@per_arguments
def anext(async_iterator: Any, /, *default: Any) -> Any:
    if len(default) == 0:
        return async_iterator.__anext__()
    return _anext_or(async_iterator, default[0])


@per_arguments
async def _anext_or(async_iterator: Any, default: Any) -> Any:
    try:
        return await async_iterator.__anext__()
    except StopAsyncIteration:
        return default
