"""The whole-program fixpoint: blocks are flowed until no annotation grows any more.

Optimistic, conditional, sparse: everything starts at bottom, a block is flowed only when
it is reached, a branch on a value known constant goes one way only, and a block is
flowed again only when something it read has grown.  That is conditional constant
propagation (Wegman and Zadeck) over the lattice of ``annotator.lattice.model``, with calls.

    flow graphs  ->  the same graphs, ``annotation`` on every variable that is reached
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from types import FunctionType
from typing import Any

from rpython.annotator.bookkeeper import Bookkeeper
from rpython.annotator.callers import Callers
from rpython.annotator.context import OpContext, Premature
from rpython.annotator.late import LateErrors
from rpython.annotator.lattice.cells import Cell, DictDef, ListDef, Node, Origin, Position
from rpython.annotator.lattice.model import SomeInstance, SomeObject, s_Bottom, s_Top, short
from rpython.annotator.lattice.parts import holds_unknown, representable
from rpython.annotator.lattice.union import Pairs, union
from rpython.annotator.notes import Notes
from rpython.annotator.operands import tell_operands
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.constants import Constants
from rpython.annotator.program.desc import DescTable, FunctionDesc
from rpython.annotator.program.exctexts import explain_shown
from rpython.annotator.program.finalizers import Finalizers
from rpython.annotator.program.lazy_messages import Texts
from rpython.annotator.program.promises import promise_errors
from rpython.annotator.program.scope_keep_alive import Watching, join_held
from rpython.annotator.program.signature import annotation_of_type
from rpython.annotator.program.variants import alike
from rpython.annotator.provenance import (
    blame_program,
    cell_conflict_error,
    conflict_error,
    place_in_source,
    refuse_endless,
    remember,
)
from rpython.annotator.refining import Refinement, shared_before
from rpython.annotator.rules.dispatch import consider_operation
from rpython.annotator.rules.members import Members
from rpython.annotator.rules.narrow import Known, narrowings
from rpython.annotator.rules.state import class_state_errors
from rpython.annotator.unsettled import (
    AttributeReads,
    CallsApart,
    EmptyReads,
    PrematureErrors,
    WaitingOperations,
    follows_another,
)
from rpython.annotator.worklist import Agenda, Uses, Worklist
from rpython.translator.flow.scope_keep_alive import held_variables
from rpython.translator.ir.errors import AnnotatorError, Conflict, Errors, TranslationError
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
from rpython.translator.ir.traversal import predecessors

HelperResult = Callable[[FunctionType, tuple[SomeObject, ...]], SomeObject | None]


def _not_known(func: FunctionType, args_s: tuple[SomeObject, ...]) -> SomeObject | None:
    return None


class RPythonAnnotator:
    """Annotates everything reachable from the functions given to ``build_types``.

    ``order``: shuffles the worklist, which must not change the result.  ``holds_locals``: local
    variables hold what nobody reads again (``annotator.program.scope_keep_alive``) even if the
    program cannot tell: debuggers can.  ``refinement``: what earlier annotators of the same
    program found out (``annotator.refining``).
    """

    def __init__(
        self, order: Random | None = None, holds_locals: bool = False,
        refinement: Refinement | None = None,
    ) -> None:  # fmt: skip
        self.refinement = refinement or Refinement()
        self.boxes = self.refinement.boxes
        """May values of several kinds be in one place, in boxes?"""
        self.big_ints = self.refinement.ints == "big"
        """May ints leave 64 bits?"""
        self.descs = DescTable()
        self.constants = Constants(self, holds_locals)
        self.bookkeeper = Bookkeeper(self)
        self.graphs: dict[FunctionGraph, FunctionDesc] = {}
        """Every graph flowed so far, in order of discovery."""
        self.annotated: dict[Block, FunctionGraph] = {}
        self.blocked: dict[Block, SpaceOperation] = {}
        """Blocks that stop at an operation which gives no value (so far)."""
        self.notes = Notes()
        self.late = LateErrors(self)
        self.premature = PrematureErrors(self)
        self.errors = Errors()
        """What is wrong with the program.  A value that an error is about is top: nothing is known
        of it, and nothing is wrong with what is done with it."""
        self.followed: set[Link] = set()
        self.origins: dict[Variable, dict[int, Origin]] = {}
        self.result_of: dict[Variable, tuple[SpaceOperation, Node | None]] = {}
        self.attribute_reads = AttributeReads(self)
        self.empty_reads = EmptyReads(self)
        self.members = Members()
        self.declared: dict[tuple[FunctionDesc, int], SomeObject] = {}
        """The declared types of parameters, by number, and (-1) of results."""
        self.finalizers = Finalizers(self)
        self.texts = Texts(self)
        self.held: set[Variable] = set()
        """The inputargs that are there only to be held (``translator.flow.scope_keep_alive``)."""
        self._watching = Watching()
        self.init_sets: dict[ClassDef, frozenset[str]] = {}
        """What ``annotator.program.definite_assignment`` found out, by class."""
        self._pending = Worklist(order)
        self._uses = Uses()
        self._entries: dict[FunctionGraph, dict[Block, list[Link]]] = {}
        self._flowed: dict[Block, int] = {}
        """How many operations of a block have given a value."""
        self.helper_result: HelperResult = _not_known
        """What a low-level helper returns, if somebody knows without flowing it here."""
        self.waiting = WaitingOperations(self)
        self.calls_apart = CallsApart(self)
        self.growth = 0
        """How often an annotation has grown."""
        self.shared_parameters: dict[Variable, FunctionType] = {}
        """The functions of parameters in which arguments met that are not alike."""
        self._called: FunctionType | None = None
        """The function whose parameters take arguments now."""
        self.callers = Callers(self.texts.is_called_by_no_operation)
        self._when_settled: tuple[Callable[[], bool], ...] = (
            self.calls_apart.flow, self.constants.prebuilt.absorb, self.attribute_reads.guess,
            self.finalizers.flow, self.waiting.flow, self.attribute_reads.flow, self.texts.flow,
        )  # fmt: skip
        """What to try when no block is pending, the first that has anything to flow."""

    # -- entry points ---------------------------------------------------------------

    def build_types(self, func: Callable[..., Any], types: Sequence[Any]) -> SomeObject:
        """Annotate ``func`` called with arguments of these types (or annotations), and
        everything it reaches.  The result is what it returns.  Raises TranslationError."""
        graph = self.flow_function(func, [annotation_of_type(self, hint) for hint in types])
        self.complete()
        return self.binding(graph.getreturnvar())

    def flow_function(
        self, func: Callable[..., Any], args_s: Sequence[SomeObject]
    ) -> FunctionGraph:
        """Like ``build_types``, but leaves the work pending; the result is the graph."""
        self.late.note_entry(func)
        self.constants.holds_locals |= self._watching.watches(func)
        desc = self.constants.function_desc(func)
        graph = desc.graph()
        self.texts.note_entry(graph)
        wanted = len(graph.getargs())
        if len(args_s) != wanted:
            raise TranslationError(
                f"{graph.name} has {wanted} arguments, the types of {len(args_s)} are given",
                graph.span,
            )
        self.register_graph(graph, desc)
        for variable, s_arg in zip(graph.getargs(), args_s):
            self.merge_variable(variable, s_arg, Origin(s_arg, "given by the caller", None, None))
        self.schedule(graph, graph.startblock)
        return graph

    def complete(self) -> None:
        """Flow pending blocks until nothing changes, then check the result, and forget what no
        call leads to any more: which graphs those are depends on the order of discovery.  Raises
        TranslationError: all that is wrong, or the first error that makes a refinement possible."""
        self._complete()
        for graph in self.callers.take_left():
            del self.graphs[graph]
            for block in graph.iterblocks():
                self.annotated.pop(block, None)
                self.blocked.pop(block, None)
                self.premature.forget(block)

    def _complete(self) -> None:
        try:
            self._flow_all()
            while self._give_up():
                self._flow_all()
            self.errors.check()
            self._check_result()
        finally:
            self.errors.check()  # whatever else fails: it may be a rule that they confuse
        for graph in self.graphs:
            graph.stage = "annotated"

    def _flow_all(self) -> None:
        while self._pending or any(flow() for flow in self._when_settled):
            while self._pending:
                self.flow_block(*self._pending.take())

    def _give_up(self) -> bool:
        """Take the errors that what was found later might have lifted for errors, unless they may
        be consequences of others, and what they are about for unknown: was there anything?"""
        if self.premature.ask_callers():
            return True
        for unsettled in (self.premature, self.attribute_reads):
            given_up = list(unsettled.give_up())
            if given_up:
                for error in filter(None, given_up):
                    self._add_error(error)
                if self.refinement.may_help():
                    self.errors.check()
                return True
        return bool(self.errors) and self.empty_reads.give_up()

    def _check_result(self) -> None:
        """Raise the errors that can be seen in the end only."""
        for errors in (self.texts.errors(), class_state_errors(self), promise_errors(self)):
            for error in errors:
                self.errors.add(error)
            self.errors.check()

    def note_error(self, error: TranslationError, graph: FunctionGraph) -> None:
        """An error in a graph: raise it now if it may be one of sharing, or in a low-level helper;
        otherwise look for more."""
        if graph.is_helper or self.refinement.may_help():
            raise error
        self._add_error(error)

    def _add_error(self, error: TranslationError) -> None:
        """Unless it follows from another."""
        if not self.empty_reads.explain(error):
            self.errors.add(error)

    def complete_new(self) -> None:
        """The same, but for forgetting, if there is a helper, a class or the like that was not
        there the last time."""
        if self._pending:
            self._complete()

    def check_fixpoint(self) -> None:
        """Flow every block once more; raises AssertionError when that changes anything."""
        for block, graph in list(self.annotated.items()):
            if block is graph.returnblock or block is graph.exceptblock:
                continue
            values = [*block.inputargs, *(op.result for op in block.operations)]
            before = [v.annotation for v in values]
            self.flow_block(graph, block)
            after = [v.annotation for v in values]
            where = f"{graph.name} at {block.operations[0].span if block.operations else block}"
            assert before == after, f"no fixpoint: {where}: {before} became {after}"
            assert not self._pending, f"no fixpoint: {where}: more blocks to flow"

    def binding(self, value: Value) -> SomeObject:
        """The annotation of a variable (bottom when never reached) or constant."""
        if isinstance(value, Constant):
            if value.annotation is None:
                value.annotation = self.constants.annotation_of(value.value)
            s_const: SomeObject = value.annotation
            return s_const
        s_value: SomeObject | None = value.annotation
        return s_Bottom if s_value is None else s_value

    def entries(self, graph: FunctionGraph) -> dict[Block, list[Link]]:
        """The links that enter each block of a graph."""
        if graph not in self._entries:
            self._entries[graph] = predecessors(graph)
        return self._entries[graph]

    # -- growing things ---------------------------------------------------------------

    def schedule(self, graph: FunctionGraph, block: Block) -> None:
        self._pending.add_block(graph, block)

    def reflow(self, positions: dict[Position, None]) -> None:
        self._pending.add(positions)

    def join(self, a: SomeObject, b: SomeObject) -> SomeObject:
        """The union; lists and dicts that meet become one."""
        pairs = Pairs(self.boxes)
        result = union(a, b, pairs)
        for x, y in pairs:
            self.unify(x, y)
        return result

    def representable(self, s: SomeObject) -> bool:
        """Is there a low-level form for such values, as far as this program takes boxes?"""
        return representable(s, self.boxes)

    def unify(self, a: ListDef | DictDef, b: ListDef | DictDef) -> None:
        """Make two definitions one; reflow the readers of both where something grew."""
        if isinstance(a, ListDef) and isinstance(b, ListDef):
            a, b = a.find(), b.find()
            if a is b:
                return
            b.link_to(a)
            a.absorb(b)
            self._absorb_cell(a.item, b.item)
        elif isinstance(a, DictDef) and isinstance(b, DictDef):
            a, b = a.find(), b.find()
            if a is b:
                return
            if a.ordered is not b.ordered:
                raise AnnotatorError(
                    "a dict and an OrderedDict meet here", hint="make a copy: dict(d)"
                )
            b.link_to(a)
            self._absorb_cell(a.key, b.key)
            self._absorb_cell(a.value, b.value)

    def _absorb_cell(self, into: Cell, other: Cell) -> None:
        old = other.s_value
        into.note_sharing(other, self._called)
        into.readers.update(other.readers)
        for origin in list(other.origins.values()):
            self.merge_cell(into, origin.s_value, origin)
        self.merge_cell(into, old, Origin(old, "", None, other))
        if into.s_value != old:
            self.reflow(other.readers)

    def merge_cell(self, cell: Cell, s_new: SomeObject, origin: Origin) -> None:
        """Join ``s_new`` into a cell; raises AnnotatorError on a conflict of kinds (once: nothing
        is known of the cell from then on)."""
        s_old = cell.s_value
        s_joined = self.join(s_old, s_new)
        while cell.s_value != s_old:  # what was joined holds this cell's own lists
            s_old = cell.s_value
            s_joined = self.join(s_old, s_new)
        if s_joined == s_old:
            return
        if not self.representable(s_joined) and not holds_unknown(s_new):
            sources = [cell] if origin.source is None else [cell, origin.source]
            self.refinement.suspect(shared_before(self, sources, of_kinds=True))
            conflict = cell_conflict_error(self, cell, origin)
            cell.s_value = s_Top
            self.reflow(cell.readers)
            raise conflict
        refuse_endless(s_old, s_joined, origin)
        cell.s_value = s_joined
        self.growth += 1
        remember(cell.origins, origin)
        self.reflow(cell.readers)

    def merge_variable(
        self, variable: Variable, s_new: SomeObject, origin: Origin, place: str = ""
    ) -> bool:
        """Join ``s_new`` into a block's inputarg; the result says whether it grew.  Raises
        AnnotatorError on a conflict of kinds (once: nothing is known of it from then on).

        ``place``: how error messages call it (default: by its name).
        """
        s_old = self.binding(variable)
        is_held = variable in self.held
        s_joined = join_held(s_old, s_new) if is_held else self.join(s_old, s_new)
        if s_joined == s_old and variable.annotation is not None:
            return False
        origins = self.origins.setdefault(variable, {})
        if not is_held and not self.representable(s_joined) and not holds_unknown(s_new):
            named = f"variable {variable.name!r}" if variable.name != "v" else "this value"
            place = place or named
            variable.annotation = s_Top
            raise conflict_error(self, place, origins, s_old, origin)
        refuse_endless(s_old, s_joined, origin)
        variable.annotation = s_joined
        self.growth += 1
        if not is_held:
            remember(origins, origin)
        return True

    def instantiate(self, classdef: ClassDef) -> None:
        """The program makes instances of the class."""
        if not classdef.instantiated:
            classdef.instantiated = True
            for above in classdef.mro():
                self.reflow(above.counted_at)

    # -- flowing ------------------------------------------------------------------------

    def register_graph(self, graph: FunctionGraph, desc: FunctionDesc) -> None:
        if graph not in self.graphs:
            self.graphs[graph] = desc
            self.callers.add_graph(graph)
            if desc.holds:
                self.held |= held_variables(graph)

    def call_graph(
        self,
        graph: FunctionGraph,
        desc: FunctionDesc,
        arguments: Sequence[tuple[SomeObject, Origin]],
        caller: Position,
        shows: bool = False,
    ) -> SomeObject:
        """Flow arguments into a graph; the result is what it returns so far (the caller is
        flowed again when that grows).  ``shows``: see ``Texts.note_call``."""
        self.register_graph(graph, desc)
        self.texts.note_call(caller[0], graph, shows)
        self.callers.add_call(graph, caller, self.constants.prebuilt.span)
        changed = graph.startblock not in self.annotated
        self._called = desc.func
        conflicts = []
        for variable, (s_arg, origin) in zip(graph.getargs(), arguments, strict=True):
            if not alike(self.binding(variable), s_arg):
                self.shared_parameters[variable] = desc.func
            place = f"argument {variable.name!r} of {desc.name}"
            try:
                changed |= self.merge_variable(variable, s_arg, origin, place)
            except TranslationError as conflict:
                conflicts.append(conflict)
        self._called = None
        if changed or conflicts:
            self.schedule(graph, graph.startblock)
        if conflicts:
            raise conflicts[0]
        return self.binding(graph.getreturnvar())

    def flow_block(
        self, graph: FunctionGraph, block: Block, indices: Iterable[int] | None = None
    ) -> None:
        """Annotate the operations of a block and follow its exits.

        ``indices``: where something was read that has grown since; the operations after it that
        use nothing of that are left alone.
        """
        if graph in self.texts.dropped or graph not in self.graphs:  # ``complete`` forgets graphs
            return
        self.annotated[block] = graph
        self.blocked.pop(block, None)
        self.premature.forget(block)
        agenda = Agenda(0, ())
        if indices is not None:
            agenda = Agenda(self._flowed.get(block, 0), indices)
        while (index := agenda.next(len(block.operations))) < len(block.operations):
            op = block.operations[index]
            s_result, source = self._flow_operation(graph, block, index)
            if s_result.kinds == 0:
                self._flowed[block] = index
                self.blocked[block] = op
                if block.canraise and op is block.operations[-1]:
                    self._follow_exceptions(graph, block)
                return
            variable = op.result
            s_old = variable.annotation
            variable.annotation = s_result if s_old is None else self.join(s_old, s_result)
            if index < agenda.known - 1 and variable.annotation != s_old:
                agenda.add(self._uses.of(block, variable))
            self.result_of[variable] = (op, source)
        self._flowed[block] = len(block.operations)
        self._follow_exits(graph, block)

    def _flow_operation(
        self, graph: FunctionGraph, block: Block, index: int
    ) -> tuple[SomeObject, Node | None]:
        """What an operation gives now, and where that was read."""
        op = block.operations[index]
        self.constants.prebuilt.span, self.constants.prebuilt.graph = op.span, graph
        context = OpContext(self, graph, block, op, index)
        called = self.callers.begin(context.position)
        try:
            s_result = consider_operation(context)
            return self.empty_reads.result(op, s_result), context.source
        except TranslationError as error:
            self.callers.failed(context.position, called)
            late = self.late.is_late(context.position, op, error)
            if not late and not self.empty_reads.explain(error):
                of_kinds = isinstance(error, Conflict)
                self.refinement.suspect(shared_before(self, op.args, of_kinds))
            self.locate(error, graph, op)
            settled = isinstance(error, Conflict) or not isinstance(error, AnnotatorError)
            if self.boxes and not graph.is_helper and not settled:
                late = True  # other kinds may arrive that have the operation
            if late or isinstance(error, Premature):
                return self.premature.add(block, op, error), None
            if not self.texts.drop(graph, error):
                if isinstance(error, Conflict) or not follows_another(self, op):
                    self.note_error(error, graph)
                return s_Top, None
            return s_Bottom, None

    def locate(self, error: TranslationError, graph: FunctionGraph, op: SpaceOperation) -> None:
        """Say where the operation is that has the error."""
        error.span = place_in_source(graph.func, error.span or op.span)
        blame_program(self.callers.of, graph, op.span, error)
        if isinstance(error, AnnotatorError):
            seen, part_of = self.expanded_into(graph, op)
            error.where = error.where or f"annotating {seen.name}: {part_of.opname}"
            tell_operands(self, op, error)
        if graph in self.texts.shown_by:
            explain_shown(error, self.texts.shown_by[graph])

    def expanded_into(
        self, graph: FunctionGraph, op: SpaceOperation
    ) -> tuple[FunctionGraph, SpaceOperation]:
        """The operation as the program writes it: for one of a function that is expanded where
        it is called, the (first) call."""
        while self.graphs[graph].expanded and self.callers.of[graph]:
            graph, block, index = next(iter(self.callers.of[graph]))
            op = block.operations[index]
        return graph, op

    def _note_at_exit(self, graph: FunctionGraph, error: TranslationError) -> None:
        """Note an error of an exit, and say which function has it; other exits are followed."""
        error.span = error.span or graph.span
        blame_program(self.callers.of, graph, graph.span, error)
        self.note_error(error, graph)

    def _follow_exits(self, graph: FunctionGraph, block: Block) -> None:
        switch = block.exitswitch
        if switch is LAST_EXCEPTION:
            self._follow(graph, block, block.exits[0])
            self._follow_exceptions(graph, block)
        elif isinstance(switch, Variable):
            s_switch = self.binding(switch)
            known = Known(self, {})
            for link in block.exits:
                if s_switch.is_constant() and bool(s_switch.value) is not link.exitcase:
                    continue
                self._follow(graph, block, link, known)
        else:
            for link in block.exits:
                self._follow(graph, block, link)

    def _follow_exceptions(self, graph: FunctionGraph, block: Block) -> None:
        position = (graph, block, len(block.operations))
        for link in block.exits[1:]:
            assert link.last_exc_value is not None
            s_caught: SomeObject = s_Bottom
            try:
                for classdef in self.constants.caught(link.exitcase, position):
                    s_caught = self.join(s_caught, SomeInstance(classdef))
            except TranslationError as error:
                self._note_at_exit(graph, error)
                continue
            link.last_exc_value.annotation = s_caught
            self._follow(graph, block, link)

    def _follow(
        self, graph: FunctionGraph, block: Block, link: Link, known: Known | None = None
    ) -> None:
        """Flow a link's args into its target, unless one of them is impossible; ``known``: what
        the test before it says of them."""
        try:
            self._flow_link(graph, block, link, known)
        except TranslationError as error:
            self._note_at_exit(graph, error)

    def _flow_link(
        self, graph: FunctionGraph, block: Block, link: Link, known: Known | None
    ) -> None:
        narrowed = {} if known is None else narrowings(known, block, link.exitcase)
        args_s = []
        for arg in link.args:
            try:
                s_arg = self.binding(arg)
            except TranslationError as error:
                error.span = error.span or (arg.span if isinstance(arg, Constant) else None)
                raise
            if isinstance(arg, Variable) and arg in narrowed:
                s_arg = narrowed[arg]
            if s_arg.kinds == 0:
                return
            args_s.append(s_arg)
        first_time = link not in self.followed
        self.followed.add(link)
        changed = first_time and link.target not in self.annotated
        span = block.operations[-1].span if block.operations else graph.span
        place = f"the result of {graph.name}" if link.target is graph.returnblock else ""
        conflicts = []
        for variable, arg, s_arg in zip(link.target.inputargs, link.args, args_s, strict=True):
            origin = self._link_origin(link, arg, s_arg, span)
            try:
                changed |= self.merge_variable(variable, s_arg, origin, place)
            except TranslationError as conflict:
                conflicts.append(conflict)
                changed = True
        if link.target is graph.returnblock:
            if changed:
                self.annotated[link.target] = graph
                self.reflow(dict.fromkeys(self.callers.of[graph]))
        elif changed:
            self.schedule(graph, link.target)
        if conflicts:
            raise conflicts[0]

    def _link_origin(
        self, link: Link, arg: Value, s_arg: SomeObject, span: Span | None
    ) -> Origin:
        if isinstance(arg, Constant):
            return Origin(s_arg, f"the constant {short(arg.value)}", arg.span or span, None)
        return Origin(s_arg, "raised here" if arg is link.last_exc_value else "", span, arg)
