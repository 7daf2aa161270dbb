"""What a test of an attribute tells about reading it again.

    t = getattr(self, 'key')
    v = is_(t, None)
    if v goto ... else b1(self, xs)
b1(self, xs):
    k = getattr(self, 'key')        k is not None

A second read of an attribute that was tested for None gives something else than None when

- every way to it goes through the test: from the read, links are followed upwards only into
  blocks that have one entry;
- it reads the same attribute of the same object: the object is the same variable (or constant),
  or read through the same attributes from one, ``self.config.key``;
- the operations between the two reads are all *quiet*: they run no code of the program, and
  assign neither that attribute nor one that the object is read through.

What is narrowed is what the attribute holds now: the annotation of ``t`` may be older, as only one
of the two reads has been flowed again since it grew.  Finalizers and other threads can assign the
attribute even between quiet operations, and what is quiet may turn out not to be when more of the
program is known.  So the typer tests the value that was read, and TypeError is raised for a None
(``InstanceRepr.rtype_getattr``): a wrong guess is never a null pointer in use.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import (
    K_BOOL,
    K_BYTES,
    K_FLOAT,
    K_INSTANCE,
    K_INT,
    K_LIST,
    K_NONE,
    K_STR,
    K_TUPLE,
    SomeInstance,
    SomeObject,
)
from rpython.annotator.lattice.parts import parts_of, without_none
from rpython.annotator.program.classdef import Lookup
from rpython.annotator.rules.instances import values_below
from rpython.annotator.rules.narrow import Known, narrowings
from rpython.translator.ir.hlops import Group, HLOp
from rpython.translator.ir.model import Block, Constant, Link, SpaceOperation, Value, Variable

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator
    from rpython.annotator.context import OpContext

_FARTHEST = 40
"""The most operations between test and read: it bounds the time that a read takes."""

_PLAIN = K_BOOL | K_INT | K_FLOAT | K_STR | K_BYTES | K_NONE
_COMPUTING = (Group.ARITHMETIC, Group.IN_PLACE, Group.COMPARISON)
_SEQUENCES = K_LIST | K_TUPLE | K_STR | K_BYTES

Place = tuple[Value, tuple[str, ...]]
"""A variable or constant, and the attributes that lead from it to the one that is meant."""


def without_tested_none(ctx: OpContext, s_value: SomeObject) -> SomeObject:
    """What reading an attribute gives that holds ``s_value``: not None after a test."""
    if s_value.kinds & K_NONE and _is_tested(ctx, s_value):
        return without_none(s_value)
    return s_value


def _is_tested(ctx: OpContext, s_value: SomeObject) -> bool:
    annotator, block, steps = ctx.annotator, ctx.block, 0
    place = _place(block, ctx.op.args[0], ctx.index, (_name(ctx.op),))
    operations = block.operations[: ctx.index]
    entries = annotator.entries(ctx.graph)
    while True:
        steps += len(operations)
        if steps > _FARTHEST or not all(_is_quiet(annotator, op, place[1]) for op in operations):
            return False
        if len(entries.get(block, ())) != 1:
            return False
        (link,) = entries[block]
        above = link.prevblock
        assert above is not None
        root = _above(place[0], link)
        if root is None or link.last_exc_value is not None:
            return False
        place = _place(above, root, len(above.operations), place[1])
        if isinstance(above.exitswitch, Variable):
            found = _found_not_none(annotator, above, link, place, s_value)
            if found is not None:
                between = above.operations[found + 1 :]
                return all(_is_quiet(annotator, op, place[1]) for op in between)
        block, operations = above, above.operations


def _name(op: SpaceOperation) -> str:
    name = op.args[1]
    return str(name.value) if isinstance(name, Constant) else ""


def _above(root: Value, link: Link) -> Value | None:
    """What the variable is in the block that the link leaves."""
    if isinstance(root, Constant):
        return root
    inputargs = link.target.inputargs
    return link.args[inputargs.index(root)] if root in inputargs else None


def _place(block: Block, value: Value, end: int, names: tuple[str, ...]) -> Place:
    """The attribute ``names`` of ``value``, an operand of operation ``end``, from what the block
    begins with."""
    made = {op.result: op for op in block.operations[:end] if op.opname == "getattr"}
    while isinstance(value, Variable) and value in made and _name(made[value]):
        names = (_name(made[value]), *names)
        value = made[value].args[0]
    return value, names


def _found_not_none(
    annotator: RPythonAnnotator, block: Block, link: Link, place: Place, s_value: SomeObject
) -> int | None:
    """The number of the operation that reads the attribute which is no None on the link."""
    for number, op in enumerate(block.operations):
        if op.opname != "getattr" or not _same(_place(block, op.result, number + 1, ()), place):
            continue
        known = Known(annotator, {op.result: s_value})
        s_narrowed = narrowings(known, block, link.exitcase).get(op.result)
        if s_narrowed is not None and not s_narrowed.kinds & K_NONE:
            return number
    return None


def _same(a: Place, b: Place) -> bool:
    if isinstance(a[0], Constant) and isinstance(b[0], Constant):
        return a[0].value is b[0].value and a[1] == b[1]
    return a == b


def _is_quiet(annotator: RPythonAnnotator, op: SpaceOperation, names: tuple[str, ...]) -> bool:
    """Does the operation run no code of the program, and assign none of these attributes?"""
    args_s = [annotator.binding(arg) for arg in op.args]
    match op.opname:
        case "is_" | "newtuple" | "newlist":
            return True
        case "bool" | "not_":
            return not args_s[0].kinds & K_INSTANCE or _lacks(args_s[0], "__bool__", "__len__")
        case "getattr":
            return op not in annotator.notes.chosen and _lacks(args_s[0], _name(op))
        case "setattr":
            return _name(op) not in names and _lacks(args_s[0], _name(op))
        case "getitem":
            kinds = functools.reduce(lambda kinds, s: kinds | s.kinds, args_s[1:], 0)
            return not args_s[0].kinds & ~(_SEQUENCES | K_NONE) and not kinds & ~_PLAIN
        case "simple_call":
            return isinstance(op.args[0], Constant) and op.args[0].value in (isinstance, type)
    computes = isinstance(op.opdef, HLOp) and op.opdef.group in _COMPUTING
    return computes and not any(s.kinds & ~_PLAIN for s in args_s)


def _lacks(s: SomeObject, *names: str) -> bool:
    """Is none of these names a function of the classes of the instance, which could run?"""
    classdefs = [part.classdef for part in parts_of(s) if isinstance(part, SomeInstance)]
    return not any(
        hasattr(type(value), "__get__") and (name.startswith("__") or hasattr(value, "__set__"))
        for classdef in classdefs for name in names
        for _, value in values_below(classdef, Lookup(name))
    )  # fmt: skip
