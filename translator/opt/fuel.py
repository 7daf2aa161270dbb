"""How many rewrites passes may do: what finds the one that breaks a program.

Passes ask before each rewrite, in the same order for the same program; when as many are done as
``Fuel`` allows, none is done any more.  If the program works with n rewrites and not with one more,
that one is wrong, or brings to light what is.  After Whalley, "Automatic Isolation of Compiler
Errors" (1994).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What a pass did to an operation of a graph; '': to the graph."""

    pass_name: str
    graph: str
    operation: str
    span: Span

    def __str__(self) -> str:
        what = f": {self.operation}" if self.operation else ""
        return f"{self.span}: in {self.graph}: {self.pass_name}{what}"


class Fuel:
    """``limit``: of the rewrites; None: there is none.  ``used``: those done.  ``last``: the last
    one of them."""

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self.used = 0
        self.last: Rewrite | None = None

    def begin(self, pass_name: str, graph: FunctionGraph) -> bool:
        """The pass is about to look at the graph, which is a rewrite, too: may it?"""
        graph.may_rewrite = partial(self._take, pass_name, graph)
        return self._take(pass_name, graph, None)

    def _take(self, pass_name: str, graph: FunctionGraph, op: SpaceOperation | None) -> bool:
        if self.used == self.limit:
            return False
        self.used += 1
        operation, span = ("", graph.span) if op is None else (op.opname, op.span)
        self.last = Rewrite(pass_name, graph.name, operation, span)
        return True


def find_wrong_rewrite(works: Callable[[Fuel], bool]) -> Rewrite:
    """The first rewrite with which the program does not work.  ``works``: does it, when it is
    translated with that fuel?  Raises TranslationError where it always works, or never."""
    every = Fuel()
    if works(every):
        raise TranslationError("nothing to search for: the command succeeds with all passes")
    if not works(Fuel(0)):
        raise TranslationError(
            "the command fails without any rewrite, too",
            hint="the passes over the functions of the program are not what breaks it",
        )
    good, bad, wrong = 0, every.used, every.last
    while bad - good > 1:
        fuel = Fuel((good + bad) // 2)
        if works(fuel):
            good = fuel.used
        else:
            bad, wrong = fuel.used, fuel.last
    assert wrong is not None
    return wrong
