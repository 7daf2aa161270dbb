"""Floats and their text, under the names of RPython's wrapper of David Gay's dtoa."""

from __future__ import annotations

from rpython.rlib import rfloat

lower_special_strings = ("inf", "+inf", "-inf", "nan")
upper_special_strings = ("INF", "+INF", "-INF", "NAN")


def strtod(input: str) -> float:
    """The number that all of the text is; raises ValueError for other text."""
    return rfloat.string_to_float(input)


def dtoa_formatd(value: float, code: str, precision: int, flags: int) -> str:
    """``value`` as the format code ``e``, ``f``, ``g`` or ``r`` (or its capital) says."""
    return rfloat.formatd(value, code, precision, flags)


def dtoa(
    value: float,
    code: str = "r",
    mode: int = 0,
    precision: int = 0,
    flags: int = 0,
    special_strings: tuple[str, str, str, str] = lower_special_strings,
    upper: bool = False,
) -> str:
    """The same, with texts of one's own for what is no finite number.

    ``precision`` counts as dtoa's ``mode`` does: 2, digits in all; 3, digits behind the point; 0,
    as many as it takes, with ``code`` "r" only.  Raises ValueError for other combinations."""
    if rfloat.isnan(value):
        return special_strings[3]
    if rfloat.isinf(value):
        if value < 0.0:
            return special_strings[2]
        return special_strings[1] if flags & rfloat.DTSF_SIGN else special_strings[0]
    if mode == 2:
        digits = precision - 1 if code == "e" else precision
        text = rfloat.formatd(value, code, digits, flags)
    elif mode == 3 or code == "r":
        text = rfloat.formatd(value, code, precision, flags)
    else:
        raise ValueError("dtoa: mode 0 is for the code 'r'")
    return text.upper() if upper else text
