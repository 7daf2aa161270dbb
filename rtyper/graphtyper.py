"""Lowering one graph: blocks, links, conversions on links, exception links.

    b1(x: SomeInteger):                 b1(x: Signed):
        v = add(x, 1)             ->        v = int_add_ovf(x, 1)
        goto b2(v)                          goto b2(v)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    K_INSTANCE,
    K_NONE,
    SomeBuiltinMethod,
    SomeHost,
    SomeImpossibleValue,
    SomeInstance,
    SomeObject,
    SomePBC,
)
from rpython.annotator.lattice.parts import class_with_equality
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.provenance import blame_program, place_in_source
from rpython.annotator.rules.constants import is_known_call, is_known_function, known_values
from rpython.annotator.rules.raised import Raised, raised_by_host
from rpython.lltypesystem.lltype import Void
from rpython.rtyper.hop import HighLevelOp
from rpython.rtyper.kinds.method import split_callees
from rpython.rtyper.kinds.mixed import Operand, split
from rpython.rtyper.ll.ll_text import NOT_AVAILABLE
from rpython.rtyper.oplist import LowLevelOpList
from rpython.rtyper.rmodel import Repr, UnkeptRepr
from rpython.rtyper.threadlocals import use_storage
from rpython.rtyper.wrapping import wrapping_operations
from rpython.translator.ir.errors import TranslationError, TyperError
from rpython.translator.ir.hlops import Group, HLOp, group_of
from rpython.translator.ir.model import (
    LAST_EXCEPTION,
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.rtyper.rtyper import RPythonTyper

Values = dict[Variable, Value]
Handlers = Callable[[], list[Link]]


class GraphTyper:
    """Fills ``llgraph`` with the low-level form of the annotated ``graph``."""

    def __init__(
        self, rtyper: RPythonTyper, graph: FunctionGraph, llgraph: FunctionGraph
    ) -> None:
        self.rtyper = rtyper
        self.annotator = rtyper.annotator
        self.graph = graph
        self.llgraph = llgraph
        self.blocks: dict[Block, Block] = {
            graph.startblock: llgraph.startblock,
            graph.returnblock: llgraph.returnblock,
            graph.exceptblock: llgraph.exceptblock,
        }
        self._todo = [graph.startblock]
        self._current: Block = graph.startblock
        self._values: Values = {}
        self.llops = LowLevelOpList(rtyper, self)

    def build(self) -> None:
        """Lower the graph, or what raises NotImplementedError if only texts of exceptions need it
        and it cannot be translated."""
        texts = self.annotator.texts
        if self.graph not in texts.dropped:
            try:
                self._build()
                return
            except TranslationError as error:
                if not texts.drop(self.graph, error):
                    raise
        start = self.llgraph.startblock
        start.operations.clear()
        start.exitswitch = None
        start.recloseblock()
        self.llops.at(start)
        self.llops.handlers = None
        self.llops.raise_constant(NotImplementedError, NOT_AVAILABLE)

    def _build(self) -> None:
        while self._todo:
            block = self._todo.pop()
            self._current = block
            try:
                self._lower_block(block)
            except TranslationError as error:
                error.where = error.where or f"rtyping {self.graph.name}"
                error.span = error.span or self.graph.span
                raise

    def caught_classes(self) -> list[type[BaseException]]:
        """What the exception links of the current high-level block catch."""
        if not self._current.canraise:
            return []
        return [link.exitcase for link in self._current.exits[1:]]

    def leaves_block(self, result: Variable) -> bool:
        """Does a link of the current high-level block pass this result on?"""
        return any(result in link.args for link in self._current.exits)

    def is_passed_on(self, result: Variable) -> bool:
        """Is this result an operand of something other than an operation on a built-in
        sequence (an argument of a call, a key given to an instance's method), or that of a
        member, which meets those of others?"""
        if all(op.result is not result for op in self._current.operations):
            return True
        for op in self._current.operations:
            if result in op.args:
                kinds = self.annotator.binding(op.args[0]).kinds
                if group_of(op.opname) is not Group.ITEM or kinds & K_INSTANCE:
                    return True
        return False

    def operations_after(self, op: SpaceOperation) -> list[SpaceOperation] | None:
        """The operations of the current high-level block after this one; None for that of one
        member of a union, whose result meets those of others."""
        operations = self._current.operations
        return operations[operations.index(op) + 1 :] if op in operations else None

    # -- blocks ---------------------------------------------------------------------------

    def _target(self, block: Block) -> Block:
        known = self.blocks.get(block)
        if known is None:
            inputargs = [
                Variable(v.name, self.rtyper.bindingrepr(v).lowleveltype) for v in block.inputargs
            ]
            known = self.blocks[block] = Block(inputargs)
            self._todo.append(block)
        return known

    def _lower_block(self, block: Block) -> None:
        llops = self.llops
        values = self._values = self._enter(block)
        wrapping = wrapping_operations(block)
        for op in block.operations:
            llops.span = self._span(op.span)
            last = block.canraise and op is block.operations[-1]
            llops.handlers = self._handlers(block, values, last)
            try:
                value = values[op.result] = self._lower_operation(op, values, op in wrapping)
                if isinstance(value, Variable) and value.name == "v":
                    value.name = op.result.name  # the local variable that holds it
            except TranslationError as error:
                self._blame(op.span, error)
                error.where = error.where or f"rtyping {self.graph.name}: {op.opname}"
                raise
            if self.annotator.blocked.get(block) is op:
                llops.handlers = None
                if not llops.block.is_closed:
                    llops.unreachable()
                return
        llops.handlers = None
        self._close_block(block, values)

    def _enter(self, block: Block) -> Values:
        """Go on where the block is lowered to; what its inputargs are."""
        self.llops.at(self.blocks[block])
        return dict(zip(block.inputargs, self.blocks[block].inputargs))

    def _span(self, span: Span) -> Span:
        """Where what is lowered for something at ``span`` is."""
        return span

    def _handlers(self, block: Block, values: Values, last: bool) -> Handlers | None:
        """What makes the exception links of an operation; ``last``: of the one that the links of
        the block are about."""
        return partial(self._exception_links, block, values) if last else None

    def _blame(self, span: Span, error: TranslationError) -> None:
        """Let an error in lowering an operation at ``span`` say where it is."""
        error.span = place_in_source(self.graph.func, error.span or span)
        blame_program(self.annotator.callers.of, self.graph, span, error)

    def _close_block(self, block: Block, values: Values) -> None:
        switch = block.exitswitch
        if switch is None or switch is LAST_EXCEPTION:
            self._goto(block.exits[0], values)
            return
        assert isinstance(switch, Variable)
        reached = [link for link in block.exits if link in self.annotator.followed]
        if len(reached) == 1:
            self._goto(reached[0], values)
        elif not reached:
            self.llops.unreachable()
        else:
            condition = values[switch]
            yes, no = self.llops.branch(condition)
            for low, link in ((no, block.exits[0]), (yes, block.exits[1])):
                self.llops.at(low)
                self._goto(link, values)

    def _goto(self, link: Link, values: Values) -> None:
        if link not in self.annotator.followed:
            self.llops.unreachable()
            return
        target = self._target(link.target)
        args = [
            self._link_arg(arg, v_target, values)
            for arg, v_target in zip(link.args, link.target.inputargs)
        ]
        if link.target is self.graph.exceptblock:
            args = [self.rtyper.classes.upcast(v, self.llops) for v in args]
        self.llops.goto(target, *args)
        self.llops.block.exits[0].span = self._span(link.span) if link.span else None

    def _link_arg(self, arg: Value, v_target: Variable, values: Values) -> Value:
        s_arg = self.annotator.binding(arg)
        r_target = self.rtyper.bindingrepr(v_target)
        if isinstance(r_target, UnkeptRepr):
            return Constant(None, Void)
        if s_arg.is_constant():
            return r_target.inputconst(s_arg.value)
        if isinstance(arg, Constant):  # a bound method, which has no constant annotation
            return r_target.inputconst(arg.value)
        self.llops.narrowing = True
        v = self.llops.convertvar(values[arg], self.rtyper.getrepr(s_arg), r_target)
        self.llops.narrowing = False
        return v

    def _exception_links(self, block: Block, values: Values) -> list[Link]:
        """Fresh low-level links for the exception links of a block."""
        result = []
        for link in block.exits[1:]:
            if link in self.annotator.followed:
                for classdef in self.annotator.constants.caught(link.exitcase):
                    result.append(self._exception_link(link, classdef, values))
        return result

    def _exception_link(self, link: Link, classdef: ClassDef, values: Values) -> Link:
        """The low-level link for exceptions of one class that a link catches."""
        exc_type = self.rtyper.classes.exception_type()
        caught = Variable("exc", exc_type)
        landing = Block([Variable("exc", exc_type)])
        lowlink = Link([caught], landing, classdef.cls)
        lowlink.llexitcase = self.rtyper.classes.vtable(classdef)
        lowlink.last_exc_value = caught
        llops = self.llops
        outer, handlers = llops.block, llops.handlers
        llops.at(landing)
        llops.handlers = None
        assert link.last_exc_value is not None
        v_caught: Value = landing.inputargs[0]
        if link.last_exc_value in link.args:
            v_caught = self.rtyper.own_exceptions.caught(llops, v_caught)
        known = dict(values)
        known[link.last_exc_value] = self.rtyper.classes.downcast(
            v_caught, self._caught_as(link), llops
        )
        self._goto(link, known)
        llops.at(outer)
        llops.handlers = handlers
        return lowlink

    def _caught_as(self, link: Link) -> ClassDef:
        """The class that what a link catches is annotated with."""
        assert link.last_exc_value is not None
        s_caught = self.annotator.binding(link.last_exc_value)
        assert isinstance(s_caught, SomeInstance)
        return s_caught.classdef

    def stop_iteration_target(self) -> Callable[[], None] | None:
        """How to leave for the StopIteration link of the current block, if it has one: a
        function that ends the low-level block at hand."""
        if self.llops.handlers is None or not self._current.canraise:
            return None
        for link in self._current.exits[1:]:
            if issubclass(StopIteration, link.exitcase):
                return partial(self._leave, link, self._values)
        return None

    def _leave(self, link: Link, values: Values) -> None:
        """Go to an exception link's target with a prebuilt instance."""
        assert link.last_exc_value is not None
        instance = self.rtyper.exception_instance(StopIteration, "")
        exc: Value = Constant(instance, self.rtyper.classes.exception_type())
        if link.last_exc_value in link.args:
            exc = self.rtyper.own_exceptions.caught(self.llops, exc)
        known = dict(values)
        known[link.last_exc_value] = self.rtyper.classes.downcast(
            exc, self._caught_as(link), self.llops
        )
        self._goto(link, known)

    # -- operations ------------------------------------------------------------------------

    def _lower_operation(self, op: SpaceOperation, values: Values, wraps: bool) -> Value:
        annotator = self.annotator
        if op in annotator.members.apart:
            return self._lower_members(op, values, wraps)
        s_result = annotator.binding(op.result)
        if op in annotator.members.raised:
            self._raise(annotator.members.raised[op], op, values)
            return self.llops.dummy(self.rtyper.getrepr(s_result).lowleveltype)
        args_s = [annotator.binding(arg) for arg in op.args]
        conversions = annotator.notes.conversions.get(op, {})
        if s_result.is_constant() and not conversions and _is_folded(op, s_result, args_s):
            return self.rtyper.getrepr(s_result).inputconst(s_result.value)
        if group_of(op.opname) is Group.ATTRIBUTE:
            # the name is a fact about the operation, not a str of the program
            args_s[1] = SomeHost(args_s[1].const)
        args_v = [self._operand(arg, s_arg, values) for arg, s_arg in zip(op.args, args_s)]
        wraps = wraps or self.graph.is_helper
        hop = HighLevelOp(self.rtyper, self.llops, op, args_v, args_s, s_result, wraps)
        if not hop.open_operands(annotator.notes.none_refused.get(op, ()), conversions):
            return self.llops.dummy(hop.r_result.lowleveltype)
        use_storage(hop)
        v_result = hop.dispatch()
        self._check_result(op, hop.r_result, v_result, s_result)
        return v_result

    def _lower_members(self, op: SpaceOperation, values: Values, wraps: bool) -> Value:
        """An operation on values of several kinds: each member in a branch of its own."""
        llops, members = self.llops, self.annotator.members
        numbers = members.apart[op]
        refused = self.annotator.notes.none_refused.get(op, ())
        r_result = self.rtyper.bindingrepr(op.result)
        is_void = r_result.lowleveltype is Void
        done = Block([]) if is_void else llops.new_join(r_result.lowleveltype)

        def lower(known: tuple[Operand, ...]) -> None:
            if len(known) < len(numbers):
                arg = op.args[numbers[len(known)]]
                s = self.annotator.binding(arg)
                operand = (self._operand(arg, s, values), s, self.rtyper.getrepr(s))
                if isinstance(s, SomePBC):
                    split_callees(llops, operand, lambda part: lower((*known, part)))
                else:
                    split(llops, operand, lambda part: lower((*known, part)), callables=True)
                return
            member = members.of(op, tuple(s for _, s, _ in known))
            pairs = zip(numbers, known, strict=True)
            if any(s.kinds == K_NONE and number in refused for number, (_, s, _) in pairs):
                raised = raised_by_host(self.annotator, member)
                llops.raise_constant(*(raised or (TypeError, "an operand must not be None"))[:2])
                return
            v_result = self._lower_member(member, numbers, known, values, wraps, r_result)
            if v_result is not None:
                llops.goto(done, *(() if is_void else (v_result,)))

        lower(())
        llops.at(done)
        return Constant(None, Void) if is_void else done.inputargs[0]

    def _lower_member(
        self, member: SpaceOperation, numbers: tuple[int, ...], known: tuple[Operand, ...],
        values: Values, wraps: bool, r_result: Repr,
    ) -> Value | None:  # fmt: skip
        """What a member gives, as a value of ``r_result``; None where control never comes to its
        end."""
        llops = self.llops
        inside = dict(values)
        for number, (v, _, _) in zip(numbers, known, strict=True):
            operand = member.args[number]
            assert isinstance(operand, Variable)
            inside[operand] = v
        raised = self.annotator.members.raised.get(member)
        if raised is not None:
            self._raise(raised, member, inside)
            return None
        handlers = llops.handlers
        v_result = self._lower_operation(member, inside, wraps)
        llops.handlers = handlers
        s_member = self.annotator.binding(member.result)
        if llops.block.is_closed:
            return None
        if s_member.kinds == 0:
            llops.unreachable()
            return None
        if s_member.is_constant():
            return r_result.inputconst(s_member.value)
        return llops.convertvar(v_result, self.rtyper.getrepr(s_member), r_result)

    def _raise(self, raised: Raised, op: SpaceOperation, values: Values) -> None:
        """Raise what CPython raises for the operands; ends the block.  Since ``raised`` was found,
        the program may have got more classes."""
        llops = self.llops
        raised = raised_by_host(self.annotator, op) or raised
        handlers = llops.handlers
        arg = op.args[raised.number]
        v = self._operand(arg, self.annotator.binding(arg), values) if raised.others else None
        for classdef, exception, text in raised.others:
            assert v is not None
            yes, no = llops.branch(self.rtyper.classes.isinstance_test(v, classdef, llops))
            llops.at(yes)
            llops.raise_constant(exception, text)
            llops.at(no)
            llops.handlers = handlers
        llops.raise_constant(raised.exception, raised.text)

    def _operand(self, arg: Value, s_arg: SomeObject, values: Values) -> Value:
        if isinstance(arg, Variable):
            return values[arg]
        return self.rtyper.getrepr(s_arg).inputconst(arg.value)

    def _check_result(self, op: SpaceOperation, r: Repr, v: Value, s_result: SomeObject) -> None:
        if isinstance(s_result, SomeImpossibleValue):
            return
        if v.concretetype != r.lowleveltype:
            raise TyperError(
                f"{op.opname} gave a {v.concretetype} where its result is a {r.lowleveltype}"
            )


def _is_folded(op: SpaceOperation, s_result: SomeObject, args_s: list[Any]) -> bool:
    """Did the annotator find the result without running anything?"""
    opdef = op.opdef
    if op.opname == "getitem":  # of a list of None, too: the index may be out of range
        return all(s.is_constant() for s in args_s) or known_values(args_s) is not None
    if group_of(op.opname) in (Group.IDENTITY, Group.MATCHING) or op.opname == "format_value":
        return True
    called = args_s[0].value if op.opname == "simple_call" and args_s[0].is_constant() else None
    if called is isinstance:
        return True
    if isinstance(args_s[0], SomeBuiltinMethod) and op.opname in ("simple_call", "call_args"):
        given_s = args_s[1 if op.opname == "simple_call" else 2 :]
        return is_known_call(args_s[0].s_self, given_s)
    if any(s.kinds & K_INSTANCE for s in args_s):  # may be a method's result
        return op.opname in ("eq", "ne") and not any(map(class_with_equality, args_s))
    if op.opname == "simple_call":
        return called is len or is_known_function(args_s[0], args_s[1:])
    return isinstance(opdef, HLOp) and opdef.fold is not None
