"""From an operation to the rule that annotates it."""

from __future__ import annotations

from collections.abc import Iterator

from rpython.annotator import builtins, rules
from rpython.annotator.builtins.objects import convert_operand
from rpython.annotator.context import OpContext
from rpython.annotator.conversions import InstanceRefused
from rpython.annotator.lattice.builtinmethods import SomeBuiltinMethods
from rpython.annotator.lattice.model import (
    K_BUILTIN_METHOD,
    K_NONE,
    SomeBuiltinMethod,
    SomeInteger,
    SomeNone,
    SomeObject,
    SomePBC,
    SomeUnion,
    s_Bottom,
    s_Top,
)
from rpython.annotator.lattice.namedtuples import operator_function
from rpython.annotator.lattice.parts import any_part, is_callable, takes_box, without_none
from rpython.annotator.program.constants import INT_MAX, INT_MIN
from rpython.annotator.program.threadlocals import through_storage
from rpython.annotator.program.wideliterals import fit_wide_literals
from rpython.annotator.rules.bigints import growing
from rpython.annotator.rules.comparing import find_binary
from rpython.annotator.rules.constants import known_field, known_values
from rpython.annotator.rules.mapping_calls import is_one_of_several
from rpython.annotator.rules.members import consider_members, mixed_operands, operands_apart
from rpython.annotator.rules.nonerefused import (
    NoneRefused,
    OperandRefused,
    narrowed_operands,
    refused_operand,
    told_apart,
)
from rpython.annotator.rules.registry import UNARY
from rpython.translator.flow.fold import grows
from rpython.translator.ir.dispatch import load_rules
from rpython.translator.ir.errors import AnnotatorError, Conflict
from rpython.translator.ir.hlops import HLOPS, IN_PLACE, Group, HLOp, plain_name
from rpython.translator.ir.model import Constant, Variable

load_rules(rules)
load_rules(builtins)


def consider_operation(ctx: OpContext) -> SomeObject:
    """The annotation of the operation's result; bottom when an operand is bottom or the
    operation never gives a result; top when an operand is top.  Raises TranslationError."""
    unknown = [number for number, s in _variables(ctx) if s.is_unknown()]
    if unknown and not _calls_known(ctx) and not _is_put(ctx, unknown):
        return s_Top
    if ctx.annotator.empty_reads.are_unknown() and _calls_with_unknown(ctx):
        return s_Top
    fit_wide_literals(ctx)
    args_s = narrowed_operands(ctx, ctx.arguments())
    if ctx.op.opname == "call_args":
        shape = ctx.op.args[1]
        assert isinstance(shape, Constant)
        if is_one_of_several(args_s[0], shape.value, args_s[2:]):
            return consider_members(ctx, args_s, (0,), consider_operation)
    if not ctx.annotator.boxes:
        return _consider_operands(ctx, args_s)
    if ctx.op.opname in ("simple_call", "call_args") and isinstance(args_s[0], SomeBuiltinMethods):
        return consider_members(ctx, args_s, (0,), consider_operation)
    if not any(map(takes_box, args_s)):
        return _consider_operands(ctx, args_s)
    if apart := operands_apart(ctx, args_s):
        return consider_members(ctx, args_s, apart, consider_operation)
    try:
        ctx.annotator.members.apart.pop(ctx.op, None)
        return _consider_operands(ctx, args_s)
    except Conflict:
        raise
    except AnnotatorError:
        numbers = (0,) if _calls_several(ctx, args_s) else mixed_operands(args_s)
        return consider_members(ctx, args_s, numbers, consider_operation)


def _calls_several(ctx: OpContext, args_s: list[SomeObject]) -> bool:
    """Is one of several callables called, among which there are methods of built-in kinds?"""
    if HLOPS[ctx.op.opname].group is not Group.CALL or not isinstance(args_s[0], SomeUnion):
        return False
    return bool(args_s[0].kinds & K_BUILTIN_METHOD) and all(map(is_callable, args_s[0].parts))


def _consider_operands(ctx: OpContext, args_s: list[SomeObject]) -> SomeObject:
    try:
        return _consider(ctx, args_s)
    except OperandRefused:
        args_s = list(map(told_apart, args_s))
    while True:
        try:
            return _consider(ctx, args_s)
        except InstanceRefused as error:
            number = refused_operand(args_s, error)
            args_s[number] = convert_operand(ctx, number, error)
        except NoneRefused as error:
            number = refused_operand(args_s, error)
            ctx.annotator.notes.none_refused.setdefault(ctx.op, set()).add(number)
            args_s[number] = without_none(args_s[number])


def _variables(ctx: OpContext) -> Iterator[tuple[int, SomeObject]]:
    """The operands that are variables, with their numbers."""
    for number, arg in enumerate(ctx.op.args):
        if isinstance(arg, Variable):
            yield number, ctx.annotator.binding(arg)


_PUT = {"setattr": [2], "setitem": [2], "builder_append": [1]}
"""The operand that is put into the first one, by operation; into a tuple, all."""
_PUTTING = {"add", "append", "appendleft", "insert", "setdefault"}
"""Methods of built-in kinds that put their last argument into the object."""


def _is_put(ctx: OpContext, unknown: list[int]) -> bool:
    """Is all that is unknown an operand that is put into a known object?  What is read from there
    is unknown, too, then."""
    if ctx.op.opname == "newtuple":
        return True
    if ctx.op.opname != "simple_call":
        return _PUT.get(ctx.op.opname) == unknown
    s_called = ctx.annotator.binding(ctx.op.args[0])
    is_putting = isinstance(s_called, SomeBuiltinMethod) and s_called.name in _PUTTING
    return is_putting and unknown == [len(ctx.op.args) - 1]


def _calls_known(ctx: OpContext) -> bool:
    """Is a function or class of the program called, to which top goes as an argument?"""
    return HLOPS[ctx.op.opname].group is Group.CALL and isinstance(ctx.arguments()[0], SomePBC)


def _calls_with_unknown(ctx: OpContext) -> bool:
    """Is something built-in called, with what holds unknown values?  Rules would look at them."""
    if HLOPS[ctx.op.opname].group is not Group.CALL or _calls_known(ctx):
        return False
    return any(any_part(s, SomeObject.is_unknown) for _, s in _variables(ctx) if not s.is_unknown())


def _consider(ctx: OpContext, args_s: list[SomeObject]) -> SomeObject:
    if any(s.kinds == 0 for s in args_s):
        return s_Bottom
    name = ctx.op.opname
    folded = _fold(ctx, args_s)
    if folded is not None:
        return folded
    if ctx.annotator.big_ints and (grown := growing(ctx, args_s)) is not None:
        return grown
    if name in IN_PLACE:
        rule = find_binary(name, args_s)
        if rule is not None:
            in_place: SomeObject = rule[0](ctx, *rule[1])
            return in_place
        name = IN_PLACE[name]
    args_s = through_storage(ctx, args_s)
    if any(s.kinds == 0 for s in args_s):
        return s_Bottom
    if HLOPS[name].is_binary:
        return consider_binary(ctx, name, args_s)
    return consider_unary(ctx, name, args_s)


def consider_binary(ctx: OpContext, name: str, args_s: list[SomeObject]) -> SomeObject:
    found = find_binary(name, args_s)
    if found is None:
        if any(isinstance(s, SomeNone) for s in args_s):
            return s_Bottom
        left, right = (s.describe() for s in args_s)
        op = ctx.op.opdef
        symbol = op.symbol if isinstance(op, HLOp) else name
        raise ctx.error(f"unsupported operands for {symbol}: {left} and {right}")
    rule, operands = found
    result: SomeObject = rule(ctx, *operands)
    return result


def consider_unary(ctx: OpContext, name: str, args_s: list[SomeObject]) -> SomeObject:
    s_first = args_s[0] if args_s else s_Bottom
    takes_none = HLOPS[name].group in (Group.TRUTH, Group.CONSTRUCTION)
    if isinstance(s_first, SomeUnion) and not takes_none:
        s_first = without_none(s_first)
        args_s = [s_first, *args_s[1:]]
    if s_first.kinds == K_NONE and not takes_none:
        if name == "getattr" and isinstance(ctx.op.args[1], Constant):
            if ctx.op.args[1].value == "__class__":
                return ctx.constant(type(None))
        return s_Bottom
    rule = UNARY.lookup(name, type(s_first))
    if rule is None:
        raise ctx.error(f"{s_first.describe()} does not support {_what(ctx, name)}")
    result: SomeObject = rule(ctx, *args_s)
    return result


def _what(ctx: OpContext, name: str) -> str:
    row = HLOPS[name]
    if row.group is Group.ATTRIBUTE:
        attr = ctx.op.args[1]
        shown = attr.value if isinstance(attr, Constant) else "?"
        return f"the attribute {shown!r}" + (" being assigned" if name == "setattr" else "")
    return row.words or f"the operation {row.symbol}"


_OF_NUMBERS = (Group.TRUTH, Group.ARITHMETIC, Group.IN_PLACE, Group.COMPARISON)
"""What takes a member of an enum for its int, among ints."""


def _fold(ctx: OpContext, args_s: list[SomeObject]) -> SomeObject | None:
    """Evaluate an operation on known immutable values; None when that cannot be done.

    An evaluation that raises, or may give something large, is left to run time.
    """
    opdef = ctx.op.opdef
    if not isinstance(opdef, HLOp) or ctx.in_helper:
        return None
    if opdef.name == "format_value":
        return known_field(ctx, args_s)
    if opdef.fold is None or operator_function(plain_name(opdef.name), args_s) is not None:
        return None
    numbers = opdef.group in _OF_NUMBERS and all(isinstance(s, SomeInteger) for s in args_s)
    values = known_values(args_s, as_ints=numbers)
    if not values or grows(opdef.name, values):
        return None
    try:
        value = opdef.fold(*values)
        if type(value) is int and not INT_MIN <= value <= INT_MAX and not ctx.annotator.big_ints:
            return None
        return ctx.constant(value)
    except (ArithmeticError, TypeError, ValueError, LookupError):
        return None
