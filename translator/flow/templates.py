"""Constant templates whose fields look into their arguments, as operations on the values::

    '%(name)5s!' % d              build_string('%5s' % (d['name'],), '!')
    '{0[1]} {p.x:{w}}'.format     build_string(format_value(a[1], '', ''), ' ',
        (a, p=b, w=n)                          format_value(b.x, '', format_value(n, '', '')))

Templates with plain fields stay calls of ``format``, and ``%`` on a tuple stays ``%``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence

from rpython.translator.flow.explore import Explorer
from rpython.translator.ir.model import Constant, Value

_KEYED = re.compile(r"%\((?P<key>[^()]*)\)(?P<rest>[-+ #0]*\d*(?:\.\d*)?[hlL]?[^%*])", re.DOTALL)
_ACCESS = re.compile(r"\.(?P<attribute>[^.\[\]]+)|\[(?P<item>[^\]]+)\]")
_FIRST = re.compile(r"[^.\[]*")


def joined(flow: Explorer, parts: Sequence[Value]) -> Value:
    """The text of an f-string.  Adjacent constants are joined, empty ones left out: which of
    them the compiler writes differs from version to version."""
    pieces: list[Value] = []
    for part in parts:
        last = pieces[-1] if pieces else None
        if isinstance(part, Constant) and isinstance(last, Constant):
            pieces[-1] = Constant(last.value + part.value)
        elif not (isinstance(part, Constant) and part.value == ""):
            pieces.append(part)
    return pieces[0] if len(pieces) == 1 else flow.emit("build_string", *pieces)


# -- % with keys ------------------------------------------------------------------------------


def keyed_pieces(template: object) -> list[str | tuple[str, str]] | None:
    """The literals of a ``%`` template, and the key and the directive of each field; None for
    templates without keys, or with other fields, too."""
    if not isinstance(template, str) or "%(" not in template:
        return None
    pieces: list[str | tuple[str, str]] = []
    position = 0
    while (found := template.find("%", position)) >= 0:
        pieces.append(template[position:found])
        match = _KEYED.match(template, found)
        if match is not None:
            pieces.append((match["key"], "%" + match["rest"]))
            position = match.end()
        elif template.startswith("%%", found):
            pieces.append("%")
            position = found + 2
        else:
            return None
    return [*pieces, template[position:]]


def keyed_text(
    flow: Explorer, pieces: Sequence[str | tuple[str, str]], find: Callable[[str], Value]
) -> Value:
    """The text of such a template; ``find`` gives the value of a key."""
    parts: list[Value] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(Constant(piece))
        else:
            key, directive = piece
            argument = flow.emit("newtuple", find(key))
            parts.append(flow.emit("mod", Constant(directive), argument))
    return joined(flow, parts)


# -- str.format -------------------------------------------------------------------------------


def looks_inside(template: str) -> bool:
    """Has some field of a template of ``str.format`` an attribute or an item?  False for
    templates that are wrong."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        return False
    return any(
        name is not None and (_ACCESS.search(name) is not None or looks_inside(spec or ""))
        for _, name, spec, _ in parsed
    )


class BraceText:
    """Builds the text of a template of ``str.format`` for given arguments."""

    def __init__(
        self, flow: Explorer, positional: Sequence[Value], keywords: Mapping[str, Value],
        mapping: Value | None,
    ) -> None:  # fmt: skip
        """``mapping``: what has the other names, if there is one."""
        self.flow = flow
        self.positional = positional
        self.keywords = keywords
        self.mapping = mapping
        self.count = 0
        self.manual: bool | None = None

    def text(self, template: str, depth: int = 1) -> Value:
        """The text.  Raises FlowError for templates that are wrong."""
        flow = self.flow
        if depth > 2:
            return flow.refused_value("Max string recursion exceeded")
        parts: list[Value] = []
        try:
            parsed = list(string.Formatter().parse(template))
        except ValueError as error:
            return flow.refused_value(str(error))
        for literal, name, spec, conversion in parsed:
            parts.append(Constant(literal))
            if name is None:
                continue
            value = self._field(name)
            nested = "{" in (spec or "")
            made = self.text(spec or "", depth + 1) if nested else Constant(spec or "")
            parts.append(flow.emit("format_value", value, Constant(conversion or ""), made))
        return joined(flow, parts)

    def _field(self, name: str) -> Value:
        first = _FIRST.match(name)
        assert first is not None
        value = self._argument(first[0])
        position = first.end()
        while position < len(name):
            match = _ACCESS.match(name, position)
            if match is None:
                return self.flow.refused_value(f"the field {name!r} in a format is not supported")
            position = match.end()
            if match["attribute"] is not None:
                value = self.flow.emit("getattr", value, Constant(match["attribute"]))
            else:
                item = match["item"]
                key = int(item) if item.isdecimal() else item
                value = self.flow.emit("getitem", value, Constant(key))
        return value

    def _argument(self, name: str) -> Value:
        if name and not name.isdecimal():
            if name in self.keywords:
                return self.keywords[name]
            if self.mapping is None:
                return self.flow.refused_value(f"the format needs an argument {name!r}")
            return self.flow.emit("getitem", self.mapping, Constant(name))
        if self.manual is not None and self.manual != bool(name):
            return self.flow.refused_value("the format numbers some of its fields only")
        self.manual = bool(name)
        number = int(name) if name else self.count
        self.count += not name
        if number >= len(self.positional):
            needed = f"not enough arguments for the format: it needs {number + 1}"
            return self.flow.refused_value(needed)
        return self.positional[number]
