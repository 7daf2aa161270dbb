"""How two numbers or pointers compare: the relations that rows of operations name.

    lt le gt ge eq ne       and, of numbers without sign, ult ule
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def _both_ways(*pairs: tuple[str, str]) -> dict[str, str]:
    return dict([*pairs, *((b, a) for a, b in pairs)])


SWAPPED = _both_ways(("lt", "gt"), ("le", "ge"), ("eq", "eq"), ("ne", "ne"))
"""The relation of the second operand to the first."""
NEGATED = _both_ways(("lt", "ge"), ("le", "gt"), ("eq", "ne"))
"""What holds where the relation does not."""


def canonical(relation: str, a: T, b: T) -> tuple[str, T, T]:
    """The same comparison as one of ``lt``, ``le``, ``eq`` and ``ne``."""
    return (SWAPPED[relation], b, a) if relation in ("gt", "ge") else (relation, a, b)
