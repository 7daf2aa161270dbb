"""The items of formats of ``struct`` with standard sizes."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterable

native_is_bigendian = sys.byteorder == "big"
native_is_ieee754 = True


def make_table(prefix: str, codes: Iterable[str]) -> dict[str, dict[str, int]]:
    """``size`` and ``alignment`` of each code after the prefix of a format."""
    table = {}
    for code in codes:
        size = struct.calcsize(prefix + code)
        table[code] = {"size": size, "alignment": struct.calcsize(f"{prefix}c{code}") - size}
    return table


standard_fmttable = make_table("=", "xcbBspfd?hHiIlLqQ")
