"""Transfer rules for int, the sized integers, bool, float and None."""

from __future__ import annotations

import itertools

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.enumints import enum_of
from rpython.annotator.lattice.model import (
    K_ADDRESS,
    K_BOOL,
    K_BYTES,
    K_DICTVIEW,
    K_FLOAT,
    K_FROZENSET,
    K_INT,
    K_METHOD,
    K_PTR,
    K_SINGLEFLOAT,
    K_STR,
    K_TUPLE,
    SomeBool,
    SomeClass,
    SomeFloat,
    SomeFunction,
    SomeHost,
    SomeInstance,
    SomeInteger,
    SomeMethod,
    SomeNone,
    SomeObject,
    SomeUnion,
    s_Bool,
    s_Float,
)
from rpython.annotator.lattice.notimplemented import SomeNotImplemented
from rpython.annotator.lattice.parts import (
    may_be_builtin,
    may_be_equal,
    may_be_same_class,
    without_none,
)
from rpython.annotator.lattice.singlefloats import SomeSingleFloat
from rpython.annotator.overlay.references import Ref
from rpython.annotator.rules.instances import builtin_attribute, defining_equality
from rpython.annotator.rules.registry import BINARY, UNARY
from rpython.annotator.rules.state import attribute_name
from rpython.lltypesystem.rarithmetic import LONG_BIT, base_int
from rpython.stdlib._attributes import AttributeDict

COMPARISONS = "lt le eq ne gt ge"


def integer_type(s: SomeObject) -> type:
    """The host type of an int or bool annotation: ``int`` or a sized class."""
    return s.knowntype if isinstance(s, SomeInteger) else int


def result_type(ctx: OpContext, a: SomeObject, b: SomeObject) -> type:
    """The type of arithmetic between two integers: a plain int adapts to a sized operand,
    of two sized ones the wider wins, and the unsigned one at equal width.  A bool on the left
    decides for itself, as an int: the sized types do not inherit from bool."""
    left, right = integer_type(a), integer_type(b)
    sized = left is not right or left is not int
    if isinstance(a, SomeInteger) and a.may_be_bool and sized:
        raise ctx.error(
            f"this int may be a bool (or an enum member), which decides the type of what it gives "
            f"with {b.describe()}",
            hint="convert it with int(...) first",
        )
    if left is right or not issubclass(right, base_int) or isinstance(a, SomeBool):
        return left
    if not issubclass(left, base_int):
        return right
    if left.BITS != right.BITS:
        return left if left.BITS > right.BITS else right
    return right if left.SIGNED else left


def is_mixed(s: SomeObject) -> bool:
    """Are some of these integers of another type under CPython?"""
    return isinstance(s, SomeInteger) and s.mixed


def require_one_type(ctx: OpContext, s: SomeObject, why: str) -> None:
    """Refuse what may be a plain int or a sized one, where the program would notice."""
    if isinstance(s, SomeInteger) and s.mixed:
        other = "r_int64" if s.knowntype is int else "int"
        raise ctx.error(
            f"this {s.describe()} may be {'an' if other == 'int' else 'a'} {other}: {why}",
            hint="convert it first: int(...), r_uint(...)",
        )


def _mixed_result(ctx: OpContext, a: SomeObject, b: SomeObject) -> bool:
    """Is the result of arithmetic an int or a sized one, as the operands are?

    A sized operand of one type decides.  Where none does, arithmetic on ``r_uint`` is checked
    (``rtyper.kinds.int.plain_arithmetic``), as that on int is."""
    for s, other in ((a, b), (b, a)):
        if is_mixed(s):
            own, cls = integer_type(s), integer_type(other)
            if not is_mixed(other) and _decides(cls, own):
                return False
            if cls is not own and (cls is not int or is_mixed(other)):
                require_one_type(ctx, s, "which decides the type of what it gives")
    return is_mixed(a) or is_mixed(b)


def _decides(cls: type, mixed: type) -> bool:
    """Is ``cls`` the type of what arithmetic gives, whichever of its types the other operand has?
    ``mixed``: the type of that."""
    if not issubclass(cls, base_int) or cls.BITS < LONG_BIT:
        return False
    return cls.BITS > LONG_BIT or not cls.SIGNED or mixed is int


for _integer in (SomeInteger, SomeBool):

    @UNARY.register("neg invert", _integer)
    def neg_integer(ctx: OpContext, s: SomeObject) -> SomeObject:
        if integer_type(s) is not int:
            require_one_type(ctx, s, "the negative of which differs")
        return SomeInteger(knowntype=integer_type(s), mixed=is_mixed(s))

    @UNARY.register("pos", _integer)
    def pos_integer(ctx: OpContext, s: SomeObject) -> SomeObject:
        return SomeInteger(nonneg_of(s), integer_type(s), mixed=is_mixed(s))


def nonneg_of(s: SomeObject) -> bool:
    return isinstance(s, SomeBool) or (isinstance(s, SomeInteger) and s.nonneg)


def _integer_result(ctx: OpContext, a: SomeObject, b: SomeObject, nonneg: bool) -> SomeInteger:
    """The result of arithmetic, ``nonneg`` if nothing wraps: sized types do, and ints in
    unchecked code."""
    knowntype = result_type(ctx, a, b)
    mixed = _mixed_result(ctx, a, b)
    if mixed and not nonneg:
        for s in (a, b):
            if integer_type(s) is not int:
                require_one_type(ctx, s, "the result may be negative")
    return SomeInteger(nonneg and not ctx.in_helper and knowntype is int, knowntype, mixed=mixed)


def _require_one_sign(ctx: OpContext, a: SomeObject, b: SomeObject) -> None:
    """Division by value of a wide unsigned and a negative number has no machine form, where
    no wider number is used."""
    for s, other in ((a, b), (b, a)):
        cls = integer_type(s)
        unsigned = is_wide(s) and issubclass(cls, base_int) and not cls.SIGNED
        if not ctx.in_helper and unsigned and not nonneg_of(other):
            if bits_of(other) <= bits_of(s):
                raise ctx.error(
                    f"dividing {a.describe()} and {b.describe()} is not supported: the "
                    f"{other.describe()} may be negative",
                    hint=f"convert it first: {s.describe()}(...)",
                )


def bits_of(s: SomeObject) -> int:
    cls = integer_type(s)
    return cls.BITS if issubclass(cls, base_int) else LONG_BIT


def is_wide(s: SomeObject) -> bool:
    """Are there values beyond the range of int?"""
    cls = integer_type(s)
    return issubclass(cls, base_int) and cls.BITS >= LONG_BIT + cls.SIGNED


for _left, _right in itertools.product((SomeInteger, SomeBool), repeat=2):

    @BINARY.register("add mul floordiv pow", _left, _right)
    def keeps_sign(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        if (
            ctx.op.opname in ("pow", "inplace_pow")
            and integer_type(a) is int and b.is_constant() and b.value < 0
        ):  # fmt: skip
            raise ctx.error(
                "int ** int gives a float when the exponent is negative",
                hint="write float(x) ** y",
            )
        if ctx.op.opname in ("pow", "inplace_pow"):
            if is_wide(b):
                raise ctx.error(
                    f"the exponent may not be {b.describe()}", hint="convert it first: int(...)"
                )
            cls = integer_type(a)
            require_one_type(ctx, a, "the powers of which differ")
            return SomeInteger(nonneg_of(a) and cls is int and not ctx.in_helper, cls)
        if ctx.op.opname in ("floordiv", "inplace_floordiv"):
            _require_one_sign(ctx, a, b)
        return _integer_result(ctx, a, b, nonneg_of(a) and nonneg_of(b))

    @BINARY.register("sub", _left, _right)
    def sub_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return _integer_result(ctx, a, b, False)

    @BINARY.register("mod", _left, _right)
    def mod_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        _require_one_sign(ctx, a, b)
        return _integer_result(ctx, a, b, nonneg_of(b))

    @BINARY.register("truediv", _left, _right)
    def truediv_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        _require_one_sign(ctx, a, b)
        return s_Float

    @BINARY.register("lshift", _left, _right)
    def lshift_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        cls = integer_type(a)
        nonneg = nonneg_of(a) and not ctx.in_helper and cls is int
        return SomeInteger(nonneg, cls, mixed=is_mixed(a))

    @BINARY.register("rshift", _left, _right)
    def rshift_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return SomeInteger(nonneg_of(a), integer_type(a), mixed=is_mixed(a))

    @BINARY.register("and_", _left, _right)
    def and_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        if isinstance(a, SomeBool) and isinstance(b, SomeBool):
            return s_Bool
        nonneg = nonneg_of(a) or nonneg_of(b)
        if integer_type(a) is integer_type(b):
            return SomeInteger(nonneg, integer_type(a), mixed=_mixed_result(ctx, a, b))
        return _integer_result(ctx, a, b, nonneg)

    @BINARY.register("or_ xor", _left, _right)
    def or_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        if isinstance(a, SomeBool) and isinstance(b, SomeBool):
            return s_Bool
        nonneg = nonneg_of(a) and nonneg_of(b)
        if integer_type(a) is integer_type(b):
            return SomeInteger(nonneg, integer_type(a), mixed=_mixed_result(ctx, a, b))
        return _integer_result(ctx, a, b, nonneg)

    @BINARY.register(COMPARISONS, _left, _right)
    def compare_integers(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bool


for _left, _right in [
    (SomeFloat, SomeFloat), (SomeFloat, SomeInteger), (SomeInteger, SomeFloat),
    (SomeFloat, SomeBool), (SomeBool, SomeFloat),
]:  # fmt: skip

    @BINARY.register("add sub mul truediv floordiv mod", _left, _right)
    def float_arithmetic(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Float

    @BINARY.register("pow", _left, _right)
    def float_pow(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Float

    @BINARY.register(COMPARISONS, _left, _right)
    def compare_floats(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
        return s_Bool


@UNARY.register("neg pos", SomeFloat)
def neg_float(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Float


@UNARY.register("getattr", SomeInteger)
@UNARY.register("getattr", SomeBool)
def part_of_int(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    """What ints have in common with fractions and complex numbers."""
    name = attribute_name(ctx)
    if integer_type(s) is not int:
        return builtin_attribute(ctx, s, s_name)
    if name in ("real", "numerator"):
        return SomeInteger(nonneg=s.kinds == K_BOOL or (isinstance(s, SomeInteger) and s.nonneg))
    if name in ("imag", "denominator"):
        return ctx.constant(int(name == "denominator"))
    return builtin_attribute(ctx, s, s_name)


@UNARY.register("getattr", SomeFloat)
def part_of_float(ctx: OpContext, s: SomeObject, s_name: SomeObject) -> SomeObject:
    name = attribute_name(ctx)
    if name == "real":
        return s_Float
    return ctx.constant(0.0) if name == "imag" else builtin_attribute(ctx, s, s_name)


@BINARY.register("eq ne", SomeSingleFloat, SomeSingleFloat)
def compare_single_floats(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    return s_Bool


@UNARY.register("bool not_", SomeSingleFloat)
def truth_of_single_float(ctx: OpContext, s: SomeObject) -> SomeObject:
    raise ctx.error("an r_singlefloat has no truth value", hint="write float(x) != 0.0")


# -- truth, identity and equality, for every kind -----------------------------------------


@UNARY.register("bool not_", SomeObject)
def truth(ctx: OpContext, s: SomeObject) -> SomeObject:
    return s_Bool


@UNARY.register("bool not_", SomeNone)
def truth_of_none(ctx: OpContext, s: SomeObject) -> SomeObject:
    return ctx.constant(ctx.op.opname == "not_")


for _cls in (SomeFunction, SomeClass, SomeMethod, SomeHost):

    @UNARY.register("bool not_", _cls)
    def always_true(ctx: OpContext, s: SomeObject) -> SomeObject:
        return ctx.constant(ctx.op.opname == "bool")


@BINARY.register("is_", SomeObject, SomeObject)
def is_same(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    if may_be_same_class(a, b) or may_be_builtin(a, b):
        return s_Bool
    if not a.kinds & b.kinds:
        return ctx.constant(False)
    for single in (SomeNone, SomeNotImplemented):
        if isinstance(a, single) and isinstance(b, single):
            return ctx.constant(True)
        if isinstance(a, single) or isinstance(b, single):
            return s_Bool
    if isinstance(a, SomeHost) and isinstance(b, SomeHost):
        return ctx.constant(a.value is b.value)
    if isinstance(a, SomeInstance) and isinstance(b, SomeInstance):
        both_refs = issubclass(a.classdef.cls, Ref) and issubclass(b.classdef.cls, Ref)
        if both_refs and not ctx.in_helper:
            raise ctx.error(
                "'is' between weak references has no reliable answer: CPython makes one of two to "
                "the same object", hint="use ==, or compare what they refer to",
            )  # fmt: skip
        if all(issubclass(s.classdef.cls, AttributeDict) for s in (a, b)):
            raise ctx.error(
                "'is' between what x.__dict__ gives has no reliable answer", hint="use =="
            )
        if a.is_constant() and b.is_constant():
            return ctx.constant(a.value is b.value)
    cls = enum_of(without_none(a))
    if cls is not None and cls is enum_of(without_none(b)):
        return s_Bool
    if (a.kinds | b.kinds) & (K_INT | K_FLOAT | K_SINGLEFLOAT):
        raise ctx.error("'is' between numbers has no reliable answer", hint="use ==")
    if not ctx.in_helper and a.kinds & b.kinds & (
        K_STR | K_BYTES | K_TUPLE | K_METHOD | K_FROZENSET | K_DICTVIEW | K_PTR | K_ADDRESS
    ):
        raise ctx.error(
            f"'is' between values of kind {without_none(a).describe()} has no reliable answer",
            hint="use ==",
        )
    return s_Bool


@BINARY.register("eq ne", SomeObject, SomeObject)
def compare_others(ctx: OpContext, a: SomeObject, b: SomeObject) -> SomeObject:
    """Kinds with no equality of their own: different kinds are never equal."""
    if not ctx.in_helper and a.kinds != b.kinds and (a.kinds | b.kinds) & (K_PTR | K_ADDRESS):
        raise ctx.error(
            f"comparing {a.describe()} with {b.describe()}: pointers and addresses are only "
            "compared with their like",
            hint="None is no null pointer: write 'p is None', or 'not p'",
        )
    definer = defining_equality(ctx, a) or defining_equality(ctx, b)
    if definer is not None:
        raise ctx.error(
            f"comparing {a.describe()} with {b.describe()} is not supported: class {definer} "
            "defines equality",
            hint="compare with 'is None' first",
        )
    if may_be_same_class(a, b):
        return s_Bool
    if not may_be_equal(a, b):
        return ctx.constant(ctx.op.opname == "ne")
    if isinstance(a, SomeUnion) or isinstance(b, SomeUnion) or may_be_builtin(a, b):
        return s_Bool
    if isinstance(a, SomeHost) and isinstance(b, SomeHost):
        return ctx.constant((a.value == b.value) is (ctx.op.opname == "eq"))
    if isinstance(a, SomeNone):
        return ctx.constant(ctx.op.opname == "eq")
    return s_Bool
