"""Definite assignment: which attributes every object has set before anyone can read them.

CPython raises AttributeError for an attribute that was never assigned.  A translated
instance always has the field, so reading it needs a test, unless every object of every
class that has the field sets it first:

- a class-level value initialises it, or
- ``__init__`` assigns it on every path, before ``self`` escapes and before reading it;
  calls of ``super().__init__`` and of other methods on ``self`` are followed.

A forward must-analysis over the annotated graphs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeFunction, SomeInstance, SomeMethod
from rpython.annotator.lattice.supers import SomeSuper
from rpython.annotator.program.classdef import (
    BEGIN,
    INSIDE,
    Attribute,
    ClassDef,
    Lookup,
    is_state_machine,
    prebuilt_attributes,
)
from rpython.annotator.program.desc import FunctionDesc, MethodDesc
from rpython.annotator.program.excattrs import is_fact
from rpython.annotator.program.hostclasses import is_descriptor
from rpython.translator.flow.scope_keep_alive import says_held
from rpython.translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation, Value
from rpython.translator.ir.records import dataclass

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


@dataclass(frozen=True, slots=True)
class State:
    """At one point: attributes surely assigned; attributes read too early; whether ``self``
    may be known to others (then later assignments come too late to count)."""

    assigned: frozenset[str]
    read_early: frozenset[str]
    escaped: bool

    def meet(self, other: State) -> State:
        return State(
            self.assigned & other.assigned,
            self.read_early | other.read_early,
            self.escaped or other.escaped,
        )

    def assign(self, name: str) -> State:
        return self if self.escaped else replace(self, assigned=self.assigned | {name})

    def read(self, name: str) -> State:
        if name in self.assigned:
            return self
        return replace(self, read_early=self.read_early | {name})

    def escape(self) -> State:
        return replace(self, escaped=True)


@dataclass(frozen=True, slots=True)
class Effect:
    """Of a call: the state after it returned, and after it raised."""

    returned: State
    raised: State


@dataclass(frozen=True, slots=True)
class Aliases:
    """The variables of a block that surely are ``self``, and those that may be."""

    must: frozenset[Value]
    may: frozenset[Value]


_START = State(frozenset(), frozenset(), False)


def always_set(annotator: RPythonAnnotator, attribute: Attribute) -> bool:
    """Does every instance have the attribute before anything reads it?"""
    name = attribute.name
    if is_state_machine(attribute.homedef) or name in INSIDE:
        return True
    if attribute.deleted or (name == "args" and is_fact(attribute.homedef.cls, name)):
        return False  # what built-in operations raise may have others than the program's
    for classdef in attribute.homedef.subtree():
        found = classdef.class_value(name)
        if found is not None and not is_descriptor(found[1]):
            continue
        if any(name not in prebuilt_attributes(x) for x in classdef.prebuilt):
            return False
        if classdef.bare:
            return False
        if annotator.finalizers.method_definer(classdef) is not None:
            return False  # __init__ may have raised before it
        if classdef.instantiated and name not in _assigned_by_init(annotator, classdef):
            return False
    return True


def _assigned_by_init(annotator: RPythonAnnotator, classdef: ClassDef) -> frozenset[str]:
    known = annotator.init_sets.get(classdef)
    if known is None:
        end = _START
        for lookup in (BEGIN, Lookup("__init__")):
            if classdef.find_function(lookup) is not None:
                desc = annotator.constants.method_function(classdef, lookup)
                end = InitAnalysis(annotator).function(desc, end).returned
        known = end.assigned - end.read_early
        annotator.init_sets[classdef] = known
    return known


class InitAnalysis:
    """What constructing an instance assigns."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self._active: set[FunctionDesc] = set()

    def function(self, desc: FunctionDesc, entry: State) -> Effect:
        """The effect of calling a function with ``self`` as its first argument."""
        graphs = [graph for graph in desc.graphs.values() if not graph.is_helper]
        if not graphs or desc in self._active:
            return Effect(entry.escape(), entry.escape())
        self._active.add(desc)
        try:
            effects = [self._graph(graph, entry) for graph in graphs]
        finally:
            self._active.discard(desc)
        returned, raised = effects[0].returned, effects[0].raised
        for effect in effects[1:]:
            returned, raised = returned.meet(effect.returned), raised.meet(effect.raised)
        return Effect(returned, raised)

    def _graph(self, graph: FunctionGraph, entry: State) -> Effect:
        first = frozenset([graph.getargs()[0]])
        aliases: dict[Block, Aliases] = {graph.startblock: Aliases(first, first)}
        states: dict[Block, State] = {graph.startblock: entry}
        # it may raise anywhere, having assigned nothing
        raised = entry
        pending = [graph.startblock]
        while pending:
            block = pending.pop()
            inside = aliases[block]
            effect = self._block(block, inside, states[block])
            raised = raised.meet(effect.returned).meet(effect.raised)
            for i, link in enumerate(block.exits):
                if link not in self.annotator.followed:
                    continue
                state = effect.raised if block.canraise and i else effect.returned
                target = link.target
                if target is graph.returnblock and any(a in inside.may for a in link.args):
                    state = state.escape()
                passed = list(zip(target.inputargs, link.args))
                must = frozenset[Value](v for v, a in passed if a in inside.must)
                may = frozenset[Value](v for v, a in passed if a in inside.may)
                if target in states:
                    state = states[target].meet(state)
                    must &= aliases[target].must
                    may |= aliases[target].may
                    if state == states[target] and Aliases(must, may) == aliases[target]:
                        continue
                states[target], aliases[target] = state, Aliases(must, may)
                pending.append(target)
        # never returning, it never makes an object that anyone could see
        return Effect(states.get(graph.returnblock, entry), raised)

    def _block(self, block: Block, aliases: Aliases, state: State) -> Effect:
        """Run the operations of a block; the last one may raise.

        Values derived from ``self`` (bound methods, ``super()``) are followed in the block
        that makes them."""
        bound: set[Value] = set()
        raised, chosen = state, self.annotator.notes.chosen
        for op in block.operations:
            if says_held(op):
                continue
            used = [i for i, arg in enumerate(op.args) if arg in aliases.may]
            effect: Effect | None = None
            if used == [0] and self._is_property(op):
                effect = self._property(op, aliases, state)
            elif op.opname == "setattr" and used == [0] and op not in chosen:
                if op.args[0] in aliases.must:
                    effect = Effect(state.assign(_attribute(op)), state)
            elif op.opname == "getattr" and (used or op.args[0] in bound):
                if op in chosen:
                    state = state.escape()
                elif not isinstance(self.annotator.binding(op.result), SomeMethod):
                    state = state.read(_attribute(op))
                elif used and op.args[0] not in aliases.must:
                    state = state.escape()
                else:
                    bound.add(op.result)
            elif op.opname in ("simple_call", "call_args"):
                effect = self._call(op, used, bound, aliases, state)
            elif used or any(arg in bound for arg in op.args):
                state = state.escape()
            effect = effect or Effect(state, state)
            state, raised = effect.returned, effect.raised
        if any(arg in bound for link in block.exits for arg in link.args):
            state, raised = state.escape(), raised.escape()
        return Effect(state, raised)

    def _is_property(self, op: SpaceOperation) -> bool:
        """Does the operation read or assign a property of what may be ``self``?"""
        if op.opname not in ("getattr", "setattr"):
            return False
        s_self = self.annotator.binding(op.args[0])
        if not isinstance(s_self, SomeInstance):
            return False
        return any(
            found is not None and isinstance(found[1], property)
            for found in (
                classdef.class_value(_attribute(op)) for classdef in s_self.classdef.subtree()
            )
        )

    def _property(self, op: SpaceOperation, aliases: Aliases, state: State) -> Effect:
        """The getter or setter runs."""
        s_self = self.annotator.binding(op.args[0])
        assert isinstance(s_self, SomeInstance)
        lookup = Lookup(_attribute(op), part="fget" if op.opname == "getattr" else "fset")
        constants = self.annotator.constants
        targets = {constants.target(below, lookup) for below in s_self.classdef.subtree()}
        target = targets.pop()
        if targets or target is None or op.args[0] not in aliases.must:
            return Effect(state.escape(), state.escape())
        return self.function(target, state)

    def _call(
        self,
        op: SpaceOperation,
        used: list[int],
        bound: set[Value],
        aliases: Aliases,
        state: State,
    ) -> Effect:
        callee = op.args[0]
        if isinstance(callee, Constant) and callee.value is isinstance:
            return Effect(state, state)
        s_callee = self.annotator.binding(callee)
        if s_callee.is_constant() and s_callee.value is object.__setattr__:
            name = op.args[2]
            if used == [1] and isinstance(name, Constant) and op.args[1] in aliases.must:
                return Effect(state.assign(name.value), state)
        if isinstance(self.annotator.binding(op.result), SomeSuper):
            if op.args[-1] in aliases.must:
                bound.add(op.result)
                return Effect(state, state)
            return Effect(state.escape(), state.escape())
        hands_out = any(arg in bound for arg in op.args[1:])
        if callee in bound and not used and not hands_out:
            if isinstance(s_callee, SomeMethod) and len(s_callee.descs) == 1:
                (method,) = s_callee.descs
                assert isinstance(method, MethodDesc)
                return self.function(method.function, state)
        elif isinstance(s_callee, SomeFunction) and len(s_callee.descs) == 1 and not hands_out:
            # Base.__init__(self, ...)
            if used == [1] and op.opname == "simple_call" and op.args[1] in aliases.must:
                (function,) = s_callee.descs
                assert isinstance(function, FunctionDesc)
                return self.function(function, state)
        if used or hands_out or callee in bound:
            return Effect(state.escape(), state.escape())
        return Effect(state, state)


def _attribute(op: SpaceOperation) -> str:
    name = op.args[1]
    assert isinstance(name, Constant)
    attribute: str = name.value
    return attribute
