"""``sum`` and ``math.prod`` that begin with an int and have items of another kind: the result is of
that kind, and of no items an error, because CPython gives the int."""

from __future__ import annotations

from typing import Any

from rpython.annotator.library import per_arguments


@per_arguments
def sum_of_others(iterable: Any, /, start: Any = 0) -> Any:
    it = iter(iterable)
    try:
        first = next(it)
    except StopIteration:
        raise ValueError("the sum of no items is an int: write sum(xs, 0.0)") from None
    result = start + first
    for item in it:
        result = result + item
    return result


@per_arguments
def product_of_others(iterable: Any, /, *, start: Any = 1) -> Any:
    it = iter(iterable)
    try:
        first = next(it)
    except StopIteration:
        message = "the product of no items is an int: write math.prod(xs, start=1.0)"
        raise ValueError(message) from None
    result = start * first
    for item in it:
        result = result * item
    return result


@per_arguments
def product(iterable: Any, /, *, start: Any = 1) -> Any:
    result = start
    for item in iterable:
        result = result * item
    return result
