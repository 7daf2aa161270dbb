"""Operators on instances whose classes define them: ``__add__``, ``__eq__``, ``__len__``, ...

An operation becomes a call of the method.  CPython also asks the right operand, before the
left one when it is of a subclass; where both would be asked, the program is refused.
"""

from __future__ import annotations

from annotator.classdef import ClassDef
from annotator.comparing import flow_comparison
from annotator.context import OpContext
from annotator.model import (
    K_INSTANCE,
    K_NONE,
    K_STR,
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
from annotator.parts import parts_of, representable, without_none
from annotator.registry import BINARY, UNARY
from annotator.rules_calls import CallArguments, call
from annotator.rules_instances import defining_equality, find_methods
from annotator.rules_numbers import compare_others
from translator.ir.hlops import CallShape, HLOp

ARITHMETIC = {
    name: name.strip("_")
    for name in "add sub mul truediv floordiv mod pow matmul lshift rshift and_ or_ xor".split()
}
"""Operation -> what its method is called, between the underscores."""
REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
UNARY_METHODS = {
    "neg": "__neg__", "pos": "__pos__", "invert": "__invert__", "getitem": "__getitem__",
    "setitem": "__setitem__", "delitem": "__delitem__", "contains": "__contains__",
    "iter": "__iter__", "next": "__next__",
}  # fmt: skip
_WORDS = {
    "getitem": "indexing", "setitem": "item assignment", "delitem": "item deletion",
    "contains": "'in'", "iter": "iteration", "next": "next()",
}  # fmt: skip
_ARITHMETIC_OPS = " ".join(ARITHMETIC)
_IN_PLACE_OPS = " ".join(f"inplace_{name}" for name in ARITHMETIC.values())


def special_method(ctx: OpContext, s: SomeObject, name: str) -> SomeMethod | None:
    """The method of that name of an instance, None when its class has none."""
    assert isinstance(s, SomeInstance)
    found = find_methods(ctx, s.classdef, name, s.members)
    if found is None:
        return None
    if s.classdef.class_value(name) is None or not isinstance(found, SomeMethod):
        raise ctx.error(
            f"{name} of {s.describe()} is not supported: only some of its subclasses define it",
            hint=f"define {name} in class {s.classdef.name} too",
        )
    return found


def instance_item(ctx: OpContext, s: SomeInstance) -> tuple[SomeObject, SomeObject]:
    """What ``iter(s)`` is and what the ``__next__`` of that gives (bottom where it is no
    instance)."""
    s_iterator = call_without_arguments(ctx, s, "__iter__")
    if not isinstance(s_iterator, SomeInstance):
        return s_iterator, s_Bottom
    return s_iterator, call_without_arguments(ctx, s_iterator, "__next__")


def call_without_arguments(ctx: OpContext, s: SomeInstance, name: str) -> SomeObject:
    """Call a method of an instance that need not be an operand."""
    s_method = special_method(ctx, s, name)
    if s_method is None:
        raise ctx.error(f"cannot iterate over {s.describe()}: its class has no {name}")
    return call(ctx, s_method, CallArguments(CallShape(0), (), ()))


def call_special(ctx: OpContext, s_method: SomeMethod, *operands: int) -> SomeObject:
    """Call a method with these operands of the operation."""
    args_s = tuple(ctx.annotator.binding(ctx.op.args[i]) for i in operands)
    return call(ctx, s_method, CallArguments(CallShape(len(args_s)), args_s, operands))


def _symbol(ctx: OpContext) -> str:
    op = ctx.op.opdef
    return op.symbol if isinstance(op, HLOp) else ctx.op.opname


def _not_supported(ctx: OpContext, s: SomeObject, name: str) -> Exception:
    return ctx.error(
        f"{s.describe()} does not support {_WORDS.get(ctx.op.opname) or _symbol(ctx)}",
        hint=f"its class has no {name}",
    )


# -- one operand ------------------------------------------------------------------------------


@UNARY.register("neg pos invert getitem setitem delitem contains iter next", SomeInstance)
def unary_operator(ctx: OpContext, s: SomeObject, *args_s: SomeObject) -> SomeObject:
    opname = ctx.op.opname
    name = UNARY_METHODS[opname]
    s_method = special_method(ctx, s, name)
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
    s_method = special_method(ctx, s, "__bool__")
    if s_method is not None:
        s_result = call_special(ctx, s_method)
        _require_bool(ctx, "__bool__", s_result)
        return s_Bool if s_result.kinds else s_result
    s_method = special_method(ctx, s, "__len__")
    if s_method is not None:
        s_length = _length(ctx, s_method)
        return s_Bool if s_length.kinds else s_length
    return ctx.constant(ctx.op.opname == "bool")


@UNARY.register("bool not_", SomeUnion)
def truth_of_union(ctx: OpContext, s: SomeObject) -> SomeObject:
    """None or something else; instances may define their truth."""
    for part in parts_of(s):
        if isinstance(part, SomeInstance):
            truth_of_instance(ctx, part)
    return s_Bool


def _length(ctx: OpContext, s_method: SomeMethod) -> SomeObject:
    s_length = call_special(ctx, s_method)
    plain = isinstance(s_length, SomeInteger) and s_length.knowntype is int
    if s_length.kinds and not plain:
        raise ctx.error(f"__len__ should return an int, not {s_length.describe()}")
    return s_length


def length_of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``len(x)``."""
    s_method = special_method(ctx, s, "__len__")
    if s_method is None:
        raise ctx.error(f"{s.describe()} has no len(): its class has no __len__")
    s_length = _length(ctx, s_method)
    return s_NonNeg if s_length.kinds else s_length


def text_of_instance(ctx: OpContext, s: SomeInstance, quoted: bool) -> None:
    """``str(x)`` or (``quoted``) ``repr(x)`` of an instance that is no exception, or whose
    class defines it."""
    for name in ("__str__", "__repr__", "__format__"):
        s.classdef.method_readers.setdefault(name, {})[ctx.position] = None
    name = s.classdef.text_method(quoted) or ""
    if not name:
        if quoted or not issubclass(s.classdef.cls, BaseException):
            function, wanted = ("repr", "__repr__") if quoted else ("str", "__str__")
            raise ctx.error(
                f"{function}() of {s.describe()} is not supported",
                hint=f"define {wanted} in class {s.classdef.name}",
            )
        return
    if special_method(ctx, s, "__format__") is not None:
        raise ctx.error(f"{s.describe()} has __format__, which is not supported")
    s_method = special_method(ctx, s, name)
    assert s_method is not None
    s_text = call(ctx, s_method, CallArguments(CallShape(0), (), ()))
    if s_text.kinds & ~K_STR:
        raise ctx.error(f"{name} should return a str, not {s_text.describe()}")


# -- two operands -----------------------------------------------------------------------------


@BINARY.register(_ARITHMETIC_OPS, SomeInstance, SomeObject)
def arithmetic(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    opname = ctx.op.opname.removeprefix("inplace_")
    word = opname.strip("_")
    s_method = special_method(ctx, a, f"__{word}__")
    reflected = f"__r{word}__"
    if isinstance(b, SomeInstance):
        s_reflected = special_method(ctx, b, reflected)
        if s_reflected is not None:
            if s_method is None:
                return call_special(ctx, s_reflected, 0)
            assert isinstance(a, SomeInstance)
            if may_be_subclass(a.classdef, b.classdef):
                raise ctx.error(
                    f"{a.describe()} has __{word}__ and {b.describe()} has {reflected}: which "
                    "one is called depends on the classes",
                    hint="call a method by its name",
                )
    if s_method is None:
        raise _unsupported(ctx, a, b)
    return call_special(ctx, s_method, 1)


@BINARY.register(_ARITHMETIC_OPS, SomeObject, SomeInstance)
def reflected_arithmetic(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    if isinstance(without_none(a), SomeInstance):
        return arithmetic(ctx, without_none(a), b)
    word = ctx.op.opname.removeprefix("inplace_").strip("_")
    s_reflected = special_method(ctx, b, f"__r{word}__")
    if s_reflected is None:
        raise _unsupported(ctx, a, b)
    return call_special(ctx, s_reflected, 0)


@BINARY.register(_IN_PLACE_OPS, SomeInstance, SomeObject)
def in_place_arithmetic(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    word = ctx.op.opname.removeprefix("inplace_").strip("_")
    s_method = special_method(ctx, a, f"__i{word}__")
    return arithmetic(ctx, a, b) if s_method is None else call_special(ctx, s_method, 1)


def _unsupported(ctx: OpContext, a: SomeObject, b: SomeObject) -> Exception:
    if ctx.comparing:
        kinds = " and ".join(dict.fromkeys((a.describe(), b.describe())))
        name = f"__{ctx.op.opname}__"
        return ctx.error(f"no order is defined for {kinds}", hint=f"its class has no {name}")
    return ctx.error(
        f"unsupported operands for {_symbol(ctx)}: {a.describe()} and {b.describe()}"
    )


@BINARY.register("lt le gt ge", SomeInstance, SomeObject)
def order_instance(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    opname = ctx.op.opname
    s_method = special_method(ctx, a, f"__{opname}__")
    if isinstance(b, SomeInstance):
        s_reflected = special_method(ctx, b, f"__{REFLECTED[opname]}__")
        if s_reflected is not None:
            if s_method is None:
                return call_special(ctx, s_reflected, 0)
            return _ask_right_too(ctx, a, b, call_special(ctx, s_method, 1))
    if s_method is None:
        raise _unsupported(ctx, a, b)
    return call_special(ctx, s_method, 1)


@BINARY.register("lt le gt ge", SomeObject, SomeInstance)
def order_reflected(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    if isinstance(without_none(a), SomeInstance):
        return order_instance(ctx, without_none(a), b)
    s_reflected = special_method(ctx, b, f"__{REFLECTED[ctx.op.opname]}__")
    if s_reflected is None:
        raise _unsupported(ctx, a, b)
    return call_special(ctx, s_reflected, 0)


def _ask_right_too(
    ctx: OpContext, a: SomeObject, b: SomeObject, s_result: SomeObject
) -> SomeObject:
    """CPython asks the right operand first when it is of a subclass of the left one's: that
    is found out at run time.  The join of what both give."""
    assert isinstance(a, SomeInstance) and isinstance(b, SomeInstance)
    for s in (a, b):
        s.classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    if not may_be_subclass(a.classdef, b.classdef):
        return s_result
    name = f"__{REFLECTED[ctx.op.opname]}__"
    s_method = special_method(ctx, b, name)
    if s_method is None and name == "__ne__":
        s_method = special_method(ctx, b, "__eq__")
    if s_method is None:
        return s_result
    s_result = ctx.join(s_result, call_special(ctx, s_method, 0))
    if not representable(s_result):
        raise ctx.error(f"{_symbol(ctx)} would give {s_result.describe()}")
    return s_result


def may_be_subclass(left: ClassDef, right: ClassDef) -> bool:
    """May an instance of (or below) ``right`` be of a proper subclass of the class of one of
    ``left``?"""
    return any(
        below is not above and below.is_subclass_of(above)
        for above in left.subtree() for below in right.subtree()
    )  # fmt: skip


@BINARY.register("eq ne", SomeInstance, SomeObject)
@BINARY.register("eq ne", SomeObject, SomeInstance)
@BINARY.register("eq ne", SomeUnion, SomeObject)
@BINARY.register("eq ne", SomeObject, SomeUnion)
def equal_instance(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    """What a class defines; the default is identity.

    The left operand is asked, the right one when the left is None, of another kind or of a
    class without equality, or when the right is of a subclass.
    """
    some_a, some_b = without_none(a), without_none(b)
    if not (defining_equality(ctx, a) or defining_equality(ctx, b)):
        if a.kinds & b.kinds & ~(K_INSTANCE | K_NONE):
            flow_comparison(ctx, ctx.op.opname, some_a, some_b)
        return compare_others(ctx, a, b)
    s_result: SomeObject | None = None
    left_asks, right_asks = (equality_method(ctx, s) is not None for s in (some_a, some_b))
    if left_asks:
        s_result = _ask_equality(ctx, some_a, 1)
    if right_asks and (not left_asks or a.kinds & K_NONE or _right_first(ctx, some_a, some_b)):
        s_right = _ask_equality(ctx, some_b, 0)
        s_result = s_right if s_result is None else ctx.join(s_result, s_right)
    if s_result is None:
        return s_Bool  # only the other of == and != is defined
    if (not left_asks or a.kinds & K_NONE) and (not right_asks or b.kinds & K_NONE):
        s_result = ctx.join(s_result, s_Bool)
    if not representable(s_result):
        raise ctx.error(f"{_symbol(ctx)} would give {s_result.describe()}")
    return s_result


def equality_method(ctx: OpContext, s: SomeObject) -> SomeMethod | None:
    """What decides ``==`` or ``!=`` of these instances; None when that is identity."""
    if not isinstance(s, SomeInstance):
        return None
    s_method = special_method(ctx, s, f"__{ctx.op.opname}__")
    return s_method or special_method(ctx, s, "__eq__")


def _ask_equality(ctx: OpContext, s: SomeObject, operand: int) -> SomeObject:
    """The result of asking ``s``, given the other operand."""
    s_method = equality_method(ctx, s)
    assert s_method is not None
    s_result = call_special(ctx, s_method, operand)
    if ctx.op.opname == "ne" and special_method(ctx, s, "__ne__") is None:
        _require_bool(ctx, "__eq__", s_result)
        return s_Bool if s_result.kinds else s_result
    return s_result


def _right_first(ctx: OpContext, a: SomeObject, b: SomeObject) -> bool:
    """May the right operand be of a subclass of the left one's class?"""
    assert isinstance(a, SomeInstance) and isinstance(b, SomeInstance)
    for s in (a, b):
        s.classdef.method_readers.setdefault("__class__", {})[ctx.position] = None
    return may_be_subclass(a.classdef, b.classdef)


@UNARY.register("hash", SomeInstance)
def hash_of_instance(ctx: OpContext, s: SomeObject) -> SomeObject:
    """``__hash__``, or the identity; a class with ``__eq__`` and no ``__hash__`` has none."""
    assert isinstance(s, SomeInstance)
    for name in ("__hash__", "__eq__"):
        s.classdef.method_readers.setdefault(name, {})[ctx.position] = None
    for classdef in s.classdef.subtree():
        found = classdef.class_value("__hash__")
        if found is not None and found[1] is None:
            raise ctx.error(
                f"unhashable type: {classdef.name!r}",
                hint=f"class {found[0].__name__} defines __eq__: it needs a __hash__ too",
            )
    s_method = special_method(ctx, s, "__hash__")
    if s_method is None:
        return s_Int
    s_hash = call(ctx, s_method, CallArguments(CallShape(0), (), ()))
    plain = isinstance(s_hash, SomeBool) or (
        isinstance(s_hash, SomeInteger) and s_hash.knowntype is int
    )
    if s_hash.kinds and not plain:
        raise ctx.error(f"__hash__ should return an int, not {s_hash.describe()}")
    return s_Int if s_hash.kinds else s_hash
