"""Format specifications, ``%`` formats and ``str.format`` templates, taken apart.

All of them have to be known at translation time.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import replace

from rpython.translator.ir.records import dataclass


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
    no_minus_zero: bool = False

    def text(self) -> str:
        """As after the colon in an f-string."""
        width = str(self.width) if self.width else ""
        precision = f".{self.precision}" if self.precision >= 0 else ""
        aligned = self.fill + self.align if self.align else ""
        marks = "z" * self.no_minus_zero + "#" * self.alternate
        return f"{aligned}{self.sign}{marks}{width}{self.grouping}{precision}{self.type}"


@dataclass(frozen=True, slots=True)
class Field:
    """A place for a value: the number or keyword of the argument, the conversion ('', 'r', 's'
    or 'a'), and how it is to be written.

    From braces, ``text`` is the specification as it stands there and ``nested`` its pieces, if
    it has fields of its own; from ``%``, ``width`` and ``precision`` are the numbers of the
    arguments that give them, -1 for none.  ``none_error``: what the TypeError for None says, ''
    where None has a text.
    """

    argument: int | str
    conversion: str
    spec: Spec
    text: str = ""
    nested: tuple[Piece, ...] = ()
    width: int = -1
    precision: int = -1
    none_error: str = ""


Piece = str | Field

NONE_WITH_SPEC = "unsupported format string passed to NoneType.__format__"
NONE_FOR_STAR = "* wants int"

_SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ]?)(?P<z>z?)(?P<alternate>#?)(?P<zero>0?)"
    r"(?P<width>\d*)(?P<grouping>[,_]?)(?:\.(?P<precision>\d+))?(?P<type>[a-zA-Z%]?)",
    re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>.)",
    re.DOTALL,
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
        no_minus_zero=bool(match["z"]),
    )  # fmt: skip


def parse_percent(text: str, of_bytes: bool = False) -> list[Piece]:
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
        allowed = "diouxXeEfFgGcrsa%b" if of_bytes else "diouxXeEfFgGcrsa%"
        plain = match is not None and match.end() - match.start() == 2
        if match is None or match["type"] not in allowed or (match["type"] == "%" and not plain):
            raise FormatError(f"the format {text[found:]!r} is not supported")
        position = match.end()
        if match["type"] == "%":
            pieces.append("%")
            continue
        field = _percent_field(match, argument, of_bytes)
        pieces.append(field)
        assert isinstance(field.argument, int)
        argument = field.argument + 1


def _none_in_percent(kind: str, of_bytes: bool) -> str:
    """What CPython's TypeError says when a field of ``%`` is None, '' where there is none."""
    if kind in "diu":
        shown = "d" if of_bytes and kind == "i" else kind
        return f"%{shown} format: a real number is required, not NoneType"
    if kind in "oxX":
        return f"%{kind} format: an integer is required, not NoneType"
    if kind in "eEfFgG":
        return "float argument required, not NoneType" if of_bytes else (
            "must be real number, not NoneType"
        )  # fmt: skip
    if kind == "c":
        wanted = "an integer in range(256) or a single byte" if of_bytes else "int or char"
        return f"%c requires {wanted}"
    if of_bytes and kind in "bs":
        return (
            "%b requires a bytes-like object, or an object that implements __bytes__, "
            "not 'NoneType'"
        )
    return ""


def brace_field(argument: int | str, conversion: str, text: str) -> Field:
    """A field with a specification known at translation time.  Raises FormatError."""
    none_error = NONE_WITH_SPEC if text and not conversion else ""
    return Field(argument, conversion, parse_spec(text), text, none_error=none_error)


def _percent_field(match: re.Match[str], argument: int, of_bytes: bool) -> Field:
    flags, kind = match["flags"], match["type"]
    places = {"width": -1, "precision": -1}
    numbers = {"width": 0, "precision": -1}
    for name in places:
        if match[name] == "*":
            places[name] = argument
            argument += 1
        elif match[name] is not None:
            numbers[name] = int(match[name] or 0)
    precision = numbers["precision"]
    if precision > 2147483647:
        raise FormatError("precision too big")
    spec = Spec(
        sign="+" if "+" in flags else " " if " " in flags else "-",
        alternate="#" in flags, width=numbers["width"], align=">", type=kind,
    )  # fmt: skip
    if kind in "rsabc":
        spec = replace(spec, sign="-", alternate=False, precision=precision if kind != "c" else -1)
    elif kind in "diouxX":
        spec = replace(
            spec, type="d" if kind in "iu" else kind, min_digits=max(precision, 1)
        )  # fmt: skip
    else:
        spec = replace(spec, precision=precision)
    if "-" in flags:
        spec = replace(spec, align="<")
    elif "0" in flags and kind not in "rsabc":
        spec = replace(spec, fill="0", align="=")
    conversion = kind if kind in "ra" else ""
    stars = (places["width"], places["precision"])
    none_error = _none_in_percent(kind, of_bytes)
    return Field(argument, conversion, spec, "", (), *stars, none_error)


class _Braces:
    """Reads what ``str.format`` is called on."""

    def __init__(self) -> None:
        self.count = 0
        self.manual: bool | None = None

    def parse(self, text: str, depth: int) -> list[Piece]:
        pieces: list[Piece] = []
        try:
            parsed = list(string.Formatter().parse(text))
        except ValueError as error:
            raise FormatError(str(error)) from None
        for literal, name, spec, conversion in parsed:
            pieces.append(literal)
            if name is None:
                continue
            argument = self.argument(name)
            if "{" not in (spec or ""):
                pieces.append(brace_field(argument, conversion or "", spec or ""))
                continue
            if depth == 2:
                raise FormatError("Max string recursion exceeded")
            nested = tuple(self.parse(spec or "", depth + 1))
            pieces.append(Field(argument, conversion or "", Spec(), nested=nested))
        return pieces

    def argument(self, name: str) -> int | str:
        """The number or keyword that a field names."""
        if name and not name.isdecimal():
            if not name.isidentifier():
                raise FormatError(
                    f"the field {name!r} in a format is not supported: use positions or names"
                )
            return name
        if self.manual is not None and self.manual != bool(name):
            manual, automatic = "manual field specification", "automatic field numbering"
            old, new = (automatic, manual) if name else (manual, automatic)
            raise FormatError(f"cannot switch from {old} to {new}")
        self.manual = bool(name)
        if name:
            return int(name)
        self.count += 1
        return self.count - 1


def parse_braces(text: str) -> list[Piece]:
    """What ``str.format`` is called on.  Raises FormatError."""
    return _Braces().parse(text, 1)


def fields_of(pieces: Sequence[Piece]) -> list[Field]:
    """The fields, those inside specifications too."""
    result: list[Field] = []
    for piece in pieces:
        if isinstance(piece, Field):
            result += [piece, *fields_of(piece.nested)]
    return result
