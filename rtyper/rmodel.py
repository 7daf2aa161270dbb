"""Repr: how values of one annotation look in low-level memory and what can be done to them.

One Repr per annotation, made by a factory registered with ``repr_for``.  A Repr knows its
``lowleveltype``, turns host constants into low-level ones, and has one ``rtype_<op>``
method per high-level operation dispatched on it.  What depends on two Reprs (arithmetic,
comparison, conversion) is registered in ``PAIRS`` and ``CONVERSIONS``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeHost,
    SomeImpossibleValue,
    SomeNone,
    SomeObject,
)
from rpython.annotator.lattice.parts import without_none
from rpython.lltypesystem.lltype import Bool, LowLevelType, Ptr, Signed, Void
from rpython.translator.ir.dispatch import DispatchTable
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper

PAIRS = DispatchTable("rtyper, two operands", 2)
"""``rule(hop) -> Value`` for operations on (type of Repr 0, type of Repr 1)."""

HOST_METHODS = DispatchTable("rtyper, methods of host objects", 1)
"""``rule(hop) -> Value`` by the class of the host object, which is operand 0."""

HOST_REPRS: list[Callable[[RPythonTyper, SomeObject], Repr | None]] = []
"""Makers of Reprs for host objects that are more than a constant; None: not such a one."""

CONVERSIONS = DispatchTable("rtyper, conversions", 2)
"""'convert' rules ``rule(r_from, r_to, v, llops) -> Value | None`` (None: cannot)."""

REPR_METHODS = DispatchTable("rtyper, methods of built-in kinds", 1)
"""``rule(hop) -> Value`` by the class of the Repr, for methods that it does not have itself
because they need the Reprs of other kinds."""

GENERAL_RULES: dict[str, Callable[[HighLevelOp], Value]] = {}
"""``rule(hop) -> Value`` for operations that are lowered in one way for all Reprs."""

ReprFactory = Callable[["RPythonTyper", Any], "Repr"]
_FACTORIES: dict[type, ReprFactory] = {}


def repr_for(*annotations: type) -> Callable[[ReprFactory], ReprFactory]:
    """Decorator: the function makes the Repr of these annotation classes."""

    def add(factory: ReprFactory) -> ReprFactory:
        for cls in annotations:
            if cls in _FACTORIES:
                raise TypeError(f"duplicate Repr factory for {cls.__name__}")
            _FACTORIES[cls] = factory
        return factory

    return add


def make_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    """A new Repr for the annotation; raises TyperError when it has none."""
    for cls in type(s).__mro__:
        if cls in _FACTORIES:
            return _FACTORIES[cls](rtyper, s)
    raise TyperError(f"{s.describe()} has no low-level representation")


class Repr:
    """Base class; see the module text."""

    lowleveltype: LowLevelType
    nullable: ClassVar[bool] = False
    """Can None be the null pointer of ``lowleveltype``?"""
    is_mixed: ClassVar[bool] = False
    """May the values be of several kinds (``kinds.mixed``)?"""
    converts_null: ClassVar[bool] = False
    """Does converting the null pointer to another Repr of this class give the null pointer?"""
    by_value: ClassVar[bool] = False
    """Are equal values the same, whatever box each is in?"""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.lowleveltype}>"

    def setup(self) -> None:
        """Finish construction; may ask for other Reprs, even this one (recursive types)."""

    def convert_const(self, value: Any) -> Any:
        """The low-level value of a host constant.  Raises TyperError when there is none."""
        raise TyperError(f"the constant {value!r} has no form as {self!r}")

    def inputconst(self, value: Any) -> Constant:
        return Constant(self.convert_const(value), self.lowleveltype)

    def with_room_for_none(self) -> Repr:
        """The Repr to use for ``T | None``: this one unless its values are no pointers."""
        return self

    def open_operand(self, hop: HighLevelOp, index: int) -> None:
        """Make operand ``index`` of this Repr ready for dispatch: what is in a box is taken
        out."""

    def never_same(self, other: Repr) -> bool:
        """Can no object be a value of both?  (Not asked about other kinds.)"""
        return False

    def rtype(self, hop: HighLevelOp) -> Value:
        """Low-level operations for ``hop``, dispatched on its first operand."""
        if hop.opname == "getattr" and hop.args_s[1].value in ("__class__", "__doc__"):
            if hop.s_result.is_constant():
                return hop.result_constant()
        method = getattr(self, "rtype_" + hop.opname, None)
        if method is None:
            if isinstance(hop.s_result, SomeBuiltinMethod):
                # a method of a built-in kind, about to be called, is its instance
                r_self: Repr = hop.r_result.r_self  # type: ignore[attr-defined]
                return hop.inputarg(r_self, 0)
            if hop.opname in GENERAL_RULES:
                return GENERAL_RULES[hop.opname](hop)
            raise TyperError(f"{hop.opname} of {hop.args_s[0].describe()} is not supported")
        result: Value = method(hop)
        return result

    def rtype_not_(self, hop: HighLevelOp) -> Value:
        truth: Callable[[HighLevelOp], Value] | None = getattr(self, "rtype_bool", None)
        if truth is None:
            raise TyperError(f"the truth of {hop.args_s[0].describe()} is not supported")
        v_true = truth(hop)
        if isinstance(v_true, Constant):
            return Constant(not v_true.value, Bool)
        return hop.genop("bool_not", [v_true], Bool)

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        """The call of a built-in method; operand 0 is the instance."""
        method = getattr(self, "rtype_method_" + name, None)
        if method is None:
            method = REPR_METHODS.lookup(name, type(self))
        if method is None:
            raise TyperError(f"method {name!r} of {hop.args_s[0].describe()} is not supported")
        result: Value = method(hop)
        return result


class VoidRepr(Repr):
    """Values that are known at translation time and do not exist at run time."""

    lowleveltype = Void

    def convert_const(self, value: Any) -> Any:
        return value


class UnkeptRepr(VoidRepr):
    """What a held variable that would have to be of several kinds holds: nothing."""


class NoneRepr(VoidRepr):
    """None alone.  Every operation on it raises what CPython raises."""

    def rtype(self, hop: HighLevelOp) -> Value:
        method = getattr(self, "rtype_" + hop.opname, None)
        if method is not None:
            result: Value = method(hop)
            return result
        return hop.raise_none_error()

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        """``None.__class__``."""
        if hop.s_result.is_constant():
            return hop.result_constant()
        return hop.raise_none_error()

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.inputconst_bool(False)


class HostRepr(VoidRepr):
    """A host object, ``value``: attributes are constants, calls go to the table of built-ins."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def rtype_getattr(self, hop: HighLevelOp) -> Value:
        return hop.result_constant() if hop.s_result.kinds else hop.raise_no_attribute()

    def rtype_simple_call(self, hop: HighLevelOp) -> Value:
        return hop.rtyper.call_host(hop)

    rtype_call_args = rtype_simple_call

    def rtype_getitem(self, hop: HighLevelOp) -> Value:
        """``List[int]``"""
        return hop.result_constant()

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.inputconst_bool(bool(hop.args_s[0].value))

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        rule = HOST_METHODS.lookup(name, type(hop.args_s[0].value))
        if rule is None:
            return super().rtype_method(name, hop)
        result: Value = rule(hop)
        return result


class ImpossibleRepr(VoidRepr):
    """No value: the results of operations that never finish, the items of containers that
    nothing is ever put into.  Operations on it are never reached."""

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        return hop.inputconst_bool(False)


class NullableRepr(Repr):
    """``inner`` or None; None is the null pointer.

    An operation tests for null, raises what CPython raises for None, and goes on with
    ``inner``.
    """

    nullable = True

    def __init__(self, inner: Repr) -> None:
        if not inner.nullable:
            raise TyperError(f"{inner!r} has no room for None")
        self.inner = inner
        self.lowleveltype = inner.lowleveltype

    def setup(self) -> None:
        self.lowleveltype = self.inner.lowleveltype

    def convert_const(self, value: Any) -> Any:
        if value is None:
            return self.null()
        return self.inner.convert_const(value)

    def null(self) -> Any:
        """None as a low-level value: the null pointer, or 0 for numbered functions."""
        return self.lowleveltype._defl()

    def is_null(self, v: Value, llops: LowLevelOpList) -> Value:
        if isinstance(self.lowleveltype, Ptr):
            return llops.genop("ptr_iszero", [v], Bool)
        return llops.genop("int_eq", [v, Constant(0, Signed)], Bool)

    def rtype(self, hop: HighLevelOp) -> Value:
        method = getattr(self, "rtype_" + hop.opname, None)
        if hop.opname == "getattr" and hop.args_s[1].value == "__class__":
            method = partial(self.inner.class_or_none, r=self)  # type: ignore[attr-defined]
        if method is not None:
            result: Value = method(hop)
            return result
        self.unwrap(hop, 0)
        return hop.dispatch()

    def rtype_method(self, name: str, hop: HighLevelOp) -> Value:
        self.unwrap(hop, 0)
        return hop.args_r[0].rtype_method(name, hop)

    def unwrap(self, hop: HighLevelOp, index: int) -> None:
        """Test operand ``index`` for None and go on with what it is otherwise."""
        v = hop.inputarg(self, index)
        hop.check_not_none(self, v, index)
        hop.replace_arg(index, v, without_none(hop.args_s[index]), self.inner)
        self.inner.open_operand(hop, index)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        v = hop.inputarg(self, 0)
        return hop.llops.truth_if_not_null(self, v, hop)


@repr_for(SomeNone)
def none_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return NoneRepr()


@repr_for(SomeHost)
def host_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    for factory in HOST_REPRS:
        special = factory(rtyper, s)
        if special is not None:
            return special
    return HostRepr(s.value)


@repr_for(SomeImpossibleValue)
def impossible_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return ImpossibleRepr()


# -- conversions every Repr has -----------------------------------------------------------------


@CONVERSIONS.register("convert", NoneRepr, NullableRepr)
def none_to_nullable(r_from: Repr, r_to: NullableRepr, v: Value, llops: LowLevelOpList) -> Value:
    return Constant(r_to.null(), r_to.lowleveltype)


@CONVERSIONS.register("convert", NullableRepr, NoneRepr)
def nullable_to_none(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    return Constant(None, Void)


@CONVERSIONS.register("convert", Repr, NullableRepr)
def to_nullable(r_from: Repr, r_to: NullableRepr, v: Value, llops: LowLevelOpList) -> Value:
    return llops.convertvar(v, r_from, r_to.inner)


@CONVERSIONS.register("convert", NullableRepr, Repr)
def from_nullable(r_from: NullableRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    # only where the annotator has proved that it is not None
    return llops.convertvar(v, r_from.inner, r_to)


@CONVERSIONS.register("convert", NullableRepr, NullableRepr)
def between_nullables(
    r_from: NullableRepr, r_to: NullableRepr, v: Value, llops: LowLevelOpList
) -> Value:
    both_null = r_from.inner.converts_null and r_to.inner.converts_null
    if r_from.inner is r_to.inner or both_null:
        return llops.convertvar(v, r_from.inner, r_to.inner)
    done = llops.new_join(r_to.lowleveltype)
    null, other = llops.branch(r_from.is_null(v, llops))
    llops.at(null)
    llops.goto(done, Constant(r_to.null(), r_to.lowleveltype))
    llops.at(other)
    llops.goto(done, llops.convertvar(v, r_from.inner, r_to.inner))
    llops.at(done)
    return done.inputargs[0]


@CONVERSIONS.register("convert", ImpossibleRepr, Repr)
def from_impossible(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    return llops.dummy(r_to.lowleveltype)


@CONVERSIONS.register("convert", Repr, ImpossibleRepr)
def to_impossible(r_from: Repr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    # an item of a container that nothing is ever put into
    return Constant(None, Void)


# -- identity -----------------------------------------------------------------------------------


@PAIRS.register("is_", Repr, Repr)
def compare_identity(hop: HighLevelOp) -> Value:
    """Pointers; equal lowleveltypes after conversion to the more general Repr."""
    r_left, r_right = hop.args_r
    if isinstance(r_right, NoneRepr):
        if isinstance(r_left, NullableRepr):
            return r_left.is_null(hop.inputarg(r_left, 0), hop.llops)
        return hop.inputconst_bool(isinstance(r_left, NoneRepr))
    if isinstance(r_left, NoneRepr):
        hop.swap_fst_snd_args()
        return compare_identity(hop)
    left, right = (without_none(s) for s in hop.args_s)
    if not left.kinds & right.kinds or not_null(r_left).never_same(not_null(r_right)):
        return _both_none(hop)
    joined = hop.join_args()
    if not hop.rtyper.annotator.representable(joined):
        return _both_none(hop)
    if not_null(r_left).by_value or not_null(r_right).by_value:
        equal = hop.copy()
        equal.opname = "eq"
        return hop.llops.compare_nullables(equal)
    r = hop.rtyper.getrepr(joined)
    v_left, v_right = hop.inputargs(r, r)
    is_pointer = isinstance(r.lowleveltype, Ptr)
    return hop.genop("ptr_eq" if is_pointer else "int_eq", [v_left, v_right], Bool)


def not_null(r: Repr) -> Repr:
    """The Repr of values that are not None."""
    return r.inner if isinstance(r, NullableRepr) else r


def _both_none(hop: HighLevelOp) -> Value:
    tests: list[Value] = []
    for arg, r in enumerate(hop.args_r):
        if not isinstance(r, NullableRepr):
            return hop.inputconst_bool(False)
        tests.append(r.is_null(hop.inputarg(r, arg), hop.llops))
    some = [hop.genop("bool_not", [v_null], Bool) for v_null in tests]
    return hop.genop("bool_not", [hop.llops.either(*some)], Bool)


@PAIRS.register("eq ne", NullableRepr, Repr)
@PAIRS.register("eq ne", Repr, NullableRepr)
@PAIRS.register("eq ne", NullableRepr, NullableRepr)
def compare_nullables(hop: HighLevelOp) -> Value:
    """Equal when both are None, or when neither is and the values are."""
    return hop.llops.compare_nullables(hop)


@PAIRS.register("eq ne", NoneRepr, NoneRepr)
@PAIRS.register("eq ne", NoneRepr, NullableRepr)
@PAIRS.register("eq ne", NullableRepr, NoneRepr)
def compare_with_none(hop: HighLevelOp) -> Value:
    result = compare_identity(hop)
    return result if hop.opname == "eq" else hop.genop("bool_not", [result], Bool)
