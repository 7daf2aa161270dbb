"""``json``: reading and writing.

CPython's encoder in Python is a closure of closures, and its decoder keeps functions of many kinds
in attributes: so they are said again, with the hooks as arguments.
"""

from __future__ import annotations

import json
import math
from json.decoder import JSONDecodeError
from typing import Any

from rpython.stdlib._registry import extensible, per_arguments, replaces
from rpython.stdlib._subvalues import inside

# -- writing -------------------------------------------------------------------------------------

_SHORT = {
    "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b",
}  # fmt: skip
_UNLIKELY_DEPTH = 100
"""What is nested deeper may contain itself: from there on that is looked for."""


class _Output:
    """What is written, in the pieces in which ``json.dump`` gives it to a file."""

    def __init__(
        self, skipkeys: bool, ensure_ascii: bool, check_circular: bool, allow_nan: bool,
        sort_keys: bool, indent: str | None, separators: tuple[str, str] | None,
    ) -> None:  # fmt: skip
        self.pieces: list[str] = []
        self.skipkeys = skipkeys
        self.ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        self.item_separator = ", " if indent is None else ","
        self.key_separator = ": "
        if separators is not None:
            self.item_separator, self.key_separator = separators
        self.level = 0
        self.whole = True
        self._inside: set[int] = set()

    def add(self, piece: str) -> None:
        self.pieces.append(piece)

    def line(self) -> str:
        """The start of a line where there are lines."""
        return "" if self.indent is None else "\n" + self.indent * self.level

    def enter(self, number: int) -> None:
        """Begin to write a container.  Raises ValueError if it is inside of itself."""
        if self.level >= _UNLIKELY_DEPTH and self.check_circular:
            if number in self._inside:
                raise ValueError("Circular reference detected")
            self._inside.add(number)
        self.level += 1

    def leave(self, number: int) -> None:
        self.level -= 1
        if self.level >= _UNLIKELY_DEPTH:
            self._inside.discard(number)

    def quoted(self, s: str) -> str:
        start = 0
        pieces = ['"']
        for i, c in enumerate(s):
            if " " <= c <= "~":
                if c != '"' and c != "\\":
                    continue
            elif c >= "\x7f" and not self.ascii:
                continue
            pieces.append(s[start:i])
            pieces.append(_escaped(c))
            start = i + 1
        pieces.append(s[start:])
        pieces.append('"')
        return "".join(pieces)

    def float_text(self, x: float) -> str:
        if math.isfinite(x):
            return repr(x)
        if not self.allow_nan:
            # the encoder in C, which only ``dumps`` without ``indent`` has, does not say which
            which = "" if self.whole and self.indent is None else f": {x!r}"
            raise ValueError(f"Out of range float values are not JSON compliant{which}")
        return "NaN" if math.isnan(x) else "Infinity" if x > 0.0 else "-Infinity"


def _escaped(c: str) -> str:
    if c in _SHORT:
        return _SHORT[c]
    code = ord(c)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 | code >> 10:04x}\\u{0xDC00 | code & 0x3FF:04x}"


@per_arguments
def _simple(out: _Output, value: Any) -> str | None:
    """The text of what contains nothing; None for others."""
    value = inside(value)
    if value is None:
        return "null"
    if isinstance(value, str):
        return out.quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:d}"
    if isinstance(value, float):
        return out.float_text(value)
    return None


@per_arguments
def _key(out: _Output, key: Any) -> str | None:
    """The text of a key; None if it is left out."""
    key = inside(key)
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, int | float):
        return _simple(out, key)
    if out.skipkeys:
        return None
    raise TypeError(
        f"keys must be str, int, float, bool or None, not {type(key).__name__}"
    )


@per_arguments
def _write(out: _Output, default: Any, value: Any, before: str) -> None:
    """Write it, behind what was not written yet."""
    simple = _simple(out, value)
    if simple is not None:
        out.add(before + simple)
        return
    if before:
        out.add(before)
    if isinstance(value, list):
        out.enter(id(value))
        _write_items(out, default, value)
        out.leave(id(value))
    elif isinstance(value, tuple):
        out.enter(0)
        _write_items(out, default, value)
        out.leave(0)
    elif isinstance(value, dict):
        out.enter(id(value))
        _write_dict(out, default, value)
        out.leave(id(value))
    elif default is None or value is None or isinstance(value, str | int | float):
        raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
    else:
        _write(out, default, default(value), "")


@per_arguments
def _write_items(out: _Output, default: Any, items: Any) -> None:
    if len(items) == 0:
        out.add("[]")
        return
    before = "[" + out.line()
    for item in items:
        _write(out, default, item, before)
        before = out.item_separator + out.line()
    _end(out, "]")


@per_arguments
def _write_dict(out: _Output, default: Any, items: Any) -> None:
    if len(items) == 0:
        out.add("{}")
        return
    out.add("{")
    if out.indent is not None:
        out.add(out.line())
    first = True
    pairs = list(items.items())
    if out.sort_keys:
        pairs.sort(key=lambda pair: pair[0])
    for key, value in pairs:
        text = _key(out, key)
        if text is None:
            continue
        if not first:
            out.add(out.item_separator + out.line())
        first = False
        out.add(out.quoted(text))
        out.add(out.key_separator)
        _write(out, default, value, "")
    _end(out, "}")


def _end(out: _Output, bracket: str) -> None:
    out.level -= 1
    if out.indent is not None:
        out.add(out.line())
    out.level += 1
    out.add(bracket)


@per_arguments
def _indent(indent: Any) -> Any:
    if indent is None or isinstance(indent, str):
        return indent
    return " " * indent


@replaces(json.JSONEncoder)
@extensible
class JSONEncoder:
    """What writes; subclasses have a ``default`` of their own."""

    item_separator = ", "
    key_separator = ": "

    @per_arguments
    def __init__(
        self, *, skipkeys: bool = False, ensure_ascii: bool = True, check_circular: bool = True,
        allow_nan: bool = True, sort_keys: bool = False, indent: Any = None,
        separators: Any = None, default: None = None,
    ) -> None:  # fmt: skip
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self._indent = _indent(indent)
        self._separators: tuple[str, str] | None = separators

    @per_arguments
    def default(self, o: Any) -> Any:
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    @per_arguments
    def encode(self, o: Any) -> str:
        return "".join(self._written(o, True))

    @per_arguments
    def iterencode(self, o: Any) -> Any:
        yield from self._written(o, False)

    @per_arguments
    def _written(self, o: Any, whole: bool) -> list[str]:
        out = _Output(
            self.skipkeys, self.ensure_ascii, self.check_circular, self.allow_nan,
            self.sort_keys, self._indent, self._separators,
        )  # fmt: skip
        out.whole = whole
        _write(out, self.default, o, "")
        return out.pieces


@replaces(json.dumps)
@per_arguments
def dumps(
    obj: Any, *, skipkeys: bool = False, ensure_ascii: bool = True, check_circular: bool = True,
    allow_nan: bool = True, cls: Any = None, indent: Any = None, separators: Any = None,
    default: Any = None, sort_keys: bool = False,
) -> str:  # fmt: skip
    if cls is not None:
        return cls(  # type: ignore[no-any-return]
            skipkeys=skipkeys, ensure_ascii=ensure_ascii, check_circular=check_circular,
            allow_nan=allow_nan, indent=indent, separators=separators, sort_keys=sort_keys,
        ).encode(obj)  # fmt: skip
    out = _Output(
        skipkeys, ensure_ascii, check_circular, allow_nan, sort_keys, _indent(indent), separators
    )
    _write(out, default, obj, "")
    return "".join(out.pieces)


@replaces(json.dump)
@per_arguments
def dump(
    obj: Any, fp: Any, *, skipkeys: bool = False, ensure_ascii: bool = True,
    check_circular: bool = True, allow_nan: bool = True, indent: Any = None,
    separators: Any = None, default: Any = None, sort_keys: bool = False,
) -> None:  # fmt: skip
    out = _Output(
        skipkeys, ensure_ascii, check_circular, allow_nan, sort_keys, _indent(indent), separators
    )
    out.whole = False
    try:
        _write(out, default, obj, "")
    finally:
        for piece in out.pieces:
            fp.write(piece)


# -- reading -------------------------------------------------------------------------------------

_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_BLANK = " \t\n\r"


class _Input:
    """The text, and how far it is read."""

    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.place = 0

    def error(self, message: str, place: int) -> JSONDecodeError:
        return JSONDecodeError(message, self.text, place)

    def peek(self) -> str:
        """The next character, or nothing at the end."""
        return self.text[self.place : self.place + 1]

    def skip_blank(self) -> None:
        while self.place < len(self.text) and self.text[self.place] in _BLANK:
            self.place += 1

    def skip(self, word: str) -> bool:
        """Go behind the word, if it is there."""
        if not self.text.startswith(word, self.place):
            return False
        self.place += len(word)
        return True

    def string(self) -> str:
        """What is between here, behind a quotation mark, and the next one."""
        text = self.text
        begin = self.place - 1
        pieces: list[str] = []
        while True:
            start = i = self.place
            while i < len(text) and text[i] != '"' and text[i] != "\\":
                if text[i] < " " and self.strict:
                    raise self.error("Invalid control character at", i)
                i += 1
            pieces.append(text[start:i])
            self.place = i + 1
            if i < len(text) and text[i] == '"':
                return "".join(pieces)
            if i + 1 >= len(text):
                raise self.error("Unterminated string starting at", begin)
            c = text[i + 1]
            if c == "u":
                pieces.append(self._coded(i))
            elif c in _ESCAPES:
                pieces.append(_ESCAPES[c])
                self.place = i + 2
            else:
                raise self.error("Invalid \\escape", i)

    def _coded(self, i: int) -> str:
        """The character that is written with four hexadecimal digits at ``i``, or twice so."""
        code = self._code(i)
        self.place = i + 6
        if 0xD800 <= code <= 0xDBFF and i + 12 < len(self.text):
            if self.text.startswith("\\u", i + 6):
                low = self._code(i + 6)
                if 0xDC00 <= low <= 0xDFFF:
                    self.place = i + 12
                    code = 0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF)
        return chr(code)

    def _code(self, i: int) -> int:
        code = 0
        for k in range(i + 2, i + 6):
            digit = "0123456789abcdef".find(self.text[k : k + 1].lower() or "x")
            if digit < 0 or i + 6 >= len(self.text):
                raise self.error("Invalid \\uXXXX escape", i + 1)
            code = code << 4 | digit
        return code

    def digits(self) -> bool:
        """Go behind digits, if there are some."""
        start = self.place
        while "0" <= self.peek() <= "9":
            self.place += 1
        return self.place > start

    def number(self) -> bool:
        """Go behind a number; is it a float?  Raises JSONDecodeError."""
        start = self.place
        self.skip("-")
        if not self.skip("0") and not self.digits():
            raise self.error("Expecting value", start)
        is_float = False
        end = self.place
        if self.skip(".") and self.digits():
            is_float = True
            end = self.place
        self.place = end
        if self.skip("e") or self.skip("E"):
            if not self.skip("-"):
                self.skip("+")
            if self.digits():
                is_float = True
                end = self.place
        self.place = end
        return is_float


@per_arguments
def _value(source: _Input, hooks: Any) -> Any:
    if source.skip('"'):
        return source.string()
    if source.skip("{"):
        return _object(source, hooks)
    if source.skip("["):
        return _array(source, hooks)
    if source.skip("null"):
        return None
    if source.skip("true"):
        return True
    if source.skip("false"):
        return False
    for name in ("NaN", "Infinity", "-Infinity"):
        if source.skip(name):
            return hooks[4](name) if hooks[4] is not None else float(name)
    start = source.place
    is_float = source.number()
    text = source.text[start : source.place]
    if is_float:
        return hooks[2](text) if hooks[2] is not None else float(text)
    return hooks[3](text) if hooks[3] is not None else int(text)


@per_arguments
def _array(source: _Input, hooks: Any) -> Any:
    result: list[Any] = []
    source.skip_blank()
    if source.skip("]"):
        return result
    while True:
        result.append(_value(source, hooks))
        source.skip_blank()
        if source.skip("]"):
            return result
        if not source.skip(","):
            raise source.error("Expecting ',' delimiter", source.place)
        source.skip_blank()


@per_arguments
def _object(source: _Input, hooks: Any) -> Any:
    hook, pairs_hook = hooks[0], hooks[1]
    if pairs_hook is not None:
        pairs: list[Any] = []
        while _has_key(source, len(pairs) == 0):
            key = _next_key(source)
            pairs.append((key, _value(source, hooks)))
        return pairs_hook(pairs)
    result: dict[str, Any] = {}
    first = True
    while _has_key(source, first):
        first = False
        key = _next_key(source)
        result[key] = _value(source, hooks)
    return result if hook is None else hook(result)


def _has_key(source: _Input, first: bool) -> bool:
    """Does another key follow, or the end?"""
    source.skip_blank()
    if source.skip("}"):
        return False
    if not first:
        if not source.skip(","):
            raise source.error("Expecting ',' delimiter", source.place)
        source.skip_blank()
    return True


def _next_key(source: _Input) -> str:
    """The key, up to its value."""
    if not source.skip('"'):
        raise source.error(
            "Expecting property name enclosed in double quotes", source.place
        )
    key = source.string()
    source.skip_blank()
    if not source.skip(":"):
        raise source.error("Expecting ':' delimiter", source.place)
    source.skip_blank()
    return key


@per_arguments
def _text_of(s: Any) -> str:
    if isinstance(s, str):
        if s.startswith("\ufeff"):
            raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
        return s
    if b"\x00" in s[:4] or s[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise NotImplementedError("JSON in UTF-16 or UTF-32")
    return bytes(s).decode("utf-8").removeprefix("\ufeff")


@replaces(json.loads)
@per_arguments
def loads(
    s: Any, *, object_hook: Any = None, parse_float: Any = None, parse_int: Any = None,
    parse_constant: Any = None, object_pairs_hook: Any = None, strict: bool = True,
) -> Any:  # fmt: skip
    source = _Input(_text_of(s), strict)
    source.skip_blank()
    hooks = (object_hook, object_pairs_hook, parse_float, parse_int, parse_constant)
    value = _value(source, hooks)
    source.skip_blank()
    if source.place != len(source.text):
        raise source.error("Extra data", source.place)
    return value


@replaces(json.load)
@per_arguments
def load(
    fp: Any, *, object_hook: Any = None, parse_float: Any = None, parse_int: Any = None,
    parse_constant: Any = None, object_pairs_hook: Any = None, strict: bool = True,
) -> Any:  # fmt: skip
    return loads(
        fp.read(), object_hook=object_hook, parse_float=parse_float, parse_int=parse_int,
        parse_constant=parse_constant, object_pairs_hook=object_pairs_hook, strict=strict,
    )  # fmt: skip
