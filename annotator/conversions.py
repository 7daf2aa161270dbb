"""Which operands an operation converts first, and by which special method of their class:
``math.sqrt(x)`` calls ``x.__float__()``.

    xs[i]           xs[i.__index__()]           an instance in place of an int
    math.sqrt(x)    math.sqrt(x.__float__())    or of a number
    int(x)          x.__int__()
    open(x)         open(x.__fspath__())        or of a path

A rule refuses an instance in place of a number or a path (``ctx.refusal``); where CPython converts
it the operation is annotated for what the method gives, and the typer calls that first.  A class
has to have the same method as the others that the operand may be of, or none: then TypeError is
raised at run time.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_FLOAT,
    K_INT,
    K_LIST,
    K_MEMORYVIEW,
    K_RANGE,
    K_STR,
    K_TUPLE,
    SomeBuiltinMethod,
    SomeInstance,
    SomeInteger,
    SomeObject,
    s_Float,
    s_Int,
    s_Str,
)
from rpython.annotator.lattice.parts import is_big, parts_of, without_none
from rpython.annotator.program.hostclasses import counts_as
from rpython.annotator.program.special_methods import MISSING, Missing
from rpython.annotator.rules.nonerefused import OperandRefused
from rpython.stdlib._bigints import BigInt
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.hlops import Group, group_of, plain_name
from rpython.translator.ir.model import Constant
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.annotator.context import OpContext


NO_NUMBER = Missing("must be real number, not ", "")


@dataclass(frozen=True, slots=True)
class Conversion:
    """The method that is called is the first of ``methods`` that a class has; ``missing``: what an
    instance without any does; ``instead``: one that has none of them, but one of these, does
    something else."""

    methods: tuple[str, ...]
    missing: Missing
    instead: tuple[str, ...] = ()
    goes_on: bool = False
    """Do methods but the first give a number that the function goes on with?"""

    def is_all(self, method: str) -> bool:
        """Is the call of the method all that the function does?"""
        return not self.goes_on or method == self.methods[0]


AS_INT = Conversion(("__index__",), MISSING["__index__"])
AS_SUBSCRIPT = Conversion(("_as_subscript", "__index__"), MISSING["__index__"])
AS_BOUND = Conversion(("_as_bound", "__index__"), MISSING["__index__"])
"""An int that does not fit in 64 bits is no index, but a bound of slices."""
AS_NUMBER = Conversion(("__float__", "__index__"), NO_NUMBER)
AS_PATH = Conversion(
    ("__fspath__",), Missing("expected str, bytes or os.PathLike object, not ", "")
)

BY_FUNCTION: tuple[tuple[Callable[..., Any], Conversion], ...] = (
    (int, Conversion(("__int__", "__index__"), MISSING["__int__"], ("__trunc__",))),
    (float, Conversion(("__float__", "__index__"), MISSING["__float__"])),
    (abs, Conversion(("__abs__",), MISSING["__abs__"])),
    (reversed, Conversion(("__reversed__",), MISSING["__reversed__"], ("__getitem__",))),
    (round, Conversion(("__round__",), MISSING["__round__"])),
    (math.trunc, Conversion(("__trunc__",), Missing("type ", " doesn't define __trunc__ method"))),
    (math.floor, Conversion(("__floor__", *AS_NUMBER.methods), NO_NUMBER, goes_on=True)),
    (math.ceil, Conversion(("__ceil__", *AS_NUMBER.methods), NO_NUMBER, goes_on=True)),
)
"""Built-in functions that, of one argument, are a method of it."""

RESULTS: dict[str, SomeObject] = {
    **dict.fromkeys(("__index__", "__int__", "_as_subscript", "_as_bound"), s_Int),
    "__float__": s_Float, "__fspath__": s_Str,
    "_rpython_str_": s_Str, "_rpython_int_": s_Int, "_rpython_float_": s_Float,
}  # fmt: skip
"""What the methods give that have to give a number or a text."""

_INDEXED = K_LIST | K_TUPLE | K_STR | K_BYTES | K_BYTEARRAY | K_RANGE | K_MEMORYVIEW
_CALLED_ON = K_LIST | K_TUPLE | K_STR | K_BYTES | K_BYTEARRAY
_OF_INTS = (range, enumerate, chr, hex, oct, bin, int, round, operator.index)
"""Functions besides those of ``math`` that convert an argument which has to be an int."""


class InstanceRefused(OperandRefused):
    """It would not if the operand were converted first."""

    conversion: Conversion


_VALUES: tuple[tuple[type, int, str], ...] = (
    (str, K_STR, "_rpython_str_"), (int, K_INT, "_rpython_int_"),
    (int, K_FLOAT, "_rpython_float_"), (float, K_FLOAT, "_rpython_float_"),
)  # fmt: skip
"""Classes, kinds in place of which an operation takes the values inside of instances that extend
them, and the methods that give these (``rpython.stdlib._subvalues``)."""


def of_value(s: SomeObject, kinds: int) -> Conversion | None:
    """What an operation that wants a value of ``kinds`` does with an instance of a class that
    extends a built-in one."""
    some = without_none(s)
    if not isinstance(some, SomeInstance) or issubclass(some.classdef.cls, BigInt):
        return None  # (an int of any size has no other inside)
    for cls, kind, method in _VALUES:
        if kinds & kind and counts_as(some.classdef.cls, cls):
            return Conversion((method,), NO_NUMBER)
    return None


def of_function(function: Any) -> Conversion | None:
    """What a built-in function does with an instance that is its argument."""
    for known, conversion in BY_FUNCTION:
        if function is known:
            return conversion
    return None


def of_operand(ctx: OpContext, kinds: int, missing: Missing | None) -> Conversion | None:
    """What the operation at hand does with an instance where it wants a value of ``kinds``; None
    where CPython refuses it, or calls what we do not know."""
    if not kinds & (K_INT | K_FLOAT):
        return None
    asked = AS_NUMBER if kinds & K_FLOAT else AS_INT
    if group_of(ctx.op.opname) is Group.CALL:
        return _of_argument(ctx, asked)
    on_items = group_of(ctx.op.opname) is Group.ITEM
    if not on_items and plain_name(ctx.op.opname) not in ("newslice", "mul"):
        return None
    if on_items:
        container = without_none(ctx.annotator.binding(ctx.op.args[0])).kinds
        if container & ~_INDEXED:
            return None
    if asked is AS_INT:
        asked = AS_SUBSCRIPT if on_items else AS_BOUND if ctx.op.opname == "newslice" else AS_INT
    return asked if missing is None else Conversion(asked.methods, missing)


def _of_argument(ctx: OpContext, asked: Conversion) -> Conversion | None:
    called = ctx.op.args[0]
    if not isinstance(called, Constant):
        s_called = ctx.annotator.binding(called)
        if isinstance(s_called, SomeBuiltinMethod):
            return None if without_none(s_called.s_self).kinds & ~_CALLED_ON else asked
        return None
    function = called.value
    if getattr(function, "__module__", None) == "math":
        exact = function is math.trunc or (function is math.ldexp and asked is AS_INT)
        return None if exact else asked
    known = any(function is one for one in _OF_INTS)
    return asked if known and asked is AS_INT else None


def method_called(s: SomeInstance, conversion: Conversion) -> str:
    """The method that instances are converted with, "" where no class has one.  Raises
    AnnotatorError where that depends on the class."""
    classdefs = list(s.classdef.concrete(s.members))
    names = (*conversion.methods, *conversion.instead)
    having = [{name for name in names if c.class_value(name) is not None} for c in classdefs]
    found = [name for name in conversion.methods if any(name in has for has in having)]
    if not found:
        return ""
    for classdef, has in zip(classdefs, having, strict=True):
        if has and found[0] not in has:
            raise AnnotatorError(
                f"{found[0]} of {s.describe()} is not supported: class {classdef.name} has "
                f"{' and '.join(sorted(has))} instead",
                hint=f"define {found[0]} in class {classdef.name}" * classdef.is_written,
            )
    return found[0]


def result_of(method: str, s_result: SomeObject) -> SomeObject:
    """What the conversion by a method gives that returns ``s_result``.  Raises AnnotatorError
    where that is not of the kind that it has to be."""
    s_wanted = RESULTS.get(method)
    if s_wanted is None or s_result.kinds == 0:
        return s_result
    if method == "__int__" and any(is_big(part) for part in parts_of(s_result)):
        if all(is_big(part) or _is_int(part) for part in parts_of(s_result)):
            return s_result
    if not (_is_int(s_result) if s_wanted is s_Int else isinstance(s_result, type(s_wanted))):
        wanted = s_wanted.describe()
        raise AnnotatorError(f"{method} should return {wanted}, not {s_result.describe()}")
    return s_wanted


def _is_int(s: SomeObject) -> bool:
    return isinstance(s, SomeInteger) and s.knowntype is int and not (s.may_be_bool or s.mixed)
