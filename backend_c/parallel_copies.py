"""Parallel assignment as a sequence: block parameters are assigned all at once.

    (a, b) := (b, a)    ->    { T tmp = a; a = b; b = tmp; }

After the windmill observation of Rideau, Serpette and Leroy, "Tilting at windmills with
Coq" (2008): assign whatever nobody reads any more; what is left are cycles, and saving
one value opens each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

Copy = tuple[str, str, str]
"""(C type, destination variable, source expression)."""


def sequential_copies(copies: Sequence[Copy]) -> list[str]:
    """C statements with the effect of assigning all sources at once to all destinations.

    Destinations differ from each other; a source is one of them, or an expression that
    reads none of them.
    """
    pending = {dst: (ctype, src) for ctype, dst, src in copies if dst != src}
    readers: dict[str, int] = {}
    for _, src in pending.values():
        if src in pending:
            readers[src] = readers.get(src, 0) + 1
    free = [dst for dst in pending if not readers.get(dst)]
    result: list[str] = []
    temporaries = 0
    while pending:
        while free:
            dst = free.pop(0)
            _, src = pending.pop(dst)
            result.append(f"{dst} = {src};")
            if src in readers:
                readers[src] -= 1
                if not readers[src] and src in pending:
                    free.append(src)
        if pending:  # only cycles are left: save the first destination, then assign it
            dst = next(iter(pending))
            ctype = pending[dst][0]
            temporaries += 1
            saved = f"rpy_tmp{temporaries}"
            separator = "" if ctype.endswith("*") else " "
            result.append(f"{ctype}{separator}{saved} = {dst};")
            for other, (other_type, src) in pending.items():
                if src == dst:
                    pending[other] = (other_type, saved)
            readers[dst] = 0
            free.append(dst)
    if temporaries:
        result[0] = "{ " + result[0]
        result[-1] += " }"
    return result
