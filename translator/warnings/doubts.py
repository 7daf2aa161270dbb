"""What looks wrong in a program that translates: what may raise, and what is never reached.

    node.size()         this may raise AttributeError: class Leaf has no method 'size'
    print(line)         'line' may have no value here
    if x is None:
        return 0        this is never reached
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInstance, SomeMethod
from rpython.annotator.program.classdef import ClassDef
from rpython.translator.ir.errors import Note, TranslationWarning
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Variable,
)
from rpython.translator.ir.span import Span

Line = tuple[str, int]


def doubts(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """The warnings about an annotated program."""
    graphs = [graph for graph in annotator.graphs if graph.home.is_program]
    seen: set[tuple[str, Span]] = set()
    lacking = functools.cache(_lacking)  # the same is asked at every call of a method
    for graph in graphs:
        for block in _reached(annotator, graph):
            for op in block.operations:
                if not _is_shown(op.span):
                    continue
                text = _unassigned(op) or lacking(*_method_call(annotator, op))
                if text and (text, op.span) not in seen:
                    seen.add((text, op.span))
                    yield TranslationWarning(text, op.span)
    yield from _never_reached(annotator, graphs)


def _is_shown(span: Span) -> bool:
    return span.line > 0 and not span.hidden and home_of_file(span.filename).is_program


def _unassigned(op: SpaceOperation) -> str:
    """A local variable is read that has no value on some way."""
    if op.opname != "simple_call" or len(op.args) != 2:
        return ""
    called, message = op.args
    if not (isinstance(called, Constant) and called.value is UnboundLocalError):
        return ""
    assert isinstance(message, Constant)
    name = re.search("'.*?'", message.value)
    return f"{name[0]} may have no value here" if name else ""


MethodCall = tuple[ClassDef | None, frozenset[ClassDef] | None, str]
"""The class of the object, those that it may be of, if that is known, and the method."""


def _method_call(annotator: RPythonAnnotator, op: SpaceOperation) -> MethodCall:
    """The method that the operation looks up; no class if it does not."""
    if op.opname == "getattr" and isinstance(op.args[0], Variable):
        name = op.args[1]
        if op.args[0].annotation is not None and isinstance(name, Constant):
            s = annotator.binding(op.args[0])
            if isinstance(s, SomeInstance) and isinstance(op.result.annotation, SomeMethod):
                return s.classdef, s.members, name.value
    return None, None, ""


def _lacking(classdef: ClassDef | None, members: frozenset[ClassDef] | None, name: str) -> str:
    """A method is called that not all classes have of which the object may be."""
    if classdef is None or classdef.find_attribute(name) is not None:  # it is assigned
        return ""
    for each in classdef.concrete(members):
        is_made = each.home.is_program and (each.instantiated or each.prebuilt)
        if is_made and each.class_value(name) is None:
            return f"this may raise AttributeError: class {each.name} has no method {name!r}"
    return ""


def _never_reached(
    annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]
) -> Iterator[TranslationWarning]:
    """What follows a test that has one outcome, wherever the function is called from.  Code that
    only raises is there for that."""
    live: set[Line] = set()
    dead: dict[Line, tuple[Span, SpaceOperation, bool]] = {}
    for graph in graphs:
        for block in _reached(annotator, graph):
            live.update(_line(op.span) for op in block.operations)
            _add_dead(annotator, graph, block, dead)
    for line, (span, test, outcome) in dead.items():
        if line not in live:
            note = Note(f"this is always {'true' if outcome else 'false'}", test.span)
            yield TranslationWarning("this is never reached", span, [note])


def _reached(annotator: RPythonAnnotator, graph: FunctionGraph) -> Iterator[Block]:
    """The blocks of a graph that control reaches."""
    return (block for block in graph.iterblocks() if block in annotator.annotated)


def _add_dead(
    annotator: RPythonAnnotator, graph: FunctionGraph, block: Block,
    dead: dict[Line, tuple[Span, SpaceOperation, bool]],
) -> None:  # fmt: skip
    """The first line behind an exit of the block that is not taken."""
    switch = block.exitswitch
    if not isinstance(switch, Variable) or block.canraise:
        return
    test = next((op for op in block.operations if op.result is switch), None)
    if test is None or test.opname == "exception_match":
        return
    for link in block.exits:
        target = link.target
        if target in annotator.annotated or not target.operations or _only_raises(graph, target):
            continue
        span = target.operations[0].span
        if _is_shown(span) and _is_shown(test.span):
            dead[_line(span)] = span, test, not link.exitcase


def _only_raises(graph: FunctionGraph, block: Block) -> bool:
    while len(block.exits) == 1:
        block = block.exits[0].target
    return block is graph.exceptblock


def _line(span: Span) -> Line:
    return span.filename, span.line
