"""Virtual calls with few targets become tests and direct calls.

::

    p = getarrayitem(@table, i)             t = int_eq(i, 0)
    y = indirect_call(p, x, [f, g])         if t goto b1() else b2()
    z = int_add(y, 1)              ->
                                        b1():
                                            y1 = direct_call(@f, x)
                                            goto b3(y1)
                                        b2():
                                            y2 = direct_call(@g, x)
                                            goto b3(y2)
                                        b3(y):
                                            z = int_add(y, 1)

The targets are those of the table, in which the rtyper has put a function for each class that may
be met.  One that several classes have is known by comparing ``p``.  Direct calls are what the
inliner can inline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Bool, Signed
from rpython.lltypesystem.simulated.memory import _ptr
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
from rpython.translator.opt.rewrite import copy_exception_link

FEW = 4
"""Targets up to which tests are cheaper than a call of any function: with three, richards took 18 %
more instructions, and deltablue 2 %; code grows by as much."""


@dataclass(frozen=True, slots=True)
class Target:
    """A function that a virtual call may call: when ``value`` is ``known``."""

    pointer: _ptr
    value: Value
    known: Constant

    def test(self, call: SpaceOperation) -> SpaceOperation:
        """What asks whether it is the one that is called."""
        name = "int_eq" if self.known.concretetype is Signed else "ptr_eq"
        return SpaceOperation(
            LLOPS[name], [self.value, self.known], Variable("t", Bool), call.span
        )


def targets_of(call: SpaceOperation, made_by: dict[Value, SpaceOperation]) -> list[Target]:
    """The functions that a virtual call may call, each once; none when it is no such call, or there
    are more than FEW.  ``made_by``: what gives each value."""
    if call.opname != "indirect_call":
        return []
    load = made_by.get(call.args[0])
    if load is None or load.opname != "getarrayitem" or not isinstance(load.args[0], Constant):
        return []
    array: Any = load.args[0].value._obj
    if not array._TYPE._hints.get("immutable"):
        return []
    places: dict[FunctionGraph, list[int]] = {}
    for index, pointer in enumerate(array.items):
        if pointer:
            places.setdefault(pointer._obj.graph, []).append(index)
    if len(places) > FEW:
        return []
    targets = []
    for indexes in sorted(places.values(), key=len):
        pointer = array.items[indexes[0]]
        if len(indexes) == 1:
            targets.append(Target(pointer, load.args[1], Constant(indexes[0], Signed)))
        else:
            known = Constant(pointer, pointer._TYPE)
            targets.append(Target(pointer, call.args[0], known))
    return targets


def split_call(block: Block, call: SpaceOperation, targets: Sequence[Target]) -> None:
    """Put tests and direct calls of these functions, which are all there are, in the place of a
    virtual call in the block."""
    index = block.operations.index(call)
    rest = Block([call.result])
    rest.operations = block.operations[index + 1 :]
    caught = block.canraise and not rest.operations
    handlers = block.exits[1:] if caught else ()
    if caught:
        rest.recloseblock(block.exits[0])
    else:
        rest.exitswitch = block.exitswitch
        rest.recloseblock(*block.exits)
    block.operations = block.operations[:index]
    for number, target in enumerate(targets, 1):
        direct = block
        if number < len(targets):
            direct, other = Block([]), Block([])
            test = target.test(call)
            block.operations.append(test)
            block.exitswitch = test.result
            block.recloseblock(Link([], other, False), Link([], direct, True))
            block = other
        _end_with_call(direct, call, target.pointer, rest, handlers)


def _end_with_call(
    block: Block, call: SpaceOperation, target: _ptr, rest: Block, handlers: Sequence[Link]
) -> None:
    result = call.result.copy()
    args = [Constant(target, target._TYPE), *call.args[1:-1]]
    block.operations.append(SpaceOperation(LLOPS["direct_call"], args, result, call.span))
    block.exitswitch = LAST_EXCEPTION if handlers else None
    block.recloseblock(Link([result], rest), *map(copy_exception_link, handlers))
