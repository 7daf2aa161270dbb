"""Promises that the program makes about its lists: ``make_sure_not_resized(xs)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpython.annotator.lattice.cells import ListDef
from rpython.translator.ir.errors import AnnotatorError, Note
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.annotator.annotator import RPythonAnnotator


@dataclass(frozen=True, slots=True)
class Promise:
    """The length (``modified``: and the items) of the lists never changes."""

    listdef: ListDef
    modified: bool
    span: Span

    def error(self) -> AnnotatorError | None:
        """What is wrong when the program changes one of the lists."""
        root = self.listdef.find()
        broken = root.changed if self.modified else root.grown
        if broken is None:
            return None
        what = "may be changed" if self.modified else "may change its length"
        return AnnotatorError(
            f"make_sure_not_{'modified' if self.modified else 'resized'}: the list {what}",
            self.span,
            [Note(f"in {broken.function}:", broken)],
            hint="change a copy: list(x) or x[:]",
        )


def promise_errors(annotator: RPythonAnnotator) -> Iterator[AnnotatorError]:
    """Those of the promises that the program breaks."""
    for promise in annotator.notes.promises.values():
        error = promise.error()
        if error is not None:
            annotator.refinement.suspect(promise.listdef.find().item.shared_by)
            yield error
