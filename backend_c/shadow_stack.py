"""Which pointers a moving collector has to know of while an operation runs.

An operation that may collect moves objects: the pointers that are used after it are put on the
stack of roots before it, and taken back after it::

    rpy_frame[0] = a; rpy_gc_roots = rpy_frame + 1;
    v = f_make(n);
    a = rpy_frame[0];

Each variable has a slot of its frame, shared with variables that are never wanted at the same
time.  A pointer into an object is made again from the object after the operation; where it came
from elsewhere, from a caller or another block, the collector is told to look for its object::

    rpy_frame[1] = RPY_GC_INTERIOR; rpy_frame[2] = items;

What may collect, and which raw pointers may lead into objects, is found as what may raise is: by
a fixpoint over the call graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rpython.backend_c.collect import Contents
from rpython.lltypesystem.llop import callees, makes_object, row_of, stores
from rpython.lltypesystem.types import FuncType, LowLevelType, Ptr
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation, Value, Variable
from rpython.translator.ir.traversal import predecessors, reverse_postorder
from rpython.translator.opt.facts import MAY_COLLECT
from rpython.translator.opt.summaries import Summaries


def is_gc_pointer(T: LowLevelType) -> bool:
    """Is a value of this type a pointer to an object with a header?"""
    return isinstance(T, Ptr) and T.TO._gckind == "gc"


def is_raw_pointer(T: LowLevelType) -> bool:
    return isinstance(T, Ptr) and not isinstance(T.TO, FuncType) and T.TO._gckind != "gc"


class CollectAnalysis:
    """For every function of a program: may it collect, and which of its raw pointers may point
    into objects (``interior``: those that it does not make itself)?"""

    def __init__(self, contents: Contents, summaries: Summaries) -> None:
        self._summaries = summaries
        self.interior: set[Variable] = set()
        self._find_interior({each.source: each.graph for each in contents.functions})

    def _find_interior(self, lowered: dict[FunctionGraph, FunctionGraph]) -> None:
        passed: defaultdict[Variable, list[Variable]] = defaultdict(list)
        for graph in lowered.values():
            for link in graph.iterlinks():
                _note_passed(passed, link.args, link.target.inputargs)
            for _, op in graph.iterblockops():
                if row_of(op).derives and is_raw_pointer(op.result.concretetype):
                    _note_passed(passed, op.args[:1], [op.result])
                    if is_gc_pointer(op.args[0].concretetype):
                        self.interior.add(op.result)
                else:
                    for target in callees(op).graphs:
                        _note_passed(passed, op.args[1:], lowered[target].getargs())
        todo = list(self.interior)
        while todo:
            for v in passed[todo.pop()]:
                if v not in self.interior:
                    self.interior.add(v)
                    todo.append(v)

    def may_collect(self, op: SpaceOperation) -> bool:
        return self._summaries.of_op(MAY_COLLECT, op)


def _note_passed(
    passed: defaultdict[Variable, list[Variable]], args: Iterable[Value], params: Iterable[Variable]
) -> None:
    for arg, param in zip(args, params):
        if isinstance(arg, Variable) and is_raw_pointer(param.concretetype):
            passed[arg].append(param)


@dataclass(frozen=True, slots=True)
class RootSet:
    """``slots``: by number, the variable in it, None where nobody needs one.  ``derived``: the
    operations that make pointers into objects, to be executed again, in this order.
    ``interior``: the pointers into objects that cannot be made again."""

    slots: tuple[Variable | None, ...]
    derived: tuple[SpaceOperation, ...]
    interior: tuple[Variable, ...]


class Roots:
    """The roots of one graph: ``at(op)`` for the operations that need any."""

    def __init__(self, graph: FunctionGraph, collects: CollectAnalysis) -> None:
        self.graph = graph
        self._interior = collects.interior
        self._made_by = {
            op.result: op
            for _, op in graph.iterblockops()
            if row_of(op).derives and is_raw_pointer(op.result.concretetype)
        }
        self._bases: dict[Variable, Value | None] = {}
        collecting = {
            id(op): op for _, op in graph.iterblockops() if collects.may_collect(op)
        }
        self._new = _find_new(graph, collecting)
        self._sets: dict[int, RootSet] = {}
        if collecting:
            live = Liveness(graph, self._needed).across(collecting)
            for key, op in collecting.items():
                self._keep_owners(op, live[key])
            self._assign(live)
            if any(not makes_object(collecting[key]) for key in self._sets):
                for key, op in collecting.items():
                    if key not in self._sets and not makes_object(op):
                        # what an operation before it has put on the stack may be dead by now
                        self._sets[key] = RootSet((), (), ())

    def at(self, op: SpaceOperation) -> RootSet | None:
        return self._sets.get(id(op))

    def is_new(self, op: SpaceOperation, v: Value) -> bool:
        """Was the object made in the same block, with nothing since that may collect?  (Then it
        is young.)"""
        return (id(op), v) in self._new

    def gets_inside(self, op: SpaceOperation) -> bool:
        """Is one of the operands a pointer into an object, which may move?"""
        return any(arg in self._interior for arg in op.args)

    def __bool__(self) -> bool:
        return bool(self._sets)

    def base(self, v: Value) -> Value | None:
        """The object that a pointer points into, or to; None when that is raw memory."""
        if is_gc_pointer(v.concretetype):
            return v
        if not isinstance(v, Variable):
            return None
        if v not in self._bases:
            op = self._made_by.get(v)
            self._bases[v] = None if op is None else self.base(op.args[0])
        return self._bases[v]

    def _needed(self, v: Value) -> Iterable[Variable]:
        """The variables that have to be kept for one that is used."""
        if not isinstance(v, Variable):
            return ()
        if is_gc_pointer(v.concretetype):
            return (v,)
        if v not in self._interior:
            return ()
        base = self.base(v)
        return (v, base) if isinstance(base, Variable) else (v,)

    def _keep_owners(self, op: SpaceOperation, live: list[Variable]) -> None:
        """The objects that arguments of a call point into are not freed while it runs."""
        for arg in op.args:
            if is_raw_pointer(arg.concretetype):
                base = self.base(arg)
                if isinstance(base, Variable) and base not in live:
                    live.append(base)

    def _assign(self, live: dict[int, list[Variable]]) -> None:
        """Give variables that are wanted together different slots."""
        together: defaultdict[Variable, set[Variable]] = defaultdict(set)
        wanted = {
            key: [v for v in variables if is_gc_pointer(v.concretetype)]
            for key, variables in live.items()
        }
        for variables in wanted.values():
            for v in variables:
                together[v].update(variables)
        slot_of: dict[Variable, int] = {}
        for variables in wanted.values():
            for v in variables:
                if v in slot_of:
                    continue
                taken = {slot_of[other] for other in together[v] if other in slot_of}
                slot_of[v] = next(i for i in range(len(taken) + 1) if i not in taken)
        for key, variables in wanted.items():
            if not live[key]:
                continue
            slots: list[Variable | None] = [None] * max(
                (slot_of[v] + 1 for v in variables), default=0
            )
            for v in variables:
                slots[slot_of[v]] = v
            raw = [v for v in live[key] if not is_gc_pointer(v.concretetype)]
            derived = [self._made_by[v] for v in raw if self.base(v) is not None]
            interior = tuple(v for v in raw if self.base(v) is None)
            self._sets[key] = RootSet(tuple(slots), tuple(self._in_order(derived)), interior)

    def _in_order(self, derived: list[SpaceOperation]) -> list[SpaceOperation]:
        """The operations and those that they build on, these first."""
        result: dict[int, SpaceOperation] = {}

        def add(op: SpaceOperation) -> None:
            source = op.args[0]
            if isinstance(source, Variable) and source in self._made_by:
                add(self._made_by[source])
            result[id(op)] = op

        for op in derived:
            add(op)
        return list(result.values())


def _find_new(
    graph: FunctionGraph, collecting: dict[int, SpaceOperation]
) -> set[tuple[int, Value]]:
    """(operation that stores, object made before): only objects of fixed size, which are small
    enough to be made in the nursery."""
    result: set[tuple[int, Value]] = set()
    at_end: dict[Block, set[Variable]] = {}
    for block, before in only_predecessors(graph):
        new = set() if before is None else set(at_end[before])
        for op in block.operations:
            if stores(op):
                result.update((id(op), v) for v in new)
            if id(op) in collecting:
                new.clear()
            made = op.opname == "malloc" and is_gc_pointer(op.result.concretetype)
            if made or (op.opname == "cast_pointer" and op.args[0] in new):
                new.add(op.result)
        at_end[block] = new
    return result


def only_predecessors(graph: FunctionGraph) -> Iterator[tuple[Block, Block | None]]:
    """Each block, after those that dominate it, and the block from which alone one comes to it;
    None: there are several."""
    entering = predecessors(graph)
    for block in reverse_postorder(graph):
        links = entering[block]
        only = len(links) == 1 and block is not graph.startblock
        yield block, links[0].prevblock if only else None


class Liveness:
    """The variables used after an operation, of those that ``needed`` gives for each use.

    Sets are bits of an int, by the order in which the graph makes the variables.
    """

    def __init__(self, graph: FunctionGraph, needed: Callable[[Value], Iterable[Variable]]) -> None:
        self.needed = needed
        self.blocks = list(reverse_postorder(graph))
        self.variables: list[Variable] = []
        for block in self.blocks:
            self.variables += block.inputargs
            self.variables += [op.result for op in block.operations]
            self.variables += [
                link.last_exc_value for link in block.exits if link.last_exc_value is not None
            ]
        self._bit = {v: 1 << i for i, v in enumerate(self.variables)}
        self._at_start = dict.fromkeys(self.blocks, 0)
        self._at_start[graph.returnblock] = self._at_start[graph.exceptblock] = 0

    def across(self, collecting: dict[int, SpaceOperation]) -> dict[int, list[Variable]]:
        """For each operation (by its id) the variables that are used after it and not made by
        it, in the order in which they are made."""
        after = self.after(collecting)
        return {
            key: [v for v in after[key] if v is not op.result] for key, op in collecting.items()
        }

    def after(self, wanted: dict[int, SpaceOperation]) -> dict[int, list[Variable]]:
        """The same with the results of the operations, where they are used."""
        changed = True
        while changed:
            changed = False
            for block in reversed(self.blocks):
                live = self._through(block, {}, {})
                if live != self._at_start[block]:
                    self._at_start[block] = live
                    changed = True
        result: dict[int, int] = {}
        for block in self.blocks:
            self._through(block, wanted, result)
        return {key: self._members(bits) for key, bits in result.items()}

    def at_start(self, block: Block) -> list[Variable]:
        """The variables that are used in the block or after it, its own inputs among them; to
        be asked after ``after``."""
        return self._members(self._at_start[block])

    def _members(self, bits: int) -> list[Variable]:
        result = []
        while bits:
            low = bits & -bits
            result.append(self.variables[low.bit_length() - 1])
            bits ^= low
        return result

    def _used(self, values: Iterable[Value]) -> int:
        bits = 0
        for value in values:
            for v in self.needed(value):
                bits |= self._bit[v]
        return bits

    def _through(
        self, block: Block, wanted: dict[int, SpaceOperation], result: dict[int, int]
    ) -> int:
        """What is live at the start of the block; ``result``: after its wanted operations."""
        live = 0
        for link in block.exits:
            made_there = 0
            for v in link.target.inputargs:
                made_there |= self._bit.get(v, 0)
            needed = self._used(link.args) | self._at_start[link.target] & ~made_there
            if link.last_exc_value is not None:
                needed &= ~self._bit[link.last_exc_value]
            live |= needed
        for op in reversed(block.operations):
            if id(op) in wanted:
                result[id(op)] = live
            live &= ~self._bit[op.result]
            live |= self._used(op.args)
        return live
