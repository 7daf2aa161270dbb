"""Transfer rules for methods and functions that are written in Python (``library_*``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTEARRAY,
    K_BYTES,
    K_DICT,
    K_INT,
    K_MEMORYVIEW,
    K_NONE,
    K_STR,
    SomeByteArray,
    SomeBytes,
    SomeDict,
    SomeInteger,
    SomeList,
    SomeMemoryView,
    SomeObject,
    SomeString,
    SomeTuple,
)
from rpython.annotator.lattice.sets import SomeFrozenSet, SomeSet
from rpython.annotator.library import SPECIAL_METHODS
from rpython.annotator.library_bytes import (
    FUNCTIONS_IN_PYTHON,
    INT_METHODS_IN_PYTHON,
    METHODS_IN_PYTHON,
    from_bytes,
    join,
    partition,
    rpartition,
)
from rpython.annotator.library_str import STR_FUNCTIONS_IN_PYTHON, STR_METHODS_IN_PYTHON
from rpython.annotator.program.argument import ArgumentError, FromArg, match_arguments
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.iteration import item_of
from rpython.annotator.rules.numbers import integer_type
from rpython.annotator.rules.registry import FUNCTIONS, METHOD_CALLS, METHODS
from rpython.annotator.rules.strings import require_kind
from rpython.translator.ir.hlops import CallShape

_INT = (K_INT | K_BOOL, "an int")
_BYTES = (K_BYTES | K_BYTEARRAY, "bytes or a bytearray")
_BYTES_OR_NONE = (K_BYTES | K_BYTEARRAY | K_NONE, "bytes or None")
_STR = (K_STR, "a str")

Wanted = Mapping[str, tuple[int, str]]
"""The kinds of the argument for each parameter, and how a refusal names them."""

_OF_BYTES: Wanted = {
    "sep": _BYTES_OR_NONE, "maxsplit": _INT, "keepends": (K_BOOL, "a bool"),
    "chars": _BYTES_OR_NONE, "old": _BYTES, "new": _BYTES, "count": _INT, "prefix": _BYTES,
    "suffix": _BYTES, "width": _INT, "fillbyte": _BYTES, "tabsize": _INT, "table": _BYTES_OR_NONE,
    "delete": _BYTES, "frm": _BYTES, "to": _BYTES, "text": _STR, "length": _INT,
    "byteorder": _STR, "signed": _INT, "data": _BYTES, "bytes_per_sep": _INT,
}  # fmt: skip
_OF_STR: Wanted = {
    "tabsize": _INT, "table": (K_DICT, "a dict from ints to ints, strs or None"), "x": _STR,
    "y": _STR,
}  # fmt: skip
_SPECIAL: dict[Any, Wanted] = {
    METHODS_IN_PYTHON["hex"]: {**_OF_BYTES, "sep": (_STR[0] | _BYTES_OR_NONE[0], "a str or bytes")},
    from_bytes: {**_OF_BYTES, "data": (_BYTES[0] | K_MEMORYVIEW, "bytes")},
    partition: {**_OF_BYTES, "sep": _BYTES},
    rpartition: {**_OF_BYTES, "sep": _BYTES},
}  # fmt: skip


def call_in_python(
    ctx: OpContext, function: Any, wanted: Wanted, args_s: tuple[SomeObject, ...],
    keywords: dict[str, SomeObject],
) -> SomeObject:  # fmt: skip
    """The call of a function of the library; ``keywords`` as ``rules.calls`` names them.  Raises
    AnnotatorError for an argument of another kind than wanted."""
    desc = ctx.annotator.constants.function_desc(function)
    shape = CallShape(len(args_s), tuple(key[2:] for key in keywords))
    given = (*args_s, *keywords.values())
    arguments = CallArguments(shape, given, (None,) * len(given))
    try:
        sources = match_arguments(desc.name, desc.signature, arguments.split(ctx, desc.name))
    except ArgumentError as error:
        raise ctx.error(str(error)) from None
    for name, source in zip(desc.signature.graph_args(), sources):
        if name in wanted and isinstance(source, FromArg):
            require_kind(ctx, given[source.index], *wanted[name])
    return call(ctx, ctx.constant(function), arguments)


for _name, _function in METHODS_IN_PYTHON.items():
    for _annotation in (SomeBytes, SomeByteArray, SomeMemoryView):
        if _annotation is SomeMemoryView and _name != "hex":
            continue
        if _function is join and _annotation is SomeBytes:
            continue

        @METHODS.register(_name, _annotation)
        def bytes_method(
            ctx: OpContext, *args_s: SomeObject, function: Any = _function, **keywords: SomeObject
        ) -> SomeObject:
            wanted = _SPECIAL.get(function, _OF_BYTES)
            if function in (partition, rpartition) and isinstance(args_s[0], SomeBytes):
                for s_sep in (*args_s[1:], *keywords.values()):
                    require_kind(ctx, s_sep, K_BYTES, "bytes (it becomes a part of the result)")
            if function is join:
                check_joined(ctx, *args_s)
            return call_in_python(ctx, function, wanted, args_s, keywords)


for _name, _function in STR_METHODS_IN_PYTHON.items():

    @METHODS.register(_name, SomeString)
    def str_method(
        ctx: OpContext, s: SomeObject, *args_s: SomeObject, function: Any = _function,
        **keywords: SomeObject,
    ) -> SomeObject:  # fmt: skip
        return call_in_python(ctx, function, _OF_STR, (s, *args_s), keywords)


for _name, _function in INT_METHODS_IN_PYTHON.items():

    @METHODS.register(_name, SomeInteger)
    def int_method(
        ctx: OpContext, s: SomeObject, *args_s: SomeObject, function: Any = _function,
        **keywords: SomeObject,
    ) -> SomeObject:  # fmt: skip
        if integer_type(s) is not int:
            raise ctx.error(f"{ctx.method_name}() of {s.describe()} is not supported")
        return call_in_python(ctx, function, _OF_BYTES, (s, *args_s), keywords)


for _functions, _wanted in ((FUNCTIONS_IN_PYTHON, _OF_BYTES), (STR_FUNCTIONS_IN_PYTHON, _OF_STR)):
    for _host, _function in _functions.items():

        @FUNCTIONS.register(_host)
        def host_function(
            ctx: OpContext, *args_s: SomeObject, function: Any = _function,
            wanted: Wanted = _wanted, **keywords: SomeObject,
        ) -> SomeObject:  # fmt: skip
            return call_in_python(ctx, function, _SPECIAL.get(function, wanted), args_s, keywords)


for _name, _function in SPECIAL_METHODS.items():
    for _container in (SomeList, SomeDict, SomeSet, SomeFrozenSet):

        @METHODS.register(_name, _container)
        def special_method(
            ctx: OpContext, *args_s: SomeObject, function: Any = _function
        ) -> SomeObject:
            return call_in_python(ctx, function, {}, args_s, {})


@METHOD_CALLS.append
def join_bytearrays(
    ctx: OpContext, name: str, s_self: SomeObject, arguments: CallArguments
) -> SomeObject | None:
    """``bytes.join`` of bytearrays."""
    if name != "join" or not isinstance(s_self, SomeBytes) or len(arguments.args_s) != 1:
        return None
    s_items = arguments.args_s[0]
    if isinstance(s_items, SomeTuple):
        if not all(isinstance(s_item, SomeByteArray) for s_item in s_items.items):
            return None
    elif not isinstance(item_of(ctx, s_items), SomeByteArray):
        return None
    if not s_items.kinds or (isinstance(s_items, SomeTuple) and not s_items.items):
        return None
    return call_in_python(ctx, join, _OF_BYTES, (s_self, s_items), {})


def check_joined(ctx: OpContext, s: SomeObject, s_items: SomeObject) -> None:
    """Refuse items that are no bytes."""
    s_item = item_of(ctx, s_items)
    if s_item.kinds & ~_BYTES[0]:
        raise ctx.error(f"join needs a list of bytes, not {s_items.describe()}")
