"""Items of a FixedSizeArray as fields: ``p.item0`` is ``p[0]``, as in RPython."""

from __future__ import annotations

from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.types import FixedSizeArray


def named_item(T: LowLevelType, name: str) -> int | None:
    """The number of the item of a container that a field of this name is, if it is one."""
    digits = name.removeprefix("item")
    if not isinstance(T, FixedSizeArray) or digits == name or not digits.isdecimal():
        return None
    number = int(digits)
    return number if str(number) == digits and number < T.length else None
