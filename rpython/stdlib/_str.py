"""Methods of str in Python, translated like the program's own code."""

from __future__ import annotations

from typing import Any

from rpython.stdlib._bytes import require_c_int
from rpython.stdlib._registry import Table, called_for, expanded, method_of, per_arguments
from rpython.stdlib._subvalues import inside


@method_of(str)
def expandtabs(s: str, /, tabsize: int = 8) -> str:
    require_c_int(tabsize)
    pieces = []
    column = 0
    for char in s:
        if char == "\t":
            if tabsize > 0:
                spaces = tabsize - column % tabsize
                pieces.append(" " * spaces)
                column += spaces
        else:
            pieces.append(char)
            column = 0 if char in "\n\r" else column + 1
    return "".join(pieces)


@expanded
def join_tested(s: str, items: Any, /) -> str:
    """``s.join(items)``, where some of the items may be something else."""
    pieces: list[str] = []
    for item in list(items):
        if not isinstance(item, str):
            found = type(item).__name__
            raise TypeError(f"sequence item {len(pieces)}: expected str instance, {found} found")
        pieces.append(inside(item))
    return s.join(pieces)


@method_of(str)
def translate(s: str, table: Table, /) -> str:
    pieces = []
    for char in s:
        code = ord(char)
        if code in table:
            pieces.append(replacement(table[code]))
        else:
            pieces.append(char)
    return "".join(pieces)


@per_arguments
def replacement(value: Any) -> str:
    """What an entry of a translation table stands for."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if not 0 <= value <= 0x10FFFF:
        raise ValueError("character mapping must be in range(0x110000)")
    return chr(value)


@called_for(str.maketrans)
@per_arguments
def maketrans(x: str, y: str, /, *z: str) -> Any:
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    table: Any = {}
    for i in range(len(x)):
        table[ord(x[i])] = ord(y[i])
    if len(z) > 0:
        for char in z[0]:
            table[ord(char)] = None
    return table
