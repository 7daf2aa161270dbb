"""Binary search in sorted lists of ints."""

from __future__ import annotations


def bisect_left(a: list[int], x: int, hi: int = -1) -> int:
    """The first index below ``hi`` (-1: the length) whose item is not below ``x``, else ``hi``."""
    lo = 0
    if hi == -1:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) >> 1
        if a[middle] < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_right(a: list[int], x: int, hi: int = -1) -> int:
    """The first index below ``hi`` (-1: the length) whose item is above ``x``, else ``hi``."""
    lo = 0
    if hi == -1:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) >> 1
        if x < a[middle]:
            hi = middle
        else:
            lo = middle + 1
    return lo
