"""Decide which variables own a reference to their object, and where it is acquired, moved and
released.

Every pointer to an object that is made by an allocation or a call, and every parameter of a
block, *owns* a reference: at its last use it is passed on or given back.

    p = malloc(node)                        p owns
    q = getfield(p, 'next')                 acquire: q owns one more reference of the next node
    setfield(p, 'next', r)                  acquire r, unless this is its last use: then it moves
                                            into p; what was there before is released
    x = direct_call(f, p)                   f borrows p; x owns
    goto b1(q)                              what b1 takes moves, or is acquired;
                                            p is released if b1 does not use it
    return x                                x moves to the caller

Nobody owns what is kept by something else for as long as it is used, and nothing is counted then:
arguments belong to the caller, prebuilt objects live for ever, a cast is the same object under
another name.  A pointer that was read from an object is *borrowed* from it where nothing that runs
as long as the pointer is used can store another one in its place (``HeapWrites``); the object is
kept at least as long.  So a function that only reads counts nothing.

A pointer into an object keeps the object.  After the counting of Swift and Koka (Reinking, Xie, de
Moura and Leijen, "Perceus: Garbage Free Reference Counting with Reuse", 2021), with arguments
borrowed as in Lean (Ullrich and de Moura, "Counting Immutable Beans", 2019).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rpython.lltypesystem.operations.llop import Derives, makes_object, row_of, stores
from rpython.lltypesystem.primitives import Address, LowLevelType
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.lower.edges import only_predecessors
from rpython.translator.lower.heap_writes import HeapWrites
from rpython.translator.lower.liveness import Liveness
from rpython.translator.lower.pointers import (
    is_gc_pointer,
    is_weak,
    reads_pointer,
    writes_pointers,
)
from rpython.translator.opt.facts import GIVES_INSIDE
from rpython.translator.opt.summaries import Summaries


@dataclass(frozen=True, slots=True)
class OpCounts:
    """What to count at one operation.

    ``acquire``: the pointer it reads gets a reference.  ``moves``: the pointer it stores brings
    its reference along.  ``fresh``: there is nothing yet where it stores.  ``release``: what is
    given back after it.
    """

    acquire: bool
    moves: bool
    fresh: bool
    release: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """What to count along one link: acquired first, then released, then assigned."""

    acquire: tuple[Value, ...]
    release: tuple[Variable, ...]


class Ownership:
    """Who owns what in one graph, in which operations that may fail end their blocks: ``at(op)``
    and ``along(link)``."""

    def __init__(self, graph: FunctionGraph, writes: HeapWrites, summaries: Summaries) -> None:
        self.graph = graph
        self._summaries = summaries
        self._ops = {op: None for _, op in graph.iterblockops()}
        self._made_by = {op.result: op for op in self._ops}
        self._incoming = _incoming(graph)
        assert not any(v in self._incoming for v in graph.getargs()), "a loop to the start"
        self._borrowed = self._find_unowned_inputs()
        self._keepers: dict[Variable, tuple[Variable, ...]] = {}
        self._find_borrowed(writes)
        self._keepers.clear()
        self._live = Liveness(graph, self.keepers)
        members = self._live.members
        self._after = {op: list(members(b)) for op, b in self._live.after(self._ops).items()}
        self._fresh = _find_fresh(graph)
        lost = list(members(self._live.at_start[graph.startblock]))
        if lost:
            raise BuildError(
                f"--gc=refcount: {graph.name} keeps a pointer into an object, {lost[0].name}, that"
                " it does not keep itself",
                graph.span,
            )
        self._last = {block.raising_op for block in graph.iterblocks() if block.canraise}

    # -- whose reference is it? --

    def root(self, v: Value) -> Variable | None:
        """The variable that first held the object, before casts; None for prebuilt ones."""
        while isinstance(v, Variable):
            op = self._made_by.get(v)
            if op is None or row_of(op).derives is not Derives.SAME:
                return v
            if not is_gc_pointer(op.args[0].concretetype):
                return v
            v = op.args[0]
        return None

    def owns(self, v: Variable) -> bool:
        """Does the variable have a reference of its own?"""
        return is_gc_pointer(v.concretetype) and v not in self._borrowed and self.root(v) is v

    def base(self, v: Value) -> Value | None:
        """The object that a pointer points into, or to; None when that is not known, or raw
        memory."""
        while isinstance(v, Variable) and not is_gc_pointer(v.concretetype):
            op = self._made_by.get(v)
            if op is None or row_of(op).derives is None:
                return None
            v = op.args[0]
        return v

    def keepers(self, v: Value) -> tuple[Variable, ...]:
        """The variables whose references are needed while ``v`` is used."""
        if not isinstance(v, Variable):
            return ()
        if v not in self._keepers:
            self._keepers[v] = tuple(w for w in self._trace(v) if self.owns(w))
        return self._keepers[v]

    def _trace(self, v: Value) -> dict[Variable, None]:
        """The variables that keep the object which ``v`` points to or into, each kept by the
        next ones, up to those with a reference of their own."""
        seen: dict[Variable, None] = {}
        todo = [v]
        while todo:
            w = todo.pop()
            if isinstance(w, Variable) and w not in seen and _may_point(w.concretetype):
                seen[w] = None
                todo += self._kept_by(w)
        return seen

    def _kept_by(self, v: Variable) -> Iterable[Value]:
        op = self._made_by.get(v)
        if is_gc_pointer(v.concretetype):
            root = self.root(v)
            if root is not v:
                return () if root is None else (root,)
            return op.args[:1] if op is not None and v in self._borrowed else ()
        if op is None:
            return self._incoming.get(v, ())
        if row_of(op).is_call:
            return op.args if self._summaries.of_op(GIVES_INSIDE, op) else ()
        return op.args[:1] if row_of(op).derives else ()

    # -- what needs no reference --

    def _find_unowned_inputs(self) -> set[Variable]:
        """The arguments of the function, and inputs of blocks to which only such pointers and
        prebuilt objects come."""
        start = set(self.graph.getargs())
        inputs = {
            v for v in self._incoming if is_gc_pointer(v.concretetype) and v not in start
        } - {self.graph.getreturnvar(), *self.graph.exceptblock.inputargs}
        changed = True
        while changed:
            changed = False
            for v in list(inputs):
                roots = [self.root(arg) for arg in self._incoming[v]]
                if any(r is not None and r not in inputs and r not in start for r in roots):
                    inputs.remove(v)
                    changed = True
        return inputs | start

    def _find_borrowed(self, writes: HeapWrites) -> None:
        """Let what is read be borrowed, then find what may be overwritten while it is used."""
        reads = {
            op.result: writes.read_by(op)
            for op in self._ops
            if reads_pointer(op) and not is_weak(op) and self._is_kept(op.args[0])
        }
        if not reads:
            return
        self._borrowed |= set(reads)

        def needed(v: Value) -> list[Variable]:
            return [w for w in self._trace(v) if w in reads]

        live = Liveness(self.graph, needed)
        after = live.after(self._ops)
        for op in self._ops:
            written = writes.of(op)
            if not written:
                continue
            used = list(live.members(after[op]))
            if row_of(op).is_call:
                for arg in op.args:
                    used += needed(arg)
            for v in used:
                if v in reads and reads[v] & written:
                    self._borrowed.discard(v)

    def _is_kept(self, container: Value) -> bool:
        """Does something keep the object that is read, or points into it?"""
        return self.base(container) is not None or container in self.graph.getargs()

    # -- answers --

    def at(self, op: SpaceOperation) -> OpCounts:
        after = dict.fromkeys(self._after[op])
        before = self._before(op)
        result = op.result
        owns_result = self.owns(result)
        acquire = owns_result and not row_of(op).gives_reference and result in after
        moves = fresh = False
        release = [v for v in before if v not in after]
        if op in self._last:
            release = []  # the links do that
        elif owns_result and row_of(op).gives_reference and result not in after:
            release.append(result)
        if writes_pointers(op) and stores(op):
            fresh = op in self._fresh
            root = self.root(op.args[-1])
            moves = root in release and not is_weak(op)
            if moves:
                assert root is not None
                release.remove(root)
        return OpCounts(acquire, moves, fresh, tuple(release))

    def _before(self, op: SpaceOperation) -> dict[Variable, None]:
        """The variables that have a reference when the operation begins."""
        result = {v: None for v in self._after[op] if v is not op.result}
        for arg in op.args:
            result.update(dict.fromkeys(self.keepers(arg)))
        return result

    def _held(self, block: Block, link: Link) -> dict[Variable, None]:
        """The variables that have a reference at the beginning of the link."""
        if not block.canraise:
            if block.operations:
                return dict.fromkeys(self._after[block.operations[-1]])
            return dict.fromkeys(self._live.members(self._live.at_start[block]))
        op = block.raising_op
        held = self._before(op)
        if link is block.exits[0] and self.owns(op.result):
            if row_of(op).gives_reference or op.result in self._after[op]:
                held[op.result] = None
        return held

    def along(self, link: Link) -> LinkCounts:
        block = link.prevblock
        assert block is not None
        held = self._held(block, link)
        target = link.target
        wanted = set(self._live.members(self._live.at_start[target]))
        through = wanted - set(target.inputargs)
        ends = (self.graph.returnblock, self.graph.exceptblock)
        acquire: list[Value] = []
        for arg, v in zip(link.args, target.inputargs):
            if not self.owns(v) or not (v in wanted or target in ends):
                continue
            root = self.root(arg)
            if root is None:
                continue
            if root in held and root not in through:
                del held[root]
            else:
                acquire.append(arg)
        return LinkCounts(tuple(acquire), tuple(v for v in held if v not in through))


def _incoming(graph: FunctionGraph) -> dict[Variable, list[Value]]:
    """For each input of a block, what the links pass to it."""
    result: defaultdict[Variable, list[Value]] = defaultdict(list)
    for link in graph.iterlinks():
        for arg, v in zip(link.args, link.target.inputargs):
            result[v].append(arg)
    return result


def _may_point(T: LowLevelType) -> bool:
    return isinstance(T, Ptr) or T is Address


def _find_fresh(graph: FunctionGraph) -> set[SpaceOperation]:
    """The operations that are the first to store in a field of an object, made on the straight way
    there, that nobody else knows yet."""
    result: set[SpaceOperation] = set()
    at_end: dict[Block, tuple[dict[Value, Variable], set[tuple[object, ...]]]] = {}
    for block, before in only_predecessors(graph):
        new: dict[Value, Variable] = {}
        written: set[tuple[object, ...]] = set()
        if before is not None:
            new, written = dict(at_end[before][0]), set(at_end[before][1])
        for op in block.operations:
            if makes_object(op):
                new[op.result] = op.result
                continue
            target = new.get(op.args[0]) if op.args else None
            if target is not None and row_of(op).derives is Derives.SAME:
                new[op.result] = target
                continue
            for arg in op.args[1:] if op.opname == "setfield" else op.args:
                known = new.get(arg)
                if known is not None:
                    new = {v: made for v, made in new.items() if made is not known}
            if op.opname == "setfield" and new.get(op.args[0]) is target is not None:
                T, name = op.args[0].concretetype, op.args[1]
                assert isinstance(T, Ptr)
                assert isinstance(name, Constant)
                place = (target, T.TO, name.value)
                if place not in written:
                    written.add(place)
                    result.add(op)
        passed = {new.get(arg) for link in block.exits for arg in link.args}
        at_end[block] = {v: made for v, made in new.items() if made not in passed}, written
    return result
