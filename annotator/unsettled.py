"""What cannot be settled while annotations still grow: flowed again, or an error, when nothing else
is left to flow.

    xs = []                     a generator over the items of xs: of what kind?
    x.name                      nothing sets the attribute ``name`` ... so far
    for item in x:              the class of x has no __iter__, but a base found later may
    size(a); size(b)            one graph for both, if what they hold is alike in the end

Each class here keeps what one such question needs.  ``flow`` schedules what may have another answer
by now, and says whether there was anything; ``give_up`` makes what is still asked about unknown,
so that blocks are flowed to their ends, and gives the errors of those questions; None for one that
may be a consequence of another.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.cells import Position
from rpython.annotator.lattice.model import (
    K_NONE,
    SomeBuiltinMethod,
    SomeObject,
    SomePBC,
    s_Bottom,
    s_Top,
)
from rpython.annotator.lattice.parts import any_part, parts_of
from rpython.annotator.overlay.descriptors import HIDES
from rpython.annotator.program.classdef import Attribute, is_state_machine
from rpython.annotator.program.desc import MethodDesc
from rpython.annotator.provenance import unset_attribute_error
from rpython.annotator.refining import shared_before
from rpython.annotator.rules.exceptions import guess_arguments
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.hlops import HLOPS, Group
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


class WaitingOperations:
    """Operations that have nothing to look at yet, and give no result before all others have been
    flowed."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self._waiting: dict[SpaceOperation, Position] = {}
        self._waited: set[SpaceOperation] = set()

    def add(self, op: SpaceOperation, position: Position) -> bool:
        """Shall the operation wait?  (Once.)"""
        if op in self._waited:
            return False
        self._waiting[op] = position
        return True

    def flow(self) -> bool:
        waiting, self._waiting = self._waiting, {}
        self._waited.update(waiting)
        self._annotator.reflow(dict.fromkeys(waiting.values()))
        return bool(waiting)


class CallsApart:
    """Where functions are called whose calls are apart (``annotator.refining``): which graphs they
    get is decided again if anything grew since."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self._positions: dict[Position, None] = {}
        self._growth = 0

    def add(self, position: Position) -> None:
        self._positions[position] = None

    def flow(self) -> bool:
        if not self._positions or self._growth == self._annotator.growth:
            return False
        self._growth = self._annotator.growth
        self._annotator.reflow(self._positions)
        return True


class PrematureErrors:
    """The errors of blocks that stop at an operation which nothing supports so far.

    What is wrong with a graph that no call gets any more is no error: where values are in boxes, a
    call gets a graph of its own for them when the second kind arrives."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self._of: dict[Block, TranslationError] = {}
        self._raising: dict[Block, SpaceOperation] = {}
        """Those whose operations raise something when the program runs."""
        self._given_up: set[SpaceOperation] = set()
        self._growth = -1

    def add(self, block: Block, op: SpaceOperation, error: TranslationError) -> SomeObject:
        """The result is what the operation gives now."""
        if op in self._given_up:
            return s_Top
        self._of[block] = error
        return s_Bottom

    def forget(self, block: Block) -> None:
        """The block is flowed once more."""
        self._of.pop(block, None)
        if block in self._raising:
            self._annotator.members.raised.pop(self._raising.pop(block), None)

    def ask_callers(self) -> bool:
        """Flow the calls again that lead to such blocks: those that get another graph by now are
        no callers any more.  Were there any, and has anything grown since?"""
        annotator = self._annotator
        above: set[FunctionGraph] = set()
        for block, error in self._of.items():
            if self._raises(block, error):
                continue
            above |= annotator.callers.above(annotator.annotated[block])
        positions = [place for graph in above for place in annotator.callers.of.get(graph, ())]
        if not positions or self._growth == annotator.growth:
            return False
        self._growth = annotator.growth
        annotator.reflow(dict.fromkeys(positions))
        return True

    def _is_left(self, graph: FunctionGraph) -> bool:
        """Has the graph been called, but no call gets it any more?"""
        callers = self._annotator.callers
        return not any(map(callers.is_root, callers.above(graph)))

    def late(self) -> Iterator[tuple[Position, TranslationError]]:
        """Where operations raise something, and the errors that this is instead of."""
        for block, error in self._of.items():
            if block in self._annotator.annotated:
                index = block.operations.index(self._annotator.blocked[block])
                yield (self._annotator.annotated[block], block, index), error

    def give_up(self) -> Iterator[TranslationError | None]:
        annotator = self._annotator
        found = [
            (block, error, follows_another(annotator, annotator.blocked[block]))
            for block, error in self._of.items()
            if not self._is_left(annotator.annotated[block]) and not self._raises(block, error)
        ]
        for block, error, follows in found:
            graph = annotator.annotated[block]
            annotator.refinement.suspect(shared_before(annotator, annotator.blocked[block].args))
            if not annotator.texts.drop(graph, error):
                self._given_up.add(annotator.blocked[block])
                annotator.schedule(graph, block)
                yield None if follows else error

    def _raises(self, block: Block, error: TranslationError) -> bool:
        """Is there no error, because the operation raises what CPython raises for such operands?"""
        annotator, op = self._annotator, self._annotator.blocked[block]
        graph = annotator.annotated[block]
        position = graph, block, block.operations.index(op)
        late = annotator.late.is_late(position, op, error)
        if not late and not chosen_at_run_time(annotator, graph):
            return False
        raised = annotator.late.raised(op, error)
        if raised and op not in annotator.members.apart:
            annotator.members.raised[op] = raised[0]
            self._raising[block] = op
        return bool(raised)


def follows_another(annotator: RPythonAnnotator, op: SpaceOperation) -> bool:
    """May an error of the operation be a consequence of those there are: is an operand, or what it
    holds, unknown?  Or None alone, where something else may be missing?"""
    if not annotator.empty_reads.are_unknown():
        return False
    operands_s = [annotator.binding(arg) for arg in op.args if isinstance(arg, Variable)]
    return any(s.kinds == K_NONE or any_part(s, SomeObject.is_unknown) for s in operands_s)


def chosen_at_run_time(annotator: RPythonAnnotator, graph: FunctionGraph) -> bool:
    """Is the function only called where one of several is chosen when the program runs, out of a
    dict or by ``getattr``?  It may get arguments there that are always for another one."""
    seen = {graph}
    waiting = [graph]
    while waiting:
        called = waiting.pop()
        if annotator.callers.is_root(called):
            return False
        for above, block, index in annotator.callers.now(called):
            if above not in seen and not _chooses(annotator, above, block.operations[index]):
                seen.add(above)
                waiting.append(above)
    return True


def _chooses(annotator: RPythonAnnotator, graph: FunctionGraph, op: SpaceOperation) -> bool:
    """Does a call of the program's call one of several functions?"""
    if not graph.home.is_program or HLOPS[op.opname].group is not Group.CALL:
        return False
    s_callee = annotator.binding(op.args[0])
    callees = [
        desc for part in parts_of(s_callee) if isinstance(part, SomePBC) for desc in part.descs
    ]
    return len({desc.lookup.name if isinstance(desc, MethodDesc) else desc for desc in callees}) > 1


class EmptyReads:
    """Operations that find nothing to read, or only None, in a program with errors: what was to be
    put there may be what the errors are about, and what follows may have others."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self._given_up: set[SpaceOperation] = set()

    def result(self, op: SpaceOperation, s_result: SomeObject) -> SomeObject:
        """The result is what the operation gives now."""
        return s_Top if s_result.kinds == 0 and op in self._given_up else s_result

    def give_up(self) -> bool:
        """Was there anything?"""
        return self._give_up(lambda op: self._reads(op) or self._uses_none(op))

    def are_unknown(self) -> bool:
        """May values be unknown: is there an error, or was anything given up?"""
        return bool(self._annotator.errors) or bool(self._given_up)

    def explain(self, error: TranslationError) -> bool:
        """Is the error about an unknown value, because it follows from another then?"""
        return self.are_unknown() and s_Top.describe() in error.message

    def look_behind(self) -> bool:
        """Take the results of the program's operations for unknown that fail in a program without
        errors, because an operand is always None: was there anything?"""
        annotated = self._annotator.annotated
        homes = {op: annotated[block].home for block, op in self._annotator.blocked.items()}
        return self._give_up(lambda op: homes[op].is_program and self._uses_none(op))

    def _give_up(self, is_meant: Callable[[SpaceOperation], bool]) -> bool:
        annotator = self._annotator
        found = [
            (block, op) for block, op in annotator.blocked.items()
            if op not in self._given_up and is_meant(op)
        ]  # fmt: skip
        for block, op in found:
            self._given_up.add(op)
            annotator.schedule(annotator.annotated[block], block)
        return bool(found)

    def _reads(self, op: SpaceOperation) -> bool:
        if HLOPS[op.opname].group in _READING:
            return True
        return isinstance(self._annotator.binding(op.args[0]), SomeBuiltinMethod)

    def _uses_none(self, op: SpaceOperation) -> bool:
        """Does the operation fail because an operand is None?  (To be called a function may be
        given None.)"""
        args = op.args[:1] if HLOPS[op.opname].group is Group.CALL else op.args
        return any(self._annotator.binding(arg).kinds == K_NONE for arg in args)


_READING = (Group.ITEM, Group.ATTRIBUTE, Group.ITERATION, Group.UNPACKING)


class AttributeReads:
    """The attributes that the program reads, which something has to set."""

    def __init__(self, annotator: RPythonAnnotator) -> None:
        self._annotator = annotator
        self._read: dict[Attribute, None] = {}
        self._growth = -1

    def add(self, attribute: Attribute) -> None:
        self._read[attribute] = None

    def forget(self, attribute: Attribute) -> None:
        """It is no attribute any more: a method, or one of a class above."""
        self._read.pop(attribute, None)

    def guess(self) -> bool:
        """Say what ``e.args`` of exceptions is that the program does not make itself."""
        guessed = False
        for attribute in list(self._read):
            origin = guess_arguments(attribute) if attribute.s_value.kinds == 0 else None
            if origin is not None:
                self._annotator.merge_cell(attribute, origin.s_value, origin)
                guessed = True
        return guessed

    def flow(self) -> bool:
        """Read what nothing sets once more, if anything grew since: when it was read first, the
        object may have been known as one of a subclass that lacks the attribute or method.
        (What cdata have is known from the start.)"""
        unset = [
            attribute for attribute in self._unset()
            if not hasattr(attribute.homedef.cls, "_rpython_ctype_")
        ]  # fmt: skip
        if not unset or self._growth == self._annotator.growth:
            return False
        self._growth = self._annotator.growth
        for attribute in unset:
            attribute.homedef.attrs.pop(attribute.name, None)
            self.forget(attribute)
            self._annotator.reflow(attribute.readers)
        return True

    def give_up(self) -> Iterator[TranslationError | None]:
        """What sets an attribute may be in a function that another error keeps from being
        called."""
        texts = self._annotator.texts
        spaces = list(_program_spaces(self._annotator)) if self._annotator.errors else []
        for attribute in self._unset():
            name = attribute.name.removeprefix(HIDES)
            follows = any(_may_assign(space, name) for space in spaces)
            unset = unset_attribute_error(attribute)
            if self._annotator.late.offers(attribute):
                unset.raises = attribute.unset[0].__name__
            if not all(texts.drop(position[0], unset) for position in attribute.readers):
                attribute.s_value = s_Top
                self._annotator.reflow(attribute.readers)
                yield None if follows else unset

    def _unset(self) -> list[Attribute]:
        """What is read though nothing sets it."""
        return [
            attribute for attribute in self._read
            if attribute.s_value.kinds == 0 and attribute.read_at is not None
            and not is_state_machine(attribute.homedef)
            and not all(self._is_raised(attribute, position) for position in attribute.readers)
        ]  # fmt: skip

    def late(self) -> Iterator[tuple[Position, Attribute]]:
        """Where attributes are read that nothing sets."""
        graphs, late = self._annotator.graphs, self._annotator.late
        for attribute in self._read:
            if attribute.s_value.kinds == 0 and attribute.read_at is not None:
                for position in attribute.readers:
                    if position in attribute.looked_at or position[0] not in graphs:
                        continue  # that needs no value, or is forgotten
                    if late.is_unset(attribute, position):
                        yield position, attribute

    def _is_raised(self, attribute: Attribute, position: Position) -> bool:
        """Does the operation raise what Python raises: is it in a ``try`` with a handler for that
        or in a ``__getattr__``, which looks for any name, or have other kinds of values that it is
        about the attribute, or is it so elsewhere?  Some need no value."""
        graph, block, index = position
        if position in attribute.looked_at or getattr(graph.func, "__name__", "") == "__getattr__":
            return True
        op = block.operations[index]
        if op in self._annotator.members.apart and self._annotator.binding(op.result).kinds:
            return True
        if OpContext(self._annotator, graph, block, op, index).catches(attribute.unset[0]):
            return True
        return self._annotator.late.is_unset(attribute, position)


def _program_spaces(annotator: RPythonAnnotator) -> Iterator[dict[str, object]]:
    """The global variables of the modules of the program."""
    seen = set()
    for graph in annotator.graphs:
        if graph.home.is_program and isinstance(graph.func, FunctionType):
            space = graph.func.__globals__
            if id(space) not in seen:
                seen.add(id(space))
                yield space


def _may_assign(space: dict[str, object], name: str) -> bool:
    """Does a function or method of a module assign an attribute of this name, or use ``setattr``?
    (Whether anything calls it does not matter.)"""
    values = list(space.values())
    values += [held for value in values if isinstance(value, type) for held in vars(value).values()]
    waiting = [
        function.__code__ for value in values
        for function in (getattr(value, "__func__", value), getattr(value, "fget", None))
        if isinstance(function, FunctionType)
    ]  # fmt: skip
    while waiting:
        code = waiting.pop()
        if "setattr" in code.co_names:
            return True
        if name in code.co_names and any(
            step.opname == "STORE_ATTR" and step.argval == name
            for step in dis.get_instructions(code)
        ):
            return True
        waiting += [const for const in code.co_consts if isinstance(const, CodeType)]
    return False
