"""Is a number at most another one, and how do we know?  Inequalities proved on demand.

::

    b1(j: Signed):                  i < n; j is i or what was j less one:  j <= i < n
        j1 = int_sub(j, 1)
        ...
        t0 = int_lt(j, n)           is true

``x <= y + c`` is proved by walking from ``x`` through what it is made of: where it was compared
with something, to that; from a sum with a constant to the other part; from an argument of a block
to all that it may be.  A loop adds nothing if going through it once does not ask for more than was
asked before.  After Bodik, Gupta and Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand"
(2000).
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import Derives, row_of
from rpython.lltypesystem.operations.ranges import unchanged
from rpython.translator.ir.model import Block, Constant, Value
from rpython.translator.opt.ranges.names import Name, sum_of
from rpython.translator.opt.ranges.propagate import Propagation, exact_range
from rpython.translator.opt.relations import canonical

_STEPS = 100
"""Steps after which a proof is given up."""


class Inequalities:
    """What can be proved of the names of a graph whose ranges are known."""

    def __init__(self, known: Propagation) -> None:
        self._known = known
        self._steps = 0

    def decides(self, relation: str, x: Name, y: Name) -> bool | None:
        """Does the comparison always hold (True), or never (False)?  None: that is not known."""
        relation, x, y = canonical(relation, x, y)
        if relation in ("lt", "le"):
            strict = relation == "lt"
            if self.at_most(x, y, -strict):
                return True
            return False if self.at_most(y, x, strict - 1) else None
        if self.at_most(x, y, -1) or self.at_most(y, x, -1):
            return relation == "ne"
        return None

    def at_most(self, x: Name, y: Name, c: int) -> bool:
        """Is ``x <= y + c`` wherever both are?"""
        self._steps = 0
        y = _base(y)
        if self._walk(x, y, c, {}):
            return True
        parts = parts_of(y)  # y is a sum: x may be at most one part of it
        return any(
            self._walk(x, _base(part), c + other.value.lo, {})
            for part, other in zip(parts, reversed(parts))
        )

    def _walk(self, x: Name, y: Name, c: int, active: dict[Name, int]) -> bool:
        self._steps += 1
        if self._steps > _STEPS:
            return False
        if x.value.hi <= y.value.lo + c:
            return True
        if _same(x.variable, y.variable):
            return c >= 0
        if x.of is not None:
            if x.other is not None and x.relation in _STRICT:
                limits = x.relation[0] != "u" or x.other.value.lo >= 0
                if limits and self._walk(x.other, y, c + _STRICT[x.relation], active):
                    return True
            return self._walk(x.of, y, c, active)
        if x.op is not None:
            return any(self._walk(a, y, c + less, active) for a, less in _greater(x))
        if x.inputs is None or x.block is None:
            return False
        if x in active:
            return c >= active[x]
        if not self._is_outside(y, x.block):
            return False
        active[x] = c
        try:
            return all(
                given is not None and self._walk(given, y, c, active)
                for link, given in x.inputs.items()
                if link in self._known.links
            )
        finally:
            del active[x]

    def _is_outside(self, y: Name, block: Block) -> bool:
        """Is ``y`` the same whenever control comes to the block?"""
        while y.of is not None:
            y = y.of
        return y.block is None or self._known.names.tree.strictly_dominates(y.block, block)


_STRICT = {"lt": 1, "le": 0, "eq": 0, "ult": 1, "ule": 0}
"""By how much a name is less than the other one, at least."""


def _same(v: Value, w: Value) -> bool:
    return v is w or (
        isinstance(v, Constant) and isinstance(w, Constant)
        and v.value == w.value and v.concretetype == w.concretetype
    )  # fmt: skip


def is_exact(x: Name) -> bool:
    """Is the result of the operation what it would be if numbers had no ends?"""
    if x.op is None or row_of(x.op).bounds is None:
        return False
    if row_of(x.op).unchecked or row_of(x.op).exact:
        return True  # or it raises, or is known to be
    exact = exact_range(x)
    return exact is not None and exact.isa(x.whole)


def _base(y: Name) -> Name:
    """The name that ``y`` is a conversion of, or another name of the same variable."""
    while True:
        if y.of is not None:
            y = y.of
        elif y.op is not None and _is_conversion(y) and y.operands[0] is not None:
            y = y.operands[0]
        else:
            return y


def _is_conversion(x: Name) -> bool:
    assert x.op is not None
    if len(x.op.args) != 1 or row_of(x.op).if_zero is not None or sum_of(x):
        return False
    row = row_of(x.op)
    return row.derives is Derives.SAME or (row.bounds is unchanged and is_exact(x))


def parts_of(y: Name) -> list[Name]:
    """The two numbers of which ``y`` is the sum, if it is one."""
    parts = sum_of(y)
    if len(parts) == 2 and all(part.value.lo >= 0 for part in parts):
        return parts
    if y.op is not None and row_of(y.op).slope == "sum" and is_exact(y):
        return [part for part in y.operands if part is not None]
    return []


def _greater(x: Name) -> list[tuple[Name, int]]:
    """Numbers that are at least ``x``, the result of an operation, plus something, and that."""
    assert x.op is not None
    if _is_conversion(x) and x.operands[0] is not None:
        return [(x.operands[0], 0)]
    parts = parts_of(x)
    if len(parts) == 2:
        a, b = parts
        return [(a, -b.value.hi), (b, -a.value.hi)]
    if not is_exact(x) or len(x.operands) != 2:
        return []
    first, second = x.operands
    if first is None or second is None:
        return []
    kind = x.op.opname.split("_")[1]
    if kind == "sub":
        return [(first, second.value.lo)]
    if kind == "and":
        return [(each, 0) for each in (first, second) if each.value.lo >= 0]
    if kind == "mod" and second.value.lo > 0:
        return [(second, 1), *([(first, 0)] if first.value.lo >= 0 else [])]
    if kind in ("rshift", "floordiv") and first.value.lo >= 0 and second.value.lo >= 0:
        return [(first, 0)]
    return []
