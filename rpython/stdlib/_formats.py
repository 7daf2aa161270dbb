"""``template.format(...)`` and ``template % ...`` where the template is known only when the program
runs, translated like the program's own code.

Each argument keeps its own kind: functions here have a graph for every kind of argument.
"""

from __future__ import annotations

import operator
from typing import Any

from rpython.stdlib._registry import per_arguments, per_values

_DIGITS = "0123456789"
_MOST = 9223372036854775807
_NO_NUMBER = (str, bytes, bytearray, list, tuple, dict, set, frozenset, range, type(None))
"""Built-in classes that ``%`` makes no number of, though ``int`` does of some."""


class _Field:
    """A replacement field, which begins behind the ``{`` at ``start``.  ``number``: of the
    argument, -1: it has a name."""

    def __init__(self, text: str, start: int, numbering: _Numbering) -> None:
        self.conversion = self.spec = ""
        at = start
        while at < len(text) and text[at] not in "!:}":
            if text[at] == "{":
                raise ValueError("unexpected '{' in field name")
            at += 1
        if at == len(text):
            raise ValueError("expected '}' before end of string")
        self.name = text[start:at]
        if text[at] == "!":
            if at + 1 == len(text):
                raise ValueError("end of string while looking for conversion specifier")
            self.conversion = text[at + 1]
            at += 2
            if at == len(text):
                raise ValueError("unmatched '{' in format spec")
            if text[at] not in ":}":
                raise ValueError("expected ':' after conversion specifier")
        if text[at] == ":":
            at = self.read_spec(text, at + 1)
        self.end = at
        if "." in self.name or "[" in self.name:
            raise NotImplementedError(
                "attributes and items in a format that is made when the program runs"
            )
        self.number = numbering.number(self.name)

    def read_spec(self, text: str, start: int) -> int:
        """Returns where it ends."""
        depth = 1
        for i in range(start, len(text)):
            if text[i] == "{":
                depth += 1
            elif text[i] == "}":
                depth -= 1
                if depth == 0:
                    self.spec = text[start:i]
                    return i
        raise ValueError("unmatched '{' in format spec")


class _Numbering:
    """Which argument a field without a number means."""

    def __init__(self) -> None:
        self.next = 0  # -1: fields have numbers

    def number(self, name: str) -> int:
        """That of the argument; -1: the name is one."""
        if name == "":
            if self.next < 0:
                raise ValueError(
                    "cannot switch from manual field specification to automatic field numbering"
                )
            self.next += 1
            return self.next - 1
        if not (name.isascii() and name.isdecimal()):
            return -1
        if self.next > 0:
            raise ValueError(
                "cannot switch from automatic field numbering to manual field specification"
            )
        self.next = -1
        return _int(name, "Too many decimal digits in format string")


def _int(digits: str, message: str) -> int:
    value = 0
    for char in digits:
        if value > (_MOST - 9) // 10:
            raise ValueError(message)
        value = value * 10 + ord(char) - 48
    return value


@per_arguments
def format_text(text: Any, /, *args: Any, **kw: Any) -> str:
    """``text.format(*args, **kw)``"""
    return _expanded(text, 2, _Numbering(), args, kw)


@per_arguments
def _expanded(text: str, depth: int, numbering: _Numbering, args: Any, kw: Any) -> str:
    if depth == 0:
        raise ValueError("Max string recursion exceeded")
    pieces: list[str] = []
    i = 0
    while i < len(text):
        char = text[i]
        i += 1
        if char not in "{}":
            pieces.append(char)
        elif i < len(text) and text[i] == char:
            pieces.append(char)
            i += 1
        elif char == "}":
            raise ValueError("Single '}' encountered in format string")
        elif i == len(text):
            raise ValueError("Single '{' encountered in format string")
        else:
            field = _Field(text, i, numbering)
            if field.number >= len(args):
                raise IndexError(
                    f"Replacement index {field.number} out of range for positional args tuple"
                )
            if field.number < 0 and field.name not in kw:
                raise KeyError(field.name)
            spec = field.spec
            if "{" in spec or "}" in spec:
                spec = _expanded(spec, depth - 1, numbering, args, kw)
            pieces.append(_value(field, spec, args, kw))
            i = field.end + 1
    return "".join(pieces)


@per_arguments
def _value(field: _Field, spec: str, args: Any, kw: Any) -> str:
    if field.number >= 0:
        return _nth(args, field.number, field.conversion, spec)
    return _shown(kw[field.name], field.conversion, spec)


@per_values
def _nth(args: Any, index: int, conversion: str, spec: str) -> str:
    if len(args) == 0:
        raise AssertionError
    if index == 0:
        return _shown(args[0], conversion, spec)
    return _nth(args[1:], index - 1, conversion, spec)


@per_arguments
def _shown(value: Any, conversion: str, spec: str) -> str:
    if conversion == "r":
        return format(repr(value), spec)
    if conversion == "a":
        return format(ascii(value), spec)
    if conversion == "s":
        return format(str(value), spec)
    if conversion != "":
        raise ValueError(f"Unknown conversion specifier {conversion}")
    return format(value, spec)


# -- % ---------------------------------------------------------------------------------------------


class _Percent:
    """A field of ``%``, and where the next one begins.  ``width`` and ``precision``: -1: there is
    none, -2: the next argument says it."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.key = ""
        self.has_key = False
        if self.char() == "(":
            self.read_key()
        self.left = self.plus = self.space = self.alternate = self.zero = False
        self.read_flags()
        self.width = self.read_number()
        self.precision = -1
        if self.char() == ".":
            self.at += 1
            self.precision = self.read_number()
            if self.precision == -1:
                self.precision = 0
        while self.char() in ("h", "l", "L"):
            self.at += 1
        self.kind = self.char()
        self.at += 1

    def char(self) -> str:
        if self.at >= len(self.text):
            raise ValueError("incomplete format")
        return self.text[self.at]

    def read_key(self) -> None:
        start = self.at + 1
        depth = 1
        while depth > 0:
            self.at += 1
            if self.at >= len(self.text):
                raise ValueError("incomplete format key")
            if self.text[self.at] == "(":
                depth += 1
            elif self.text[self.at] == ")":
                depth -= 1
        self.key = self.text[start : self.at]
        self.has_key = True
        self.at += 1

    def read_flags(self) -> None:
        while True:
            char = self.char()
            if char == "-":
                self.left = True
            elif char == "+":
                self.plus = True
            elif char == " ":
                self.space = True
            elif char == "#":
                self.alternate = True
            elif char == "0":
                self.zero = True
            else:
                return
            self.at += 1

    def read_number(self) -> int:
        if self.char() == "*":
            self.at += 1
            return -2
        start = self.at
        while self.char() in _DIGITS:
            self.at += 1
        if self.at == start:
            return -1
        return _int(self.text[start : self.at], "width too big")

    def padded(self, sign: str, body: str, fill_zeros: bool) -> str:
        missing = self.width - len(sign) - len(body)
        if missing <= 0:
            return sign + body
        if self.left:
            return sign + body + " " * missing
        if fill_zeros:
            return sign + "0" * missing + body
        return " " * missing + sign + body

    def sign(self, negative: bool) -> str:
        if negative:
            return "-"
        return "+" if self.plus else " " if self.space else ""

    def whole(self, digits: str, negative: bool) -> str:
        """A number that has these digits."""
        sign = self.sign(negative)
        if self.alternate and self.kind in "xXo":
            sign += "0" + self.kind
        if self.kind == "X":
            digits = digits.upper()
        if self.precision > len(digits):
            digits = "0" * (self.precision - len(digits)) + digits
        return self.padded(sign, digits, self.zero)

    def fraction(self, x: float) -> str:
        precision = 6 if self.precision < 0 else self.precision
        mark = "#" if self.alternate else ""
        body = format(x, f"{mark}.{precision}{self.kind}")
        negative = body[0] == "-"
        return self.padded(self.sign(negative), body[1:] if negative else body, self.zero)

    def word(self, text: str) -> str:
        if self.precision >= 0:
            text = text[: self.precision]
        return self.padded("", text, False)

    def unsupported(self) -> ValueError:
        code = ord(self.kind)
        shown = self.kind if 31 < code < 127 else "?"
        return ValueError(
            f"unsupported format character '{shown}' ({code:#x}) at index {self.at - 1}"
        )


@per_arguments
def percent_text(text: str, values: Any, /) -> str:
    """``text % values``"""
    pieces: list[str] = []
    used = 0
    i = 0
    while i < len(text):
        end = text.find("%", i)
        if end < 0:
            break
        pieces.append(text[i:end])
        if text[end : end + 2] == "%%":
            pieces.append("%")
            i = end + 2
            continue
        if text[end : end + 2] == "%(":
            _require_mapping(values)
        field = _Percent(text, end + 1)
        i = field.at
        if field.has_key:
            pieces.append(_keyed(values, field))
            used = -1
            continue
        if used < 0:
            raise TypeError("not enough arguments for format string")
        if field.width == -2:
            field.width = _star(values, used)
            used += 1
            if field.width < 0:
                field.left = True
                field.width = -field.width
        if field.precision == -2:
            field.precision = max(_star(values, used), 0)
            used += 1
        pieces.append(_numbered(values, used, field))
        used += 1
    pieces.append(text[i:])
    if used >= 0 and used < _count(values):
        raise TypeError("not all arguments converted during string formatting")
    return "".join(pieces)


@per_arguments
def _require_mapping(values: Any) -> None:
    if not isinstance(values, dict):
        raise TypeError("format requires a mapping")


@per_arguments
def _count(values: Any) -> int:
    """How many have to be used: of a mapping none, and a list counts as one."""
    if isinstance(values, tuple):
        return len(values)
    return 0 if isinstance(values, (dict, list, bytes, bytearray, range)) else 1


@per_arguments
def _keyed(values: Any, field: _Percent) -> str:
    if not isinstance(values, dict):
        raise AssertionError
    if field.width == -2 or field.precision == -2:
        raise TypeError("* wants int")
    return _one(values[field.key], field)


@per_arguments
def _numbered(values: Any, index: int, field: _Percent) -> str:
    if isinstance(values, tuple):
        return _item(values, index, field)
    if index > 0:
        raise TypeError("not enough arguments for format string")
    return _one(values, field)


@per_arguments
def _item(values: Any, index: int, field: _Percent) -> str:
    if len(values) == 0:
        raise TypeError("not enough arguments for format string")
    if index == 0:
        return _one(values[0], field)
    return _item(values[1:], index - 1, field)


@per_arguments
def _star(values: Any, index: int) -> int:
    if not isinstance(values, tuple):
        if index > 0:
            raise TypeError("not enough arguments for format string")
        return _star_value(values)
    return _star_item(values, index)


@per_arguments
def _star_item(values: Any, index: int) -> int:
    if len(values) == 0:
        raise TypeError("not enough arguments for format string")
    if index == 0:
        return _star_value(values[0])
    return _star_item(values[1:], index - 1)


@per_arguments
def _star_value(value: Any) -> int:
    if isinstance(value, int):
        return int(value)
    raise TypeError("* wants int")


@per_arguments
def _one(value: Any, field: _Percent) -> str:
    kind = field.kind
    if kind == "s":
        return field.word(str(value))
    if kind == "r":
        return field.word(repr(value))
    if kind == "a":
        return field.word(ascii(value))
    if kind in "diu":
        return _decimal(value, field)
    if kind in "xXo":
        number = percent_index(value, f"%{kind} format: an integer is required, not ")
        digits = f"{number:o}" if kind == "o" else f"{number:x}"
        return field.whole(digits.lstrip("-"), number < 0)
    if kind in "eEfFgG":
        return field.fraction(percent_real(value, "must be real number, not "))
    if kind == "c":
        return field.padded("", _character(value), False)
    raise field.unsupported()


@per_arguments
def _decimal(value: Any, field: _Percent) -> str:
    wrong = f"%{field.kind} format: a real number is required, not "
    text = str(percent_whole(value, wrong))
    return field.whole(text.lstrip("-"), text[0] == "-")


@per_arguments
def percent_whole(value: Any, wrong: str) -> Any:
    """The int that ``%d`` shows of a value, by its ``__int__`` or ``__index__``.
    ``wrong``: what is said of one that has neither, but for the name of its class."""
    if isinstance(value, (int, float)):
        return int(value)
    if not isinstance(value, _NO_NUMBER):
        if hasattr(value, "__int__") or hasattr(value, "__index__"):
            return int(value)
    raise TypeError(wrong + type(value).__name__)


@per_arguments
def percent_index(value: Any, wrong: str) -> Any:
    """The int that ``%x`` shows of a value, by its ``__index__``."""
    if isinstance(value, int):
        return int(value)
    if not isinstance(value, (float, *_NO_NUMBER)) and hasattr(value, "__index__"):
        return operator.index(value)
    raise TypeError(wrong + type(value).__name__)


@per_arguments
def percent_real(value: Any, wrong: str) -> float:
    """The float that ``%f`` (and the like) shows of a value."""
    if isinstance(value, (int, float)):
        return float(value)
    if not isinstance(value, _NO_NUMBER):
        if hasattr(value, "__float__") or hasattr(value, "__index__"):
            return float(value)
    raise TypeError(wrong + type(value).__name__)


@per_arguments
def _character(value: Any) -> str:
    if isinstance(value, int):
        if not 0 <= value <= 0x10FFFF:
            raise OverflowError("%c arg not in range(0x110000)")
        return chr(value)
    if isinstance(value, str):
        if len(value) == 1:
            return value
        raise TypeError("%c requires int or char")
    raise TypeError("%c requires int or char")
