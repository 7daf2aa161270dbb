"""Sets of characters: what a regular expression's ``[...]``, ``\\w`` and the like match.

Made when a pattern is compiled, from the items of the parsed pattern; ``CharSet.contains``
is what runs in translated programs.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable
from functools import cache
from re import _casefix, _constants  # type: ignore[attr-defined]
from typing import Any

LAST = 0x10FFFF
DIGIT, NOT_DIGIT, SPACE, NOT_SPACE, WORD, NOT_WORD = 1, 2, 4, 8, 16, 32
_NEGATIONS = NOT_DIGIT | NOT_SPACE | NOT_WORD
_CATEGORIES = {
    _constants.CATEGORY_DIGIT: DIGIT, _constants.CATEGORY_NOT_DIGIT: NOT_DIGIT,
    _constants.CATEGORY_SPACE: SPACE, _constants.CATEGORY_NOT_SPACE: NOT_SPACE,
    _constants.CATEGORY_WORD: WORD, _constants.CATEGORY_NOT_WORD: NOT_WORD,
}  # fmt: skip


class CharSet:
    """A set of code points.

    ``low``: one byte for each of the first 256 code points, 1 for a member.  Of the others,
    members are those in ``ranges`` (first, last, first, last...) or in one of ``categories``
    (bits as above, Unicode's); all others when ``negated``."""

    def __init__(self, low: bytes, ranges: list[int], categories: int, negated: bool) -> None:
        self.low = low
        self.ranges = ranges
        self.categories = categories
        self.negated = negated

    def contains(self, code: int) -> bool:
        if code < 256:
            return self.low[code] != 0
        return self.contains_high(code) != self.negated

    def contains_high(self, code: int) -> bool:
        """Is it in the ranges or categories?"""
        ranges = self.ranges
        low = 0
        high = len(ranges) >> 1
        while low < high:
            middle = (low + high) >> 1
            if code < ranges[2 * middle]:
                high = middle
            elif code > ranges[2 * middle + 1]:
                low = middle + 1
            else:
                return True
        return self.categories != 0 and in_categories(self.categories, chr(code))


def in_categories(categories: int, char: str) -> bool:
    """Is the character in one of these categories of Unicode?"""
    if categories & (DIGIT | NOT_DIGIT):
        if categories & (DIGIT if char.isdecimal() else NOT_DIGIT):
            return True
    if categories & (SPACE | NOT_SPACE):
        if categories & (SPACE if char.isspace() else NOT_SPACE):
            return True
    if categories & (WORD | NOT_WORD):
        return categories & (WORD if char.isalnum() or char == "_" else NOT_WORD) != 0
    return False


def is_word(code: int, ascii_only: bool) -> bool:
    """Is it a letter, a digit or the underscore?"""
    if code < 128 or ascii_only:
        return 97 <= code <= 122 or 65 <= code <= 90 or 48 <= code <= 57 or code == 95
    return chr(code).isalnum()


def lower_ascii(code: int) -> int:
    return code + 32 if 65 <= code <= 90 else code


@cache
def lower_unicode() -> dict[int, int]:
    """The code points that have a small letter, and it."""
    found = {}
    for start in range(0, LAST + 1, 256):
        block = "".join(map(chr, range(start, start + 256)))
        if block.lower() != block:
            for code in range(start, start + 256):
                lower = _sre.unicode_tolower(code)
                if lower != code:
                    found[code] = lower
    return found


@cache
def _lower_ascii_letters() -> dict[int, int]:
    return {code: code + 32 for code in range(65, 91)}


def charset(items: Iterable[tuple[Any, Any]], ignore_case: bool, ascii_only: bool) -> CharSet:
    """The set of the items of a parsed ``[...]``."""
    ranges: list[tuple[int, int]] = []
    categories = 0
    negated = False
    for op, value in items:
        if op is _constants.NEGATE:
            negated = True
        elif op is _constants.LITERAL:
            ranges.append((value, value))
        elif op is _constants.RANGE:
            ranges.append(value)
        else:
            assert op is _constants.CATEGORY, op
            categories |= _CATEGORIES[value]
    if ignore_case:
        ranges = _other_cases(ranges, ascii_only)
    test = _test(categories, ascii_only)
    low = bytes(
        (any(first <= code <= last for first, last in ranges) or test(code)) != negated
        for code in range(256)
    )
    if ascii_only:
        if categories & _NEGATIONS:
            ranges = [(256, LAST)]
        categories = 0
    high = [bound for pair in _merged(ranges) if pair[1] >= 256 for bound in pair]
    return CharSet(low, high, categories, negated)


def _test(categories: int, ascii_only: bool) -> Callable[[int], bool]:
    if not ascii_only:
        return lambda code: in_categories(categories, chr(code))
    return lambda code: in_categories(categories, chr(code) if code < 128 else "\ue000")


def _other_cases(ranges: list[tuple[int, int]], ascii_only: bool) -> list[tuple[int, int]]:
    """All characters whose small letter is that of one of these, or counts as the same."""
    lower = _lower_ascii_letters() if ascii_only else lower_unicode()
    same: dict[int, tuple[int, ...]] = {} if ascii_only else _casefix._EXTRA_CASES
    ranges = _merged(ranges)

    def inside(code: int) -> bool:
        return any(first <= code <= last for first, last in ranges)

    small = {lower[code] for code in lower if inside(code)}
    small.update(*(others for code, others in same.items() if code in small or (
        code not in lower and inside(code))))  # fmt: skip
    if ascii_only:
        # CPython's ranges beyond U+FFFF ignore Unicode's case even with re.ASCII
        wide = [(first, last) for first, last in ranges if first < last > 0xFFFF]
        small.update(
            to for code, to in (lower_unicode() if wide else lower).items()
            if any(first <= code <= last for first, last in wide)
        )  # fmt: skip
    capitals = [code for code, to in lower.items() if to in small or inside(to)]
    return _merged(ranges + [(code, code) for code in (*small, *capitals)])


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if result and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        else:
            result.append((first, last))
    return result
