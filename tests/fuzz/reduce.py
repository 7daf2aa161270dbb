"""A smaller program that still differs: lines are left out as long as it does.

After Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), without the
complements: halves of the lines first, then smaller and smaller groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Lines = Sequence[str]


def reduced(source: str, differs: Callable[[str], bool]) -> str:
    """``source`` without the lines that ``differs`` does not need; it is only asked about what
    compiles."""
    lines = source.splitlines()
    size = len(lines)
    while size > 1:
        size = (size + 1) // 2
        lines = _without_groups(lines, size, differs)
    return _text(lines)


def _without_groups(lines: list[str], size: int, differs: Callable[[str], bool]) -> list[str]:
    first = 0
    while first < len(lines):
        fewer = lines[:first] + lines[first + size :]
        if _compiles(fewer) and differs(_text(fewer)):
            lines = fewer
        else:
            first += size
    return lines


def _compiles(lines: Lines) -> bool:
    try:
        compile(_text(lines), "reduced", "exec")
    except SyntaxError:
        return False
    return True


def _text(lines: Lines) -> str:
    return "\n".join(lines) + "\n"
