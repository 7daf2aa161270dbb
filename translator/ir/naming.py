"""Printable names for variables and host objects, the same on every run and host.

Names come from hints and from the order of traversal, never from counters that live
longer than one printing, addresses or hash order.
"""

from __future__ import annotations

import math
import re
import types
from typing import Any

from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import ProtocolMethod, UnpackingMethod
from rpython.translator.ir.model import Variable

RESERVED = frozenset(
    {
        "True", "False", "None", "as", "else", "except", "goto", "graph", "if", "inf", "nan",
        "null", "raise", "return", "switch", "try", "type", "unreachable", "void",
    }
)  # fmt: skip
"""Words of the text form that cannot be variable names."""

TEMPORARY = re.compile(r"([vt])\d*")
"""Hints that only say "some value": numbered in order, whatever number they carry."""


class Namer:
    """Unique names for the variables of one scope (a graph, or a block of a high-level
    graph): the hint itself, or the hint with the first free number."""

    def __init__(self) -> None:
        self._names: dict[Variable, str] = {}
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def name(self, v: Variable) -> str:
        try:
            return self._names[v]
        except KeyError:
            name = self._names[v] = self._fresh(v.name)
            self._taken.add(name)
            return name

    def share(self, v: Variable, other: Variable) -> None:
        """Give ``v`` the name that the other variable has, if it has one."""
        if other in self._names:
            self._names[v] = self._names[other]

    def _fresh(self, hint: str) -> str:
        temporary = TEMPORARY.fullmatch(hint)
        if temporary:
            return self._numbered(temporary[1], 0)
        if not (hint.isidentifier() and hint.isascii()):
            return self._numbered("v", 0)
        if hint in RESERVED:
            hint += "_"
        if hint not in self._taken:
            return hint
        return self._numbered(hint.rstrip("0123456789"), 1)

    def _numbered(self, base: str, first: int) -> str:
        number = self._next.get(base, first)
        while f"{base}{number}" in self._taken:
            number += 1
        self._next[base] = number + 1
        return f"{base}{number}"


_NAMED = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)
_LITERAL = (
    bool, int, float, complex, str, bytes, range, type(None), type(...), ProtocolMethod,
    UnpackingMethod,
)  # fmt: skip


class HostNamer:
    """Text for host constants: literals as Python writes them, named things as ``@name``,
    anything else as ``<class n>`` where ``n`` counts the objects met so far."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._count = 0
        self._keep: list[object] = []
        """Everything in ``_names``, so that no id is reused."""

    def text(self, value: Any) -> str:
        if type(value) is float and math.isnan(value):
            return "-nan" if math.copysign(1.0, value) < 0 else "nan"
        if type(value) in _LITERAL:
            return repr(value)
        if type(value) is tuple:
            items = ", ".join(map(self.text, value))
            return f"({items},)" if len(value) == 1 else f"({items})"
        if type(value) is slice:
            return f"slice({self.text(value.start)}, {self.text(value.stop)}, "\
                   f"{self.text(value.step)})"  # fmt: skip
        if type(value) is frozenset:
            return f"frozenset({{{', '.join(sorted(map(self.text, value)))}}})"
        if isinstance(value, CallShape):
            return shape_text(value)
        if isinstance(value, types.MethodType):
            return f"{self.text(value.__self__)}.{value.__name__}"
        try:
            return self._names[id(value)]
        except KeyError:
            name = self._names[id(value)] = self._fresh(value)
            self._taken.add(name)
            self._keep.append(value)
            return name

    def _fresh(self, value: Any) -> str:
        if isinstance(value, types.ModuleType):
            name = f"@{value.__name__}"
        elif isinstance(value, _NAMED):
            name = f"@{value.__qualname__}"
        else:
            self._count += 1
            return f"<{type(value).__qualname__} {self._count}>"
        if name not in self._taken:
            return name
        number = 2
        while f"{name}'{number}" in self._taken:
            number += 1
        return f"{name}'{number}"


def shape_text(shape: CallShape) -> str:
    """``[_, _, key=, *]``: how a call_args reads the arguments that follow."""
    parts = ["_"] * shape.positional
    parts += [name if name == "**" else f"{name}=" for name in shape.keywords]
    return f"[{', '.join(parts + ['*'] * shape.star)}]"


def identifier(name: str) -> str:
    """``name`` with everything an identifier may not contain made ``_``; dots stay."""
    return re.sub(r"[^\w.]", "_", name)
