"""Which attributes are set before anyone can read them.

CPython raises AttributeError for an attribute that was never assigned.  A translated
instance always has the field, so reading it needs a test, unless every object of every
class that has the field sets it first:

- a class-level value initialises it, or
- ``__init__`` assigns it on every path, before ``self`` escapes and before reading it;
  calls of ``super().__init__`` and of other methods on ``self`` are followed.

A forward must-analysis over the annotated graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.classdef import Attribute, ClassDef, is_method
from annotator.desc import FunctionDesc, MethodDesc
from annotator.model import SomeMethod, SomeSuper
from translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation, Value

if TYPE_CHECKING:
    from annotator.annotator import RPythonAnnotator


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


_START = State(frozenset(), frozenset(), False)


def always_set(annotator: RPythonAnnotator, attribute: Attribute) -> bool:
    """Does every instance have the attribute before anything reads it?"""
    name = attribute.name
    for classdef in attribute.homedef.subtree():
        found = classdef.class_value(name)
        if found is not None and not is_method(found[1]) and not hasattr(found[1], "__get__"):
            continue
        if any(name not in x.__dict__ for x in classdef.prebuilt):
            return False
        if classdef.instantiated and name not in _assigned_by_init(annotator, classdef):
            return False
    return True


def _assigned_by_init(annotator: RPythonAnnotator, classdef: ClassDef) -> frozenset[str]:
    known = annotator.init_sets.get(classdef)
    if known is None:
        found = classdef.class_value("__init__")
        if found is None or not is_method(found[1]):
            known = frozenset()
        else:
            desc = annotator.constants.function_desc(found[1])
            end = InitAnalysis(annotator).function(desc, _START)
            known = end.assigned - end.read_early
        annotator.init_sets[classdef] = known
    return known


class InitAnalysis:
    """What constructing an instance assigns."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self.annotator = annotator
        self._active: set[FunctionDesc] = set()

    def function(self, desc: FunctionDesc, entry: State) -> State:
        """The state after calling a method on ``self``."""
        graph = desc.graphs.get(None)
        if graph is None or desc in self._active:
            return State(entry.assigned, entry.read_early, True)
        self._active.add(desc)
        try:
            return self._graph(graph, entry)
        finally:
            self._active.discard(desc)

    def _graph(self, graph: FunctionGraph, entry: State) -> State:
        self_vars: dict[Block, set[Value]] = {graph.startblock: {graph.getargs()[0]}}
        states: dict[Block, State] = {graph.startblock: entry}
        pending = [graph.startblock]
        while pending:
            block = pending.pop()
            state = self._block(block, self_vars[block], states[block])
            for link in block.exits:
                if link not in self.annotator.followed:
                    continue
                target = link.target
                passed: set[Value] = {
                    v for v, a in zip(target.inputargs, link.args) if a in self_vars[block]
                }
                merged = state
                if target in states:
                    merged = states[target].meet(state)
                    passed |= self_vars[target]
                    if merged == states[target] and passed == self_vars[target]:
                        continue
                states[target], self_vars[target] = merged, passed
                pending.append(target)
        # never returning, it never makes an object that anyone could see
        return states.get(graph.returnblock, entry)

    def _block(self, block: Block, aliases: set[Value], state: State) -> State:
        """Run the operations of a block.  ``aliases`` may be ``self``; values derived from
        it (bound methods, ``super()``) are known by their annotation."""
        bound: set[Value] = set()
        for op in block.operations:
            used = [i for i, arg in enumerate(op.args) if arg in aliases]
            if op.opname == "setattr" and used == [0]:
                if not state.escaped:
                    assigned = state.assigned | {_attribute(op)}
                    state = State(assigned, state.read_early, False)
            elif op.opname == "getattr" and (used or op.args[0] in bound):
                if isinstance(self.annotator.binding(op.result), SomeMethod):
                    bound.add(op.result)
                elif used and not state.escaped and _attribute(op) not in state.assigned:
                    early = state.read_early | {_attribute(op)}
                    state = State(state.assigned, early, False)
            elif op.opname in ("simple_call", "call_args"):
                state = self._call(op, used, bound, state)
            elif used or any(arg in bound for arg in op.args):
                state = State(state.assigned, state.read_early, True)
        if any(arg in bound for link in block.exits for arg in link.args):
            state = State(state.assigned, state.read_early, True)
        return state

    def _call(
        self, op: SpaceOperation, used: list[int], bound: set[Value], state: State
    ) -> State:
        callee = op.args[0]
        if isinstance(callee, Constant) and callee.value in (super, isinstance):
            if isinstance(self.annotator.binding(op.result), SomeSuper):
                bound.add(op.result)
            return state
        if callee in bound:
            s_method = self.annotator.binding(callee)
            if isinstance(s_method, SomeMethod) and len(s_method.descs) == 1 and not used:
                (desc,) = s_method.descs
                assert isinstance(desc, MethodDesc)
                return self.function(desc.function, state)
            return State(state.assigned, state.read_early, True)
        if used or any(arg in bound for arg in op.args):
            return State(state.assigned, state.read_early, True)
        return state


def _attribute(op: SpaceOperation) -> str:
    name = op.args[1]
    assert isinstance(name, Constant)
    attribute: str = name.value
    return attribute

