"""What looks wrong in a program that translates: what may raise, and what is never reached.

    node.size()         this may raise AttributeError: class Leaf has no method 'size'
    print(line)         'line' may have no value here
    if x is None:
        return 0        this is never reached
    total += [][0]      this always raises an exception
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import K_NONE, SomeInstance, SomeMethod
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import MethodDesc
from rpython.annotator.provenance import kinds_story
from rpython.translator.ir.errors import Note, TranslationWarning
from rpython.translator.ir.hlops import Group, HLOp, group_of
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.model import (
    Block,
    Constant,
    FunctionGraph,
    SpaceOperation,
    Value,
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
                text = _unassigned(op)
                hint = _assigned_global(graph, op) if text else ""
                text = text or lacking(*_method_call(annotator, op))
                if text and (text, op.span) not in seen:
                    seen.add((text, op.span))
                    yield TranslationWarning(text, op.span, hint=hint)
    yield from _failures(annotator, graphs)
    yield from _endless(annotator, graphs)
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
    name = _quoted(message)
    return f"{name!r} may have no value here" if name else ""


def _quoted(message: Value) -> str:
    """The name that a message is about."""
    assert isinstance(message, Constant)
    found = re.search("'(.*?)'", message.value)
    return found[1] if found else ""


def _assigned_global(graph: FunctionGraph, op: SpaceOperation) -> str:
    """The hint about a local variable that is named as one of the module."""
    name = _quoted(op.args[1])
    if graph.func is None or name not in graph.func.__globals__:
        return ""
    return f"the function assigns it, so that it is local: write: global {name}"


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


_MAY_FAIL = {
    Group.UNARY, Group.ARITHMETIC, Group.IN_PLACE, Group.COMPARISON, Group.MEMBERSHIP, Group.ITEM,
    Group.ATTRIBUTE, Group.UNPACKING,
}  # fmt: skip
"""What a program hardly means to fail each time; calls often do, of what ends the program, say."""


def _failures(
    annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]
) -> Iterator[TranslationWarning]:
    """Operations that never succeed, for no handler, wherever the function is called from."""
    late = {op for op, _, _ in annotator.late.found()}
    failing: dict[Span, SpaceOperation] = {}
    succeeding: set[Span] = set()
    for graph in graphs:
        for block in _reached(annotator, graph):
            op = annotator.blocked.get(block)
            end = len(block.operations) if op is None else block.operations.index(op)
            succeeding |= {known.span for known in block.operations[:end]}
            if op is None or group_of(op.opname) not in _MAY_FAIL or not _is_shown(op.span):
                continue
            caught = block.canraise and op is block.operations[-1]
            told = op in late or (is_use_of_none(annotator, op) and error_of_none(op))
            if not caught and not told:
                failing[op.span] = op
    for span, op in failing.items():
        if span not in succeeding:
            notes = [note for arg in op.args for note in _story_of_none(annotator, arg)]
            yield TranslationWarning("this always raises an exception", span, notes)


def _story_of_none(annotator: RPythonAnnotator, arg: Value) -> list[Note]:
    """Where an operand comes from that is always None."""
    if not isinstance(arg, Variable) or arg.annotation is None:
        return []
    s = annotator.binding(arg)
    return kinds_story(annotator, arg, s) if s.kinds == K_NONE else []


def _endless(
    annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]
) -> Iterator[TranslationWarning]:
    """Calls of the function that they are in, where that never comes to its end otherwise."""
    for graph in graphs:
        reached = list(_reached(annotator, graph))
        if graph.returnblock in reached or any(
            link.target is graph.exceptblock for block in reached for link in block.exits
        ):
            continue
        for block in reached:
            op = annotator.blocked.get(block)
            if op is not None and _calls(op, graph) and _is_shown(op.span):
                text = f"{graph.name}() never returns: each way through it calls it again"
                yield TranslationWarning(text, op.span, hint="return something before this call")


def _calls(op: SpaceOperation, graph: FunctionGraph) -> bool:
    """Is it a call of the function of this graph, and of no other?"""
    if group_of(op.opname) is not Group.CALL:
        return False
    called = op.args[0]
    if isinstance(called, Constant):
        return called.value is graph.func
    s = called.annotation
    if not isinstance(s, SomeMethod) or len(s.descs) != 1:
        return False
    (desc,) = s.descs
    return isinstance(desc, MethodDesc) and desc.function.func is graph.func


def error_of_none(op: SpaceOperation) -> str:
    """What the operation raises if its first operand is None; empty if it does not."""
    row = op.opdef
    if not isinstance(row, HLOp) or not op.args:
        return ""
    if row.name == "getattr" and isinstance(op.args[1], Constant):
        name = op.args[1].value
        known = hasattr(None, str(name))
        return "" if known else f"AttributeError: 'NoneType' object has no attribute {name!r}"
    return row.none_error and f"TypeError: {row.none_error}"


def is_use_of_none(annotator: RPythonAnnotator, op: SpaceOperation) -> bool:
    """Is the first operand a variable that is always None?"""
    return bool(op.args and _story_of_none(annotator, op.args[0]))


def _never_reached(
    annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]
) -> Iterator[TranslationWarning]:
    """What follows a test that has one outcome, wherever the function is called from.  Code that
    only raises is there for that."""
    live: set[Line] = set()
    dead: dict[Line, tuple[Span, Note]] = {}
    for graph in graphs:
        for block in _reached(annotator, graph):
            live.update(_line(op.span) for op in block.operations)
            _add_dead(annotator, graph, block, dead)
    for line, (span, note) in dead.items():
        if line not in live:
            yield TranslationWarning("this is never reached", span, [note])


def _reached(annotator: RPythonAnnotator, graph: FunctionGraph) -> Iterator[Block]:
    """The blocks of a graph that control reaches."""
    return (block for block in graph.iterblocks() if block in annotator.annotated)


def _add_dead(
    annotator: RPythonAnnotator, graph: FunctionGraph, block: Block,
    dead: dict[Line, tuple[Span, Note]],
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
            always = "false" if link.exitcase else "true"
            dead[_line(span)] = span, Note(f"this is always {always}", test.span)


def _only_raises(graph: FunctionGraph, block: Block) -> bool:
    while len(block.exits) == 1:
        block = block.exits[0].target
    return block is graph.exceptblock


def _line(span: Span) -> Line:
    return span.filename, span.line
