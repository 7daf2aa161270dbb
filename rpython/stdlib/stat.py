"""``stat``: what its source has a table of tables for."""

from __future__ import annotations

import stat

from rpython.stdlib._registry import replaces


@replaces(stat.filemode)
def filemode(mode: int) -> str:
    """As ``ls -l`` shows it."""
    kind = "?"
    for letter, bits in (
        ("l", 0o120000), ("s", 0o140000), ("-", 0o100000), ("b", 0o060000), ("d", 0o040000),
        ("c", 0o020000), ("p", 0o010000),
    ):  # fmt: skip
        if mode & 0o170000 == bits:
            kind = letter
    shown = [kind]
    for shift, special, letter in ((6, 0o4000, "s"), (3, 0o2000, "s"), (0, 0o1000, "t")):
        bits = mode >> shift
        shown.append("r" if bits & 4 else "-")
        shown.append("w" if bits & 2 else "-")
        if mode & special:
            shown.append(letter if bits & 1 else letter.upper())
        else:
            shown.append("x" if bits & 1 else "-")
    return "".join(shown)
