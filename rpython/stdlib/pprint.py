"""``pprint``: a value becomes a tree of what is to be shown, which is then laid out."""

from __future__ import annotations

import dataclasses
import pprint as host
import sys
from typing import Any

from rpython.stdlib._registry import per_arguments, replaces


class Layout:
    """How much room there is."""

    def __init__(self, indent: int, width: int, depth: int | None, compact: bool) -> None:
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self.indent, self.width, self.compact = indent, width, compact
        self.depth = 0 if depth is None else depth


class Node:
    """A value that has one line at most."""

    def __init__(self, text: str, class_name: str = "") -> None:
        self.text = text
        self.class_name = class_name
        """Of one that CPython shows in several lines, but we do not."""

    def line(self, depth: int, level: int) -> str:
        return self.text

    def write(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        """In several lines."""
        if self.class_name:
            raise NotImplementedError(f"pprint of a long {self.class_name}")
        out.append(self.text)

    def show(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        line = self.line(to.depth, level)
        if len(line) > to.width - indent - allowance:
            self.write(out, to, indent, allowance, level + 1)
        else:
            out.append(line)


class Text(Node):
    def __init__(self, value: str) -> None:
        Node.__init__(self, repr(value))
        self.value = value

    def write(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        if not self.value:
            out.append(self.text)
            return
        if level == 1:
            indent += 1
            allowance += 1
        pieces: list[str] = []
        lines = self.value.splitlines(True)
        for number, line in enumerate(lines):
            last = number == len(lines) - 1
            if len(repr(line)) <= to.width - indent - (allowance if last else 0):
                pieces.append(repr(line))
            else:
                _break(pieces, line, to.width - indent, allowance if last else 0)
        if len(pieces) == 1:
            out.append(pieces[0])
            return
        text = ("\n" + " " * indent).join(pieces)
        out.append(f"({text})" if level == 1 else text)


def _break(pieces: list[str], line: str, room: int, at_end: int) -> None:
    """A line that is too long, behind words."""
    words = _words(line)
    current = ""
    for number, word in enumerate(words):
        if number == len(words) - 1:
            room -= at_end
        if len(repr(current + word)) > room:
            if current:
                pieces.append(repr(current))
            current = word
        else:
            current += word
    if current:
        pieces.append(repr(current))


def _words(line: str) -> list[str]:
    """Each with the space behind it."""
    words: list[str] = []
    start = at = 0
    while at < len(line):
        while at < len(line) and not line[at].isspace():
            at += 1
        while at < len(line) and line[at].isspace():
            at += 1
        words.append(line[start:at])
        start = at
    return words


class Data(Node):
    """Bytes."""

    def __init__(self, value: bytes) -> None:
        Node.__init__(self, repr(value))
        self.value = value

    def write(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        if len(self.value) <= 4:
            out.append(self.text)
            return
        if level == 1:
            indent += 1
            allowance += 1
        pieces: list[str] = []
        current = b""
        last = len(self.value) // 4 * 4
        room = to.width - indent
        for at in range(0, len(self.value), 4):
            part = self.value[at : at + 4]
            if at == last:
                room -= allowance
            if len(repr(current + part)) > room:
                if current:
                    pieces.append(repr(current))
                current = part
            else:
                current += part
        if current:
            pieces.append(repr(current))
        text = ("\n" + " " * indent).join(pieces)
        out.append(f"({text})" if level == 1 else text)


class Items(Node):
    """Those of a list or a tuple."""

    def __init__(self, opening: str, closing: str, items: list[Node]) -> None:
        Node.__init__(self, "")
        self.opening, self.closing, self.items = opening, closing, items

    def line(self, depth: int, level: int) -> str:
        if not self.items:
            return self.opening + self.closing
        if depth and level >= depth:
            return f"{self.opening}...{self.closing}"
        inside = ", ".join([item.line(depth, level + 1) for item in self.items])
        return self.opening + inside + self.closing

    def write(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        out.append(self.opening)
        self._write_items(out, to, indent, allowance + len(self.closing), level)
        out.append(self.closing)

    def _write_items(
        self, out: list[str], to: Layout, indent: int, allowance: int, level: int
    ) -> None:
        indent += to.indent
        if to.indent > 1:
            out.append(" " * (to.indent - 1))
        between = ",\n" + " " * indent
        room = whole = to.width - indent + 1
        written = ""
        for number, item in enumerate(self.items):
            last = number == len(self.items) - 1
            if last:
                whole -= allowance
                room -= allowance
            if to.compact:
                line = item.line(to.depth, level)
                needed = len(line) + 2
                if room < needed:
                    room = whole
                    if written:
                        written = between
                if room >= needed:
                    room -= needed
                    out.append(written)
                    written = ", "
                    out.append(line)
                    continue
            out.append(written)
            written = between
            item.show(out, to, indent, allowance if last else 1, level)


class Elements(Items):
    """Those of a set, which are sorted where they are in several lines."""

    def __init__(self, text: str, opening: str, closing: str, items: list[Node]) -> None:
        Items.__init__(self, opening, closing, items)
        self.text = text

    def line(self, depth: int, level: int) -> str:
        return self.text

    def write(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        if not self.items:
            out.append(self.text)
            return
        out.append(self.opening)
        self._write_items(
            out, to, indent + len(self.opening) - 1, allowance + len(self.closing), level
        )
        out.append(self.closing)


class Pairs(Node):
    """Those of a dict."""

    def __init__(self, keys: list[Node], values: list[Node]) -> None:
        Node.__init__(self, "")
        self.keys, self.values = keys, values

    def line(self, depth: int, level: int) -> str:
        if not self.keys:
            return "{}"
        if depth and level >= depth:
            return "{...}"
        pairs = [
            key.line(depth, level + 1) + ": " + value.line(depth, level + 1)
            for key, value in zip(self.keys, self.values)
        ]
        return "{" + ", ".join(pairs) + "}"

    def write(self, out: list[str], to: Layout, indent: int, allowance: int, level: int) -> None:
        out.append("{" + " " * max(to.indent - 1, 0))
        indent += to.indent
        between = ",\n" + " " * indent
        for number, (key, value) in enumerate(zip(self.keys, self.values)):
            last = number == len(self.keys) - 1
            line = key.line(to.depth, level)
            out.append(line + ": ")
            room = allowance + 1 if last else 1
            value.show(out, to, indent + len(line) + 2, room, level)
            if not last:
                out.append(between)
        out.append("}")


@per_arguments
def tree(x: Any, sort: bool, underscores: bool) -> Node:
    """What is to be shown of the value."""
    if x is None or isinstance(x, bool):
        return Node(repr(x))
    if isinstance(x, str):
        return Text(x)
    if isinstance(x, int):
        return Node(f"{x:_d}" if underscores else repr(x))
    if isinstance(x, float):
        return Node(repr(x))
    if isinstance(x, dict):
        keys = _sorted(list(x)) if sort else list(x)
        return Pairs(
            [tree(key, sort, underscores) for key in keys],
            [tree(x[key], sort, underscores) for key in keys],
        )
    if isinstance(x, list):
        return Items("[", "]", [tree(item, sort, underscores) for item in x])
    if isinstance(x, tuple):
        return _of_tuple(x, sort, underscores)
    if isinstance(x, set):
        items = [tree(item, sort, underscores) for item in _sorted(list(x))]
        return Elements(repr(x), "{", "}", items)
    if isinstance(x, frozenset):
        items = [tree(item, sort, underscores) for item in _sorted(list(x))]
        return Elements(repr(x), "frozenset({", "})", items)
    if isinstance(x, bytes):
        return Data(x)
    return Node(repr(x), _broken_up(x))


@per_arguments
def _of_tuple(x: Any, sort: bool, underscores: bool) -> Node:
    if hasattr(x, "_fields"):
        return Node(repr(x))
    items = [tree(item, sort, underscores) for item in x]
    return Items("(", ",)" if len(items) == 1 else ")", items)


_IN_LINES = ("bytearray", "OrderedDict", "defaultdict", "Counter", "deque", "ChainMap")


@per_arguments
def _broken_up(x: Any) -> str:
    """The name of the class if CPython shows its instances in several lines."""
    name = type(x).__name__
    return name if name in _IN_LINES or dataclasses.is_dataclass(x) else ""


@per_arguments
def _sorted(items: Any) -> Any:
    """Those that have no order by the names of their classes."""
    try:
        return sorted(items)
    except TypeError:
        pass
    for at in range(1, len(items)):
        item = items[at]
        while at > 0 and _is_before(item, items[at - 1]):
            items[at] = items[at - 1]
            at -= 1
        items[at] = item
    return items


@per_arguments
def _is_before(a: Any, b: Any) -> bool:
    try:
        return bool(a < b)
    except TypeError:
        return str(type(a)) < str(type(b))


@per_arguments
def _shown(x: Any, to: Layout, sort: bool, underscores: bool) -> str:
    out: list[str] = []
    tree(x, sort, underscores).show(out, to, 0, 0, 0)
    return "".join(out)


# -- the module ---------------------------------------------------------------------------------


@replaces(host.PrettyPrinter)
class PrettyPrinter:
    @per_arguments
    def __init__(
        self, indent: int = 1, width: int = 80, depth: int | None = None, stream: Any = None, *,
        compact: bool = False, sort_dicts: bool = True, underscore_numbers: bool = False,
    ) -> None:  # fmt: skip
        self._layout = Layout(indent, width, depth, compact)
        self._stream = sys.stdout if stream is None else stream
        self._sort = sort_dicts
        self._underscores = underscore_numbers

    @per_arguments
    def pformat(self, object: Any) -> str:
        return _shown(object, self._layout, self._sort, self._underscores)

    @per_arguments
    def pprint(self, object: Any) -> None:
        self._stream.write(_shown(object, self._layout, self._sort, self._underscores) + "\n")


@replaces(host.pformat)
@per_arguments
def pformat(
    object: Any, indent: int = 1, width: int = 80, depth: int | None = None, *,
    compact: bool = False, sort_dicts: bool = True, underscore_numbers: bool = False,
) -> str:  # fmt: skip
    return _shown(object, Layout(indent, width, depth, compact), sort_dicts, underscore_numbers)


@per_arguments
def _print(text: str, stream: Any) -> None:
    if stream is None:
        sys.stdout.write(text + "\n")
    else:
        stream.write(text + "\n")


@replaces(host.pprint)
@per_arguments
def pprint(
    object: Any, stream: Any = None, indent: int = 1, width: int = 80, depth: int | None = None,
    *, compact: bool = False, sort_dicts: bool = True, underscore_numbers: bool = False,
) -> None:  # fmt: skip
    layout = Layout(indent, width, depth, compact)
    _print(_shown(object, layout, sort_dicts, underscore_numbers), stream)


@replaces(host.pp)
@per_arguments
def pp(
    object: Any, stream: Any = None, indent: int = 1, width: int = 80, depth: int | None = None,
    *, compact: bool = False, sort_dicts: bool = False, underscore_numbers: bool = False,
) -> None:  # fmt: skip
    layout = Layout(indent, width, depth, compact)
    _print(_shown(object, layout, sort_dicts, underscore_numbers), stream)


@replaces(host.saferepr)
@per_arguments
def saferepr(object: Any) -> str:
    return tree(object, True, False).line(0, 0)
