"""The passes over annotated graphs: what is better done while it is known what everything is.

A pass changes the graphs of an annotated program and their annotations in place, and leaves both
as a fixpoint of annotation: ``annotator.check_fixpoint()`` holds after it.  They run once, between
annotating and typing.  ``translator.opt.runner`` names them in pipelines, and runs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lazy_splits import split_lazily


class AnnotatedPass(NamedTuple):
    """A pass and its name."""

    name: str
    run: Callable[[RPythonAnnotator], None]


PASSES: dict[str, AnnotatedPass] = {
    p.name: p
    for p in [
        AnnotatedPass("split_lazily", split_lazily),
    ]
}
"""Every pass by name."""


def run_annotated_passes(annotator: RPythonAnnotator, names: Iterable[str]) -> None:
    """Run the passes of these names, in their order.  Raises KeyError for another name."""
    for name in names:
        PASSES[name].run(annotator)
