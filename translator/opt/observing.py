"""Who watches the passes at work: what shows or writes graphs, stage by stage, is an Observer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rpython.translator.ir.model import FunctionGraph


class Observer:
    """Is told what passes do, right after each, and may look at the graphs but change nothing.
    This one looks at nothing."""

    def ran(
        self, pass_name: str, graphs: Sequence[FunctionGraph], changed: Sequence[FunctionGraph]
    ) -> None:
        """The pass was run over these graphs, of which it has changed some."""

    def copied(self, copies: Mapping[FunctionGraph, FunctionGraph]) -> None:
        """The passes to come work on copies of graphs, which are the same as yet."""


NOBODY = Observer()


class Observers(Observer):
    """Several, one after the other."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = observers

    def ran(
        self, pass_name: str, graphs: Sequence[FunctionGraph], changed: Sequence[FunctionGraph]
    ) -> None:
        for observer in self._observers:
            observer.ran(pass_name, graphs, changed)

    def copied(self, copies: Mapping[FunctionGraph, FunctionGraph]) -> None:
        for observer in self._observers:
            observer.copied(copies)
