"""The meaning of instructions that make and call functions."""

from __future__ import annotations

import threading
import types
from dataclasses import replace
from typing import TypeGuard

from rpython.translator.flow.class_statements import (
    build_class,
    decorated_class,
    is_class_statement,
)
from rpython.translator.flow.execute_values import get_attr
from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.fold import (
    MarkedCallError,
    fold_marked_call,
    iterated_constant,
    sets_attribute,
)
from rpython.translator.flow.instructions import Instr, Op
from rpython.translator.flow.ruletable import RuleTable
from rpython.translator.flow.state import (
    CellTuple,
    Keywords,
    Marker,
    PendingFunction,
    Slice,
    StarTuple,
)
from rpython.translator.flow.templates import BraceText, looks_inside
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.intrinsics import ComputedDefault, keyword_arguments
from rpython.translator.ir.model import Constant, SpaceOperation, Value, Variable

CALLS = RuleTable()


def _pop_callable(flow: Explorer) -> tuple[Value, list[Value]]:
    """Pop [f, NULL], [NULL, f] or [f, first argument]."""
    second, first = flow.pop_entry(), flow.pop_entry()
    if first is Marker.NULL:
        return flow.complete(second), []
    if second is Marker.NULL:
        return flow.complete(first), []
    return flow.complete(first), [flow.complete(second)]


def _call_shaped(flow: Explorer, f: Value, shape: CallShape, args: list[Value]) -> Value:
    try:
        folded = fold_marked_call(f, args, shape)
    except MarkedCallError as error:
        return flow.refused_value(str(error))
    if folded is not None:
        return folded
    if flow.local_classes or shape.keywords:
        folded = decorated_class(flow, f, args, shape)
        if folded is not None:
            return folded
    text = _formatted(flow, f, shape, args)
    if text is not None:
        return text
    if not shape.keywords and not shape.star:
        return flow.emit("simple_call", f, *args)
    return flow.emit("call_args", f, Constant(shape), *args)


def _formatted(flow: Explorer, f: Value, shape: CallShape, args: list[Value]) -> Value | None:
    """The call of ``format`` or ``format_map`` of a constant template that ``BraceText`` is for;
    None for other calls."""
    template, name = None, ""
    if isinstance(f, Constant) and isinstance(f.value, types.BuiltinMethodType):
        template, name = f.value.__self__, f.value.__name__
    if type(template) is not str or shape.star:
        return None
    if name == "format_map" and len(args) == 1 and not shape.keywords:
        return BraceText(flow, (), {}, args[0]).text(template)
    if name != "format" or shape.keywords.count("**") > 1:
        return None
    if not looks_inside(template) and "**" not in shape.keywords:
        return None
    keywords = dict(zip(shape.keywords, args[shape.positional :]))
    mapping = keywords.pop("**", None)
    return BraceText(flow, args[: shape.positional], keywords, mapping).text(template)


def _builds_class(flow: Explorer, count: int, keywords: tuple[str, ...] = ()) -> bool:
    """Make a class if that is what is called; ``count``: of arguments."""
    stack = flow.state.stack
    if not any(map(is_class_statement, stack[-count - 2 : -count])):
        return False
    args = flow.pop_many(count - 1)
    body = flow.pop_entry()
    assert isinstance(body, PendingFunction)
    _pop_callable(flow)
    given = len(args) - len(keywords)
    flow.push(build_class(flow, body, args[:given], dict(zip(keywords, args[given:]))))
    return True


@CALLS.rule(Op.CALL)
def _call(flow: Explorer, instr: Instr) -> None:
    if _builds_class(flow, instr.arg):
        return
    args = flow.pop_many(instr.arg)
    f, first = _pop_callable(flow)
    args = first + args
    if isinstance(f, Constant) and f.value is getattr and len(args) == 2:
        name = args[1]
        if isinstance(name, Constant) and isinstance(name.value, str):
            flow.push(get_attr(flow, args[0], name.value))
            return
    if sets_attribute([f, *args]):
        flow.emit("setattr", *args)
        flow.push(Constant(None))
        return
    if isinstance(f, Constant) and f.value is slice and 1 <= len(args) <= 3:
        flow.push(_slice_of(args))
        return
    args = _iterated(f, args)
    flow.push(_call_shaped(flow, f, CallShape(len(args)), args))


def _slice_of(args: list[Value]) -> Slice:
    """``slice(stop)``, ``slice(start, stop)``, ``slice(start, stop, step)``"""
    none = Constant(None)
    start, stop, step = [none, *args, none] if len(args) == 1 else [*args, none][:3]
    return Slice((start, stop, step))


_ITERATING = (
    len, list, tuple, sorted, enumerate, zip, reversed, iter, set, frozenset, sum, min, max, any,
    all,
)  # fmt: skip
"""Built-in functions whose arguments are iterated over."""


def _iterated(f: Value, args: list[Value]) -> list[Value]:
    """The arguments of a call, constants as what such a function gets from them."""
    if isinstance(f, Constant) and any(f.value is function for function in _ITERATING):
        return [iterated_constant(arg) for arg in args]
    return args


def _keyword_names(flow: Explorer) -> tuple[str, ...]:
    names = flow.settled(flow.pop())  # it may have been there while a value was computed
    assert isinstance(names, Constant)
    return (names.value,) if isinstance(names.value, str) else tuple(names.value)


@CALLS.rule(Op.CALL_KEYWORDS)
def _call_keywords(flow: Explorer, instr: Instr) -> None:
    keywords = _keyword_names(flow)
    if _builds_class(flow, instr.arg, keywords):
        return
    args = flow.pop_many(instr.arg)
    f, first = _pop_callable(flow)
    args = first + args
    shape = CallShape(len(args) - len(keywords), keywords)
    args = _iterated(f, args)
    if isinstance(f, Constant) and f.value is threading.Thread and "kwargs" in keywords:
        place = shape.positional + keywords.index("kwargs")
        args[place] = _keywords_of_dict(flow, args[place])
    flow.push(_call_shaped(flow, f, shape, args))


def _keywords_of_dict(flow: Explorer, value: Value) -> Value:
    """Instead of a dict that was made for this purpose; another one stays."""
    made = flow.made_by(value)
    if made is None or flow.block is None or made not in flow.block.operations:
        return value
    if value in flow.state.slots or value in flow.state.stack:
        return value
    names = _names_and_values(made)
    if names is None:
        return value
    flow.block.operations.remove(made)
    shape = Constant(CallShape(0, tuple(names)))
    return flow.emit_op("call_args", Constant(keyword_arguments), shape, *names.values())


def _names_and_values(made: SpaceOperation) -> dict[str, Value] | None:
    """Those of ``{"name": value}`` and ``dict(name=value)``."""
    keys, values = [*made.args[::2]], made.args[1::2]
    if made.opname == "call_args":
        function, shape, *values = made.args
        assert isinstance(shape, Constant)
        if shape.value.positional or shape.value.star or "**" in shape.value.keywords:
            return None
        if not isinstance(function, Constant) or function.value is not dict:
            return None
        keys = [Constant(name) for name in shape.value.keywords]
    elif made.opname != "newdict":
        return None
    names = [key.value for key in keys if isinstance(key, Constant)]
    if len(names) < len(keys) or not all(isinstance(name, str) for name in names):
        return None
    return dict(zip(names, values))


def _call_star(flow: Explorer, keywords: tuple[str, ...], values: list[Value]) -> None:
    entry = flow.pop_entry()
    args: list[Value] = []
    if isinstance(entry, StarTuple):
        args += entry.items
        entry = entry.star
    sequence = flow.complete(entry)
    items = flow.tuple_items(sequence)
    f, first = _pop_callable(flow)
    args = first + args + (items or [])
    shape = CallShape(len(args), keywords, star=items is None)
    rest = [sequence] if items is None else []
    flow.push(_call_shaped(flow, f, shape, args + values + rest))


@CALLS.rule(Op.CALL_STAR)
def _call_star_only(flow: Explorer, instr: Instr) -> None:
    _call_star(flow, (), [])


@CALLS.rule(Op.CALL_STAR_KEYWORDS)
def _call_star_keywords(flow: Explorer, instr: Instr) -> None:
    keywords = _keyword_names(flow)
    values = flow.pop_many(instr.arg)
    _call_star(flow, keywords, values)


@CALLS.rule(Op.KEYWORDS)
def _keywords(flow: Explorer, instr: Instr) -> None:
    count, at_end = instr.arg
    if at_end:
        *values, names = flow.pop_many(count + 1)
        assert isinstance(names, Constant)
        keys = [Constant(name) for name in names.value]
    else:
        items = flow.pop_many(2 * count)
        settled = [flow.settled(key) for key in items[::2]]
        keys = [key for key in settled if _is_keyword(key)]
        if len(keys) < count:
            flow.push(Keywords(("**",), (flow.emit_op("newdict", *items),)))
            return
        values = items[1::2]
    flow.push(Keywords(tuple(key.value for key in keys), tuple(values)))


def _is_keyword(key: Value) -> TypeGuard[Constant]:
    return isinstance(key, Constant) and isinstance(key.value, str)


@CALLS.rule(Op.MERGE_KEYWORDS)
def _merge_keywords(flow: Explorer, instr: Instr) -> None:
    more, known = flow.pop_entry(), flow.pop_entry()
    assert isinstance(known, Keywords)
    if not isinstance(more, Keywords):
        more = Keywords(("**",), (flow.complete(more),))
    flow.push(Keywords(known.names + more.names, known.values + more.values))


@CALLS.rule(Op.CALL_STARS)
def _call_stars(flow: Explorer, instr: Instr) -> None:
    keywords = flow.pop_entry()
    assert isinstance(keywords, Keywords)
    _call_star(flow, keywords.names, list(keywords.values))


@CALLS.rule(Op.MAKE_FUNCTION)
def _make_function(flow: Explorer, instr: Instr) -> None:
    code = flow.pop()
    assert isinstance(code, Constant)
    flow.push(PendingFunction(code.value, instr.span))


@CALLS.rule(Op.FUNCTION_ATTRIBUTE)
def _function_attribute(flow: Explorer, instr: Instr) -> None:
    function = flow.pop_entry()
    value = flow.pop_entry()
    assert isinstance(function, PendingFunction)
    if instr.arg == 8:
        assert isinstance(value, CellTuple)
        function = replace(function, closure=value)
    elif instr.arg in (1, 2):
        assert isinstance(value, Variable | Constant)
        function = _with_defaults(flow, function, value, instr.arg == 2)
    is_body = any(map(is_class_statement, flow.state.stack[-2:]))
    if is_body or flow.program.instrs[instr.next].op is Op.FUNCTION_ATTRIBUTE:
        flow.push(function)
    else:
        flow.push(flow.complete(function))


def _with_defaults(
    flow: Explorer, function: PendingFunction, value: Value, keyword_only: bool
) -> PendingFunction:
    """The same with defaults: those that are no constants are kept in the closure."""
    names, values = _names_of_defaults(flow, function, value, keyword_only)
    defaults: list[object] = []
    computed = list(function.computed)
    for name, default in zip(names, values):
        if isinstance(default, Constant):
            defaults.append(default.value)
        else:
            marker = ComputedDefault(f"0{name}")
            defaults.append(marker)
            computed.append((marker.attribute, default))
    if keyword_only:
        by_name = dict(zip(names, defaults))
        return replace(function, kwdefaults=by_name, computed=tuple(computed))
    return replace(function, defaults=tuple(defaults), computed=tuple(computed))


def _names_of_defaults(
    flow: Explorer, function: PendingFunction, value: Value, keyword_only: bool
) -> tuple[list[str], list[Value]]:
    """The parameters with a default, and the values."""
    if isinstance(value, Constant):
        items = list(value.value)
        if keyword_only:
            return items, [Constant(value.value[name]) for name in items]
        values: list[Value] = [Constant(item) for item in items]
    else:
        op = flow.made_by(value)
        assert op is not None, "defaults are made where the function is"
        assert flow.block is not None
        if op in flow.block.operations:
            flow.block.operations.remove(op)
        if keyword_only:
            keys = [arg.value for arg in op.args[::2] if isinstance(arg, Constant)]
            return keys, op.args[1::2]
        values = op.args
    code = function.code
    return list(code.co_varnames[: code.co_argcount][-len(values) :]), values
