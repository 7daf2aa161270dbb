"""Sets of heap locations: what ``bounded`` makes of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rpython.lltypesystem.operations.effects import (
    ANY_FIELD,
    ANY_ITEM,
    EVERYTHING,
    HEAP,
    OUTSIDE,
    Location,
    bounded,
    covers,
)
from rpython.lltypesystem.primitives import Signed

FIELDS = [Location(f"f{i}", ANY_FIELD, Signed) for i in range(80)]
ITEMS = [Location(f"i{i}", ANY_ITEM, Signed) for i in range(80)]
WHOLE = [ANY_FIELD, ANY_ITEM, OUTSIDE, HEAP, EVERYTHING]


def some(locations: list[Location]) -> st.SearchStrategy[frozenset[Location]]:
    """A few of them, or many."""
    return st.integers(0, len(locations)).map(lambda n: frozenset(locations[:n]))


LOCATIONS = st.builds(
    lambda fields, items, whole: fields | items | whole,
    some(FIELDS), some(ITEMS), st.frozensets(st.sampled_from(WHOLE), max_size=1),
)  # fmt: skip


@given(LOCATIONS, LOCATIONS)
def test_it_does_not_matter_when_it_is_done(
    some: frozenset[Location], more: frozenset[Location]
) -> None:
    """Else facts of functions that call each other would change for ever."""
    assert bounded(bounded(some) | more) == bounded(some | more)


@given(LOCATIONS)
def test_nothing_is_lost_and_nothing_is_said_twice(locations: frozenset[Location]) -> None:
    found = bounded(locations)
    assert all(covers(found, each) for each in locations)
    assert not any(a != b and a.contains(b) for a in found for b in found)
    assert len(found) <= 2 * 64 + 1
    assert bounded(found) == found
