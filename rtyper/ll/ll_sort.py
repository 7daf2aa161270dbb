"""Sorting as CPython 3.11 does it, comparison by comparison.

The algorithm is Tim Peters' (described in CPython's ``Objects/listsort.txt``): runs that are
in order are found, short ones are lengthened by binary insertion, and merged, galloping where
one run wins many times; which runs are merged when is decided by the powersort of Munro and
Wild.  The same items are compared in the same order as in CPython, so that a ``__lt__`` with
effects, an order that is none (NaN) and an exception half way have the same results.

``less(a, b)`` is a function of two items.  The items are sorted in place: between any two
comparisons, and after one that raises, they are all there, each once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import GcArray, GcStruct, Ptr, Signed, Void, malloc, typeOf
from rpython.rlib.listsort import min_run, powerloop
from rpython.rtyper.ll.ll_list import ll_reverse

MIN_GALLOP = 7
"""How often in a row a run must win before galloping pays."""

MAX_RUNS = 66
"""Runs that wait to be merged have increasing powers, which are below 65."""

NUMBERS = GcArray(Signed)
MERGES = GcStruct(
    "merges", ("min_gallop", Signed), ("left", Signed), ("right", Signed), ("count", Signed),
    ("starts", Ptr(NUMBERS)), ("lengths", Ptr(NUMBERS)), ("powers", Ptr(NUMBERS)),
)  # fmt: skip
"""The runs that wait, how long galloping has to pay to be tried, and where the merge of two runs
is."""


def ll_sort(items: Any, length: int, less: Callable[[Any, Any], bool]) -> None:
    """Sort the first ``length`` of ``items``."""
    if length < 2:
        return
    merges = malloc(MERGES)
    merges.min_gallop = MIN_GALLOP
    merges.count = 0
    merges.starts = malloc(NUMBERS, MAX_RUNS)
    merges.lengths = malloc(NUMBERS, MAX_RUNS)
    merges.powers = malloc(NUMBERS, MAX_RUNS)
    minimum = min_run(length)
    start = 0
    while start < length:
        left = length - start
        count = ll_count_run(items, start, length, less)
        if count < minimum:
            wanted = minimum
            if wanted > left:
                wanted = left
            ll_binary_sort(items, start, start + wanted, start + count, less)
            count = wanted
        ll_push_run(merges, items, start, count, length, less)
        start += count
    ll_merge_all(merges, items, less)


def ll_count_run(
    items: Any, start: int, stop: int, less: Callable[[Any, Any], bool]
) -> int:
    """The length of the run at ``start``; one that descends (strictly) is reversed."""
    i = start + 1
    if i == stop:
        return 1
    if less(items[i], items[start]):
        i += 1
        while i < stop and less(items[i], items[i - 1]):
            i += 1
        ll_reverse_part(items, start, i)
    else:
        i += 1
        while i < stop and not less(items[i], items[i - 1]):
            i += 1
    return i - start


def ll_reverse_part(items: Any, start: int, stop: int) -> None:
    j = stop - 1
    while start < j:
        item = items[start]
        items[start] = items[j]
        items[j] = item
        start += 1
        j -= 1


def ll_binary_sort(
    items: Any, low: int, high: int, start: int, less: Callable[[Any, Any], bool]
) -> None:
    """Sort ``low`` to ``high``; up to ``start`` they are."""
    while start < high:
        pivot = items[start]
        left = low
        right = start
        while left < right:
            middle = left + ((right - left) >> 1)
            if less(pivot, items[middle]):
                right = middle
            else:
                left = middle + 1
        i = start
        while i > left:
            items[i] = items[i - 1]
            i -= 1
        items[left] = pivot
        start += 1


# -- which runs are merged when ---------------------------------------------------------------


def ll_push_run(
    merges: Any, items: Any, start: int, count: int, length: int,
    less: Callable[[Any, Any], bool],
) -> None:  # fmt: skip
    """Let the run that follows the others wait, those before of a higher power be merged."""
    if merges.count > 0:
        last = merges.count - 1
        power = powerloop(merges.starts[last], merges.lengths[last], count, length)
        while merges.count > 1 and merges.powers[merges.count - 2] > power:
            ll_merge_at(merges, items, merges.count - 2, less)
        merges.powers[merges.count - 1] = power
    at = merges.count
    merges.starts[at] = start
    merges.lengths[at] = count
    merges.powers[at] = 0
    merges.count = at + 1


def ll_merge_all(merges: Any, items: Any, less: Callable[[Any, Any], bool]) -> None:
    while merges.count > 1:
        at = merges.count - 2
        if at > 0 and merges.lengths[at - 1] < merges.lengths[at + 1]:
            at -= 1
        ll_merge_at(merges, items, at, less)


def ll_merge_at(
    merges: Any, items: Any, at: int, less: Callable[[Any, Any], bool]
) -> None:
    """Merge the waiting runs ``at`` and ``at + 1``."""
    left = merges.starts[at]
    left_count = merges.lengths[at]
    right = merges.starts[at + 1]
    right_count = merges.lengths[at + 1]
    merges.lengths[at] = left_count + right_count
    if at == merges.count - 3:
        merges.starts[at + 1] = merges.starts[at + 2]
        merges.lengths[at + 1] = merges.lengths[at + 2]
        merges.powers[at + 1] = merges.powers[at + 2]
    merges.count -= 1
    # what is in place already, at both ends, takes no part
    skipped = ll_gallop_right(items[right], items, left, left_count, 0, less)
    left += skipped
    left_count -= skipped
    if left_count == 0:
        return
    last = items[left + left_count - 1]
    right_count = ll_gallop_left(last, items, right, right_count, right_count - 1, less)
    if right_count <= 0:
        return
    if left_count <= right_count:
        ll_merge_low(merges, items, left, left_count, right, right_count, less)
    else:
        ll_merge_high(merges, items, left, left_count, right, right_count, less)


# -- galloping --------------------------------------------------------------------------------


def ll_gallop_left(
    key: Any, items: Any, base: int, count: int, hint: int, less: Callable[[Any, Any], bool]
) -> int:
    """Where ``key`` goes among ``count`` sorted items from ``base``, before any equal ones;
    searched from ``hint``, in steps that double."""
    at = base + hint
    last = 0
    offset = 1
    if less(items[at], key):
        limit = count - hint
        while offset < limit and less(items[at + offset], key):
            last = offset
            offset = (offset << 1) + 1
        if offset > limit:
            offset = limit
        last += hint
        offset += hint
    else:
        limit = hint + 1
        while offset < limit and not less(items[at - offset], key):
            last = offset
            offset = (offset << 1) + 1
        if offset > limit:
            offset = limit
        nearer = last
        last = hint - offset
        offset = hint - nearer
    last += 1
    while last < offset:
        middle = last + ((offset - last) >> 1)
        if less(items[base + middle], key):
            last = middle + 1
        else:
            offset = middle
    return offset


def ll_gallop_right(
    key: Any, items: Any, base: int, count: int, hint: int, less: Callable[[Any, Any], bool]
) -> int:
    """The same, behind any equal ones."""
    at = base + hint
    last = 0
    offset = 1
    if less(key, items[at]):
        limit = hint + 1
        while offset < limit and less(key, items[at - offset]):
            last = offset
            offset = (offset << 1) + 1
        if offset > limit:
            offset = limit
        nearer = last
        last = hint - offset
        offset = hint - nearer
    else:
        limit = count - hint
        while offset < limit and not less(key, items[at + offset]):
            last = offset
            offset = (offset << 1) + 1
        if offset > limit:
            offset = limit
        last += hint
        offset += hint
    last += 1
    while last < offset:
        middle = last + ((offset - last) >> 1)
        if less(key, items[base + middle]):
            offset = middle
        else:
            last = middle + 1
    return offset


# -- merging ----------------------------------------------------------------------------------


def ll_merge_low(
    merges: Any, items: Any, left: int, left_count: int, right: int, right_count: int,
    less: Callable[[Any, Any], bool],
) -> None:  # fmt: skip
    """Merge two adjacent runs from the front; the left one, the shorter, is moved away.

    What is left of it is in ``moved`` from ``merges.left`` on; as many places are free before
    ``merges.right``, where the rest of the other one is."""
    moved = malloc(typeOf(items).TO, left_count)
    llop.copy_array_items(Void, items, moved, left, 0, left_count)
    items[left] = items[right]
    merges.left = 0
    merges.right = right + 1
    stop = right + right_count
    try:
        galloping = True
        while galloping:
            galloping = ll_take_low(merges, items, moved, stop, less)
            if galloping:
                galloping = ll_gallop_low(merges, items, moved, stop, less)
    except BaseException:
        ll_move_back(moved, items, merges.left, merges.right)
        raise
    if left_count - merges.left == 1:
        # the last one of the left run belongs at the very end
        llop.copy_array_items(
            Void, items, items, merges.right, merges.right - 1, stop - merges.right
        )
        items[stop - 1] = moved[left_count - 1]
    else:
        ll_move_back(moved, items, merges.left, merges.right)


def ll_move_back(moved: Any, items: Any, start: int, stop: int) -> None:
    """Copy ``moved`` from ``start`` on to the places in front of ``stop``."""
    count = len(moved) - start
    llop.copy_array_items(Void, moved, items, start, stop - count, count)


def ll_take_low(
    merges: Any, items: Any, moved: Any, stop: int, less: Callable[[Any, Any], bool]
) -> bool:
    """Take items one by one.  True: one run has won often; False: one is at its end."""
    gallop = merges.min_gallop
    left = merges.left
    right = merges.right
    left_wins = 0
    right_wins = 0
    while right < stop and left < len(moved) - 1:
        if left_wins >= gallop or right_wins >= gallop:
            return True
        target = right - (len(moved) - left)
        if less(items[right], moved[left]):
            items[target] = items[right]
            right += 1
            merges.right = right
            right_wins += 1
            left_wins = 0
        else:
            items[target] = moved[left]
            left += 1
            merges.left = left
            left_wins += 1
            right_wins = 0
    return False


def ll_gallop_low(
    merges: Any, items: Any, moved: Any, stop: int, less: Callable[[Any, Any], bool]
) -> bool:
    """Take all items at once by which a run wins.  True: that does not pay any more; False: a run
    is at its end."""
    gallop = merges.min_gallop + 1
    left = merges.left
    right = merges.right
    galloping = True
    while galloping:
        if gallop > 1:
            gallop -= 1
        merges.min_gallop = gallop
        free = len(moved) - left
        left_wins = ll_gallop_right(items[right], moved, left, free, 0, less)
        llop.copy_array_items(Void, moved, items, left, right - free, left_wins)
        left += left_wins
        merges.left = left
        free -= left_wins
        if free <= 1:
            return False
        items[right - free] = items[right]
        right += 1
        merges.right = right
        if right == stop:
            return False
        right_wins = ll_gallop_left(moved[left], items, right, stop - right, 0, less)
        llop.copy_array_items(Void, items, items, right, right - free, right_wins)
        right += right_wins
        merges.right = right
        if right == stop:
            return False
        items[right - free] = moved[left]
        left += 1
        merges.left = left
        if free == 2:
            return False
        galloping = left_wins >= MIN_GALLOP or right_wins >= MIN_GALLOP
    merges.min_gallop = gallop + 1
    return True


def ll_merge_high(
    merges: Any, items: Any, left: int, left_count: int, right: int, right_count: int,
    less: Callable[[Any, Any], bool],
) -> None:  # fmt: skip
    """Merge two adjacent runs from the back; the right one, the shorter, is moved away.

    The items that are left are ``merges.left`` from ``left`` on, ``merges.right`` in ``moved``;
    the free places are behind the former."""
    moved = malloc(typeOf(items).TO, right_count)
    llop.copy_array_items(Void, items, moved, right, 0, right_count)
    items[right + right_count - 1] = items[right - 1]
    merges.left = left_count - 1
    merges.right = right_count
    try:
        galloping = True
        while galloping:
            galloping = ll_take_high(merges, items, moved, left, less)
            if galloping:
                galloping = ll_gallop_high(merges, items, moved, left, less)
    except BaseException:
        llop.copy_array_items(Void, moved, items, 0, left + merges.left, merges.right)
        raise
    if merges.right == 1:
        # the first one of the right run belongs at the very front
        llop.copy_array_items(Void, items, items, left, left + 1, merges.left)
        items[left] = moved[0]
    else:
        llop.copy_array_items(Void, moved, items, 0, left + merges.left, merges.right)


def ll_take_high(
    merges: Any, items: Any, moved: Any, start: int, less: Callable[[Any, Any], bool]
) -> bool:
    """``ll_take_low`` from the back; the left run begins at ``start``."""
    gallop = merges.min_gallop
    left = merges.left
    right = merges.right
    left_wins = 0
    right_wins = 0
    while left > 0 and right > 1:
        if left_wins >= gallop or right_wins >= gallop:
            return True
        target = start + left + right - 1
        if less(moved[right - 1], items[start + left - 1]):
            left -= 1
            merges.left = left
            items[target] = items[start + left]
            left_wins += 1
            right_wins = 0
        else:
            right -= 1
            merges.right = right
            items[target] = moved[right]
            right_wins += 1
            left_wins = 0
    return False


def ll_gallop_high(
    merges: Any, items: Any, moved: Any, start: int, less: Callable[[Any, Any], bool]
) -> bool:
    """``ll_gallop_low`` from the back."""
    gallop = merges.min_gallop + 1
    left = merges.left
    right = merges.right
    galloping = True
    while galloping:
        if gallop > 1:
            gallop -= 1
        merges.min_gallop = gallop
        stay = ll_gallop_right(moved[right - 1], items, start, left, left - 1, less)
        left_wins = left - stay
        llop.copy_array_items(
            Void, items, items, start + stay, start + stay + right, left_wins
        )
        left = stay
        merges.left = left
        if left == 0:
            return False
        right -= 1
        merges.right = right
        items[start + left + right] = moved[right]
        if right == 1:
            return False
        stay = ll_gallop_left(items[start + left - 1], moved, 0, right, right - 1, less)
        right_wins = right - stay
        llop.copy_array_items(Void, moved, items, stay, start + left + stay, right_wins)
        right = stay
        merges.right = right
        if right <= 1:
            return False
        left -= 1
        merges.left = left
        items[start + left + right] = items[start + left]
        if left == 0:
            return False
        galloping = left_wins >= MIN_GALLOP or right_wins >= MIN_GALLOP
    merges.min_gallop = gallop + 1
    return True


# -- list.sort --------------------------------------------------------------------------------


def ll_refuse_nan(items: Any, length: int, has_nan: Callable[[Any], bool]) -> None:
    """How tuples with NaNs compare depends on whether they are the same objects."""
    i = 0
    while i < length:
        if has_nan(items[i]):
            raise ValueError("a list of tuples that contain NaN cannot be sorted")
        i += 1


def ll_has_nan(items: Any, has_nan: Callable[[Any], bool]) -> bool:
    """Is one of the items of a tuple NaN, or a tuple with one?"""
    i = 0
    while i < len(items):
        if has_nan(items[i]):
            return True
        i += 1
    return False


def ll_sort_reverse(
    items: Any, length: int, less: Callable[[Any, Any], bool], backwards: bool
) -> None:
    """Sort, the largest first when ``backwards``; equal items keep their order."""
    if backwards:
        ll_reverse(items, length)
        try:
            ll_sort(items, length, less)
        except BaseException:
            ll_reverse(items, length)
            raise
        ll_reverse(items, length)
    else:
        ll_sort(items, length, less)


def ll_pair_items(
    pairs: Any, items: Any, length: int, key: Any, pair_of: Callable[[Any, Any], Any]
) -> None:
    """Pair each item with what ``key`` gives for it."""
    i = 0
    while i < length:
        pairs[i] = pair_of(items[i], key)
        i += 1


def ll_sort_pairs(
    pairs: Any, items: Any, length: int, less: Callable[[Any, Any], bool], backwards: bool
) -> None:
    """Sort pairs of key and item; the items go to ``items`` in the order that results, even
    half way when a comparison raises."""
    try:
        ll_sort_reverse(pairs, length, less, backwards)
    except BaseException:
        ll_put_items(pairs, items, length)
        raise
    ll_put_items(pairs, items, length)


def ll_put_items(pairs: Any, items: Any, length: int) -> None:
    i = 0
    while i < length:
        items[i] = pairs[i].item1
        i += 1


def ll_sort_detached(
    lst: Any,
    no_items: Any,
    backwards: bool,
    key: Any,
    sort: Callable[[Any, int, bool, Any], None],
) -> None:
    """Sort a resizable list, which is empty for what ``sort`` calls; ValueError when that
    puts something into it, which is lost then.

    ``no_items``: an array of length 0 that is the list's meanwhile, and nobody else's."""
    items = lst.items
    length = lst.length
    lst.items = no_items
    lst.length = 0
    try:
        sort(items, length, backwards, key)
    except BaseException:
        lst.items = items
        lst.length = length
        raise
    changed = lst.items != no_items
    lst.items = items
    lst.length = length
    if changed:
        raise ValueError("list modified during sort")
