"""The translation of a program: what an executable needs around its entry point."""

from __future__ import annotations

from types import FunctionType

from annotator.annotator import RPythonAnnotator
from annotator.model import SomeInstance
from annotator.refining import Refinement, refined
from annotator.signature import annotation_of_type
from rtyper.entrypoint import entry_exports
from rtyper.ll.ll_entry import exception_text
from rtyper.rtyper import RPythonTyper
from translator.driver import Translation, annotated
from translator.ir.model import FunctionGraph
from translator.options import Options


def executable_translation(entry: FunctionType, options: Options | None = None) -> Translation:
    """The translation of ``entry_point(argv) -> int`` with everything that an executable
    needs around it."""
    options = options or Options()

    def attempt(refinement: Refinement) -> Translation:
        annotator = RPythonAnnotator(holds_locals=options.debug, refinement=refinement)
        args_s = [annotation_of_type(annotator, list[str])]
        base = annotator.constants.classdef(BaseException)
        annotator.texts.report(exception_text, [SomeInstance(base)])
        return annotated(Translation(entry, args_s, options, annotator))

    translation = refined(attempt)

    def setup(rtyper: RPythonTyper) -> dict[str, FunctionGraph]:
        rtyper.make_program(entry.__module__)
        return entry_exports(rtyper, translation.annotate())

    translation.setup = setup
    translation.more_passes = ("insert_break_checks",)
    return translation
