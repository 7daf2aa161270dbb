"""``rpython.rlib.listsort`` against ``sorted``."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.rlib.listsort import TimSort, make_timsort_class

Pair = tuple[int, int]


class ByFirst(make_timsort_class()):  # type: ignore[misc]
    def lt(self, a: Pair, b: Pair) -> bool:
        return a[0] < b[0]


runs = st.tuples(st.integers(0, 60), st.integers(1, 150), st.sampled_from([-1, 0, 1, 7]))


def numbers(parts: list[tuple[int, int, int]]) -> list[int]:
    """Runs that ascend, descend, are flat or in no order."""
    return [(start + i * step) % 97 for start, count, step in parts for i in range(count)]


@settings(max_examples=150)
@given(st.lists(runs, max_size=6))
def test_sorts_like_sorted_and_is_stable(parts: list[tuple[int, int, int]]) -> None:
    pairs = [(n, i) for i, n in enumerate(numbers(parts))]
    expected = sorted(pairs)
    ByFirst(pairs).sort()
    assert pairs == expected


@settings(max_examples=60)
@given(st.lists(runs, max_size=6), st.integers(0, 100))
def test_sorts_the_first_items_only(parts: list[tuple[int, int, int]], count: int) -> None:
    items = numbers(parts)
    count = min(count, len(items))
    expected = sorted(items[:count]) + items[count:]
    TimSort(items, count).sort()
    assert items == expected


@settings(max_examples=60)
@given(st.lists(runs, min_size=1, max_size=6), st.integers(0, 2000))
def test_loses_nothing_when_the_order_raises(parts: list[tuple[int, int, int]], calls: int) -> None:
    left = [calls]

    class Limited(make_timsort_class()):  # type: ignore[misc]
        def lt(self, a: int, b: int) -> bool:
            left[0] -= 1
            if left[0] < 0:
                raise ZeroDivisionError
            return a < b

    items = numbers(parts)
    expected = sorted(items)
    try:
        Limited(items).sort()
        assert items == expected
    except ZeroDivisionError:
        assert sorted(items) == expected


def test_few_comparisons_of_what_is_nearly_in_order() -> None:
    count = [0]

    class Counting(make_timsort_class()):  # type: ignore[misc]
        def lt(self, a: int, b: int) -> bool:
            count[0] += 1
            return a < b

    Counting(list(range(1000)) + list(range(1000))).sort()
    assert count[0] < 4200
    count[0] = 0
    Counting(list(range(1000, 2000)) + list(range(1000))).sort()
    assert count[0] < 2100
