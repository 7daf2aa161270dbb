"""Drives the standard library's bisect: ``bisection.py``."""

from __future__ import annotations

import sys

from pure import pure_module

bisect = pure_module("bisect", "_bisect")
bisect_words = pure_module("bisect", "_bisect")


def grade(score: int) -> str:
    return "FDCBA"[bisect.bisect_right([60, 70, 80, 90], score)]


def entry_point(argv: list[str]) -> int:
    print([grade(score) for score in (33, 99, 77, 70, 89, 90, 100)])
    row: list[int] = []
    for value in (5, 1, 4, 1, 5, 9, 2, 6):
        bisect.insort_right(row, value)
        print(row, bisect.bisect_left(row, 4), bisect.bisect_right(row, 4, 1, len(row)))
    words = ["fig", "kiwi", "orange"]
    for word in ("apple", "fig", "zebra", "banana"):
        bisect_words.insort_left(words, word, key=len)
    print(words, bisect_words.bisect_left(words, 4, key=len))
    try:
        bisect.bisect_left(row, 3, -1)
    except ValueError as error:
        print(error)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
