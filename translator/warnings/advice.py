"""Warnings of ``rpython build`` and ``check``: what looks wrong in a program that translates all
the same.

    class A:
        _immutable_fields_ = ["valeu"]      a promise about a field that no object has
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomePBC
from rpython.annotator.program.classdef import ClassDef, immutable_fields
from rpython.translator.driver import Translation
from rpython.translator.hints.conflicts import hint_conflicts
from rpython.translator.ir.errors import TranslationWarning, is_silenced
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.span import Span
from rpython.translator.opt.inline import Remark
from rpython.translator.warnings.answers import open_answers
from rpython.translator.warnings.doubts import doubts
from rpython.translator.warnings.failing import failures
from rpython.translator.warnings.importtime import import_time_effects
from rpython.translator.warnings.nones import (
    error_of_none,
    hint_of_none,
    is_use_of_none,
    story_of_none,
)


def advice(translation: Translation) -> Iterator[str]:
    """What deserves a look in an annotated program, and which answers it leaves open."""
    for warning in warnings_about(translation.annotator):
        yield warning.render()
    for note in open_answers(translation.annotator, translation.options.gc):
        yield f"rpython: {note}"
    for note in translation.notes():
        yield f"rpython: {note}"


def warnings_about(annotator: RPythonAnnotator) -> list[TranslationWarning]:
    """The warnings about an annotated program, in order of discovery, but those that its lines
    switch off."""
    found = [
        *_unknown_fields(annotator), *_dropped_texts(annotator), *_abstract_calls(annotator),
        *_boxes(annotator), *_uses_of_none(annotator), *_late_errors(annotator),
        *failures(annotator), *doubts(annotator), *hint_conflicts(annotator),
        *import_time_effects(annotator),
    ]  # fmt: skip
    return [warning for warning in found if not is_silenced(warning)]


def _abstract_calls(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Calls that always raise TypeError."""
    for op, classdef in annotator.notes.abstract_calls.items():
        s_class = annotator.binding(op.args[0])
        if isinstance(s_class, SomePBC) and len(s_class.descs) == 1 and not op.span.hidden:
            names = ", ".join(classdef.abstract_methods())
            yield TranslationWarning(
                f"class {classdef.name} is abstract: it does not define {names}", op.span
            )


def _uses_of_none(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Operations of the program that always raise, since their operand is always None."""
    for block in annotator.annotated:
        for op in block.operations:
            text = error_of_none(op)
            if not text or op.span.hidden or not home_of_file(op.span.filename).is_program:
                continue
            if is_use_of_none(annotator, op):
                notes = story_of_none(annotator, op.args[0])
                hint = hint_of_none(annotator, op)
                yield TranslationWarning(f"this always raises {text}", op.span, notes, hint)


def _late_errors(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Operations that no value has, which raise something if the program comes there."""
    seen: set[tuple[str, Span]] = set()
    for op, raised, notes in annotator.late.found():
        text = f"if the program comes here, it raises {raised}"
        if (text, op.span) not in seen:
            seen.add((text, op.span))
            yield TranslationWarning(text, op.span, notes)


def _boxes(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Where values of several kinds meet, if that is to be said."""
    if annotator.refinement.boxing == "warn":
        for error in annotator.refinement.met:
            yield TranslationWarning(error.message, error.span, error.notes, error.hint)


def unmet_requests(remarks: Iterable[Remark]) -> Iterator[TranslationWarning]:
    """The calls of functions marked with ``always_inline`` that were not inlined."""
    for remark in dict.fromkeys(remarks):
        if remark.unmet:
            warning = TranslationWarning(
                f"{remark.callee} is marked with always_inline, but {remark.text}", remark.span,
                hint="mark it with try_inline, which leaves it to the optimiser",
            )  # fmt: skip
            if not is_silenced(warning):
                yield warning


def _unknown_fields(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Names in ``_immutable_fields_`` of classes that have objects."""
    for classdef in annotator.constants.classdefs:
        if not (classdef.instantiated or classdef.prebuilt):
            continue
        known = {name for cd in (*classdef.mro(), *classdef.subtree()) for name in cd.attrs}
        for name in immutable_fields(classdef.cls):
            if name not in known and classdef.class_value(name) is None:
                yield TranslationWarning(
                    f"_immutable_fields_ of class {classdef.name} names {name!r}, which nothing "
                    "assigns",
                    _place(classdef),
                    hint="correct the name, or remove it",
                )


def _place(classdef: ClassDef) -> Span | None:
    """Where the class names its immutable fields."""
    try:
        lines, first = inspect.getsourcelines(classdef.cls)
        filename = inspect.getfile(classdef.cls)
    except (OSError, TypeError):
        return None
    named = (i for i, line in enumerate(lines) if line.lstrip().startswith("_immutable_fields_"))
    return Span(filename, first + next(named, 0), function=classdef.name)


def _dropped_texts(annotator: RPythonAnnotator) -> Iterator[TranslationWarning]:
    """Methods that give texts of exceptions and cannot be translated."""
    for graph, error in annotator.texts.dropped.items():
        if graph.home.is_ours:
            continue
        yield TranslationWarning(
            f"{annotator.texts.name_of(graph)} cannot be translated ({error.message}): there is no "
            "text of exceptions that would show it",
            error.span,
            error.notes,
        )
