"""Which hints mean objects with the buffer protocol, and which objects each of them takes.

    memoryview                      of bytes
    memoryview[float]               of floats of any width; [int]: of ints
    array[float], array[int]        arrays
    bytes | bytearray | memoryview  and what else there may be between bars, None too
    Buffer                          whatever has bytes

The hints of arrays and views of numbers are texts mostly: before 3.12 Python cannot evaluate them.
"""

from __future__ import annotations

import array
import ast
import collections.abc
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any

from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.lattice.outsideviews import SomeNumberView, SomeOutsideView
from rpython.backend_c.extension import AbiType
from rpython.translator.ir.records import dataclass

MEMORYVIEW, BYTES, BYTEARRAY, ARRAY, ANY, INTS, FLOATS = (1 << i for i in range(7))
"""As in ``runtime/rpy_module_buffer.c``."""

_CLASSES: dict[Any, int] = {
    memoryview: MEMORYVIEW, bytes: BYTES, bytearray: BYTEARRAY, array.array: ARRAY,
}  # fmt: skip
_ITEMS = {int: INTS, float: FLOATS}


@dataclass(frozen=True)
class Taken:
    """``accepted``: the objects and their items, as bits; ``optional``: None, too; ``name``: how
    messages call it."""

    accepted: int
    name: str
    optional: bool

    @property
    def of_bytes(self) -> bool:
        return not self.accepted & (INTS | FLOATS)

    @property
    def is_any(self) -> bool:
        """Is it whatever has bytes?"""
        return bool(self.accepted & ANY)

    @property
    def is_view(self) -> bool:
        """Is it a memoryview, nothing else?"""
        return not self.accepted & (BYTES | BYTEARRAY | ARRAY | ANY)

    def annotation(self) -> SomeObject:
        """Of what it takes that is not None."""
        if self.of_bytes:
            return SomeOutsideView()
        return SomeNumberView(int if self.accepted & INTS else float)

    def type(self) -> AbiType:
        """The type, without None."""
        return AbiType("BUFFER", self.name, number=self.accepted)


def taken_of(hint: Any) -> Taken | None:
    """What a hint takes; None: it is no buffer."""
    parts = [hint]
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        parts = list(typing.get_args(hint))
    optional = type(None) in parts
    found = [_taken(part) for part in parts if part is not type(None)]
    accepted = 0
    for bits, _ in found:
        accepted |= bits
    has_view = accepted & (MEMORYVIEW | ARRAY | ANY)
    items = [bits & (INTS | FLOATS) for bits, _ in found]
    if not has_view or 0 in [bits for bits, _ in found] or len(set(items)) > 1:
        return None
    if accepted & ARRAY and not items[0]:
        return None
    return Taken(accepted, " | ".join(name for _, name in found), optional)


def _taken(hint: Any) -> tuple[int, str]:
    if _is_buffer(hint):
        return ANY, "Buffer"
    if isinstance(hint, type) and hint in _CLASSES:
        return _CLASSES[hint], hint.__name__
    both = typing.get_origin(hint), typing.get_args(hint)
    origin, args = getattr(hint, "_rpython_subscripted_", both)
    if origin in (memoryview, array.array) and len(args) == 1 and args[0] in _ITEMS:
        return _CLASSES[origin] | _ITEMS[args[0]], f"{origin.__name__}[{args[0].__name__}]"
    return 0, ""


def _is_buffer(hint: Any) -> bool:
    """Is it the type of all objects with the buffer protocol?"""
    named = getattr(hint, "__name__", "") == "Buffer"
    where = getattr(hint, "__module__", "")
    return hint is getattr(collections.abc, "Buffer", object()) or (
        named and where in ("typing_extensions", "_collections_abc")
    )


# -- texts ------------------------------------------------------------------------------------

_GENERIC = "__generic__"


@functools.cache
def _subscripted(cls: type, item: Any) -> type:
    """A class that stands for ``cls[item]``, which ``typing`` cannot handle."""
    return type(f"{cls.__name__}[{item.__name__}]", (), {"_rpython_subscripted_": (cls, (item,))})


class _Generic:
    """What can be subscripted in place of a class that cannot."""

    def __init__(self, of: Any) -> None:
        self.of = of

    def __getitem__(self, args: Any) -> Any:
        if self.of in (memoryview, array.array):
            return _subscripted(self.of, args)
        return self.of[args]


class _Subscripts(ast.NodeTransformer):
    """Has ``_Generic`` subscripted in each subscript."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        node.value = ast.Call(ast.Name(_GENERIC, ast.Load()), [node.value], [])
        return node


def evaluated_hints(
    annotations: Mapping[str, Any], variables: dict[str, Any]
) -> dict[str, Any]:
    """What hints mean that are texts, also where they subscript those classes.  Raises what
    evaluating them does."""
    texts = {
        name: ast.unparse(ast.fix_missing_locations(_Subscripts().visit(ast.parse(hint))))
        if isinstance(hint, str) else hint
        for name, hint in annotations.items()
    }  # fmt: skip
    holder = type("holder", (), {"__annotations__": texts})
    return typing.get_type_hints(holder, variables, {_GENERIC: _Generic})
