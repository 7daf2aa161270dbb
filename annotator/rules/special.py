"""Operators on instances whose classes define them: ``__add__``, ``__eq__``, ``__len__``, ...

An operation becomes a call of the method; with two operands, of one after the other (see
``annotator.rules.binary_methods``).
"""

from __future__ import annotations

import enum

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_INSTANCE,
    K_INT,
    K_LIST,
    K_NONE,
    K_NOTIMPLEMENTED,
    K_STR,
    K_TUPLE,
    SomeBool,
    SomeInstance,
    SomeInteger,
    SomeMethod,
    SomeObject,
    SomeUnion,
    s_Bool,
    s_Bottom,
    s_Int,
    s_NonNeg,
)
from rpython.annotator.lattice.parts import parts_of, without_kinds, without_none
from rpython.annotator.program.classdef import ClassDef, Lookup, is_slot
from rpython.annotator.program.exctexts import has_text_or_address
from rpython.annotator.program.special_methods import (
    MISSING,
    Missing,
    acting_otherwise,
    lacking,
    truth_methods,
)
from rpython.annotator.rules.binary_methods import (
    Attempt,
    When,
    attempts,
    is_sure,
    kind_of_operand,
    right_may_override,
)
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.comparing import flow_comparison
from rpython.annotator.rules.exceptions import need_repr
from rpython.annotator.rules.instances import defining_equality, find_methods
from rpython.annotator.rules.numbers import compare_others
from rpython.annotator.rules.registry import BINARY, UNARY
from rpython.translator.ir.hlops import HLOPS, CallShape, Group, HLOp, names_of, plain_name
from rpython.translator.ir.home import home_of_class

_SEQUENCES = K_STR | K_BYTES | K_BYTEARRAY | K_LIST | K_TUPLE
_NO_TIMES = Missing("can't multiply sequence by non-int of type '")
_ARITHMETIC_OPS = names_of(Group.ARITHMETIC)
_IN_PLACE_OPS = names_of(Group.IN_PLACE)


def special_method(
    ctx: OpContext,
    s: SomeObject,
    name: str,
    s_other: SomeObject | None = None,
    of_all: bool | None = None,
) -> SomeMethod | None:
    """The method of that name of an instance, None when its class has none.  ``s_other``: the
    operand that it is asked about; ``of_all``: refuse methods of some subclasses only (by default
    those without a row in ``MISSING``)."""
    assert isinstance(s, SomeInstance)
    other = None if s_other is None else kind_of_operand(s_other)
    found = find_methods(ctx, s.classdef, Lookup(name, other=other), s.members)
    if found is None:
        _refuse_other_values(ctx, s, name)
        return None
    if of_all is None:
        of_all = name not in MISSING
    partial = of_all and bool(lacking(s, name))
    other_way = None if of_all or name not in MISSING else acting_otherwise(s, name)
    if partial or other_way or not isinstance(found, SomeMethod):
        raise ctx.error(
            f"{name} of {s.describe()} is not supported: only some of its subclasses define it",
            hint=f"define {name} in class {(other_way or s.classdef).name} too",
        )
    return found


def _refuse_other_values(ctx: OpContext, s: SomeInstance, name: str) -> None:
    """Refuse a class that has something under the name that is no method: CPython calls it."""
    for classdef in s.classdef.concrete(s.members):
        found = classdef.class_value(name)
        if found is not None and not is_slot(found[1]):
            raise ctx.error(
                f"{name!r} of class {classdef.name} is a {type(found[1]).__name__}, which is not "
                "supported here",
                hint="define it with def",
            )


def call_without_arguments(
    ctx: OpContext, s: SomeInstance, name: str, of_all: bool | None = None
) -> SomeObject:
    """Call a method of an instance that need not be an operand."""
    s_method = special_method(ctx, s, name, of_all=of_all)
    if s_method is None:
        raise ctx.premature(f"cannot iterate over {s.describe()}: its class has no {name}")
    return call(ctx, s_method, CallArguments(CallShape(0), (), ()))


def call_special(ctx: OpContext, s_method: SomeMethod, *operands: int) -> SomeObject:
    """Call a method with these operands of the operation."""
    args_s = tuple(ctx.annotator.binding(ctx.op.args[i]) for i in operands)
    return call(ctx, s_method, CallArguments(CallShape(len(args_s)), args_s, operands))


def _symbol(ctx: OpContext) -> str:
    op = ctx.op.opdef
    return op.symbol if isinstance(op, HLOp) else ctx.op.opname


def _not_supported(ctx: OpContext, s: SomeObject, name: str) -> Exception:
    return ctx.premature(
        f"{s.describe()} does not support {HLOPS[ctx.op.opname].words or _symbol(ctx)}",
        hint=_lacking_hint(s, name),
    )


def _lacking_hint(s: SomeObject, name: str) -> str:
    """What to do where a class of the program has no such method; of other classes nobody can
    define one."""
    if isinstance(s, SomeInstance) and not s.classdef.is_written:
        return ""
    return f"its class has no {name}"


# -- one operand ------------------------------------------------------------------------------


@UNARY.register("neg pos invert getitem setitem delitem iter next", SomeInstance)
def unary_operator(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    opname = ctx.op.opname
    name = HLOPS[opname].method
    s_method = special_method(ctx, s, name, args_s[0] if args_s else None)
    if s_method is None:
        raise _not_supported(ctx, s, name)
    s_result = call_special(ctx, s_method, *range(1, len(ctx.op.args)))
    if opname in ("setitem", "delitem") and s_result.kinds & ~K_NONE:
        raise ctx.error(f"{name} should return None, not {s_result.describe()}")
    if opname == "contains":
        _require_bool(ctx, name, s_result)
    return s_result


def _require_bool(ctx: OpContext, name: str, s_result: SomeObject) -> None:
    if s_result.kinds and not isinstance(s_result, SomeBool):
        raise ctx.error(f"{name} should return a bool, not {s_result.describe()}")


@UNARY.register("bool not_", SomeInstance)
def truth_of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    assert isinstance(s, SomeInstance)
    points = truth_methods(s.classdef)
    if len(points) > 1:
        return _truth_by_class(ctx, s.classdef, points)
    s_method = special_method(ctx, s, "__bool__")
    if s_method is not None:
        s_result = call_special(ctx, s_method)
        _require_bool(ctx, "__bool__", s_result)
        return s_Bool if s_result.kinds else s_result
    s_method = special_method(ctx, s, "__len__", of_all=True)
    if s_method is not None:
        s_length = _length(ctx, s_method)
        return s_Bool if s_length.kinds else s_length
    return ctx.constant(ctx.op.opname == "bool")


def _truth_by_class(
    ctx: OpContext, classdef: ClassDef, points: list[tuple[ClassDef, str]]
) -> SomeObject:
    """Where instances of different classes have their truth from different methods."""
    for name in ("__bool__", "__len__"):
        classdef.note_reader(name, ctx.position)
    for point, name in points:
        if not name:
            continue
        s_method = special_method(ctx, SomeInstance(point), name)
        assert s_method is not None
        s_result = call(ctx, s_method, CallArguments(CallShape(0), (), ()))
        if name == "__bool__":
            _require_bool(ctx, name, s_result)
        elif s_result.kinds and not _is_length(s_result):
            raise ctx.error(f"__len__ should return an int, not {s_result.describe()}")
    return s_Bool


@UNARY.register("bool not_", SomeUnion)
def truth_of_union(ctx: OpContext, s: SomeObject) -> SomeObject:
    """None or something else; instances may define their truth."""
    if s.kinds & K_NOTIMPLEMENTED:
        raise ctx.error("NotImplemented has no truth value", hint="test 'is NotImplemented' first")
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            truth_of_instance(ctx, part)
    return s_Bool


def _length(ctx: OpContext, s_method: SomeMethod) -> SomeObject:
    s_length = call_special(ctx, s_method)
    if s_length.kinds and not _is_length(s_length):
        raise ctx.error(f"__len__ should return an int, not {s_length.describe()}")
    return s_length


def _is_length(s: SomeObject) -> bool:
    return isinstance(s, SomeInteger) and s.knowntype is int


def length_of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``len(x)``."""
    s_method = special_method(ctx, s, "__len__")
    if s_method is None:
        raise ctx.premature(f"{s.describe()} has no len(): its class has no __len__")
    s_length = _length(ctx, s_method)
    return s_NonNeg if s_length.kinds else s_length


def text_of_exception(ctx: OpContext, s: SomeInstance, quoted: bool) -> None:
    """``str(e)`` or ``repr(e)``: what a class of the program defines, else the built-in."""
    name = "__repr__" if quoted else "__str__"
    if quoted:
        need_repr(ctx)
    for classdef in s.classdef.text_definers(name):
        _flow_text_method(ctx, SomeInstance(classdef), name)


def text_of_instance(ctx: OpContext, s: SomeInstance, quoted: bool) -> None:
    """``str(x)`` or (``quoted``) ``repr(x)`` of an instance that is no exception, or whose
    class defines it."""
    for name in ("__str__", "__repr__"):
        s.classdef.note_reader(name, ctx.position)
    if issubclass(s.classdef.cls, BaseException):
        text_of_exception(ctx, s, quoted)
        return
    if not ctx.shows_addresses:
        _require_text(ctx, s, quoted)
    if issubclass(s.classdef.cls, enum.Enum):
        _flow_text_method(ctx, s, s.classdef.text_method(quoted) or "")
        return
    for name in ("__repr__",) if quoted else ("__str__", "__repr__"):
        for classdef in s.classdef.text_definers(name):
            if classdef is s.classdef:
                _flow_text_method(ctx, s, name)
                return
            _flow_text_method(ctx, SomeInstance(classdef), name)


def _require_text(ctx: OpContext, s: SomeInstance, quoted: bool) -> None:
    """Refuse instances that stand for others, whose classes define no text."""
    if has_text_or_address(s.classdef):
        return
    name = s.classdef.text_method(quoted)
    function, wanted = ("repr", "__repr__") if quoted else ("str", "__str__")
    hint = f"define {wanted} in class {s.classdef.name}" if s.classdef.is_written else ""
    if name is None:
        raise ctx.error(f"{function}() of {s.describe()} is not supported", hint=hint)
    if not issubclass(s.classdef.cls, enum.Enum) and s.classdef.without_text(quoted):
        raise ctx.error(
            f"{name} of {s.describe()} is not supported: only some of its subclasses define it",
            hint=hint and f"{hint} too",
        )


def _flow_text_method(ctx: OpContext, s: SomeInstance, name: str) -> None:
    """The call of a method that gives a text."""
    s_method = special_method(ctx, s, name)
    assert s_method is not None
    s_text = call(ctx, s_method, CallArguments(CallShape(0), (), ()))
    if s_text.kinds & ~K_STR:
        raise ctx.error(f"{name} should return a str, not {s_text.describe()}")


def _why_unhashable(cls: type) -> str:
    if not home_of_class(cls).is_program:
        return "what can change is no key: use a tuple"
    return f"class {cls.__name__} defines __eq__: it needs a __hash__ too"


# -- two operands -----------------------------------------------------------------------------


@BINARY.register(_ARITHMETIC_OPS, SomeInstance, SomeObject)
@BINARY.register(_ARITHMETIC_OPS, SomeObject, SomeInstance)
@BINARY.register(_IN_PLACE_OPS, SomeInstance, SomeObject)
@BINARY.register("lt le gt ge", SomeInstance, SomeObject)
@BINARY.register("lt le gt ge", SomeObject, SomeInstance)
def binary_operator(ctx: OpContext, left: SomeObject, right: SomeObject) -> SomeObject:
    a, b = ctx.arguments()  # with None
    steps = attempts(ctx.op.opname, a, b)
    for s in (a, b):
        _read_operator_methods(ctx, s, *(step.name for step in steps))
    if not steps:
        if K_NONE in (a.kinds, b.kinds):
            return s_Bottom  # raises TypeError
        if plain_name(ctx.op.opname) == "mul":
            _refuse_repetition(ctx, left, right)
        raise _unsupported(ctx, without_none(a), without_none(b))
    if right_may_override(ctx.op.opname, a, b):
        word = plain_name(ctx.op.opname).strip("_")
        raise ctx.error(
            f"which operand is asked depends on the classes: a subclass of "
            f"{without_none(a).describe()} has its own __r{word}__",
            hint="call a method by its name",
        )
    s_result, _ = _flow_attempts(ctx, steps, (a, b))
    return s_result


def _refuse_repetition(ctx: OpContext, a: SomeObject, b: SomeObject) -> None:
    """``"ab" * x``, where the instance has to be an int."""
    for s, s_other in ((a, b), (b, a)):
        if s.kinds & K_INSTANCE and s_other.kinds and not s_other.kinds & ~_SEQUENCES:
            message = f"can't multiply {s_other.describe()} by {s.describe()}"
            raise ctx.refusal(s, K_INT, message, _NO_TIMES)


def _flow_attempts(
    ctx: OpContext, steps: list[Attempt], operands: tuple[SomeObject, SomeObject]
) -> tuple[SomeObject, bool]:
    """Flow the calls of the methods that are asked: what they answer, and whether one surely
    does."""
    s_result: SomeObject = s_Bottom
    for step in steps:
        if step.when is not When.ALWAYS:
            _require_solid_order(ctx, operands)
        s_own = without_none(operands[step.own])
        of_all = step.name == "__ne__"  # the others would ask __eq__
        s_method = special_method(ctx, s_own, step.name, operands[1 - step.own], of_all)
        if s_method is None:
            continue
        s_answer = call_special(ctx, s_method, 1 - step.own)
        declines = bool(s_answer.kinds & K_NOTIMPLEMENTED)
        s_answer = without_kinds(s_answer, K_NOTIMPLEMENTED)
        if step.negated:
            _require_bool(ctx, step.name, s_answer)
            s_answer = s_Bool if s_answer.kinds else s_answer
        s_joined = ctx.join(s_result, s_answer)
        if not ctx.annotator.representable(s_joined):
            raise ctx.conflict(
                f"{_symbol(ctx)} would give {s_result.describe()} or {s_answer.describe()}"
            )
        s_result = s_joined
        if is_sure(step, operands) and not declines:
            return s_result, True
    return s_result, False


def _read_operator_methods(ctx: OpContext, s: SomeObject, *names: str) -> None:
    s = without_none(s)
    if isinstance(s, SomeInstance):
        for name in ("__class__", *names):
            s.classdef.note_reader(name, ctx.position)


def _require_solid_order(ctx: OpContext, operands: tuple[SomeObject, SomeObject]) -> None:
    """Refuse where a class is a mixin of another's: whether the right operand's class is below
    the left one's is found out with the numbers of the classes."""
    a, b = map(without_none, operands)
    assert isinstance(a, SomeInstance) and isinstance(b, SomeInstance)
    for above in a.classdef.subtree():
        for below in b.classdef.subtree():
            if issubclass(below.cls, above.cls) and not below.is_subclass_of(above):
                raise ctx.error(
                    f"which operand is asked first depends on the classes: {above.name} is a "
                    f"mixin of {below.name}",
                    hint="call a method by its name",
                )


def _unsupported(ctx: OpContext, a: SomeObject, b: SomeObject) -> Exception:
    if ctx.comparing:
        kinds = " and ".join(dict.fromkeys((a.describe(), b.describe())))
        name = f"__{ctx.op.opname}__"
        return ctx.premature(f"no order is defined for {kinds}", hint=_lacking_hint(a, name))
    hint = ""
    if any(isinstance(s, SomeInstance) and issubclass(s.classdef.cls, enum.Enum) for s in (a, b)):
        hint = "what a member of an enum stands for is its value: member.value"
    return ctx.premature(
        f"unsupported operands for {_symbol(ctx)}: {a.describe()} and {b.describe()}", hint=hint
    )


@BINARY.register("eq ne", SomeInstance, SomeObject)
@BINARY.register("eq ne", SomeObject, SomeInstance)
@BINARY.register("eq ne", SomeUnion, SomeObject)
@BINARY.register("eq ne", SomeObject, SomeUnion)
def equal_instance(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    """What a class defines; the default is identity."""
    if (a.kinds | b.kinds) & K_NOTIMPLEMENTED:
        raise ctx.error("NotImplemented can be tested with 'is' only")
    if not any([defining_equality(ctx, a), defining_equality(ctx, b)]):
        if a.kinds & b.kinds & ~(K_INSTANCE | K_NONE):
            flow_comparison(ctx, ctx.op.opname, without_none(a), without_none(b))
        return compare_others(ctx, a, b)
    for s in (a, b):
        _read_operator_methods(ctx, s)
    s_result, sure = _flow_attempts(ctx, attempts(ctx.op.opname, a, b), (a, b))
    if not sure:
        s_result = ctx.join(s_result, s_Bool)
    if not ctx.annotator.representable(s_result):
        raise ctx.conflict(f"{_symbol(ctx)} would give {s_result.describe()}")
    return s_result


@UNARY.register("hash", SomeInstance)
def hash_of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``__hash__``, or the identity; a class with ``__eq__`` and no ``__hash__`` has none."""
    assert isinstance(s, SomeInstance)
    for name in ("__hash__", "__eq__"):
        s.classdef.note_reader(name, ctx.position)
    for classdef in s.classdef.subtree():
        found = classdef.class_value("__hash__")
        if found is not None and found[1] is None:
            raise ctx.error(
                f"unhashable type: {classdef.name!r}",
                hint=_why_unhashable(found[0]),
            )
    for classdef in s.classdef.first_with("__hash__"):
        s_method = special_method(ctx, SomeInstance(classdef), "__hash__")
        if s_method is None:
            continue
        s_hash = call(ctx, s_method, CallArguments(CallShape(0), (), ()))
        plain = isinstance(s_hash, SomeBool) or (
            isinstance(s_hash, SomeInteger) and s_hash.knowntype is int
        )
        if s_hash.kinds and not plain:
            raise ctx.error(f"__hash__ should return an int, not {s_hash.describe()}")
    return s_Int
