"""The translation of a program: what an executable needs around its entry point."""

from __future__ import annotations

from types import FunctionType

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInstance
from rpython.annotator.program.signature import annotation_of_type
from rpython.annotator.refining import Refinement, refined
from rpython.rtyper.boundary.entrypoint import REPORTS, entry_exports
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator.driver import Translation, annotated
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.options import Options


def executable_translation(entry: FunctionType, options: Options | None = None) -> Translation:
    """The translation of ``entry_point(argv) -> int`` with everything that an executable
    needs around it."""
    options = options or Options()

    def attempt(refinement: Refinement) -> Translation:
        annotator = RPythonAnnotator(holds_locals=options.debug, refinement=refinement)
        args_s = [annotation_of_type(annotator, list[str])]
        base = annotator.constants.classdef(BaseException)
        for report in REPORTS.values():
            annotator.texts.report(report, [SomeInstance(base)])
        return annotated(Translation(entry, args_s, options, annotator))

    translation = refined(attempt, *options.meaning)

    def setup(rtyper: RPythonTyper) -> dict[str, FunctionGraph]:
        rtyper.make_program(entry.__module__)
        return entry_exports(rtyper, translation.annotate())

    translation.setup = setup
    translation.more_passes = ("insert_safepoints",)
    return translation
