"""HighLevelOp, one operation to be lowered.

``HighLevelOp`` keeps RPython's documented interface: ``llops``, ``genop``,
``gendirectcall``, ``inputargs``, ``inputarg``, ``inputconst``, ``copy``,
``r_s_popfirstarg``, ``v_s_insertfirstarg``, ``swap_fst_snd_args`` and the three exception
calls.  What an emitted operation may raise comes from its row, and every emitted
operation that may raise is protected by the exception links of the high-level one, so the
exception calls only refine that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.conversions import RESULTS, Conversion
from rpython.annotator.lattice.model import (
    K_DICT,
    K_INSTANCE,
    K_LIST,
    K_NONE,
    K_SET,
    SomeBool,
    SomeObject,
    s_Bool,
    s_Int,
)
from rpython.annotator.lattice.parts import class_with_equality, may_be_equal, without_none
from rpython.annotator.rules.comparing import has_order
from rpython.lltypesystem.lltype import Bool, Float, LowLevelType, SingleFloat, Void
from rpython.rtyper.ll import ll_float
from rpython.rtyper.none_errors import none_error, refused_none
from rpython.rtyper.overlays import call_overlay, call_with_mapping
from rpython.rtyper.rmodel import (
    GENERAL_RULES,
    PAIRS,
    NoneRepr,
    NullableRepr,
    Repr,
    not_null,
)
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import HLOPS, IN_PLACE, CallShape, Group, group_of
from rpython.translator.ir.model import (
    Constant,
    SpaceOperation,
    Value,
    Variable,
)

if TYPE_CHECKING:
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class HighLevelOp:
    """One high-level operation being lowered; see the module text."""

    def __init__(
        self,
        rtyper: RPythonTyper,
        llops: LowLevelOpList,
        spaceop: SpaceOperation,
        args_v: Sequence[Value],
        args_s: Sequence[SomeObject],
        s_result: SomeObject,
        wraps: bool = False,
    ) -> None:
        self.rtyper = rtyper
        self.llops = llops
        self.spaceop = spaceop
        self.opname = spaceop.opname
        self.args_v = list(args_v)
        self.args_s = list(args_s)
        self.args_r: list[Repr] = [rtyper.getrepr(s) for s in args_s]
        self.s_result = s_result
        self.r_result: Repr = rtyper.getrepr(s_result)
        self.wraps = wraps
        """Is arithmetic that leaves 64 bits right, as in low-level helpers and in ``intmask``?"""
        self.host_function: Any = None
        """In the rule of a built-in function: the function."""
        self.keywords: dict[str, int] = {}
        """Operand numbers of keyword arguments, in calls of built-ins."""

    @property
    def nb_args(self) -> int:
        return len(self.args_v)

    def copy(self) -> HighLevelOp:
        """A copy whose operands can be changed."""
        result = HighLevelOp.__new__(HighLevelOp)
        result.__dict__.update(self.__dict__)
        result.args_v = list(self.args_v)
        result.args_s = list(self.args_s)
        result.args_r = list(self.args_r)
        return result

    # -- dispatch ---------------------------------------------------------------------------

    def dispatch(self) -> Value:
        """Low-level operations for this one, by the Reprs of its operands."""
        for i, r in enumerate(self.args_r):
            r.open_operand(self, i)
        name = self.opname
        grown = self.rtyper.annotator.notes.growing.get(self.spaceop)
        if grown is not None:
            inner = self.copy()
            if name == "simple_call":
                inner.r_s_popfirstarg()
            r_int = self.rtyper.getrepr(s_Int)
            for i, s in enumerate(inner.args_s):
                if isinstance(s, SomeBool):  # the annotator calls these functions with ints
                    inner.replace_arg(i, inner.inputarg(r_int, i), s_Int, r_int)
            return call_overlay(inner, grown)
        if name == "call_args":
            function = self.rtyper.annotator.notes.mapping_calls.get(self.spaceop)
            if function is not None:
                return call_with_mapping(self, function)
            self._star_as_tuple()
        if name in IN_PLACE or HLOPS[name].is_binary:
            decided = self._by_methods()
            if decided is not None:
                return decided
        if name in IN_PLACE:
            rule = self._in_place_rule()
            if rule is not None:
                in_place: Value = rule(self)
                return in_place
            name = self.opname = IN_PLACE[name]
        if HLOPS[name].is_binary:
            return self._dispatch_binary()
        if group_of(name) is Group.CONSTRUCTION:
            method = getattr(self.r_result, "rtype_" + name, None)
            if method is None:
                raise TyperError(f"{name} giving {self.s_result.describe()} is not supported")
            made: Value = method(self)
            return made
        return self.args_r[0].rtype(self)

    def _star_as_tuple(self) -> None:
        """Make a tuple of what follows ``*``, where that has a length that is not known."""
        s = self.rtyper.annotator.notes.star_tuples.get(self.spaceop)
        if s is None:
            return
        last = self.nb_args - 1
        inner = self.copy()
        inner.args_v, inner.args_s = self.args_v[last:], self.args_s[last:]
        inner.args_r = self.args_r[last:]
        inner.s_result, inner.r_result = s, self.rtyper.getrepr(s)
        self.replace_arg(last, GENERAL_RULES["tuple"](inner), s, inner.r_result)

    def _by_methods(self) -> Value | None:
        """The operation by the methods of its operands' classes, if they have any."""
        inner = list(map(not_null, self.args_r))
        if any(r.is_mixed for r in inner):
            return None  # each part is asked
        kinds = list(map(type, inner))
        methods = PAIRS.lookup("by_methods", *kinds) or PAIRS.lookup("by_operators", *kinds)
        decided: Value | None = None if methods is None else methods(self)
        return decided

    def _in_place_rule(self) -> Callable[[HighLevelOp], Value] | None:
        """The rule of an in-place operation, the operands tested for None if it takes none."""
        rule = PAIRS.lookup(self.opname, *map(type, self.args_r))
        if rule is None:
            inner = [r.inner if isinstance(r, NullableRepr) else r for r in self.args_r]
            rule = PAIRS.lookup(self.opname, *map(type, inner))
            if rule is not None:
                for i, r in enumerate(self.args_r):
                    if isinstance(r, NullableRepr):
                        r.unwrap(self, i)
        return rule

    def _dispatch_binary(self) -> Value:
        rule = PAIRS.lookup(self.opname, *map(type, self.args_r))
        if rule is None:
            for i, r in enumerate(self.args_r):
                if isinstance(r, NullableRepr):
                    r.unwrap(self, i)
            if any(isinstance(r, NoneRepr) for r in self.args_r):
                return self.raise_none_error()
            rule = PAIRS.lookup(self.opname, *map(type, self.args_r))
        if rule is None:
            left, right = (s.describe() for s in self.args_s)
            raise TyperError(f"{self.opname} of {left} and {right} is not supported")
        result: Value = rule(self)
        return result

    # -- operands ---------------------------------------------------------------------------

    def operand(self, arg: int) -> tuple[Value, SomeObject, Repr]:
        """Operand ``arg`` as it is."""
        return self.args_v[arg], self.args_s[arg], self.args_r[arg]

    def compare(
        self,
        opname: str,
        left: tuple[Value, SomeObject, Repr],
        right: tuple[Value, SomeObject, Repr],
    ) -> Value:
        """A comparison of two other values as part of this operation; a Bool."""
        hop = self.copy()
        hop.spaceop = SpaceOperation(
            HLOPS[opname], [Variable("left"), Variable("right")], Variable("result")
        )
        hop.opname = opname
        hop.args_v = [left[0], right[0]]
        hop.args_s = [left[1], right[1]]
        hop.args_r = [left[2], right[2]]
        hop.s_result = s_Bool
        hop.r_result = self.rtyper.getrepr(s_Bool)
        if left[1].kinds == 0 or right[1].kinds == 0:
            return Constant(False, Bool)  # there is no such value
        if opname not in ("eq", "ne"):
            mixed = not_null(left[2]).is_mixed or not_null(right[2]).is_mixed  # asks each part
            if not mixed and not has_order(opname, left[1], right[1]):
                rule = PAIRS.lookup("unordered", type(left[2]), type(right[2]))
                assert rule is not None
                unordered: Value = rule(hop)
                return unordered
            return hop.dispatch()
        defined = bool(class_with_equality(left[1]) or class_with_equality(right[1]))
        if not defined and not may_be_equal(left[1], right[1]):
            return Constant(opname == "ne", Bool)
        if left[2].lowleveltype is right[2].lowleveltype in (Float, SingleFloat):
            values = [left[0], right[0]]
            if left[2].lowleveltype is SingleFloat:
                values = [self.genop("cast_singlefloat_to_float", [v], Float) for v in values]
            v_equal = self.gendirectcall(ll_float.ll_float_items_eq, *values)
            return v_equal if opname == "eq" else self.genop("bool_not", [v_equal], Bool)
        v_same = hop._identical(defined)
        if v_same is None:
            return hop.dispatch()
        llops = self.llops
        done = llops.new_join(Bool)
        same, other = llops.branch(v_same)
        llops.at(same)
        llops.goto(done, Constant(opname == "eq", Bool))
        llops.at(other)
        llops.goto(done, hop.dispatch())
        llops.at(done)
        return done.inputargs[0]

    def _identical(self, defined: bool) -> Value | None:
        """Are both operands one object?  Inside containers that makes them equal, whatever
        their class (``defined``) says.  None where the question is idle."""
        both = self.args_s[0].kinds & self.args_s[1].kinds
        if any(r.is_mixed for r in map(not_null, self.args_r)):
            return None  # each part is asked
        if defined and both & K_INSTANCE:
            classes = self.rtyper.classes
            pointers = [
                classes.upcast(self.inputarg(r, i), self.llops) for i, r in enumerate(self.args_r)
            ]
            return self.genop("ptr_eq", pointers, Bool)
        first, second = self.args_r
        if both & (K_LIST | K_DICT | K_SET) and first is second:
            return self.genop("ptr_eq", self.inputargs(first, second), Bool)
        return None

    def inputarg(self, r: Repr | LowLevelType, arg: int) -> Value:
        """Operand ``arg`` converted to a Repr (or to the primitive Repr of a type)."""
        if isinstance(r, LowLevelType):
            r = self.rtyper.primitive_repr(r)
        s = self.args_s[arg]
        if s.is_constant():
            return r.inputconst(s.value)
        return self.llops.convertvar(self.args_v[arg], self.args_r[arg], r)

    def inputargs(self, *reprs: Repr | LowLevelType) -> list[Value]:
        """All operands, each converted to its Repr."""
        if len(reprs) != self.nb_args:
            raise TyperError(f"{self.opname} takes {len(reprs)} operands, not {self.nb_args}")
        return [self.inputarg(r, i) for i, r in enumerate(reprs)]

    def inputconst(self, T: LowLevelType | Repr, value: Any) -> Constant:
        """A low-level constant."""
        return T.inputconst(value) if isinstance(T, Repr) else Constant(value, T)

    def inputconst_bool(self, value: bool) -> Constant:
        return Constant(value, Bool)

    def result_constant(self) -> Value:
        """The result, when its annotation says what it is."""
        if not self.s_result.is_constant():
            return Constant(None, Void)
        return self.r_result.inputconst(self.s_result.value)

    def replace_arg(self, index: int, v: Value, s: SomeObject, r: Repr) -> None:
        self.args_v[index], self.args_s[index], self.args_r[index] = v, s, r

    def r_s_popfirstarg(self) -> tuple[Repr, SomeObject]:
        """Drop the first operand; its Repr and annotation."""
        self.args_v.pop(0)
        return self.args_r.pop(0), self.args_s.pop(0)

    def v_s_insertfirstarg(self, v: Value, s: SomeObject) -> None:
        """Put an operand in front."""
        self.args_v.insert(0, v)
        self.args_s.insert(0, s)
        self.args_r.insert(0, self.rtyper.getrepr(s))

    def swap_fst_snd_args(self) -> None:
        columns: list[list[Any]] = [self.args_v, self.args_s, self.args_r]
        for operands in columns:
            operands[0], operands[1] = operands[1], operands[0]

    def take_keywords(self) -> None:
        """In the call of a built-in with keywords or stars: drop the shape operand of
        ``call_args``, take the stars apart and note in ``keywords`` which operands are keyword
        arguments."""
        if self.spaceop.opname != "call_args":
            return
        shape = next(arg.value for arg in self.spaceop.args[1:] if isinstance(arg, Constant))
        position = next(i for i, s in enumerate(self.args_s) if _is_shape(s))
        columns: list[list[Any]] = [self.args_v, self.args_s, self.args_r]
        for operands in columns:
            operands.pop(position)
        given = [self.operand(i) for i in range(position, self.nb_args)]
        shape, given = self.rtyper.calls.plain_call(self.llops, shape, given)
        for column, operands in enumerate(columns):
            operands[position:] = [operand[column] for operand in given]
        first = self.nb_args - len(shape.keywords)
        self.keywords = {key: first + i for i, key in enumerate(shape.keywords)}

    def join_args(self) -> SomeObject:
        """The union of the operands' annotations."""
        result = self.args_s[0]
        for s in self.args_s[1:]:
            result = self.rtyper.annotator.join(result, s.without_const())
        return result

    # -- emitting ---------------------------------------------------------------------------

    def genop(
        self, opname: str, args: Sequence[Value], resulttype: LowLevelType | Repr = Void
    ) -> Variable:
        """Append a low-level operation; its result."""
        if isinstance(resulttype, Repr):
            resulttype = resulttype.lowleveltype
        return self.llops.genop(opname, args, resulttype)

    def gendirectcall(self, ll_function: Any, *args: Value) -> Variable:
        """Call a low-level helper."""
        return self.llops.gendirectcall(ll_function, *args)

    # -- exceptions --------------------------------------------------------------------------

    def has_implicit_exception(self, cls: type[BaseException]) -> bool:
        """Is the operation in the scope of a link that catches ``cls``?"""
        return any(issubclass(cls, case) for case in self.llops.graphtyper.caught_classes())

    def stop_unless(self, v_more: Value) -> None:
        """In ``next``: leave the loop (raise StopIteration) when the Bool is false."""
        more, stop = self.llops.branch(v_more)
        self.llops.at(stop)
        self.stop()
        self.llops.at(more)

    def stop(self) -> None:
        """In ``next``: leave the loop (raise StopIteration); ends the block."""
        leave = self.llops.graphtyper.stop_iteration_target()
        if leave is None:
            self.llops.raise_constant(StopIteration, "")
        else:
            leave()

    def exception_is_here(self) -> None:
        """The next operation is the one that raises: nothing to do, rows say that."""

    def exception_cannot_occur(self) -> None:
        """What follows cannot raise, whatever its rows say."""
        self.llops.handlers = None

    def check_not_none(self, r: NullableRepr, v: Value, index: int) -> None:
        """Raise what CPython raises for this operation on None when ``v``, which is operand
        ``index``, is null."""
        llops = self.llops
        null, other = llops.branch(r.is_null(v, llops))
        llops.at(null)
        if HLOPS[self.opname].is_binary:
            r_right = self.args_r[1]
            if index == 0 and isinstance(r_right, NullableRepr):
                both, only_left = llops.branch(r_right.is_null(self.inputarg(r_right, 1), llops))
                llops.at(both)
                llops.raise_constant(*none_error(self, 0, 1))
                llops.at(only_left)
        llops.raise_constant(*none_error(self, index))
        llops.at(other)

    def open_operands(self, some: Collection[int], conversions: Mapping[int, Conversion]) -> bool:
        """Raise TypeError when one of the operands ``some`` is None, convert instances, and go on
        with what the operands are then; False: one always is None, or is never converted."""
        order = (2, 0, 1) if self.opname == "newslice" else range(self.nb_args)
        for number in order:
            if number in some and not self._refuse_none(number):
                return False
            if number in conversions:
                self._convert(number, conversions[number])
                if (self.spaceop, number) in self.rtyper.annotator.notes.never_converted:
                    return False
        return True

    def _refuse_none(self, number: int) -> bool:
        r = self.args_r[number]
        if isinstance(r, NullableRepr):
            v = self.inputarg(r, number)
            self.llops.raise_if(r.is_null(v, self.llops), *refused_none(self, number))
            self.replace_arg(number, v, without_none(self.args_s[number]), r.inner)
        elif isinstance(r, NoneRepr):
            pointer = self.rtyper.raising_function(*refused_none(self, number))
            self.llops.call_pointer(pointer, [])
            return False
        return True

    def without_tested_none(self, v: Value, r: Repr, what: str) -> Value:
        """The result is ``v``, read again after a test has found that it is not None
        (``annotator.rules.tested_attributes``): raise TypeError if it is."""
        error = TypeError, f"{what} is None now"
        if isinstance(r, NoneRepr) and not self.s_result.kinds & K_NONE:
            self.llops.call_pointer(self.rtyper.raising_function(*error), [])
            return self.llops.dummy(self.r_result.lowleveltype)
        if isinstance(r, NullableRepr) and not self.s_result.kinds & K_NONE:
            self.llops.raise_if(r.is_null(v, self.llops), *error)
        return self.llops.convertvar(v, r, self.r_result)

    def _convert(self, number: int, conversion: Conversion) -> None:
        r: Any = self.args_r[number]
        s = RESULTS[r.method_called(conversion)]
        v = r.converted(self.llops, self.inputarg(r, number), conversion, s)
        self.replace_arg(number, v, s, self.rtyper.getrepr(s))

    def raise_none_error(self) -> Value:
        """The operation is on None: raise; what follows is never reached."""
        nones = [i for i, r in enumerate(self.args_r) if isinstance(r, NoneRepr)]
        pointer = self.rtyper.raising_function(*none_error(self, *nones or [0]))
        self.llops.call_pointer(pointer, [])
        return self.llops.dummy(self.r_result.lowleveltype)

    def raise_no_attribute(self) -> Value:
        """A constant, operand 0, has no such attribute: raise; what follows is never reached."""
        holder = self.args_s[0].value
        try:
            getattr(holder, self.args_s[1].value)
        except AttributeError as error:
            pointer = self.rtyper.raising_function(AttributeError, str(error))
            self.llops.call_pointer(pointer, [])
        return self.llops.dummy(self.r_result.lowleveltype)


def _is_shape(s: SomeObject) -> bool:
    return s.is_constant() and isinstance(s.value, CallShape)
