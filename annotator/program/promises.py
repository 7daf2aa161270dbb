"""Promises that the program makes about its lists: ``make_sure_not_resized(xs)``."""

from __future__ import annotations

from dataclasses import dataclass

from rpython.annotator.lattice.cells import ListDef
from rpython.translator.ir.errors import AnnotatorError, Note
from rpython.translator.ir.span import Span


@dataclass(frozen=True, slots=True)
class Promise:
    """The length (``modified``: and the items) of the lists never changes."""

    listdef: ListDef
    modified: bool
    span: Span

    def check(self) -> None:
        """Raises AnnotatorError when the program changes one of the lists."""
        root = self.listdef.find()
        broken = root.changed if self.modified else root.grown
        if broken is None:
            return
        what = "may be changed" if self.modified else "may change its length"
        raise AnnotatorError(
            f"make_sure_not_{'modified' if self.modified else 'resized'}: the list {what}",
            self.span,
            [Note(f"in {broken.function}:", broken)],
            hint="change a copy: list(x) or x[:]",
        )
