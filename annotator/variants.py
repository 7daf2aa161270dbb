"""Functions that are called with values which cannot share a variable: a graph for each.

``largest(1, 2)`` and ``largest("a", "b")`` get a graph each, without any decorator.  A call gets
the first graph whose parameters can hold its arguments as well as what they hold already.
Annotations only grow, so a graph that is passed over once is passed over always, and the typer,
which asks again at the end, finds the graph that the annotator has chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annotator.argument import CallKey
from annotator.cells import DictDef, ListDef
from annotator.desc import FunctionDesc
from annotator.model import SomeObject, s_Bottom
from annotator.parts import representable
from annotator.union import Pairs, union


def variant_key(
    desc: FunctionDesc, key: CallKey | None, args_s: Sequence[SomeObject]
) -> CallKey | None:
    """The key of the graph for these arguments, which there may be no graph for yet; ``key``
    is what it is but for their annotations."""
    chosen, number = key, 0
    while (graph := desc.graphs.get(chosen)) is not None:
        params_s = (v.annotation or s_Bottom for v in graph.getargs())
        if all(map(_fit, params_s, args_s)):
            break
        number += 1
        chosen = replace(key or CallKey(), variant=number)
    return chosen


def _fit(a: SomeObject, b: SomeObject) -> bool:
    """Can one variable hold values of both?"""
    waiting: list[tuple[SomeObject, SomeObject]] = [(a, b)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        pairs: Pairs = []
        if not representable(union(*waiting.pop(), pairs)):
            return False
        for x, y in pairs:
            x, y = x.find(), y.find()
            if x is y or (id(x), id(y)) in seen:
                continue
            seen.add((id(x), id(y)))
            if isinstance(x, ListDef) and isinstance(y, ListDef):
                waiting.append((x.item.s_value, y.item.s_value))
            elif isinstance(x, DictDef) and isinstance(y, DictDef):
                waiting += [(x.key.s_value, y.key.s_value), (x.value.s_value, y.value.s_value)]
    return True
