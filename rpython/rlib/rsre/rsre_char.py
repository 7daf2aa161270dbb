"""Sets of characters: what a regular expression's ``[...]``, ``\\w`` and the like match.

Made when a pattern is compiled, from the items of the parsed pattern; ``CharSet.contains``
is what runs in translated programs.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
from functools import cache
from re import _casefix  # type: ignore[attr-defined]

LAST = 0x10FFFF
_LAST_CASED = 0x1FFFF
"""The planes behind this have ideographs."""
DIGIT, NOT_DIGIT, SPACE, NOT_SPACE, WORD, NOT_WORD = 1, 2, 4, 8, 16, 32
_NEGATIONS = NOT_DIGIT | NOT_SPACE | NOT_WORD


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


class Cases:
    """Small letters: ``lower`` of code points that have one, ``lower_ascii`` of those in ASCII;
    ``same``: others that count as the same, of small letters."""

    def __init__(
        self, lower: dict[int, int], lower_ascii: dict[int, int], same: dict[int, list[int]]
    ) -> None:
        self.lower = lower
        self.lower_ascii = lower_ascii
        self.same = same


@cache
def all_cases() -> Cases:
    """Unicode's.  This asks the Python that runs it, at import."""
    found = {}
    for start in range(0, _LAST_CASED + 1, 256):
        block = "".join(map(chr, range(start, start + 256)))
        if block.lower() != block:
            for code in range(start, start + 256):
                lower = _sre.unicode_tolower(code)
                if lower != code:
                    found[code] = lower
    ascii_letters = {code: code + 32 for code in range(65, 91)}
    return Cases(found, ascii_letters, {k: list(v) for k, v in _casefix._EXTRA_CASES.items()})


def charset(
    ranges: list[tuple[int, int]], categories: int, negated: bool, ascii_only: bool,
    cases: Cases | None,
) -> CharSet:  # fmt: skip
    """The set of these ranges and categories.  ``cases``: it ignores case."""
    if cases is not None:
        ranges = _other_cases(ranges, ascii_only, cases)
    low: list[int] = []
    for code in range(256):
        char = chr(code) if code < 128 or not ascii_only else "\ue000"
        member = _is_inside(ranges, code) or in_categories(categories, char)
        low.append(1 if member != negated else 0)
    if ascii_only:
        if categories & _NEGATIONS:
            ranges = [(256, LAST)]
        categories = 0
    high: list[int] = []
    for first, last in _merged(ranges):
        if last >= 256:
            high.append(first)
            high.append(last)
    return CharSet(bytes(low), high, categories, negated)


def _is_inside(ranges: list[tuple[int, int]], code: int) -> bool:
    return any(first <= code <= last for first, last in ranges)


def _other_cases(
    ranges: list[tuple[int, int]], ascii_only: bool, cases: Cases
) -> list[tuple[int, int]]:
    """All characters whose small letter is that of one of these, or counts as the same."""
    lower = cases.lower_ascii if ascii_only else cases.lower
    ranges = _merged(ranges)
    small = {lower[code] for code in lower if _is_inside(ranges, code)}
    if not ascii_only:
        found: list[int] = []
        for code, others in cases.same.items():
            if code in small or (code not in lower and _is_inside(ranges, code)):
                found.extend(others)
        small.update(found)
    else:
        # CPython's ranges beyond U+FFFF ignore Unicode's case even with re.ASCII
        wide = [(first, last) for first, last in ranges if first < last and last > 0xFFFF]
        if len(wide) > 0:
            for code, to in cases.lower.items():
                if _is_inside(wide, code):
                    small.add(to)
    result = ranges[:]
    for code in small:
        result.append((code, code))
    for code, to in lower.items():
        if to in small or _is_inside(ranges, to):
            result.append((code, code))
    return _merged(result)


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if len(result) > 0 and first <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(last, result[-1][1]))
        else:
            result.append((first, last))
    return result
