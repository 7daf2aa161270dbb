"""Compute nothing a second time: global value numbering, with loads and tests.

::

    b0(p, n):                               b0(p, n):
        x = int_add_ovf(n, 1)                   x = int_add_ovf(n, 1)
        setfield(p, "f", x)           ->        setfield(p, "f", x)
        t0 = int_lt(n, 10)                      t0 = int_lt(n, 10)
        if t0 goto b1() else return 0           if t0 goto b1() else return 0
    b1():                                   b1():
        y = int_add_ovf(n, 1)
        z = getfield(p, "f")
        t1 = int_ge(n, 10)
        if t1 goto b2() else return z           return x

In a walk down the dominator tree, an operation that a dominating one has computed already is
replaced by that one's result; it does not overflow either.  So is a call of a function that only
computes and loads (``repeatable``).  A load gives what was stored there, or
loaded from there, if nothing between may write to the place (``memory_versions``); a store of what
is there already does nothing.  Where only one way of a branch leads, what the branch asked is
known.  After Alpern, Wegman and Zadeck, "Detecting
Equality of Variables in Programs" (1988), in the form of Briggs, Cooper and Simpson for dominators,
"Value Numbering" (1997).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.lltypesystem.primitives import Bool, Float, LowLevelType, SingleFloat
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.dominators import DominatorTree
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
    Variable,
    bits,
)
from rpython.translator.opt.memory_versions import MemoryVersions, bits_of
from rpython.translator.opt.relations import NEGATED, canonical
from rpython.translator.opt.repeatable import depends_on_operands_alone
from rpython.translator.opt.rewrite import Substitution, become_goto, may_rewrite
from rpython.translator.opt.summaries import Summaries

Key = tuple[Hashable, ...]

_DECIDED: dict[str, dict[str, tuple[bool | None, bool | None]]] = {
    "lt": {"lt": (True, False), "le": (True, False), "eq": (False,) * 2, "ne": (True,) * 2},
    "le": {"lt": (None, False), "le": (True, None)},
    "eq": {"lt": (False,) * 2, "le": (True,) * 2, "eq": (True,) * 2, "ne": (False,) * 2},
    "ne": {"eq": (False,) * 2, "ne": (True,) * 2},
}
"""What else is so where a comparison holds: of its operands, and of them exchanged."""


def number_values(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Replace what is known already, until no branch is decided by it."""
    changed = False
    while True:
        numbering = _Numbering(graph, summaries)
        numbering.run()
        changed |= numbering.changed
        if not numbering.decided:
            return changed


class _Numbering:
    """One walk.  ``changed``: was anything replaced?  ``decided``: was a way through the graph
    found to be never taken, so that more may be known?"""

    def __init__(self, graph: FunctionGraph, summaries: Summaries) -> None:
        self._graph = graph
        self._tree = DominatorTree(graph)
        self._memory = MemoryVersions(graph, self._tree, summaries)
        self._known = Substitution()
        self._table: dict[Key, Value] = {}
        self._before: list[tuple[Key, Value | None]] = []
        """What the entries of the table were that the blocks around the present one have made."""
        self._made: dict[Value, SpaceOperation] = {}
        self._same: dict[Value, Hashable] = {}
        """The key of the pointer that a pointer to the same object was cast from."""
        self._replaced: list[SpaceOperation] = []
        """Kept: keys have the identities of their operands."""
        self._count = 0
        self.changed = False
        self.decided = False

    def run(self) -> None:
        children = self._tree.children()
        versions: dict[Block, dict[int, int]] = {}
        todo: list[tuple[Block, int | None]] = [(self._graph.startblock, None)]
        while todo:
            block, mark = todo.pop()
            if mark is not None:
                self._forget(mark)
                continue
            todo.append((block, len(self._before)))
            idom = self._tree.idom[block]
            at = dict(versions[idom]) if idom is not None else {}
            self._renew(at, self._memory.merged.get(block, 0))
            versions[block] = at
            self._enter(block, versions)
            self._walk(block, at)
            todo += [(child, None) for child in reversed(children[block])]
        self._known.apply(self._graph)

    # -- what is known where -----------------------------------------------------------------------

    def _set(self, key: Key, value: Value) -> None:
        self._before.append((key, self._table.get(key)))
        self._table[key] = value

    def _forget(self, mark: int) -> None:
        while len(self._before) > mark:
            key, value = self._before.pop()
            if value is None:
                del self._table[key]
            else:
                self._table[key] = value

    def _renew(self, versions: dict[int, int], written: int) -> None:
        """Give the locations of ``written`` new versions."""
        for bit in bits_of(written):
            self._count += 1
            versions[bit] = self._count

    def _enter(self, block: Block, versions: dict[Block, dict[int, int]]) -> None:
        """Note what is known where the block begins, and not yet where its dominator ends."""
        idom = self._tree.idom[block]
        if idom is None:
            return
        if idom.canraise and self._tree.link_dominates(idom.exits[0], block):
            op = idom.raising_op
            key = self._key_of(op, versions[idom])
            if key is not None and key not in self._table:
                self._set(key, op.result)
        links = self._tree.predecessors[block]
        if len(links) == 1 and isinstance(idom.exitswitch, Variable):
            link = links[0]
            if link.exitcase is not None and link.prevblock is idom:
                self._learn(self._known[idom.exitswitch], link.exitcase)

    def _learn(self, switch: Value, case: object) -> None:
        """Note that ``switch`` is ``case``, and what follows from that."""
        self._set(("is", switch), Constant(case, switch.concretetype))
        op = self._made.get(switch)
        if op is None or not isinstance(case, bool):
            return
        row = row_of(op)
        if not row.relation and row.if_zero is None:
            return
        T = op.args[0].concretetype
        zero = (T, 0)
        if row.relation:
            relation, holds = row.relation, case
            a, b = self._keys(op.args)
        else:
            relation, holds = "eq", row.if_zero is case
            a, b = value_key(op.args[0]), zero
            self._set(("zero", self._root(op.args[0])), Constant(holds, Bool))
        for key, answer in _implied(relation, T, a, b, holds):
            self._set(key, Constant(answer, Bool))
            if key[0] == "eq" and key[2] == zero:
                self._set(("zero", key[1]), Constant(answer, Bool))

    # -- operations --------------------------------------------------------------------------------

    def _walk(self, block: Block, versions: dict[int, int]) -> None:
        raising = block.raising_op if block.canraise else None
        kept = []
        for op in block.operations:
            op.args = self._known.values(op.args)
            if self._replace(op, op is not raising, versions):
                self._replaced.append(op)
                if op is raising:
                    become_goto(block, block.exits[0])
                    self.decided = True
                continue
            kept.append(op)
            self._made[op.result] = op
            if row_of(op).derives is Derives.SAME:
                self._same[op.result] = self._root(op.args[0])
        self.changed |= len(kept) < len(block.operations)
        block.operations = kept
        if isinstance(block.exitswitch, Variable):
            switch = self._known[block.exitswitch]
            value = self._table.get(("is", switch), switch)
            if isinstance(value, Constant) and may_rewrite(self._graph):
                become_goto(block, block.exit_for(value.value))
                self.changed = self.decided = True

    def _replace(self, op: SpaceOperation, usable: bool, versions: dict[int, int]) -> bool:
        """Replace the operation by what is known; else note what is known behind it.  ``usable``:
        is its result where the block ends, on every way?"""
        row = row_of(op)
        stores = row.form == "write_place"
        if stores and self._is_there(op, versions) and may_rewrite(self._graph, op):
            return True
        if self._memory and (written := self._memory.written(op)):
            self._renew(versions, written)
        if stores:
            key = self._place(op, op.args[:-1], versions)
            if key is not None:
                self._set(key, op.args[-1])
            return False
        if row.makes_object:
            self._set(("zero", op.result), Constant(False, Bool))
            return False
        is_zero = None if row.if_zero is None else self._table.get(("zero", self._root(op.args[0])))
        if isinstance(is_zero, Constant) and may_rewrite(self._graph, op):
            self._known.add(op.result, Constant(is_zero.value is row.if_zero, Bool))
            return True
        key = self._place(op, op.args, versions) if row.form == "read_place" else None
        if key is None:
            key = self._key_of(op, versions)
        if key is None:
            return False
        value = self._table.get(key)
        if value is None or value.concretetype != op.result.concretetype:
            if usable:
                self._set(key, op.result)
            return False
        if not may_rewrite(self._graph, op):
            return False
        self._known.add(op.result, value)
        return True

    def _is_there(self, op: SpaceOperation, versions: dict[int, int]) -> bool:
        """Is what is stored in the place already?"""
        key = self._place(op, op.args[:-1], versions)
        there = None if key is None else self._table.get(key)
        if there is None or there.concretetype != op.args[-1].concretetype:
            return False
        known = self._table.get(("is", there), there)
        return value_key(op.args[-1]) in (value_key(there), value_key(known))

    def _key_of(self, op: SpaceOperation, versions: dict[int, int]) -> Key | None:
        """What is equal for operations that compute the same; None: no other does."""
        row = row_of(op)
        operands = self._keys(op.args)
        read = self._memory.read_by_call(op)
        if read is not None:
            return ("call", *operands, *(versions.get(bit, 0) for bit in bits_of(read)))
        if not depends_on_operands_alone(op):
            return None
        if row.relation:
            relation, a, b = canonical(row.relation, *operands)
            return (relation, a, b, op.args[0].concretetype)
        return (row.total or row.name, op.result.concretetype, *operands)

    def _place(
        self, op: SpaceOperation, place: list[Value], versions: dict[int, int]
    ) -> Key | None:
        """What is equal for places in memory that are the same and have not changed between; None:
        nothing is known of them."""
        location = self._memory.accessed(op)
        if location is None:
            return None
        T = place[0].concretetype.TO
        version = versions.get(location, 0)
        return ("at", T, self._root(place[0]), *self._keys(place[1:]), version)

    def _root(self, value: Value) -> Hashable:
        """The key of a pointer, the same for all that point to the same object."""
        return self._same[value] if value in self._same else value_key(value)

    def _keys(self, values: list[Value]) -> list[Hashable]:
        return [value_key(value) for value in values]


def _implied(
    relation: str, T: LowLevelType, a: Hashable, b: Hashable, holds: bool
) -> Iterator[tuple[Key, bool]]:
    """The comparisons that are decided where one holds or does not, and how."""
    relation, a, b = canonical(relation, a, b)
    yield (relation, a, b, T), holds
    if not holds:
        if T in (Float, SingleFloat) and relation in ("lt", "le"):
            return  # one may be no number
        relation, a, b = canonical(NEGATED[relation], a, b)
    for other, answers in _DECIDED[relation].items():
        for answer, pair in zip(answers, ((a, b), (b, a))):
            if answer is not None:
                yield (other, *pair, T), answer


def value_key(value: Value) -> Hashable:
    """Equal for values that are the same."""
    if isinstance(value, Variable):
        return value
    known = value.value
    if isinstance(known, float):
        known = bits(known)
    elif isinstance(known, _ptr):
        known = id(known._obj)
    elif not isinstance(known, (bool, int, str, bytes)):
        known = id(known)
    return (value.concretetype, known)
