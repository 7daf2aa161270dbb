"""What may cross between restricted programs and their host."""

from __future__ import annotations

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeInteger, SomeObject
from rpython.annotator.lattice.parts import any_part
from rpython.translator.ir.errors import AnnotatorError
from rpython.translator.ir.model import FunctionGraph


def require_result(annotator: RPythonAnnotator, graph: FunctionGraph) -> None:
    """Raises AnnotatorError when the function's result may be a bool, or a member of an
    enum, that would come out as an int."""
    if any_part(annotator.binding(graph.getreturnvar()), _may_be_bool):
        raise AnnotatorError(
            "the result may be an int or a bool (or a member of an enum), which would come"
            " out as an int",
            graph.span,
            hint="return int(...) or bool(...)",
        )
    if any_part(annotator.binding(graph.getreturnvar()), _is_mixed):
        raise AnnotatorError(
            "the result may be an int or a sized integer, which would come out alike",
            graph.span,
            hint="return int(...) or r_uint(...)",
        )


def _is_mixed(part: SomeObject) -> bool:
    return isinstance(part, SomeInteger) and part.mixed


def _may_be_bool(part: SomeObject) -> bool:
    return isinstance(part, SomeInteger) and part.may_be_bool
