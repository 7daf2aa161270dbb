"""How long is the shortest row?  Asked once in front of a nest of loops, in place of each row.

::

    b1(j: Signed):                              shortest = the least of all getarraysize(rows[k]),
        ...                                                0 <= k < n, or 0
        goto b3(0)                              b1(j: Signed):
    b3(k: Signed):                      ->          ...
        t0 = int_lt(k, n)                           t2 = int_ge(j, shortest)
        if t0 goto b4() else b1(j1)                 if t2 goto (the loop as it was) else b3(0)
    b4():                                       b3(k: Signed):
        row = getarrayitem(rows, k)                 t0 = int_lt(k, n)
        size = getarraysize(row)                    if t0 goto b4() else b1(j1)
        t1 = int_ge(j, size)                    b4():
        if t1 goto b9() else b5()                   row = getarrayitem(rows, k)
    b5():                                           x = getarrayitem(row, j)
        x = getarrayitem(row, j)

``version_loops`` asks for it where the inner loop goes from row to row and looks at the same item
of each.  The length of a row is seldom where the item is: to look at both takes twice as many lines
of the cache, which is more than the checks cost.

The outer loop must not change where the rows are, how long they are, nor from where to where the
inner one counts.  Where it has few turns, or there are fewer rows than the inner loop will ask for,
the least is taken to be 0: then the inner loop runs as it was.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Signed, Unsigned
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import (
    Block,
    Constant,
    Link,
    SpaceOperation,
    Value,
    Variable,
)
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.opt.loops import Count, Loop, Producers, count_of
from rpython.translator.opt.memory_versions import MemoryLocations
from rpython.translator.opt.strip_mine import LARGEST_STEP

_TURNS = 4
"""Turns of the outer loop from which on it is worth to look at all rows before."""


@dataclass(frozen=True, slots=True)
class RowLength:
    """The length that ``size`` loads of the row that ``load`` loads, by the counter of a loop that
    begins at ``first``."""

    load: SpaceOperation
    size: SpaceOperation
    first: Value


class RowLengths:
    """Of the rows that one loop, ``inner``, goes through, in another one around it."""

    def __init__(
        self, inner: Loop, count: Count, loops: list[Loop], made: Producers,
        memory: MemoryLocations,
    ) -> None:  # fmt: skip
        self._inner = inner
        self._count = count
        self._made = made
        self._memory = memory
        around = (loop for loop in loops if inner.header in loop.body and loop is not inner)
        self._around = next(around, None)
        """The innermost one of them."""
        self._known: dict[tuple[Value, str], Variable] = {}
        self._written = 0
        self._defined: set[Value] = set()
        self._outer: Count | None = None
        if self._around is not None:
            self._written = memory.written_by_loop(self._around.body)
            self._defined = self._around.defined()
            outer = count_of(self._around.header, self._around.body, made)
            if outer is not None and outer.is_plain and outer.is_invariant(self._defined):
                self._outer = outer

    def find(self, value: Value) -> RowLength | None:
        """Is the value the length of a row, which may be asked for in front of the outer loop?"""
        size = self._made.get(value)
        load = None if size is None or not size.args else self._made.get(size.args[0])
        if size is None or load is None or not _is_length(size) or load.opname != "getarrayitem":
            return None
        rows, index = load.args
        if self._around is None or index is not self._count.counter or not self._is_short_step():
            return None
        first = _first(self._inner, self._count)
        fixed = (rows, self._count.limit, first)
        if first is None or any(v is None or v in self._defined for v in fixed):
            return None
        if self._outer is None or self._outer_first() is None:
            return None
        for op in (load, size):
            place = self._memory.accessed(op)
            if place is None or place & self._written:
                return None
        return RowLength(load, size, first)

    def _is_short_step(self) -> bool:
        """May the step be added to a place in memory that there is?"""
        step = self._count.step
        return self._count.is_plain and isinstance(step, Constant) and step.value <= LARGEST_STEP

    def _outer_first(self) -> Value | None:
        assert self._around is not None and self._outer is not None
        return _first(self._around, self._outer)

    def shortest(self, length: RowLength) -> Variable:
        """The least of the lengths, computed in front of the outer loop."""
        key = (length.load.args[0], str(length.size.args[1:]))
        if key not in self._known:
            self._known[key] = self._compute(length)
        return self._known[key]

    def _compute(self, length: RowLength) -> Variable:
        assert self._around is not None
        rows, span = length.load.args[0], length.size.span
        limit, first = self._count.limit, length.first
        before = self._around.insert_before()
        done = Block([Variable("shortest", Signed)])
        done.closeblock(*before.exits)
        build = _Asking(before, done, span)
        self._ask_turns(build)
        build.go_on_if("ptr_nonzero", [rows], True)
        build.go_on_if("int_lt", [first, Constant(0, Signed)], False)
        room = build.emit("getarraysize", [rows])
        build.go_on_if("int_gt", [limit, room], False)
        index, least = Variable("k", Signed), Variable("least", Signed)
        again = Block([index, least])
        build.block.closeblock(Link([first, Constant(Signed.max, Signed)], again))
        inside = _Asking(again, done, span)
        more = inside.emit("int_lt", [index, limit])
        inside.branch(more, Link([least], done))
        row = length.load.result.copy()
        load = SpaceOperation(length.load.opdef, [rows, index], row, span)
        inside.block.operations.append(load)
        inside.go_on_if("ptr_nonzero", [row], True)
        size = length.size.result.copy()
        args = [row, *length.size.args[1:]]
        inside.block.operations.append(SpaceOperation(length.size.opdef, args, size, span))
        onward = inside.emit("int_add", [index, self._count.step])
        less = inside.emit("int_lt", [size, least])
        inside.block.exitswitch = less
        inside.block.closeblock(
            Link([onward, least], again, False), Link([onward, size], again, True)
        )
        return done.inputargs[0]

    def _ask_turns(self, build: _Asking) -> None:
        """Has the outer loop some turns?"""
        first = self._outer_first()
        assert self._outer is not None and first is not None
        ends = [self._outer.limit, first]
        build.go_on_if("int_gt", ends, True)
        numbers: list[Value] = [build.emit("cast_int_to_uint", [end]) for end in ends]
        left = build.emit("uint_sub", numbers)
        assert isinstance(self._outer.step, Constant)
        build.go_on_if("uint_gt", [left, Constant(_TURNS * self._outer.step.value, Unsigned)], True)


def _first(loop: Loop, count: Count) -> Value | None:
    """Where a loop begins to count, if that is always the same."""
    place = loop.header.inputargs.index(count.counter)
    given = [link.args[place] for link in loop.entering]
    return given[0] if len(given) == 1 else None


def _is_length(op: SpaceOperation) -> bool:
    """Does it load how long an array or a list is?"""
    if op.opname != "getfield":
        return row_of(op).form == "array_size" and len(op.args) == 1
    T, name = op.args[0].concretetype, op.args[1]
    counts = T.TO._hints.get("counts", "").split() if isinstance(T, Ptr) else ()
    return isinstance(name, Constant) and name.value in counts


class _Asking:
    """Builds blocks, in a row; what is not as it should be leads to ``done``, with 0."""

    def __init__(self, block: Block, done: Block, span: Span) -> None:
        self.block = block
        self._done = done
        self._span = span

    def emit(self, name: str, args: list[Value]) -> Variable:
        T = LLOPS[name].result
        assert T is not None
        result = Variable("v", T)
        self.block.operations.append(SpaceOperation(LLOPS[name], args, result, self._span))
        return result

    def go_on_if(self, name: str, args: list[Value], passes: bool) -> None:
        """Go on, in a new block, where the test gives ``passes``."""
        test = self.emit(name, args)
        self.branch(test, Link([Constant(0, Signed)], self._done), passes)

    def branch(self, test: Variable, otherwise: Link, passes: bool = True) -> None:
        following = Block([])
        going_on = Link([], following)
        going_on.exitcase, otherwise.exitcase = passes, not passes
        self.block.exitswitch = test
        exits = [otherwise, going_on] if passes else [going_on, otherwise]
        self.block.recloseblock(*exits)
        self.block = following
