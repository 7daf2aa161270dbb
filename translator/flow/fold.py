"""Operations on constants, evaluated while building.

Only operations whose row says how (``HLOp.fold``), calls of a few builtins, attributes of
modules and classes, and functions marked with ``_rpython_fold_``; only on immutable
builtin values; never when the evaluation raises or its result is large::

    v = add(1, 2)                      ->   3
    v = simple_call(@len, 'abc')       ->   3
    v = getattr(@math, 'pi')           ->   3.141592653589793
"""

from __future__ import annotations

import enum
import operator
import re
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

from rpython.translator.ir.hlops import CallShape, HLOp, plain_name
from rpython.translator.ir.intrinsics import is_frozen
from rpython.translator.ir.model import Constant, SpaceOperation, Value
from rpython.translator.ir.span import Span

_T = typing.TypeVar("_T")
_SCALARS = (int, float, str, bytes, bool, type(None))
_MAX_BITS = 128
_MAX_LENGTH = 10_000
_MAX_SPEC = 4

FOLDED_BUILTINS: frozenset[Any] = frozenset(
    {len, ord, chr, abs, min, max, int, float, str, bool, hex, oct, bin, round, divmod, pow, repr}
)
_CLASS_TESTS: frozenset[Any] = frozenset({isinstance, issubclass})

_EVALUATION_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What evaluating on constants may raise: the operation is then left to run time."""


def is_immutable(value: object) -> bool:
    """Is it a value of an immutable builtin type, all the way down?"""
    if type(value) is tuple:
        return all(map(is_immutable, value))
    return type(value) in _SCALARS


def _is_static(value: object) -> bool:
    """May it be an item of a constant tuple made while building?"""
    if type(value) is tuple:
        return all(map(_is_static, value))
    return is_immutable(value) or isinstance(value, type | types.FunctionType)


def operands(name: str, args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The operands, the first of them as what is iterated over, called or asked for attributes."""
    if name == "iter":
        return (iterated_constant(args[0]),)
    asked = args[1].value if name == "getattr" and isinstance(args[1], Constant) else "__origin__"
    if name in ("simple_call", "call_args") or not str(asked).startswith("__"):
        return _origin(args[0]), *args[1:]
    return args


def _origin(value: Value) -> Value:
    """The class of which a constant is an alias: ``Stack[int]()`` is ``Stack()``."""
    if not isinstance(value, Constant) or not isinstance(value.value, _ALIASES):
        return value
    origin = typing.get_origin(value.value)
    return Constant(origin) if isinstance(origin, type) else value


_ALIASES: tuple[Any, ...] = (types.GenericAlias, type(typing.Generic[_T]))  # type: ignore[index]


def iterated_constant(value: Value) -> Value:
    """A constant as what iterating over it gives: an enum as the tuple of its members, an
    unrolling iterable as that of its items; anything else as it is."""
    if isinstance(value, Constant) and isinstance(value.value, enum.EnumMeta):
        return Constant(tuple(value.value))
    items = unrolled_items(value.value) if isinstance(value, Constant) else None
    return value if items is None else Constant(items)


def unrolled_items(value: object) -> tuple[object, ...] | None:
    """The items of an unrolling iterable: an object whose class says so."""
    if not hasattr(type(value), "_rpython_unrolls_"):
        return None
    items: tuple[object, ...] = vars(value)["items"]
    return items


def fold_operation(row: HLOp, args: Sequence[Value]) -> Constant | None:
    """The constant that ``row`` on ``args`` amounts to, or None."""
    values = []
    for arg in args:
        if not isinstance(arg, Constant):
            return None
        values.append(arg.value)
    special = _SPECIAL.get(row.name)
    if special is not None:
        return special(values)
    if row.fold is None or not all(map(is_immutable, values)) or grows(row.name, values):
        return None
    return _evaluate(row.fold, values)


def at(span: Span, folded: Constant) -> Constant:
    """The constant, which knows where the program computes it."""
    folded.span = folded.span or span
    return folded


def _evaluate(function: Callable[..., Any], values: Sequence[Any]) -> Constant | None:
    try:
        result = function(*values)
    except _EVALUATION_ERRORS:
        return None
    return Constant(result) if is_immutable(result) and _is_small(result) else None


def _is_small(value: Any) -> bool:
    if isinstance(value, int):
        return value.bit_length() <= _MAX_BITS
    if isinstance(value, str | bytes):
        return len(value) < _MAX_LENGTH
    if isinstance(value, tuple):
        return len(value) < _MAX_LENGTH and all(map(_is_small, value))
    return True


def grows(name: str, values: Sequence[Any]) -> bool:
    """Could evaluating the operation take long, or its result be large?"""
    name = plain_name(name)
    if len(values) < 2:
        return False
    left, right = values[:2]
    if name == "mul":
        if isinstance(right, str | bytes | tuple):
            left, right = right, left
        if isinstance(left, str | bytes | tuple) and isinstance(right, int):
            return len(left) * right >= _MAX_LENGTH
        return False
    if name not in ("pow", "lshift") or not (isinstance(left, int) and isinstance(right, int)):
        return False
    return right > _MAX_BITS or (name == "pow" and left.bit_length() * right > 2 * _MAX_BITS)


_LARGE_NUMBER = re.compile(r"\d{5}")


def has_method(holder: Value, name: Value) -> bool:
    """Is it a method of a constant str or bytes?  Reading that never raises."""
    if not isinstance(holder, Constant) or type(holder.value) not in (str, bytes):
        return False
    return isinstance(name, Constant) and hasattr(holder.value, name.value)


def fold_method(
    text: object, name: str, values: Sequence[Any], keywords: Sequence[str] = ()
) -> Constant | None:
    """What a method of a str or bytes gives for constants, the last of them ``keywords``; None
    when it raises or may give something large."""
    if not isinstance(text, str | bytes) or not all(map(_is_modest, (text, *values))):
        return None
    if name == "format" and _LARGE_NUMBER.search(str(text)):
        return None
    plain = len(values) - len(keywords)
    named = dict(zip(keywords, values[plain:], strict=True))
    try:
        result = getattr(text, name)(*values[:plain], **named)
    except _EVALUATION_ERRORS:
        return None
    return Constant(result) if is_immutable(result) and _is_small(result) else None


def fold_method_call(made: SpaceOperation | None, args: Sequence[Value]) -> Constant | None:
    """What a method gives for these arguments that the operation ``made`` reads of a constant
    str or bytes."""
    if made is None or made.opname != "getattr" or not has_method(*made.args):
        return None
    known = [arg.value for arg in (*made.args, *args) if isinstance(arg, Constant)]
    return fold_method(known[0], known[1], known[2:]) if len(known) == len(args) + 2 else None


def _is_modest(value: object) -> bool:
    """Is it small also as a number of characters?"""
    if type(value) is tuple:
        return all(map(_is_modest, value))
    if isinstance(value, int):
        return -_MAX_LENGTH < value < _MAX_LENGTH
    return is_immutable(value) and _is_small(value)


def _fold_tuple(values: Sequence[Any]) -> Constant | None:
    return Constant(tuple(values)) if all(map(_is_static, values)) else None


def _fold_is(values: Sequence[Any]) -> Constant | None:
    """Identity of two constants, where it does not depend on how they are stored."""
    if any(isinstance(value, int | float | str | bytes | tuple) and not isinstance(value, bool)
           for value in values):  # fmt: skip
        if type(values[0]) is not type(values[1]):
            return Constant(False)
        return None
    return Constant(values[0] is values[1])


def _fold_getitem(values: Sequence[Any]) -> Constant | None:
    container, key = values
    if isinstance(container, type) and hasattr(container, "__class_getitem__"):  # list[int]
        return _alias(container, key)
    if type(container) is tuple and type(key) is int and -len(container) <= key < len(container):
        item = container[key]
        return Constant(item) if _is_static(item) else None
    if is_immutable(container) and is_immutable(key):
        return _evaluate(operator.getitem, values)
    return None


def _alias(container: Any, key: object) -> Constant | None:
    if isinstance(container, enum.EnumMeta):
        return None
    try:
        alias = container[key]
    except _EVALUATION_ERRORS:
        return None
    return None if isinstance(alias, type) else Constant(alias)


def fold_slice(container: object, bounds: Sequence[Value]) -> Constant | None:
    """A slice of a constant str, bytes or tuple."""
    if not isinstance(container, Constant) or not isinstance(container.value, str | bytes | tuple):
        return None
    values = [bound.value for bound in bounds if isinstance(bound, Constant)]
    if len(values) < len(bounds) or not all(type(value) in (int, type(None)) for value in values):
        return None
    if type(container.value) is tuple:
        return _fold_tuple(container.value[slice(*values)]) if values[2] != 0 else None
    if not is_immutable(container.value):
        return None
    return _evaluate(operator.getitem, [container.value, slice(*values)])


_CONVERSIONS: dict[str, Callable[[object], object]] = {"s": str, "r": repr, "a": ascii}


def _fold_format(values: Sequence[Any]) -> Constant | None:
    """A field of an f-string."""
    value, conversion, spec = values
    if not is_immutable(value) or type(spec) is not str or len(spec) > _MAX_SPEC:
        return None
    convert = _CONVERSIONS.get(conversion)
    return _evaluate(format, [convert(value) if convert else value, spec])


def _fold_or(values: Sequence[Any]) -> Constant | None:
    """``int | None``, for isinstance."""
    left, right = values
    if isinstance(left, type | types.UnionType) or isinstance(right, type | types.UnionType):
        try:
            return Constant(left | right)
        except TypeError:
            return None
    if is_immutable(left) and is_immutable(right):
        return _evaluate(operator.or_, values)
    return None


def _fold_call(values: Sequence[Any]) -> Constant | None:
    function, *args = values
    if not isinstance(function, type | types.BuiltinFunctionType):
        return None
    if function in FOLDED_BUILTINS:
        if all(map(is_immutable, args)) and not grows(function.__name__, args):
            return _evaluate(function, args)
    elif function in _CLASS_TESTS:
        if all(map(_is_static, args)):
            return _evaluate(function, args)
    elif function is hasattr and len(args) == 2 and isinstance(args[0], types.ModuleType | type):
        return _evaluate(function, args)
    return None


class MarkedCallError(Exception):
    """The arguments of a marked function are wrong; the text says what is."""


def fold_marked_call(function: Value, args: Sequence[Value], shape: CallShape) -> Value | None:
    """The result of calling a function with a mark, None for other functions.

    ``_rpython_fold_``: the result, whatever the arguments.  ``_rpython_identity_``: the result
    is the first argument.  ``_rpython_check_``: a function of ``self`` (of a method) and the
    names of the keywords, which gives a text when they are wrong; raises MarkedCallError, and so
    do calls of classes with ``_rpython_at_import_``.
    """
    if not isinstance(function, Constant):
        return None
    called: Any = function.value
    if isinstance(called, type) and "_rpython_at_import_" in vars(called):
        raise MarkedCallError(
            f"{called.__name__} objects are made at import time, outside of functions"
        )
    holder: tuple[object, ...] = ()
    if isinstance(called, types.MethodType):
        called, holder = called.__func__, (called.__self__,)
    if not isinstance(called, types.FunctionType):
        return None
    marks = vars(called)
    if "_rpython_check_" in marks and "**" not in shape.keywords:
        problem = marks["_rpython_check_"](*holder, shape.keywords)
        if problem:
            raise MarkedCallError(problem)
    if "_rpython_fold_" in marks:
        return Constant(marks["_rpython_fold_"])
    if "_rpython_identity_" in marks and shape.positional and not holder:
        return args[0]
    return None


def sets_attribute(args: Sequence[Value]) -> bool:
    """Is it a call ``setattr(x, "name", value)``, which is ``x.name = value``?"""
    if len(args) != 4:
        return False
    function, name = args[0], args[2]
    if not isinstance(function, Constant) or not isinstance(name, Constant):
        return False
    return function.value is setattr and isinstance(name.value, str)


def _fold_getattr(values: Sequence[Any]) -> Constant | None:
    holder, name = values
    if isinstance(holder, types.ModuleType):
        try:
            return Constant(getattr(holder, name))
        except AttributeError:
            return None
    if isinstance(holder, type):
        found = _class_attribute(holder, name)
        varies = found is not None and is_immutable(found.value)
        return None if varies else found
    if is_frozen(holder):
        try:
            return Constant(getattr(holder, name))
        except AttributeError:
            return None
    return None


def _class_attribute(cls: type, name: str) -> Constant | None:
    for base in cls.__mro__:
        if name in base.__dict__:
            found = base.__dict__[name]
            break
    else:
        return None
    if isinstance(found, staticmethod | classmethod):
        return Constant(getattr(cls, name))
    if is_frozen(found) and hasattr(type(found), "__get__"):
        found = getattr(cls, name)
    kept = isinstance(found, types.FunctionType | type | types.ModuleType)
    if kept or is_immutable(found) or is_frozen(found):
        return Constant(found)
    return None


def fold_class_attribute(cls: object, name: str) -> Constant | None:
    """The value of a class attribute that functions could assign, as the constant that it is if
    none does; None for other attributes."""
    found = _class_attribute(cls, name) if isinstance(cls, type) else None
    return found if found is not None and is_immutable(found.value) else None


_SPECIAL: dict[str, Callable[[Sequence[Any]], Constant | None]] = {
    "newtuple": _fold_tuple,
    "format_value": _fold_format,
    "is_": _fold_is,
    "getitem": _fold_getitem,
    "or_": _fold_or,
    "getattr": _fold_getattr,
    "simple_call": _fold_call,
}
