"""A program of 8,000 lines, of functions of twenty, and a change of one of them.

Run from the repository: ``python -m benchmarks.large_program FILE [LINES]`` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

LINES = 8000
_OF_FUNCTION = 20
_TOGETHER = 20
"""How many functions are called from one."""

CHANGED = ("        total -= 100\n", "        total -= 101\n        total += n\n")
"""A statement of one function, and what takes its place, in one line more."""

_NODE = """\
class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next

"""
_FUNCTION = """\
def work{i}(items, n):
    total = 0
    counts = {{}}
    for item in items:
        if item % {divisor} == 0:
            total += item * {i}
        else:
            total -= item
        key = str(item % 10)
        counts[key] = counts.get(key, 0) + 1
    names = sorted(counts)
    head = None
    for name in names:
        head = Node(counts[name], head)
    while head is not None:
        total += head.value
        head = head.next
    if total > {i}:
        total -= {i}
    return total + len(names) + n
"""


def large_program(lines: int = LINES) -> str:
    """The text of the program."""
    count = lines // (_OF_FUNCTION + 2)
    parts = [_NODE]
    groups = []
    for first in range(0, count, _TOGETHER):
        numbers = range(first, min(first + _TOGETHER, count))
        parts += [_FUNCTION.format(i=i, divisor=i % 7 + 2) for i in numbers]
        calls = "".join(f"    t += work{i}(items, {i})\n" for i in numbers)
        groups.append(f"group{first}")
        parts.append(f"def {groups[-1]}(items):\n    t = 0\n{calls}    return t\n")
    calls = "".join(f"    t += {group}(items)\n" for group in groups)
    parts.append(
        "def entry_point(argv):\n    items = list(range(len(argv) * 10))\n    t = 0\n"
        f"{calls}    print(t)\n    return 0\n"
    )
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(large_program(*map(int, sys.argv[2:])))
