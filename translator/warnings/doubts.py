"""What looks wrong in a program that translates: what may raise, and what is never reached.

    node.size()         this may raise AttributeError: class Leaf has no method 'size'
    print(line)         'line' may have no value here
    if x is None:
        return 0        this is never reached
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from types import CodeType

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import K_STR, SomeDict, SomeInstance, SomeIterator, SomeMethod
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import MethodDesc
from rpython.annotator.provenance import made_by
from rpython.translator.ir.errors import Note, TranslationWarning
from rpython.translator.ir.hlops import Group, group_of
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
        for block in reached(annotator, graph):
            for op in block.operations:
                if not is_shown(op.span):
                    continue
                text = _unassigned(op)
                hint = _assigned_outside(graph, op) if text else ""
                text = text or lacking(*_method_call(annotator, op))
                if not text and _takes_keys_apart(annotator, op):
                    text = "this takes the keys of a dict apart, not its items"
                    hint = "loop over its keys and values: .items()"
                if text and (text, op.span) not in seen:
                    seen.add((text, op.span))
                    yield TranslationWarning(text, op.span, hint=hint)
    yield from _endless(annotator, graphs)
    yield from _never_reached(annotator, graphs)


def _takes_keys_apart(annotator: RPythonAnnotator, op: SpaceOperation) -> bool:
    """Are the texts that are the keys of a dict unpacked, in a loop over the dict?"""
    if op.opname != "unpack" or not isinstance(op.args[0], Variable):
        return False
    if annotator.binding(op.args[0]).kinds != K_STR:
        return False
    made = next(made_by(annotator, op.args[0], K_STR), None)
    if made is None or made.opname != "next":
        return False
    s_iterator = annotator.binding(made.args[0])
    return (
        isinstance(s_iterator, SomeIterator) and not s_iterator.variant
        and isinstance(s_iterator.sources[0], SomeDict)
    )  # fmt: skip


def is_shown(span: Span) -> bool:
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


def _assigned_outside(graph: FunctionGraph, op: SpaceOperation) -> str:
    """The hint about a local variable that is named as one of the module, or of a function
    around this one."""
    name = _quoted(op.args[1])
    if graph.func is None:
        return ""
    if any(name in code.co_varnames + code.co_cellvars for code in _codes_around(graph.func)):
        return f"the function assigns it, so that it is local: write: nonlocal {name}"
    if name in graph.func.__globals__:
        return f"the function assigns it, so that it is local: write: global {name}"
    return ""


def _codes_around(func: Callable[..., object]) -> Iterator[CodeType]:
    """The code of the functions in which a function is made, from the outermost one in."""
    path = func.__qualname__.split(".<locals>.")[:-1]
    if not path:
        return
    first, *below = path[0].split(".")
    found: object = func.__globals__.get(first)
    for name in below:
        found = getattr(found, name, None)
    code = getattr(found, "__code__", None)
    for name in [*path[1:], ""]:
        if not isinstance(code, CodeType):
            return
        yield code
        inner = (const for const in code.co_consts if isinstance(const, CodeType))
        code = next((const for const in inner if const.co_name == name), None)


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


def _endless(
    annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]
) -> Iterator[TranslationWarning]:
    """Calls of the function that they are in, where that never comes to its end otherwise."""
    for graph in graphs:
        blocks = list(reached(annotator, graph))
        if graph.returnblock in blocks or any(
            link.target is graph.exceptblock for block in blocks for link in block.exits
        ):
            continue
        for block in blocks:
            op = annotator.blocked.get(block)
            if op is not None and _calls(op, graph) and is_shown(op.span):
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


def _never_reached(
    annotator: RPythonAnnotator, graphs: Sequence[FunctionGraph]
) -> Iterator[TranslationWarning]:
    """What follows a test that has one outcome, wherever the function is called from.  Code that
    only raises is there for that."""
    live: set[Line] = set()
    dead: dict[Line, tuple[Span, Note]] = {}
    for graph in graphs:
        for block in reached(annotator, graph):
            live.update(_line(op.span) for op in block.operations)
            _add_dead(annotator, graph, block, dead)
    for line, (span, note) in dead.items():
        if line not in live:
            yield TranslationWarning("this is never reached", span, [note])


def reached(annotator: RPythonAnnotator, graph: FunctionGraph) -> Iterator[Block]:
    """The blocks of a graph that control reaches."""
    return (block for block in graph.iterblocks() if block in annotator.annotated)


def _add_dead(
    annotator: RPythonAnnotator, graph: FunctionGraph, block: Block,
    dead: dict[Line, tuple[Span, Note]],
) -> None:  # fmt: skip
    """The first line behind an exit of the block that is not taken.  (Nothing follows an operation
    that fails each time: it is told of itself.)"""
    switch = block.exitswitch
    if not isinstance(switch, Variable) or block.canraise or annotator.blocked.get(block):
        return
    test = next((op for op in block.operations if op.result is switch), None)
    if test is None or test.opname == "exception_match":
        return
    for link in block.exits:
        target = link.target
        if target in annotator.annotated or not target.operations or _only_raises(graph, target):
            continue
        span = target.operations[0].span
        if is_shown(span) and is_shown(test.span):
            always = "false" if link.exitcase else "true"
            dead[_line(span)] = span, Note(f"this is always {always}", test.span)


def _only_raises(graph: FunctionGraph, block: Block) -> bool:
    while len(block.exits) == 1:
        block = block.exits[0].target
    return block is graph.exceptblock


def _line(span: Span) -> Line:
    return span.filename, span.line
