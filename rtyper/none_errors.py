"""The exception that CPython raises for each operation when an operand is None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeBytes,
    SomeFunction,
    SomeHost,
    SomeList,
    SomeMethod,
    SomeObject,
    SomeString,
)
from rpython.annotator.lattice.parts import type_name, without_none
from rpython.annotator.program.desc import FunctionDesc, MethodDesc
from rpython.translator.ir.hlops import Group, HLOp, group_of
from rpython.translator.ir.intrinsics import ProtocolMethod
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

Raised = tuple[type[BaseException], str]

_NOT_AN_INDEX = "'NoneType' object cannot be interpreted as an integer"
_NOT_ITERABLE = "'NoneType' object is not iterable"

_FUNCTIONS = (
    (len, "object of type 'NoneType' has no len()"),
    (tuple, _NOT_ITERABLE),
    (enumerate, _NOT_ITERABLE),
    (zip, _NOT_ITERABLE),
    (reversed, "'NoneType' object is not reversible"),
    (int, "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"),
    (float, "float() argument must be a string or a real number, not 'NoneType'"),
    (abs, "bad operand type for abs(): 'NoneType'"),
    (isinstance, "isinstance() arg 2 must be a type, a tuple of types, or a union"),
    (round, "type NoneType doesn't define __round__ method"),
    (chr, _NOT_AN_INDEX),
    (range, _NOT_AN_INDEX),
)

_STR_METHODS = {
    **dict.fromkeys("find rfind index rindex count partition rpartition".split(),
                    "must be str, not NoneType"),
    **{name: f"{name} first arg must be str or a tuple of str, not NoneType"
       for name in ("startswith", "endswith")},
    **{name: f"{name}() argument must be str, not None"
       for name in ("removeprefix", "removesuffix")},
    **dict.fromkeys("ljust rjust center zfill".split(), _NOT_AN_INDEX),
    "replace": "replace() argument {number} must be str, not None",
}  # fmt: skip
_BYTES_METHODS = {
    **dict.fromkeys("find rfind index rindex count".split(),
                    "argument should be integer or bytes-like object, not 'NoneType'"),
    **{name: f"{name} first arg must be bytes or a tuple of bytes, not NoneType"
       for name in ("startswith", "endswith")},
    **dict.fromkeys("partition rpartition replace removeprefix removesuffix".split(),
                    "a bytes-like object is required, not 'NoneType'"),
    **dict.fromkeys("ljust rjust center zfill".split(), _NOT_AN_INDEX),
}  # fmt: skip
_METHODS: tuple[tuple[type[SomeObject], dict[str, str]], ...] = (
    (SomeString, _STR_METHODS),
    (SomeBytes, _BYTES_METHODS),
    (SomeList, dict.fromkeys(("pop", "insert"), _NOT_AN_INDEX)),
)

_CONCATENATIONS = {
    **{kind: f'can only concatenate {kind} (not "NoneType") to {kind}'
       for kind in ("str", "list", "tuple")},
    **{kind: f"can't concat NoneType to {kind}" for kind in ("bytes", "bytearray")},
}  # fmt: skip
"""By the type on the left of ``+``."""
_SEQUENCES = frozenset(_CONCATENATIONS)

_INDICES: tuple[tuple[type[SomeObject], str], ...] = (
    (SomeString, "string indices must be integers, not 'NoneType'"),
    (SomeBytes, "byte indices must be integers or slices, not NoneType"),
    (SomeList, "list indices must be integers or slices, not NoneType"),
)


def none_error(hop: HighLevelOp, *indexes: int) -> Raised:
    """What the operation raises when these operands are None."""
    name = hop.spaceop.opname
    if name in ("getattr", "setattr"):
        attr = hop.spaceop.args[1]
        shown = attr.value if isinstance(attr, Constant) else "?"
        if isinstance(shown, ProtocolMethod):
            return TypeError, "NoneType".join(shown.lacking)
        return AttributeError, f"'NoneType' object has no attribute '{shown}'"
    if group_of(name) is Group.CALL:
        callee = hop.spaceop.args[0]
        host = callee.value if isinstance(callee, Constant) else None
        if host is int and hop.nb_args > 1:
            return TypeError, "int() can't convert non-string with explicit base"
        for function, message in _FUNCTIONS:
            if host is function:
                return TypeError, message
    opdef = hop.spaceop.opdef
    if isinstance(opdef, HLOp) and opdef.none_error:
        return TypeError, opdef.none_error
    symbol = opdef.symbol if isinstance(opdef, HLOp) else name
    kinds = [
        "NoneType" if i in indexes else type_name(without_none(s))
        for i, s in enumerate(hop.args_s)
    ]
    if name in ("add", "inplace_add") and 0 not in indexes and kinds[0] in _CONCATENATIONS:
        return TypeError, _CONCATENATIONS[kinds[0]]
    if name in ("mul", "inplace_mul") and not _SEQUENCES.isdisjoint(kinds):
        return TypeError, "can't multiply sequence by non-int of type 'NoneType'"
    shown = " and ".join(f"'{kind}'" for kind in kinds)
    if len(kinds) == 1:
        return TypeError, f"bad operand type for unary {symbol}: {shown}"
    if isinstance(opdef, HLOp) and opdef.orders:
        return TypeError, f"'{symbol}' not supported between instances of {shown}"
    return TypeError, f"unsupported operand type(s) for {symbol}: {shown}"


def refused_none(hop: HighLevelOp, number: int) -> Raised:
    """What the operation raises when operand ``number``, which is not the one that decides about
    the operation, is None."""
    s_first = without_none(hop.args_s[0])
    name = hop.spaceop.opname
    if name == "contains":
        if isinstance(s_first, SomeString):
            return TypeError, "'in <string>' requires string as left operand, not NoneType"
        return TypeError, "a bytes-like object is required, not 'NoneType'"
    for cls, message in _INDICES:
        if group_of(name) is Group.ITEM and isinstance(s_first, cls):
            return TypeError, message
    s_callee = hop.args_s[0]
    if name == "call_args":
        text = _refused_star(hop.spaceop.args[1], s_callee, number)
        if text:
            return TypeError, text
    if isinstance(s_callee, SomeHost):
        if s_callee.value is divmod:
            return TypeError, _refused_by_divmod(hop, number)
        return _refused_by_function(s_callee.value, number)
    if isinstance(s_callee, SomeBuiltinMethod):
        for cls, messages in _METHODS:
            if isinstance(without_none(s_callee.s_self), cls) and s_callee.name in messages:
                return TypeError, messages[s_callee.name].format(number=number)
        return TypeError, f"{s_callee.name}() does not take None as argument {number}"
    return TypeError, "an operand must not be None"


def _refused_star(place: Value, s_callee: SomeObject, number: int) -> str:
    """What a call with ``*None`` or ``**None`` says, "" if operand ``number`` is no such."""
    assert isinstance(place, Constant)
    shape = place.value
    names = dict(enumerate(shape.keywords, 2 + shape.positional))
    what = "** must be a mapping" if names.get(number) == "**" else ""
    if shape.star and number == 2 + shape.positional + len(shape.keywords):
        if shape.positional:  # a list of all of them is made first
            return "Value after * must be an iterable, not NoneType"
        what = "* must be an iterable"
    if not what:
        return ""
    return f"{_named(s_callee)}argument after {what}, not NoneType"


def _named(s_callee: SomeObject) -> str:
    """How CPython names what is called, if that is a built-in, or one function or method of the
    program."""
    if isinstance(s_callee, SomeHost) and hasattr(s_callee.value, "__qualname__"):
        return f"{s_callee.value.__qualname__}() "
    if isinstance(s_callee, SomeFunction | SomeMethod) and len(s_callee.descs) == 1:
        (desc,) = s_callee.descs
        function = desc.function if isinstance(desc, MethodDesc) else desc
        assert isinstance(function, FunctionDesc)
        return f"{function.func.__module__}.{function.func.__qualname__}() "
    return ""


def _refused_by_divmod(hop: HighLevelOp, number: int) -> str:
    kinds = ["NoneType" if i == number else type_name(without_none(hop.args_s[i])) for i in (1, 2)]
    return f"unsupported operand type(s) for divmod(): '{kinds[0]}' and '{kinds[1]}'"


def _refused_by_function(function: Any, number: int) -> Raised:
    if function is issubclass:
        some = "a class" if number == 1 else "a class, a tuple of classes, or a union"
        return TypeError, f"issubclass() arg {number} must be {some}"
    for known, message in _FUNCTIONS:
        if function is known and known is not int:
            return TypeError, message
    if function is int:
        return TypeError, _NOT_AN_INDEX
    name = getattr(function, "__name__", repr(function))
    return TypeError, f"{name}() does not take None"
