"""Which classes of class statements in functions a program can tell from other classes.

Each execution of such a statement makes a new class in CPython, one and the same here.  Nobody
notices if the class is only called, asked for attributes and raised; ``isinstance``, ``except``,
comparisons, and whatever else is done to it, might.  Found when all is annotated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeClass, SomeFunction, SomeMethod
from rpython.annotator.lattice.parts import parts_of
from rpython.annotator.program.desc import ClassDesc
from rpython.translator.ir.model import Constant, SpaceOperation, Value

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator

_CALLS = {"simple_call": 1, "call_args": 2}
"""The number of the first argument."""


def told_apart(annotator: RPythonAnnotator) -> frozenset[type]:
    """The classes of the host that some operation, or an ``except`` clause, might tell apart."""
    if annotator.notes.told_apart is None:
        annotator.notes.told_apart = frozenset(_all_told_apart(annotator))
    return annotator.notes.told_apart


def _all_told_apart(annotator: RPythonAnnotator) -> set[type]:
    found: set[type] = set()
    for graph in annotator.graphs:
        for block in graph.iterblocks():
            if block not in annotator.annotated:
                continue
            for op in block.operations:
                found.update(_told_apart_by(annotator, op))
            for link in block.exits:
                found.update(_classes_in(link.exitcase))
    return found


def _told_apart_by(annotator: RPythonAnnotator, op: SpaceOperation) -> Iterator[type]:
    for i, arg in enumerate(op.args):
        if i == 0 and (op.opname in _CALLS or op.opname in ("getattr", "exc_instance")):
            continue
        classes = list(_classes_of(annotator, arg))
        if classes and not _is_parameter(annotator, op, i):
            yield from classes


def _is_parameter(annotator: RPythonAnnotator, op: SpaceOperation, i: int) -> bool:
    """Is the operand passed to functions that are annotated, too?"""
    if i < _CALLS.get(op.opname, len(op.args)):
        return False
    parts = parts_of(annotator.binding(op.args[0]))
    return all(isinstance(part, SomeFunction | SomeMethod) for part in parts)


def _classes_of(annotator: RPythonAnnotator, value: Value) -> Iterator[type]:
    if isinstance(value, Constant):
        yield from _classes_in(value.value)
        return
    for part in parts_of(annotator.binding(value)):
        if isinstance(part, SomeClass):
            yield from (desc.classdef.cls for desc in part.descs if isinstance(desc, ClassDesc))


def _classes_in(value: object) -> Iterator[type]:
    if isinstance(value, type):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _classes_in(item)
