"""Constant folding while annotating: built-in functions of constants, methods of constant strs and
bytes.

    "visit_{}".format(name.lower())     name is "Add":  the constant "visit_add"

Like operators on constants (``dispatch.py``): an evaluation that raises, or may give something
large, is left to run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.enumints import SomeEnumInt
from rpython.annotator.lattice.model import SomeInteger, SomeObject, SomeSlice, SomeTuple
from rpython.annotator.program.constants import INT_MAX, INT_MIN
from rpython.annotator.rules.calls import CallArguments
from rpython.annotator.rules.registry import HOST_CALLS, METHOD_CALLS
from rpython.translator.flow.fold import FOLDED_BUILTINS, fold_method, fold_operation, is_immutable
from rpython.translator.ir.hlops import HLOPS
from rpython.translator.ir.model import Constant


def known_values(
    args_s: Sequence[SomeObject], shown: bool = False, as_ints: bool = False
) -> list[Any] | None:
    """The values of immutable constants, tuples and slices of such; None where one is unknown.
    ``shown``: is there a text of them?  That of an int may be the name of an enum's member.
    ``as_ints``: does what is done with them take members of enums for their ints?"""
    values: list[Any] = []
    for s in args_s:
        if shown and isinstance(s, SomeInteger) and s.may_be_bool:
            return None
        if as_ints and isinstance(s, SomeEnumInt) and s.is_constant():
            values.append(int(s.value))
        elif s.is_constant() and is_immutable(s.value):
            values.append(s.value)
        elif isinstance(s, SomeTuple) and (items := known_values(s.items, shown)) is not None:
            values.append(tuple(items))
        elif isinstance(s, SomeSlice) and (bounds := known_values(s.parts)) is not None:
            values.append(slice(*bounds))
        else:
            return None
    return values


def is_known_call(s_self: SomeObject, args_s: Sequence[SomeObject]) -> bool:
    """Is a method of a constant str or bytes called with constants?"""
    text = s_self.value if s_self.is_constant() else None
    return isinstance(text, str | bytes) and known_values(args_s, shown=True) is not None


@METHOD_CALLS.append
def known_result(
    ctx: OpContext, name: str, s_self: SomeObject, arguments: CallArguments
) -> SomeObject | None:
    """What such a method gives; None when it has to be called at run time."""
    values = known_values(arguments.args_s, shown=True)
    if ctx.in_helper or arguments.shape.star or values is None or not s_self.is_constant():
        return None
    folded = fold_method(s_self.value, name, values, arguments.shape.keywords)
    return None if folded is None else ctx.constant(folded.value)


def known_field(ctx: OpContext, args_s: Sequence[SomeObject]) -> SomeObject | None:
    """A field of an f-string that shows a constant."""
    values = known_values(args_s, shown=True)
    if values is None:
        return None
    folded = fold_operation(HLOPS["format_value"], list(map(Constant, values)))
    return None if folded is None else ctx.constant(folded.value)


def is_known_function(s_function: SomeObject, args_s: Sequence[SomeObject]) -> bool:
    """Is it a built-in function without effects, called with constants?"""
    function = s_function.value if s_function.is_constant() else None
    if not callable(function) or function not in FOLDED_BUILTINS:
        return False
    return known_values(args_s, shown=True) is not None


@HOST_CALLS.append
def known_function_result(
    ctx: OpContext, function: Any, arguments: CallArguments
) -> SomeObject | None:
    """What a built-in function gives for constants; None when it has to be called at run time."""
    if ctx.in_helper or ctx.op.opname == "call_args" or arguments.shape.keywords:
        return None  # with a star the typer makes the call, whatever follows it
    if not is_known_function(ctx.constant(function), arguments.args_s):
        return None
    values = known_values(arguments.args_s, shown=True) or []
    folded = fold_operation(HLOPS["simple_call"], list(map(Constant, [function, *values])))
    if folded is None:
        return None
    in_range = type(folded.value) is not int or INT_MIN <= folded.value <= INT_MAX
    return ctx.constant(folded.value) if in_range else None
