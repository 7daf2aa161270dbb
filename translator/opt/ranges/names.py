"""A name for each variable wherever more is known of it: the graph in e-SSA form, beside it.

::

    b1(i: Signed):                          i        the argument of b1
        t0 = int_lt(i, n)
        if t0 goto b2() else b3()
    b2():                                   i'       i where it is less than n
        i1 = int_add_ovf(i, 1)              i1       i' + 1
        goto b1(i1)
    b3():                                   i''      i where it is not less than n

A Name has one value, and facts of it hold wherever it is used; the graph itself stays as it is.
After Bodik, Gupta and Sarkar, "ABCD: Eliminating Array Bounds Checks on Demand" (2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rpython.lltypesystem.operations.llop import row_of
from rpython.lltypesystem.operations.ranges import TOP, Range, range_of
from rpython.lltypesystem.primitives import Bool, Char, LowLevelType, Signed, UniChar
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.dominators import DominatorTree
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
from rpython.translator.opt.relations import NEGATED, SWAPPED, canonical


@dataclass(eq=False, slots=True)
class Name:
    """A variable, or a constant, in a part of the graph.

    ``whole``: all values of its type.  ``block``: where it gets its value.  One of these says how:
    ``op``, with the names of its ``operands``; ``inputs``, of an argument: the name that each link
    gives; ``of``, with ``relation`` and ``other``: another name, where the relation holds;
    ``stored``: what is in memory, by all that is stored there (``contents``).  Of a constant and
    an argument of the function there is none.  ``value``: what is known of it.
    """

    variable: Value
    whole: Range
    block: Block | None
    op: SpaceOperation | None = None
    operands: Sequence[Name | None] = ()
    inputs: dict[Link, Name | None] | None = None
    of: Name | None = None
    relation: str = ""
    other: Name | None = None
    stored: Sequence[Name] | None = None
    value: Range = TOP
    users: list[Name] | None = None
    decides: Sequence[Block] = ()
    """The blocks that end with a choice by it."""
    place: int = -1
    """In which order names are computed."""

    def used_by(self, name: Name) -> None:
        """The other one is computed from it: again when this one changes, as constants never do.
        (A program has many names at once, nearly half of them without such a list.)"""
        if self.block is not None:
            if self.users is None:
                self.users = []
            self.users.append(name)


Condition = tuple[Value, str, Value]
"""A value, a relation, another value."""


class Names:
    """The names of a graph.  ``order``: its blocks, dominators first.  ``of_block``: those of the
    arguments and operations of a block, in order.  ``restricted``: those that a link makes.
    ``calls``: what is given to functions; None: no number.  ``given``: the same by operations, and
    what is stored.  ``loads``: those of numbers."""

    def __init__(self, graph: FunctionGraph) -> None:
        self.tree = DominatorTree(graph)
        self.order = self.tree.order
        self.of_block: dict[Block, list[Name]] = {}
        self.restricted: dict[Link, list[Name]] = {}
        self.switches: dict[Block, Name | None] = {}
        self.calls: list[tuple[Block, SpaceOperation, list[Name | None]]] = []
        self.given: dict[SpaceOperation, list[Name | None]] = {}
        self.loads: dict[SpaceOperation, Name] = {}
        self._arguments: dict[Block, list[Name | None]] = {}
        self._current: dict[Value, Name] = {}
        self._constants: dict[tuple[LowLevelType, int], Name] = {}
        self._made: dict[Value, SpaceOperation] = {}
        for block in self.order:
            made = [self._argument(v, block) for v in block.inputargs]
            self._arguments[block] = made
            self.of_block[block] = [name for name in made if name is not None]
        for name in self.of_block[graph.startblock]:
            name.inputs = None
        self._walk(graph.startblock)
        # all functions of a program have their names at the same time
        self._arguments, self._current, self._made = {}, {}, {}

    def in_order(self) -> Iterator[Name]:
        """The names that blocks and links make, dominators first."""
        for block in self.order:
            yield from self.of_block[block]
            for link in block.exits:
                yield from self.restricted.get(link, ())

    def _argument(self, v: Variable, block: Block) -> Name | None:
        whole = range_of(v.concretetype)
        return None if whole is None else Name(v, whole, block, inputs={})

    def _walk(self, start: Block) -> None:
        children = self.tree.children()
        todo: list[tuple[Block, dict[Value, Name | None] | None]] = [(start, None)]
        while todo:
            block, before = todo.pop()
            if before is not None:
                self._restore(before)
                continue
            before = {}
            entering = self.tree.predecessors[block]
            if len(entering) == 1:
                for name in self.restricted.get(entering[0], ()):
                    self._name(name, before)
            for argument in self.of_block[block]:
                self._name(argument, before)
            todo.append((block, before))
            self._name_results(block, before)
            self._name_exits(block)
            todo += [(child, None) for child in reversed(children[block])]

    def _restore(self, before: dict[Value, Name | None]) -> None:
        for v, name in before.items():
            if name is None:
                del self._current[v]
            else:
                self._current[v] = name

    def _name(self, name: Name, before: dict[Value, Name | None]) -> None:
        v = name.variable
        before.setdefault(v, self._current.get(v))
        self._current[v] = name

    def _name_results(self, block: Block, before: dict[Value, Name | None]) -> None:
        for op in block.operations:
            whole = range_of(op.result.concretetype)
            row = row_of(op)
            is_call = row.callees is not None
            if whole is None and not is_call and not row.stores:
                continue
            operands = [self.now(arg) for arg in op.args]
            if is_call or row.stores:
                self.given[op] = operands
            if is_call:
                self.calls.append((block, op, operands))
                operands = []
            if whole is None:
                continue
            self._made[op.result] = op
            name = Name(op.result, whole, block, op, operands)
            for operand in name.operands:
                if operand is not None:
                    operand.used_by(name)
                    for part in sum_of(name):
                        part.used_by(name)
            if row.loads and not isinstance(op.result.concretetype, Ptr):
                self.loads[op] = name
            self.of_block[block].append(name)
            self._name(name, before)

    def now(self, value: Value) -> Name | None:
        """The name that a value has at the present place; None: it is no number."""
        if isinstance(value, Variable):
            return self._current.get(value)
        whole = range_of(value.concretetype)
        number = None if whole is None else number_of(value)
        if whole is None or number is None:
            return None
        key = (value.concretetype, number)
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = Name(value, whole, None, value=Range(number, number))
        return name

    # -- ways out of blocks ------------------------------------------------------------------------

    def _name_exits(self, block: Block) -> None:
        switch = block.exitswitch
        if isinstance(switch, Variable):
            name = self.switches[block] = self.now(switch)
            if name is not None:
                name.decides = (*name.decides, block)
        for link in block.exits:
            special: dict[Value, Name] = {}
            if isinstance(switch, Variable) and link.exitcase is not None:
                made = self.restricted[link] = []
                for a, relation, b in self._conditions(switch, link.exitcase):
                    name = self._restrict(a, relation, b, block, special)
                    if name is not None:
                        made.append(name)
            arguments = self._arguments[link.target]
            for arg, argument in zip(link.args, arguments):
                if argument is not None and argument.inputs is not None:
                    given = argument.inputs[link] = special.get(arg) or self.now(arg)
                    if given is not None:
                        given.used_by(argument)

    def _restrict(
        self, a: Value, relation: str, b: Value, block: Block, special: dict[Value, Name]
    ) -> Name | None:
        name = special.get(a) or self.now(a)
        other = self.now(b)
        if name is None or other is None or isinstance(a, Constant):
            return None
        result = Name(a, name.whole, block, of=name, relation=relation, other=other)
        name.used_by(result)
        other.used_by(result)
        special[a] = result
        return result

    def _conditions(self, switch: Value, case: object) -> Iterator[Condition]:
        """What holds where ``switch`` is ``case``."""
        yield switch, "eq", Constant(case, switch.concretetype)
        op = self._made.get(switch)
        if op is None or not isinstance(case, bool):
            return
        row = row_of(op)
        if row.if_zero is not None:
            (a,) = op.args
            yield a, "eq" if row.if_zero is case else "ne", _zero(a.concretetype)
        elif row.relation:
            a, b = op.args
            if isinstance(a.concretetype, Ptr) or range_of(a.concretetype) is None:
                return  # of floats that may be no numbers; pointers are known to be null or not
            relation = row.relation if case else NEGATED[row.relation]
            relation, a, b = canonical(relation, a, b)
            yield a, relation, b
            yield b, SWAPPED[relation], a
            yield from self._signed_conditions(a, relation, b)
        elif op.opname == "bool_not":
            yield from self._conditions(op.args[0], not case)

    def _signed_conditions(self, a: Value, relation: str, b: Value) -> Iterator[Condition]:
        """One comparison of numbers without sign is two of those they were made from: no number
        that is negative is less than one that is not."""
        made = [self._made.get(a), self._made.get(b)]
        if relation in ("lt", "le") and made[0] is not None and _drops_sign(made[0]):
            x = made[0].args[0]
            if made[1] is not None and _drops_sign(made[1]):
                yield x, f"u{relation}", made[1].args[0]
            elif isinstance(b, Constant) and int(b.value) <= Signed.max:
                yield x, f"u{relation}", Constant(int(b.value), Signed)


def sum_of(name: Name) -> list[Name]:
    """The two numbers that were added, where ``name`` is the sum without its sign."""
    if name.op is None or not _drops_sign(name.op) or name.operands[0] is None:
        return []
    added = name.operands[0]
    if added.op is None or added.op.opname not in ("int_add", "int_add_exact"):
        return []
    return [part for part in added.operands if part is not None]


def _drops_sign(op: SpaceOperation) -> bool:
    return op.opname == "cast_int_to_uint"


def _zero(T: LowLevelType) -> Constant:
    return Constant(None if isinstance(T, Ptr) else 0, T)


def number_of(constant: Constant) -> int | None:
    """The number that a constant is for its Range; None: it is none."""
    value = constant.value
    if isinstance(constant.concretetype, Ptr):
        return int(value is not None and bool(value))
    if isinstance(value, str):
        return ord(value)
    return int(value) if isinstance(value, int) else None


def value_of(number: int, T: LowLevelType) -> Any:
    """The value of a type whose number it is."""
    if T is Bool:
        return bool(number)
    return chr(number) if T in (Char, UniChar) else number
