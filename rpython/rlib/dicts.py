"""What RPython's ``objectmodel`` has for dicts: order, and operations with a hash that is known.

They take a dict or an ``r_dict``.  The hash is not used: tables compute or keep their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def _per_arguments(function: Any) -> Any:
    """Decorator: the function has a graph for every kind of argument."""
    function._rpython_per_arguments_ = True
    return function


@_per_arguments
def _hash_of(d: Any, key: Any) -> int:
    return hash(key) if isinstance(d, dict) else d.hash_of(key)


@_per_arguments
def move_to_end(d: Any, key: Any, last: bool = True) -> None:
    """Make the key the last one of the dict, or the first one.  Raises KeyError."""
    value = d.pop(key)
    if last:
        d[key] = value
        return
    items = list(d.items())
    d.clear()
    d[key] = value
    for other, other_value in items:
        d[other] = other_value


@_per_arguments
def prepare_dict_update(d: Any, n_elements: int) -> None:
    """The dict will get that many items."""


@_per_arguments
def iteritems_with_hash(d: Any) -> Iterator[tuple[Any, Any, int]]:
    """Keys, values, and hashes of the keys."""
    for key, value in d.items():
        yield key, value, _hash_of(d, key)


@_per_arguments
def iterkeys_with_hash(d: Any) -> Iterator[tuple[Any, int]]:
    """Keys and their hashes."""
    for key in d.keys():  # noqa: SIM118
        yield key, _hash_of(d, key)


@_per_arguments
def contains_with_hash(d: Any, key: Any, h: int) -> bool:
    """``key in d``."""
    return key in d


@_per_arguments
def setitem_with_hash(d: Any, key: Any, h: int, value: Any) -> None:
    """``d[key] = value``."""
    d[key] = value


@_per_arguments
def getitem_with_hash(d: Any, key: Any, h: int) -> Any:
    """``d[key]``.  Raises KeyError."""
    return d[key]


@_per_arguments
def delitem_with_hash(d: Any, key: Any, h: int) -> None:
    """``del d[key]``.  Raises KeyError."""
    del d[key]


@_per_arguments
def delitem_if_value_is(d: Any, key: Any, value: Any) -> None:
    """``del d[key]`` if ``d[key]`` is that instance."""
    if key in d and d[key] is value:
        del d[key]
