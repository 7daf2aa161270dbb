"""Where a program breaks its own type hints: warnings of ``rpython check``.

    def area(side: float) -> float: ...
    area("2")                               the hint says that 'side' is float: it may be str

Translation does not read hints, and CPython does not either: a wrong one changes no answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.cells import Node
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_DICT,
    K_LIST,
    K_NONE,
    K_STR,
    SomeObject,
)
from rpython.annotator.lattice.vartuples import tuple_items
from rpython.annotator.program.classdef import ClassDef
from rpython.annotator.program.desc import FunctionDesc
from rpython.annotator.provenance import kinds_story
from rpython.translator.hints.coroutines import hinted_result
from rpython.translator.hints.fitting import misfit
from rpython.translator.hints.reading import Hint, Sources, program_functions, span_of
from rpython.translator.ir.errors import TranslationWarning
from rpython.translator.ir.home import home_of_class
from rpython.translator.ir.model import FunctionGraph, Variable
from rpython.translator.ir.span import Span

_ANYTHING = K_NONE | K_BOOL | K_STR | K_LIST | K_DICT
"""What may be all of these is what ``json.loads`` gives, or a part of it.  A text decides what it
is, of which the program may know more."""


def hint_conflicts(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """The hints of the program that something does not fit, each once."""
    told: set[Span | None] = set()
    for warning in _all_conflicts(annotator):
        if warning.span not in told:
            told.add(warning.span)
            yield warning


def _all_conflicts(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    functions = program_functions(annotator)
    sources = Sources(functions.values())
    for graph, func in functions.items():
        desc = annotator.graphs[graph]
        yield from _of_function(annotator, graph, desc, sources.of_function(func))
        yield from _of_locals(annotator, graph, desc, sources.of_locals(func))
    for classdef in annotator.constants.classdefs:
        if home_of_class(classdef.cls).is_program:
            yield from _of_class(annotator, classdef, sources.of_class(classdef.cls))


def _of_function(
    annotator: RPythonAnnotator, graph: FunctionGraph, desc: FunctionDesc, hints: dict[str, Hint]
) -> Iterator[TranslationWarning]:
    stars = {desc.signature.vararg: "*", desc.signature.kwarg: "**"}
    known: list[tuple[str, SomeObject, Node]] = [
        (name, annotator.binding(variable), variable)
        for name, variable in zip(desc.signature.graph_args(), graph.getargs())
    ]
    s_result, node = hinted_result(annotator, graph, desc)
    is_abstract = getattr(desc.func, "__isabstractmethod__", False)
    if not is_abstract or s_result.kinds != K_NONE:  # that of "..."
        known.append(("return", s_result, node))
    for name, s, node in known:
        if name in hints:
            shown = repr(stars.get(name, "") + name)
            what = f"the result of {desc.name}" if name == "return" else shown
            values_s = _each(s) if name in stars else [s]
            yield from _warnings(annotator, hints[name], what, values_s, node, desc.user)


def _of_locals(
    annotator: RPythonAnnotator, graph: FunctionGraph, desc: FunctionDesc,
    hints: Sequence[tuple[str, Hint, list[ast.expr]]],
) -> Iterator[TranslationWarning]:  # fmt: skip
    """The values that local variables are assigned, as far as operations give them.

    Other operations have the place of the whole value, too (those that go through what a
    comprehension goes through, say): what is assigned has the variable's name."""
    places = {
        span_of(value, graph.span.filename, hint.span.function): (name, hint)
        for name, hint, values in hints for value in values
    }  # fmt: skip
    for block in graph.iterblocks() if places else ():
        for op in block.operations if block in annotator.annotated else ():
            if op.span in places and op.result.annotation is not None:
                name, hint = places[op.span]
                if op.result.name != name or name == Variable().name:
                    continue
                values_s = [annotator.binding(op.result)]
                yield from _warnings(annotator, hint, repr(name), values_s, op.result, desc.user)


def _each(s: SomeObject) -> list[SomeObject]:
    """What ``*args`` or ``**kwargs`` holds."""
    if isinstance(s, SomeKeywords):
        return list(s.items)
    return list(tuple_items(s) or ())


def _of_class(
    annotator: RPythonAnnotator, classdef: ClassDef, hints: dict[str, Hint]
) -> Iterator[TranslationWarning]:
    for name, hint in hints.items():
        what = f"attribute {name!r} of {classdef.name}"
        for below in classdef.subtree():  # what is set in a subclass only is an attribute of that
            attribute = below.attrs.get(name)
            if attribute is not None:
                values_s = [attribute.s_value]
                yield from _warnings(annotator, hint, what, values_s, attribute, classdef)


def _warnings(
    annotator: RPythonAnnotator, hint: Hint, what: str, values_s: Sequence[SomeObject], node: Node,
    owner: ClassDef | None,
) -> Iterator[TranslationWarning]:  # fmt: skip
    """The warning about one of the values, if it does not fit; ``owner``: what ``Self`` is."""
    cls = None if owner is None else owner.cls
    wrong = (misfit(s, hint.type, cls) for s in values_s if s.kinds & _ANYTHING != _ANYTHING)
    found = next(filter(None, wrong), None)
    if found is None:
        return
    s_wrong = found.item or found.part
    story = kinds_story(annotator, found.cell or node, s_wrong)
    advice = ""
    if s_wrong.kinds == K_NONE and found.item is None:
        advice = f"{hint.text} | None, if None is meant to be there"
    message = f"the hint says that {what} is {hint.text}: it may be {found.part.describe()}"
    yield TranslationWarning(message, hint.span, story, advice)
