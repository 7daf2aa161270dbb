"""How far has a sum come?  No further than the counter beside it allows.

::

    b1(i: Signed, count: Signed):           i from 2 on, count from 0:  count <= i - 2
        t0 = int_lt(i, n)
        if t0 goto b2() else return count
    b2():                                   here i < n, so count is less than the largest number
        t1 = getarrayitem(flags, i)
        if t1 goto b3() else b4(count)
    b3():
        count1 = int_add_ovf(count, 1)      never overflows
        goto b4(count1)
    b4(count2: Signed):
        i1 = int_add(i, 1)
        goto b1(i1, count2)

``x`` and ``y`` are arguments of the block at which a loop begins.  To be shown is that, for some
``k >= 0`` and ``c``, ``x <= k * y + c`` whenever control comes there: by what each link gives.  A
link from elsewhere gives numbers of known ranges, of which ``c`` is made.  One from inside, whose
block the loop's first one dominates, gives ``y + step`` for the ``y`` of this turn, with ``step``
at least some ``b > 0`` and without wrapping, and for ``x`` no more than ``x + k * b`` of this turn,
which ``inequalities`` proves: so what holds of ``x`` and ``y`` holds of what it gives.

Where ``y`` is known to be less, as behind the test of the loop, so is ``x``: ``y`` is the one of
the same turn, as a variable has one value wherever the block that makes it dominates.
"""

from __future__ import annotations

from functools import cached_property

from rpython.lltypesystem.primitives import Signed
from rpython.translator.ir.model import Block, Link
from rpython.translator.opt.ranges.inequalities import Inequalities, parts_of
from rpython.translator.opt.ranges.names import Name
from rpython.translator.opt.ranges.propagate import Propagation, exact_range


class BesideCounters:
    """What is known of the sums of a graph."""

    def __init__(self, known: Propagation, proofs: Inequalities) -> None:
        self._known = known
        self._proofs = proofs
        self._tree = known.names.tree
        self._limits: dict[tuple[Name, Name, int], int | None] = {}

    def fits(self, total: Name) -> bool:
        """Is the sum a number of its type, since one of its parts is the
        argument of a loop that counts?"""
        exact = exact_range(total)
        if total.block is None or exact is None or exact.lo < total.whole.lo:
            return False
        for x, added in zip(total.operands, reversed(total.operands)):
            if x is None or added is None or added.value.hi <= 0:
                continue
            x = _origin(x)
            most = None if x.inputs is None else self._most(x, added.value.hi, total.block)
            if most is not None and most + added.value.hi <= total.whole.hi:
                return True
        return False

    def _most(self, x: Name, growth: int, place: Block) -> int | None:
        """The most that ``x``, the argument of a loop which adds so much to it, may be there."""
        found = []
        for y in self._known.names.of_block[x.block] if x.block is not None else ():
            if y is x or y.inputs is None or y.variable.concretetype is not Signed:
                continue
            step = self._step(y)
            if step is None:
                continue
            times = -(-growth // step)
            if (x, y, times) not in self._limits:
                self._limits[x, y, times] = self._ahead(x, y, times, step)
            ahead = self._limits[x, y, times]
            if ahead is not None:
                found.append(times * self._most_of(y, place) + ahead)
        return min(found, default=None)

    def _links(self, x: Name) -> tuple[list[Link], list[Link]]:
        """The links that give ``x`` from elsewhere, and those from inside the loop."""
        assert x.inputs is not None and x.block is not None
        taken = [link for link in x.inputs if link in self._known.links]
        back = [
            link for link in taken
            if link.prevblock is not None and self._tree.dominates(x.block, link.prevblock)
        ]  # fmt: skip
        return [link for link in taken if link not in back], back

    def _step(self, y: Name) -> int | None:
        """What is added to ``y`` in each turn, at least; None: that is not known, or nothing."""
        assert y.inputs is not None
        steps = []
        for link in self._links(y)[1]:
            given = y.inputs[link]
            parts = [] if given is None else parts_of(_origin(given))
            steps += [
                step.value.lo
                for part, step in zip(parts, reversed(parts))
                if _origin(part) is y
            ][:1] or [0]  # fmt: skip
        least = min(steps, default=0)
        return least if least > 0 else None

    def _ahead(self, x: Name, y: Name, times: int, step: int) -> int | None:
        """The least ``c`` known for which ``x <= times * y + c``; None: there is none."""
        assert x.inputs is not None and y.inputs is not None
        entering, back = self._links(x)
        for link in back:
            given = x.inputs[link]
            if given is None or not self._proofs.at_most(given, x, times * step):
                return None
        first = [(x.inputs[link], y.inputs[link]) for link in entering]
        if not first or any(a is None or b is None for a, b in first):
            return None
        return max(
            a.value.hi - times * b.value.lo
            for a, b in first
            if a is not None and b is not None
        )  # fmt: skip

    def _most_of(self, y: Name, place: Block) -> int:
        """The most that ``y`` may be in that block."""
        return min(
            (
                name.value.hi
                for target, name in self._restrictions.get(y, ())
                if self._tree.dominates(target, place)
            ),
            default=y.value.hi,
        )

    @cached_property
    def _restrictions(self) -> dict[Name, list[tuple[Block, Name]]]:
        """The names of a variable where more is known of it: from which block on."""
        result: dict[Name, list[tuple[Block, Name]]] = {}
        for link, names in self._known.names.restricted.items():
            if len(self._tree.predecessors[link.target]) == 1 and link in self._known.links:
                for name in names:
                    result.setdefault(_origin(name), []).append((link.target, name))
        return result


def _origin(name: Name) -> Name:
    """The name that is ``name`` where nothing more is known of it."""
    while name.of is not None:
        name = name.of
    return name
