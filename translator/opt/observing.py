"""Who watches the passes at work: what shows graphs, stage by stage, is an ``Observer``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rpython.translator.ir.model import FunctionGraph


class Observer:
    """Is told what passes do, right after each, and may look at the graphs but change nothing.
    This one looks at nothing."""

    def changed(self, pass_name: str, graphs: Sequence[FunctionGraph]) -> None:
        """The pass has changed these graphs, and no others."""

    def copied(self, copies: Mapping[FunctionGraph, FunctionGraph]) -> None:
        """The passes to come work on copies of graphs, which are the same as yet."""
