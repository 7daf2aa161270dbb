"""A program whose uncaught exceptions have notes; translated by test_tracebacks.py."""

from __future__ import annotations

import sys


class Mine(Exception):
    pass


def fail(n: int) -> int:
    if n == 1:
        raise Mine
    if n == 2:
        return [1][n]
    raise ValueError("bad\nthing")


def note(n: int) -> int:
    try:
        return fail(n)
    except (Mine, IndexError, ValueError) as e:
        e.add_note("first note")
        e.add_note("two\nlines \u00e4")
        raise


def entry_point(argv: list[str]) -> int:
    n = int(argv[1])
    if n < 3:
        return note(n)
    try:
        note(2)
    except IndexError as e:
        raise KeyError(n) from e
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
