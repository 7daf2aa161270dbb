"""LowLevelOpList, where the code of an operation that is lowered goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.parts import class_with_equality, may_be_equal, without_none
from rpython.lltypesystem.lltype import Bool, LowLevelType, Signed, Void
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.rtyper.rmodel import (
    CONVERSIONS,
    NullableRepr,
    Repr,
)
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.rtyper.graphtyper import GraphTyper
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper


class LowLevelOpList:
    """Appends low-level operations to the current block of the graph being built.

    While ``handlers`` is set, an operation that may raise ends its block with exception
    links, and the code goes on in a new one.
    """

    def __init__(self, rtyper: RPythonTyper, graphtyper: GraphTyper) -> None:
        self.rtyper = rtyper
        self.graphtyper = graphtyper
        self.block: Block = Block([])
        self.span: Span | None = None
        self.narrowing = False
        """Has a test shown that the value at hand, of several kinds, is one of fewer?"""
        self.handlers: Callable[[], list[Link]] | None = None
        """Makes the exception links of the high-level operation at hand, fresh ones at
        each call."""

    # -- operations ---------------------------------------------------------------------

    def genop(
        self, opname: str, args: Sequence[Value], resulttype: LowLevelType = Void, name: str = "v"
    ) -> Variable:
        """Append a low-level operation; its result."""
        row = LLOPS[opname]
        result = Variable(name, resulttype)
        self.block.operations.append(
            SpaceOperation(row, args, result, self.span or self.graphtyper.graph.span)
        )
        if self.handlers is not None and row.can_raise:
            links = self.handlers()
            if links:
                after = Block([])
                self.block.exitswitch = LAST_EXCEPTION
                self.block.closeblock(Link([], after), *links)
                self.block = after
        return result

    def gendirectcall(self, ll_function: Any, *args: Value) -> Variable:
        """Call a low-level helper, typed by the low-level types of the arguments."""
        pointer = self.rtyper.helper(ll_function, args)
        return self.call_pointer(pointer, args)

    def call_pointer(self, pointer: Any, args: Sequence[Value], name: str = "v") -> Variable:
        """Call a constant low-level function pointer."""
        T = pointer._TYPE
        return self.genop("direct_call", [Constant(pointer, T), *args], T.TO.RESULT, name)

    def convertvar(self, v: Value, r_from: Repr, r_to: Repr) -> Value:
        """``v``, a value of ``r_from``, as a value of ``r_to``.  Raises TyperError."""
        if r_from is r_to:
            return v
        rule = CONVERSIONS.lookup("convert", type(r_from), type(r_to))
        result = None if rule is None else rule(r_from, r_to, v, self)
        if result is None:
            if type(r_from) is type(r_to) and r_from.lowleveltype == r_to.lowleveltype:
                return v
            raise TyperError(f"cannot convert from {r_from!r} to {r_to!r}")
        converted: Value = result
        return converted

    def dummy(self, T: LowLevelType) -> Constant:
        """Some value of the type, for code that is never reached."""
        return Constant(T._defl(), T)

    # -- control flow inside one high-level operation ---------------------------------------

    def branch(self, condition: Value) -> tuple[Block, Block]:
        """End the block on a Bool; the blocks for True and False.  Continue with ``at``."""
        yes, no = Block([]), Block([])
        if isinstance(condition, Constant):
            condition = self.genop("same_as", [condition], Bool)
        self.block.exitswitch = condition
        self.block.closeblock(Link([], no, False), Link([], yes, True))
        return yes, no

    def at(self, block: Block) -> None:
        """Go on at the end of ``block``."""
        self.block = block

    def goto(self, target: Block, *args: Value) -> None:
        self.block.closeblock(Link(args, target))

    def new_join(self, T: LowLevelType) -> Block:
        """A block that receives one value of the type."""
        return Block([Variable("joined", T)])

    def unreachable(self) -> None:
        """End the block: control never comes here."""
        self.block.close_unreachable()

    def raise_if(self, condition: Value, exception: type[BaseException], message: str) -> None:
        """Raise a built-in exception with a constant message when the Bool is true."""
        bad, good = self.branch(condition)
        self.at(bad)
        self.raise_constant(exception, message)
        self.at(good)

    def raise_constant(self, exception: type[BaseException], message: str) -> None:
        """Raise a built-in exception with a constant message; ends the block."""
        self.call_pointer(self.rtyper.raising_function(exception, message), [])
        self.unreachable()

    def either(self, v_first: Value, v_second: Value) -> Value:
        """``v_first or v_second`` of two Bools that are both computed."""
        return self._combined("int_or", v_first, v_second)

    def both(self, v_first: Value, v_second: Value) -> Value:
        """``v_first and v_second`` likewise."""
        return self._combined("int_and", v_first, v_second)

    def _combined(self, operation: str, v_first: Value, v_second: Value) -> Value:
        ints = [self.genop("cast_bool_to_int", [v], Signed) for v in (v_first, v_second)]
        return self.genop("int_is_true", [self.genop(operation, ints, Signed)], Bool)

    def truth_if_not_null(self, r: NullableRepr, v: Value, hop: HighLevelOp) -> Value:
        """``v is not None and bool(v)``."""
        nonzero = self.genop("bool_not", [r.is_null(v, self)], Bool)
        method = getattr(r.inner, "rtype_bool", None)
        if method is None:
            return nonzero
        yes, no = self.branch(nonzero)
        done = Block([Variable("truth", Bool)])
        self.at(no)
        self.goto(done, Constant(False, Bool))
        self.at(yes)
        inner = hop.copy()
        inner.replace_arg(0, v, without_none(hop.args_s[0]), r.inner)
        self.goto(done, method(inner))
        self.at(done)
        return done.inputargs[0]

    def compare_nullables(self, hop: HighLevelOp) -> Value:
        """``==`` or ``!=`` where one or both operands may be None."""
        equal = hop.opname == "eq"
        values: list[Value] = []
        done = Block([Variable("equal", Bool)])
        for i, r in enumerate(hop.args_r):
            v = hop.inputarg(r, i)
            values.append(v)
        nulls = [
            r.is_null(v, self) if isinstance(r, NullableRepr) else Constant(False, Bool)
            for v, r in zip(values, hop.args_r)
        ]  # fmt: skip
        left_null, right_null = self.branch(nulls[0])
        self.at(left_null)
        same: Value = nulls[1]
        self.goto(done, same if equal else self.genop("bool_not", [same], Bool))
        self.at(right_null)
        only_right, neither = self.branch(nulls[1])
        self.at(only_right)
        self.goto(done, Constant(not equal, Bool))
        self.at(neither)
        some = [without_none(s) for s in hop.args_s]
        if may_be_equal(*some) or any(map(class_with_equality, some)):
            inner = hop.copy()
            for i, r in enumerate(hop.args_r):
                if isinstance(r, NullableRepr):
                    inner.replace_arg(i, values[i], some[i], r.inner)
            self.goto(done, inner.dispatch())
        else:
            self.goto(done, Constant(not equal, Bool))
        self.at(done)
        return done.inputargs[0]
