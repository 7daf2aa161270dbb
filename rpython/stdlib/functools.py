"""``functools``: what its source has an ``object()`` for."""

from __future__ import annotations

import functools
from typing import Any

from rpython.stdlib._registry import replaces


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
