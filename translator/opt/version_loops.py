"""Two versions of a loop that counts: one without checks, for when none would fail.

::

    b0(xs, n):                              b0(xs, n):
        k = getarraysize(xs)                    k = getarraysize(xs)
        goto b1(0)                              t2 = int_ge(n, 8)
    b1(i: Signed):                              if t2 goto b4() else b5()
        t0 = int_lt(i, n)           ->      b4():
        if t0 goto b2() else return i           last = int_sub(n, 1)
    b2():                                       t3 = int_ge(0, k)
        t1 = int_ge(i, k)                       if t3 goto b5() else b6()
        if t1 goto b9() else b3()           b6():
    b3():                                       t4 = int_ge(last, k)
        x = getarrayitem(xs, i)                 if t4 goto b5() else b7(0)
        ...                                 b7(i: Signed): the loop without t1
        goto b1(i1)                         b5(): the loop as it was

A check stays out where it succeeds at the first turn and at the last one, and so at all between:
what it looks at is computed from the counter in a way that only rises, or that is linear.  That is
asked in front of the loop, once.  Where anything there is not as it should be, the loop as it was
raises what it always did, when it always did.

What the loop loads from a place that nobody writes, and what a check asks of that, comes in front
of it, too: the first turn would load it, if no check before it failed.  Whether an index counts
from the end is a check like others.  A loop in which others are, or that calls much, is left as it
is; so is one with few turns, when it runs.
"""

from __future__ import annotations

import enum

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Float, Signed, Unsigned, Void
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.copying import copy_blocks
from rpython.translator.ir.dominators import DominatorTree
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
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.ir.traversal import has_loop
from rpython.translator.opt.loops import (
    Count,
    Loop,
    Producers,
    adding,
    count_of,
    loops_of,
    merge_copies,
    producers,
)
from rpython.translator.opt.memory_versions import MemoryLocations
from rpython.translator.opt.raising import ALWAYS_RAISES, cold_blocks
from rpython.translator.opt.relations import NEGATED, SWAPPED
from rpython.translator.opt.rewrite import become_goto, may_rewrite
from rpython.translator.opt.row_lengths import RowLength, RowLengths
from rpython.translator.opt.strip_mine import LARGEST_STEP
from rpython.translator.opt.summaries import Summaries

_LARGEST = 100
"""Operations up to which a loop gets a second version."""
_CALL = 20
"""So many operations a call counts for, as the checks beside it cost little."""
_MOST = 16
"""Loops of a function that get one."""
_TURNS = 4
"""Turns from which on it is worth to ask whether checks may fail."""

_CHECKED = {
    name: row.name for row in LLOPS if row.unchecked for name in (row.unchecked, row.proven)
}
"""The operation that raises OverflowError where the one of this name wraps, or never comes."""


class Shape(enum.Flag):
    """How a value changes from one turn of a loop to the next: by always the same, or never down;
    FIXED: not at all."""

    NONE = 0
    LINEAR = enum.auto()
    RISING = enum.auto()
    CONSTANT = enum.auto()
    FIXED = LINEAR | RISING | CONSTANT


class End(enum.Enum):
    """A turn of the loop."""

    FIRST = "first"
    LAST = "last"


_ENDS = {"lt": [End.LAST], "le": [End.LAST], "gt": [End.FIRST], "ge": [End.FIRST]}
"""The turns that tell, by its relation to something fixed, of what never falls."""


def version_loops(graph: FunctionGraph, summaries: Summaries) -> bool:
    """Do that; was there any?"""
    if graph.is_helper or not has_loop(graph):
        return False
    loops = loops_of(graph, DominatorTree(graph))
    headers = {loop.header for loop in loops}
    inner = [loop for loop in loops if _is_small(loop) and len(headers & loop.body) == 1]
    if not inner:
        return False
    cold = cold_blocks(graph, lambda op: summaries.of_op(ALWAYS_RAISES, op))
    memory = MemoryLocations(graph, summaries)
    made = producers(graph)
    versioned = 0
    for loop in inner:
        count = count_of(loop.header, loop.body, made)
        if count is None or not count.is_invariant(loop.defined()) or versioned == _MOST:
            continue
        rows = RowLengths(loop, count, loops, made, memory)
        plan = _Plan(graph, loop, count, made, memory, cold, rows)
        if plan.is_worth_it and may_rewrite(graph, made[count.test]):
            _Version(graph, plan).make()
            versioned += 1
    return versioned > 0


def _is_small(loop: Loop) -> bool:
    operations = [op for block in loop.body for op in block.operations]
    if any(row_of(op).safepoint for op in operations):
        return False
    return sum(_CALL if row_of(op).is_call else 1 for op in operations) <= _LARGEST


@dataclass(frozen=True, slots=True)
class _Check:
    """A branch that leaves the loop towards an exception where ``test`` is not ``passes``, or asks
    there whether an index counts from the end."""

    block: Block
    test: Variable
    passes: bool


class _Plan:
    """What can be left out of a loop.  ``items``, in order: checks, operations that may overflow,
    and loads that come in front of it.  ``shapes``: of the values that it computes."""

    def __init__(
        self,
        graph: FunctionGraph,
        loop: Loop,
        count: Count,
        made: Producers,
        memory: MemoryLocations,
        cold: set[Block],
        rows: RowLengths,
    ) -> None:
        self.loop = loop
        self.count = count
        self.made = made
        self.place: dict[SpaceOperation, Block] = {}
        self.items: list[_Check | SpaceOperation] = []
        self.is_worth_it = False
        self.rows = rows
        self._graph = graph
        self._cold = cold
        self._shapes: dict[Value, Shape] = dict.fromkeys(loop.defined(), Shape.NONE)
        self._shapes[count.counter] = Shape.LINEAR if count.down else Shape.LINEAR | Shape.RISING
        self._memory = memory
        self._written = memory.written_by_loop(loop.body)
        always: Block | None = loop.header
        """The block to which the first turn comes, if no check fails."""
        reached = {loop.header}
        """The blocks to which control comes if no check fails."""
        for block in loop.in_order():
            if block not in reached:
                continue
            for op in block.operations:
                self._note(block, op, block is always)
            check = self._check(block)
            if check is not None:
                self.items.append(check)
                self.is_worth_it = True
            onward = block.exits if check is None else [block.exit_for(check.passes)]
            reached.update(link.target for link in onward)
            if block is always:
                always = self._next(block, check)

    def shape(self, value: Value) -> Shape:
        return self._shapes.get(value, Shape.FIXED)

    def _next(self, block: Block, check: _Check | None) -> Block | None:
        """Where the first turn comes after the block, if that is known."""
        if any(row_of(op).is_call for op in block.operations):
            return None  # it may not come back
        if check is not None:
            return block.exit_for(check.passes).target
        if block is self.loop.header or len(block.exits) == 1:
            inside = [link.target for link in block.exits if link.target in self.loop.body]
            return inside[0] if len(inside) == 1 else None
        return block.exits[0].target if block.canraise else None

    # -- operations --------------------------------------------------------------------------------

    def _note(self, block: Block, op: SpaceOperation, always: bool) -> None:
        self.place[op] = block
        row = row_of(op)
        if row.form in ("read_place", "array_size"):
            if always and self._is_fixed_load(op):
                self._shapes[op.result] = Shape.FIXED
                self.items.append(op)
            return
        shape = self._shapes[op.result] = self._shape_of(op)
        in_every_turn = block is not self.loop.header  # which is there once more, in the end
        if row.unchecked and shape and (in_every_turn or shape is Shape.FIXED):
            self.items.append(op)
            self.is_worth_it = True

    def _is_fixed_load(self, op: SpaceOperation) -> bool:
        if not all(self.shape(arg) is Shape.FIXED for arg in op.args):
            return False
        place = self._memory.accessed(op)
        return place is not None and not place & self._written

    def _shape_of(self, op: SpaceOperation) -> Shape:
        row = row_of(op)
        shapes = [self.shape(arg) for arg in op.args]
        if row.effects.raises - {OverflowError} or row.effects.writes or row.effects.reads:
            return Shape.NONE
        if op.result.concretetype is Void or row.effects.collects or row.varies:
            return Shape.NONE
        divides = LLOPS[row.total or row.name].domain is not None
        if divides and not (len(op.args) == 2 and _is_positive(op.args[1])):
            return Shape.NONE
        if all(shape is Shape.FIXED for shape in shapes):
            return Shape.NONE if isinstance(op.result.concretetype, Ptr) else Shape.FIXED
        if row.slope == "sum":
            return shapes[0] & shapes[1]
        if row.slope == "difference":
            falls = Shape.RISING if shapes[1] is Shape.FIXED else Shape.NONE
            return shapes[0] & (shapes[1] & Shape.LINEAR | falls)
        if row.slope == "product":
            return self._shape_of_product(*shapes)
        if row.slope == "part":
            return shapes[0] & Shape.RISING
        return shapes[0] & (Shape.LINEAR | Shape.RISING) if row.slope == "same" else Shape.NONE

    def _shape_of_product(self, a: Shape, b: Shape) -> Shape:
        """Of two that rise: it rises where both are not negative, as ``_Version`` makes sure."""
        if Shape.FIXED in (a, b):
            return a & b & Shape.LINEAR
        return a & b & Shape.RISING

    # -- checks ------------------------------------------------------------------------------------

    def _check(self, block: Block) -> _Check | None:
        """The check at the end of a block, if it may come in front of the loop."""
        test = block.exitswitch
        if not isinstance(test, Variable) or block.is_switch or block is self.loop.header:
            return None
        failing = [link for link in block.exits if self._fails(link)]
        made = self.made.get(test)
        if made is not None and made.opname == "index_outside":
            failing = [block.exit_for(True)]
        if len(failing) != 1:
            return None
        check = _Check(block, test, not failing[0].exitcase)
        return check if self._can_ask(check) else None

    def _fails(self, link: Link) -> bool:
        return link.target is self._graph.exceptblock or link.target in self._cold

    def _can_ask(self, check: _Check) -> bool:
        if self.shape(check.test) is Shape.FIXED:
            return True
        op = self.made.get(check.test)
        if op is None or not row_of(op).relation:
            return False
        if not any(self.shape(arg) is Shape.FIXED for arg in op.args):
            return False
        if self.row_length(check) is not None:
            return True
        (changing,) = self.changing(op)
        T = changing.concretetype
        holds = _holds(op, check.passes)
        if holds == "ne":
            return T in (Signed, Float) and Shape.RISING in self.shape(changing)
        if T is Unsigned:
            return all(isinstance(arg, Constant) or self._has_shape(arg) for arg in op.args)
        return T is Signed and bool(self.shape(changing)) and holds != "eq"

    def _has_shape(self, value: Value) -> bool:
        signed = self.signed(value)
        return signed is not None and bool(self.shape(signed))

    def row_length(self, check: _Check) -> RowLength | None:
        """The length of a row, of which the check asks no more than whether it is large enough."""
        op = self.made.get(check.test)
        if op is None or len(self.changing(op)) != 1:
            return None
        (changing,) = self.changing(op)
        relation = _holds(op, check.passes)
        if changing is op.args[0]:
            relation = SWAPPED[relation]
        return self.rows.find(self.signed(changing) or changing) if relation == "lt" else None

    def changing(self, op: SpaceOperation) -> list[Value]:
        """The operands that are not the same at each turn."""
        return [arg for arg in op.args if self.shape(arg) is not Shape.FIXED]

    def signed(self, value: Value) -> Value | None:
        """The number with a sign of which this is the one without."""
        op = self.made.get(value)
        return op.args[0] if op is not None and op.opname == "cast_int_to_uint" else None


def _holds(op: SpaceOperation, passes: bool) -> str:
    """The relation that holds where the comparison gives ``passes``."""
    relation = row_of(op).relation
    return relation if passes else NEGATED[relation]


def _is_number(value: Value, number: int) -> bool:
    return isinstance(value, Constant) and bool(value.value == number)


def _sum(a: Value, b: Value) -> Constant | None:
    """Of two numbers that are known, if it is one."""
    if not (isinstance(a, Constant) and isinstance(b, Constant)):
        return None
    total = a.value + b.value
    return Constant(total, Signed) if total <= Signed.max else None


def _is_positive(value: Value) -> bool:
    return isinstance(value, Constant) and isinstance(value.value, int) and value.value > 0


class _Version:
    """The work on one loop."""

    def __init__(self, graph: FunctionGraph, plan: _Plan) -> None:
        self._graph = graph
        self._plan = plan
        self._loop = plan.loop
        self._made: dict[tuple[Value, End], Value] = {}

    def make(self) -> None:
        """Copy the loop, ask in front of it, and leave out the checks of the first version."""
        plan, loop = self._plan, self._loop
        copies, variables = copy_blocks(loop.in_order())
        merge_copies(self._graph, loop, copies, variables)
        self._block = loop.insert_before()
        (first,) = self._block.exits
        self._otherwise = Block([])
        self._otherwise.closeblock(Link(list(first.args), copies[loop.header]))
        self._inside = loop.defined()
        counter = first.args[loop.header.inputargs.index(plan.count.counter)]
        self._count(counter)
        for item in plan.items:
            if isinstance(item, _Check):
                self._ask(item)
            elif plan.shape(item.result) is Shape.FIXED:
                self._move(item)
            else:
                for end in End:
                    self._at(item.result, end)
        for item in plan.items:
            self._leave_out(item)
        if plan.count.relation == "ne":
            test = plan.made[plan.count.test]
            less = "int_lt" if plan.count.operand == 1 else "int_gt"
            more = "int_gt" if plan.count.operand == 1 else "int_lt"
            test.opdef = LLOPS[more if plan.count.down else less]
        self._note_exact()

    def _note_exact(self) -> None:
        """The counter does not wrap: the program has asked what it is behind the last turn."""
        header, body, made = self._loop.header, self._loop.body, self._plan.made
        count = count_of(header, body, made)
        if count is not None and count.wraps:
            for op in dict.fromkeys(adding(header, body, made, count.counter)):
                assert op is not None
                if row_of(op).proven and not row_of(op).can_raise:
                    op.opdef = LLOPS[row_of(op).proven]

    # -- in front of the loop ----------------------------------------------------------------------

    def _emit(self, name: str, args: list[Value], span: Span) -> Variable:
        row = LLOPS[name]
        T = row.result
        assert T is not None
        result = Variable("v", T)
        self._block.operations.append(SpaceOperation(row, args, result, span))
        if row.can_raise:
            self._continue_unless_overflow()
        return result

    def _continue_unless_overflow(self) -> None:
        following = Block([])
        following.closeblock(*self._block.exits)
        self._block.exitswitch = LAST_EXCEPTION
        failing = Link([], self._otherwise, OverflowError)
        self._block.recloseblock(Link([], following), failing)
        self._block = following

    def _continue_if(self, test: Variable, passes: bool) -> None:
        """Go on, in a new block, where the test gives ``passes``; else to the loop as it was."""
        following = Block([])
        following.closeblock(*self._block.exits)
        self._block.exitswitch = test
        self._block.recloseblock(
            Link([], self._otherwise if passes else following, False),
            Link([], following if passes else self._otherwise, True),
        )
        self._block = following

    def _count(self, first: Value) -> None:
        """See how often the loop goes round, and, where it goes on until it counts to the limit
        itself, whether it comes there."""
        count, span = self._plan.count, self._span()
        more, less = (first, count.limit) if count.down else (count.limit, first)
        divides = count.relation == "ne" and not _is_number(count.step, 1)
        left, enough = more, self._few(span)
        if not _is_number(less, 0):
            known = None if divides else _sum(less, enough)
            if known is None:
                left = self._emit("int_sub_ovf", [more, less], span)
            else:
                enough = known
        self._continue_if(self._emit("int_ge", [left, enough], span), True)
        if divides:
            rest = self._emit("int_mod", [left, count.step], span)
            self._continue_if(self._emit("int_eq", [rest, Constant(0, Signed)], span), True)
        last = count.limit
        if count.relation not in ("le", "ge"):
            before = count.step if count.relation == "ne" else Constant(1, Signed)
            last = self._emit("int_add" if count.down else "int_sub", [last, before], span)
        if count.wraps and count.relation != "ne":
            self._emit("int_sub_ovf" if count.down else "int_add_ovf", [last, count.step], span)
        self._made[count.counter, End.FIRST] = first
        self._made[count.counter, End.LAST] = last

    def _few(self, span: Span) -> Value:
        """How far the loop has to count for it to be worth it.  A step of which nothing is known is
        looked at before."""
        step = self._plan.count.step
        if isinstance(step, Constant):
            return Constant(_TURNS * step.value, Signed)
        for relation, end in (("int_ge", 1), ("int_le", LARGEST_STEP)):
            self._continue_if(self._emit(relation, [step, Constant(end, Signed)], span), True)
        return self._emit("int_mul", [step, Constant(_TURNS, Signed)], span)

    def _span(self) -> Span:
        spans = (op.span for op in self._loop.header.operations if op.span.line)
        return next(spans, self._graph.span)

    def _at(self, value: Value, end: End) -> Value:
        """What a value is at the first turn or at the last one."""
        if value not in self._inside:
            return value
        if (value, end) in self._made:
            return self._made[value, end]
        op = self._plan.made[value]
        if self._plan.shape(value) is Shape.FIXED:
            self._move(op)
            return value
        args = [self._at(arg, end) for arg in op.args]
        row = row_of(op)
        if row.slope == "product" and len(self._plan.changing(op)) == 2 and end is End.FIRST:
            for arg in args:
                zero = Constant(0, Signed)
                self._continue_if(self._emit("int_ge", [arg, zero], op.span), True)
        result = self._emit(_CHECKED.get(row.name, row.name), args, op.span)
        self._made[value, end] = result
        return result

    def _move(self, op: SpaceOperation) -> None:
        """Let an operation that always gives the same come in front of the loop."""
        if op.result not in self._inside:
            return
        for arg in op.args:
            if arg in self._inside:
                self._move(self._plan.made[arg])
        block = self._plan.place[op]
        if block.canraise and op is block.raising_op:
            become_goto(block, block.exits[0])
        block.operations.remove(op)
        self._inside.discard(op.result)
        if row_of(op).exact:
            op.opdef = LLOPS[row_of(op).total]  # in the loop it is, where that comes to it
        self._block.operations.append(op)
        if row_of(op).unchecked:
            self._continue_unless_overflow()

    def _ask(self, check: _Check) -> None:
        if self._plan.shape(check.test) is Shape.FIXED:
            self._at(check.test, End.FIRST)
            self._continue_if(check.test, check.passes)
            return
        op = self._plan.made[check.test]
        (changing,) = self._plan.changing(op)
        length = self._plan.row_length(check)
        if length is not None:
            least: Value = self._plan.rows.shortest(length)
            if changing.concretetype is Unsigned:
                least = self._emit("cast_int_to_uint", [least], op.span)
            args = [least if arg is changing else self._at(arg, End.FIRST) for arg in op.args]
            self._continue_if(self._emit(op.opname, args, op.span), check.passes)
            return
        ends = {end: [self._at(arg, end) for arg in op.args] for end in End}
        if _holds(op, check.passes) == "ne":  # it is more from the first turn on
            greater = "float_gt" if changing.concretetype is Float else "int_gt"
            args = ends[End.FIRST]
            if changing is op.args[1]:
                args.reverse()
            self._continue_if(self._emit(greater, args, op.span), True)
            return
        if changing.concretetype is Unsigned:
            self._ask_sign(op, changing)
        for end in self._telling_ends(op, changing, check.passes):
            self._continue_if(self._emit(op.opname, ends[end], op.span), check.passes)

    def _telling_ends(self, op: SpaceOperation, changing: Value, passes: bool) -> list[End]:
        """The turns that tell of all others whether the check succeeds.  Of what never falls one
        does, if it has no sign or begins with none."""
        signed = self._plan.signed(changing) if changing.concretetype is Unsigned else changing
        if signed is None or Shape.RISING not in self._plan.shape(signed):
            return list(End)
        first = self._at(signed, End.FIRST)
        not_negative = isinstance(first, Constant) and first.value >= 0
        if signed is not changing and not not_negative:
            return list(End)
        relation = _holds(op, passes)
        if changing is op.args[1]:
            relation = SWAPPED[relation]
        return _ENDS.get(relation, list(End))

    def _ask_sign(self, op: SpaceOperation, changing: Value) -> None:
        """Of numbers below one without sign, those with a sign are all not negative if that is not:
        else there would be others between."""
        (fixed,) = (arg for arg in op.args if arg is not changing)
        signed = self._plan.signed(fixed)
        if signed is not None:
            number = self._at(signed, End.FIRST)
            test = self._emit("int_ge", [number, Constant(0, Signed)], op.span)
            self._continue_if(test, True)

    # -- in the loop -------------------------------------------------------------------------------

    def _leave_out(self, item: _Check | SpaceOperation) -> None:
        if isinstance(item, _Check):
            become_goto(item.block, item.block.exit_for(item.passes))
        elif item.result in self._inside:
            block = self._plan.place[item]
            if block.canraise and item is block.raising_op:
                become_goto(block, block.exits[0])
            item.opdef = LLOPS[row_of(item).proven]
