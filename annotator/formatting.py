"""Format specifications, ``%`` formats and ``str.format`` templates, taken apart.

All of them have to be known at translation time.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, replace


class FormatError(Exception):
    """The format is wrong or not supported; the text says why."""


@dataclass(frozen=True, slots=True)
class Spec:
    """How one value is to be written.  ``align`` is '' where the kind decides;
    ``precision`` -1 when it is not given; ``min_digits``: of an int, for ``%.5d``."""

    fill: str = " "
    align: str = ""
    sign: str = "-"
    alternate: bool = False
    width: int = 0
    grouping: str = ""
    precision: int = -1
    type: str = ""
    min_digits: int = 1


@dataclass(frozen=True, slots=True)
class Field:
    """A place for a value: the number of the argument, the conversion ('', 'r' or 's'),
    how it is to be written (and, from braces, the specification as it stands there)."""

    argument: int
    conversion: str
    spec: Spec
    text: str = ""


Piece = str | Field

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ]?)(?P<alternate>#?)(?P<zero>0?)"
    r"(?P<width>\d*)(?P<grouping>[,_]?)(?:\.(?P<precision>\d+))?(?P<type>[a-zA-Z%]?)",
    re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?P<type>.)", re.DOTALL
)


def parse_spec(text: str) -> Spec:
    """A format specification, as after the colon in an f-string.  Raises FormatError."""
    match = _SPEC.fullmatch(text)
    if match is None:
        raise FormatError(f"the format specification {text!r} is not supported")
    fill, align = match["fill"] or "", match["align"] or ""
    if match["zero"] and not fill:
        fill, align = "0", align or "="
    precision = -1 if match["precision"] is None else int(match["precision"])
    return Spec(
        fill or " ", align, match["sign"] or "-", bool(match["alternate"]),
        int(match["width"] or 0), match["grouping"], precision, match["type"],
    )  # fmt: skip


def parse_percent(text: str) -> list[Piece]:
    """The left operand of ``%``.  Raises FormatError."""
    pieces: list[Piece] = []
    position = argument = 0
    while True:
        found = text.find("%", position)
        if found < 0:
            pieces.append(text[position:])
            return pieces
        pieces.append(text[position:found])
        match = _DIRECTIVE.match(text, found)
        if match is None or match["type"] not in "diouxXeEfFgGcrsa%":
            raise FormatError(f"the format {text[found:]!r} is not supported")
        position = match.end()
        if match["type"] == "%":
            pieces.append("%")
            continue
        pieces.append(_percent_field(match, argument))
        argument += 1


def _percent_field(match: re.Match[str], argument: int) -> Field:
    flags, kind = match["flags"], match["type"]
    precision = -1 if match["precision"] is None else int(match["precision"] or 0)
    spec = Spec(
        sign="+" if "+" in flags else " " if " " in flags else "-",
        alternate="#" in flags, width=int(match["width"] or 0), align=">", type=kind,
    )  # fmt: skip
    if kind in "rsac":
        spec = replace(spec, sign="-", alternate=False, precision=precision if kind != "c" else -1)
    elif kind in "diouxX":
        spec = replace(
            spec, type="d" if kind in "iu" else kind, min_digits=max(precision, 1)
        )  # fmt: skip
    else:
        spec = replace(spec, precision=precision)
    if "-" in flags:
        spec = replace(spec, align="<")
    elif "0" in flags and kind not in "rsac":
        spec = replace(spec, fill="0", align="=")
    if kind == "a":
        raise FormatError("%a is not supported")
    return Field(argument, kind if kind == "r" else "", spec)


def parse_braces(text: str) -> list[Piece]:
    """What ``str.format`` is called on.  Raises FormatError."""
    pieces: list[Piece] = []
    count = 0
    try:
        parsed = list(string.Formatter().parse(text))
    except ValueError as error:
        raise FormatError(str(error)) from None
    for literal, name, spec, conversion in parsed:
        pieces.append(literal)
        if name is None:
            continue
        if name and not name.isdecimal():
            raise FormatError(f"the field {name!r} in a format is not supported: use positions")
        if "{" in (spec or ""):
            raise FormatError("a field inside a format specification is not supported")
        argument = int(name) if name else count
        count += not name
        pieces.append(Field(argument, conversion or "", parse_spec(spec or ""), spec or ""))
    return pieces
