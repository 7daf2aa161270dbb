"""Ranges of numbers: the lattice, and what operations make of ranges.

    Range(0, 9)                 any number from 0 to 9
    Range(5, 5)                 the constant 5
    Range(0, 1)                 of a Bool: either; of a pointer: null, or not
    Range(9, 0)                 no number: the dual of the first

A lattice after document 002 (Click): symmetric (every element has a dual), complete and, for the
numbers of a type, bounded.  ``meet`` goes down, towards "any number", where nothing is known.  Top
is the range of no number, which everything has that is never computed.

A row's column ``bounds`` computes the range of the result from those of the operands as if numbers
had no ends.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from rpython.lltypesystem.primitives import Bool, Char, LowLevelType, Primitive, UniChar
from rpython.lltypesystem.types import Ptr


class Range(NamedTuple):
    """The numbers from ``lo`` to ``hi``."""

    lo: int
    hi: int

    @property
    def dual(self) -> Range:
        return Range(self.hi, self.lo)

    def meet(self, other: Range) -> Range:
        """Any number that is in one of them: the greatest range below both."""
        return Range(min(self.lo, other.lo), max(self.hi, other.hi))

    def join(self, other: Range) -> Range:
        """The numbers that are in both: the least range above both."""
        return self.dual.meet(other.dual).dual

    def isa(self, other: Range) -> bool:
        """Is every number of this one in the other?"""
        return self.meet(other) == other

    @property
    def is_empty(self) -> bool:
        return self.lo > self.hi

    @property
    def is_constant(self) -> bool:
        return self.lo == self.hi

    def widened(self, stops: list[int], whole: Range) -> Range:
        """The least range around this one whose ends are ``stops``, which are sorted, or those of
        ``whole``: what is rounded so rises only so often, and the same way in any order."""
        if self.is_empty:
            return self
        below = bisect_right(stops, self.lo)
        above = bisect_left(stops, self.hi)
        return Range(
            stops[below - 1] if below else whole.lo,
            stops[above] if above < len(stops) else whole.hi,
        ).join(whole)


_MOST = 1 << 130
TOP = Range(_MOST, -_MOST)
"""No number: of what is never computed."""
TRUE = Range(1, 1)
FALSE = Range(0, 0)
UNKNOWN = Range(0, 1)
"""Of a Bool of which nothing is known, and of a pointer."""
MANY = 1 << 48
"""More items than there is room for, in the address space of any machine."""


def range_of(T: LowLevelType) -> Range | None:
    """All values of a type; None: they are no numbers."""
    if isinstance(T, Ptr) or T is Bool:
        return UNKNOWN
    if isinstance(T, Primitive) and T.is_integer:
        return _range_of_integers(T)
    if T is Char:
        return Range(0, 0xFF)
    return Range(0, 0x10FFFF) if T is UniChar else None


@cache
def _range_of_integers(T: Primitive) -> Range:
    """The same one for each variable: there are many at a time."""
    return Range(T.min, T.max)


Bounds = Callable[..., Range]
"""The range of an operation's result by those of its operands, none of which is empty."""


def corners(operation: Callable[[int, int], int]) -> Bounds:
    """Of an operation that is greatest and least where its operands are."""

    def bounds(a: Range, b: Range) -> Range:
        results = [operation(x, y) for x in a for y in b]
        return Range(min(results), max(results))

    return bounds


def both_ends(operation: Callable[[int], int]) -> Bounds:
    """Of an operation on one number that never rises or never falls."""
    return lambda a: Range(*sorted((operation(a.lo), operation(a.hi))))


def unchanged(a: Range) -> Range:
    """Of a conversion."""
    return a


def where_divisible(operation: Callable[[int, int], int]) -> Bounds:
    """Of a division, where the divisor's sign is known."""
    inside = corners(operation)

    def bounds(a: Range, b: Range) -> Range:
        return inside(a, b) if b.lo > 0 or b.hi < 0 else Range(-_MOST, _MOST)

    return bounds


def remainder(a: Range, b: Range) -> Range:
    """Of C's ``%``, whose sign is that of ``a``."""
    most = max(abs(b.lo), abs(b.hi)) - 1
    return Range(max(-most, min(a.lo, 0)), min(most, max(a.hi, 0)))


def shifted(operation: Callable[[int, int], int]) -> Bounds:
    """Of a shift, where the count is known to be one."""
    inside = corners(operation)

    def bounds(a: Range, b: Range) -> Range:
        return inside(a, b) if b.lo >= 0 and b.hi < 128 else Range(-_MOST, _MOST)

    return bounds


def absolute(a: Range) -> Range:
    low, high = sorted((abs(a.lo), abs(a.hi)))
    return Range(0 if a.lo <= 0 <= a.hi else low, high)


def bits_and(a: Range, b: Range) -> Range:
    """Of ``&``: no more than an operand that is not negative."""
    limits = [each.hi for each in (a, b) if each.lo >= 0]
    return Range(0, min(limits)) if limits else Range(-_MOST, _MOST)


def bits_or(a: Range, b: Range) -> Range:
    """Of ``|`` and ``^``: no more bits than the operands have."""
    if min(a.lo, b.lo) < 0:
        return Range(-_MOST, _MOST)
    return Range(0, (1 << max(a.hi, b.hi).bit_length()) - 1)


def compared(relation: str, a: Range, b: Range) -> Range:
    """Of the comparison ``lt``, ``le`` and so on of numbers in these ranges."""
    if relation in ("gt", "ge"):
        relation, a, b = {"gt": "lt", "ge": "le"}[relation], b, a
    if relation == "lt":
        always, never = a.hi < b.lo, a.lo >= b.hi
    elif relation == "le":
        always, never = a.hi <= b.lo, a.lo > b.hi
    else:
        always = a.is_constant and a == b
        never = a.join(b).is_empty
        if relation == "ne":
            always, never = never, always
    return TRUE if always else FALSE if never else UNKNOWN


def restricted_by(relation: str, a: Range, b: Range) -> Range:
    """The numbers of ``a`` of which the relation to some number of ``b`` holds.  ``ult``, ``ule``:
    of what they are without sign."""
    if a.is_empty or b.is_empty:
        return TOP
    if relation == "lt":
        return a.join(Range(-_MOST, b.hi - 1))
    if relation == "le":
        return a.join(Range(-_MOST, b.hi))
    if relation == "gt":
        return a.join(Range(b.lo + 1, _MOST))
    if relation == "ge":
        return a.join(Range(b.lo, _MOST))
    if relation == "eq":
        return a.join(b)
    if relation in ("ult", "ule"):
        return a if b.lo < 0 else a.join(Range(0, b.hi - (relation == "ult")))
    assert relation == "ne"
    if b.is_constant:
        return Range(a.lo + (a.lo == b.lo), a.hi - (a.hi == b.lo))
    return a
