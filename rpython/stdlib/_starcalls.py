"""What calls of a few built-in functions and methods with ``*items`` run where how many items there
are is not known: ``zip(*rows)``, ``max(*values)``, ``a.union(*others)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rpython.stdlib._formats import format_text
from rpython.stdlib._registry import iterator_in_c


def zip_star(*rows: Any, strict: bool = False) -> Any:
    """``zip(*rows, strict=strict)``"""
    return zip_iterators([iter(row) for row in rows], strict)


@iterator_in_c
def zip_iterators(iterators: list[Any], strict: bool) -> Iterator[Any]:
    """A tuple of the next item of each, until one of them has none; ``strict``: none must have."""
    while iterators:
        items = []
        for iterator in iterators:
            try:
                items.append(next(iterator))
            except StopIteration:
                if strict:
                    _require_one_length(iterators, len(items))
                return
        yield tuple(items)


def _require_one_length(iterators: list[Any], ended: int) -> None:
    """The iterator with that number has ended: raise ValueError if another one has not."""
    if ended > 0:
        raise ValueError(f"zip() argument {ended + 1} is shorter than {_first(ended)}")
    for number in range(1, len(iterators)):
        try:
            next(iterators[number])
        except StopIteration:
            continue
        raise ValueError(f"zip() argument {number + 1} is longer than {_first(number)}")


def _first(count: int) -> str:
    return "argument 1" if count == 1 else f"arguments 1-{count}"


def max_star(*values: Any) -> Any:
    """``max(*values)``"""
    if len(values) < 2:
        return only_item(values, "max")
    return max(values)


def min_star(*values: Any) -> Any:
    """``min(*values)``"""
    if len(values) < 2:
        return only_item(values, "min")
    return min(values)


def only_item(values: Any, name: str) -> Any:
    """One argument is what the values are in."""
    if not values:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    value = values[0]
    if isinstance(value, str):
        return max(value) if name == "max" else min(value)
    if isinstance(value, (int, float)):
        raise TypeError(f"'{type(value).__name__}' object is not iterable")
    raise NotImplementedError(f"{name}(*items) of one item, which holds the values")


def union_star(a: Any, *others: Any) -> Any:
    """``a.union(*others)``; a copy where there are none."""
    union = a.copy()
    for other in others:
        union = union.union(other)
    return union


def intersection_star(a: Any, *others: Any) -> Any:
    common = a.copy()
    for other in others:
        common = common.intersection(other)
    return common


def difference_star(a: Any, *others: Any) -> Any:
    rest = a.copy()
    for other in others:
        rest = rest.difference(other)
    return rest


def update_star(a: Any, *others: Any) -> None:
    for other in others:
        a.update(other)


def intersection_update_star(a: Any, *others: Any) -> None:
    a.intersection_update(intersection_star(a, *others))


def difference_update_star(a: Any, *others: Any) -> None:
    for other in others:
        a.difference_update(other)


CALLED_WITH_STAR = {zip: zip_star, max: max_star, min: min_star}
METHODS_WITH_STAR: dict[str, Any] = {
    "union": union_star, "intersection": intersection_star, "difference": difference_star,
    "update": update_star, "intersection_update": intersection_update_star,
    "difference_update": difference_update_star, "format": format_text,
}  # fmt: skip
"""Those of sets and frozensets, and one of texts."""
