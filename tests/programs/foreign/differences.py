"""Drives the standard library's difflib.SequenceMatcher: ``differences.py A B``.

The sequences are lists: of two strs it asks ``a is self.a``, which is refused.
"""

from __future__ import annotations

import sys
from difflib import SequenceMatcher

A = """the quick brown fox jumps over the lazy dog and runs away"""
B = """the quack brown fax jumped over a lazy dog, then ran away"""


def compare(a: list[str], b: list[str]) -> None:
    matcher = SequenceMatcher(None, a, b)
    print(matcher.ratio(), matcher.quick_ratio(), matcher.real_quick_ratio())
    for i, j, size in matcher.get_matching_blocks():
        print(i, j, size, " ".join(a[i : i + size]))
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        print(f"{tag:7}   a[{i1}:{i2}] --> b[{j1}:{j2}] {a[i1:i2]} --> {b[j1:j2]}")
    match = matcher.find_longest_match(0, len(a), 0, len(b))
    print(match.a, match.b, match.size)


def entry_point(argv: list[str]) -> int:
    if len(argv) > 2:
        compare(argv[1].split(), argv[2].split())
    else:
        compare(list(A), list(B))
        compare(A.split(), B.split())
        compare([], [])
        compare(list(A * 10), list(B * 9))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
