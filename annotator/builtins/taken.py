"""Check the arguments of calls of file methods and of replaced library functions: a call that
passes a value of a kind not declared is refused at the program's line, not inside the library
(``rpython.rlib._streams.takes``, ``rpython.stdlib._registry.replaces``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.conversions import AS_PATH
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_DICT,
    K_FLOAT,
    K_INT,
    K_MEMORYVIEW,
    K_NONE,
    K_STR,
    KIND_NAMES,
    SomeInstance,
    SomeList,
    SomeObject,
)
from rpython.annotator.lattice.parts import is_big
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.rules.strings import require_kind
from rpython.rlib._streams import ItemsOf

_KINDS: dict[Any, int] = {str: K_STR, bytes: K_BYTES, bytearray: K_BYTEARRAY, None: K_NONE}

_HINTS: dict[str, tuple[int, str]] = {
    "str": (K_STR, "a str"), "int": (K_INT | K_BOOL, "an int"), "bool": (K_BOOL | K_INT, "a bool"),
    "float": (K_FLOAT | K_INT | K_BOOL, "a number"), "None": (K_NONE, "None"),
    "bytes": (K_BYTES | K_BYTEARRAY | K_MEMORYVIEW, "bytes"),
    "Buffer": (K_BYTES | K_BYTEARRAY | K_MEMORYVIEW, "bytes"),
    "BytesLike": (K_BYTES | K_BYTEARRAY, "bytes or a bytearray"),
    "PartOfResult": (K_BYTES, "bytes (it becomes a part of the result)"),
    "Int": (K_INT | K_BOOL, "an int"), "Number": (K_FLOAT | K_INT | K_BOOL, "a number"),
    "StrPath": (K_STR, "a str or a path"),
    "Table": (K_DICT, "a dict from ints to ints, strs or None"),
}  # fmt: skip
"""The kinds that the annotations of the library mean; others mean any."""


def check_taken(ctx: OpContext, desc: FunctionDesc, args_s: list[SomeObject]) -> None:
    """Raises AnnotatorError for an argument of another kind than the function takes."""
    if "_rpython_hints_" in vars(desc.func):
        _check_hints(ctx, desc, args_s)
    taken: dict[str, Any] | None = vars(desc.func).get("_rpython_takes_")
    if taken is None:
        return
    for name, s in zip(desc.signature.graph_args(), args_s):
        wanted = taken.get(name)
        if isinstance(wanted, ItemsOf):
            for s_item in _known_items(ctx, s):
                _check(ctx, f"items of {desc.func.__name__}()", wanted.of, s_item)
        elif wanted is not None:
            _check(ctx, f"the argument of {desc.func.__name__}()", wanted, s)


def _check_hints(ctx: OpContext, desc: FunctionDesc, args_s: list[SomeObject]) -> None:
    hints: dict[str, str] = vars(desc.func)["_rpython_hints_"]
    for name, s in zip(desc.signature.graph_args(), args_s):
        parts = hints.get(name, "Any").split(" | ")
        wanted = [_HINTS.get(part) for part in parts]
        known = [one for one in wanted if one is not None]
        if len(known) < len(wanted):
            continue
        what = " or ".join(text for kinds, text in known if kinds != K_NONE)
        rest_s = tuple_items(s) if name == desc.signature.vararg else None
        given = (s,) if rest_s is None else rest_s
        for s_given in given:
            if is_big(s_given) and "_rpython_grows_" in vars(desc.func):
                continue
            conversion = AS_PATH if "StrPath" in parts else None
            require_kind(ctx, s_given, sum(kinds for kinds, _ in known), what, conversion)


def _known_items(ctx: OpContext, s: SomeObject) -> Sequence[SomeObject]:
    if isinstance(s, SomeList):
        return (ctx.read(s.listdef.find().item),)
    return tuple_items(s) or ()


def _check(ctx: OpContext, what: str, wanted: Any, s: SomeObject) -> None:
    if isinstance(wanted, type) and wanted not in _KINDS:
        if s.kinds and not (isinstance(s, SomeInstance) and issubclass(s.classdef.cls, wanted)):
            raise ctx.error(f"{what} must be {wanted.__name__}, not {s.describe()}")
        return
    kinds = [_KINDS[one] for one in (wanted if isinstance(wanted, tuple) else (wanted,))]
    if s.kinds & ~sum(kinds):
        raise ctx.error(f"{what} must be {KIND_NAMES[kinds[0]]}, not {s.describe()}")
