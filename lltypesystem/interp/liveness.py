"""Which variables of a low-level graph are used after an operation.

Simulated objects live as long as the host refers to them, also from a variable that is not used
any more.  Where a program asks for a collection, such variables are emptied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import Block, FunctionGraph, SpaceOperation, Value, Variable
from rpython.translator.ir.traversal import postorder

_NAME = re.compile(r"\w+")
_VARIABLE = re.compile(r"v\d+_\w*")
_PLACEHOLDER = "empty_variables_"


class Lifetimes:
    """Of the variables of one graph, for ``interp.codegen``: which operations need variables
    emptied (``op in lifetimes``), and the text that does it."""

    def __init__(self, graph: FunctionGraph) -> None:
        self._live = live_after(graph, "gc_collect")
        self._ops = list(self._live)

    def __contains__(self, op: SpaceOperation) -> bool:
        return op in self._live

    def placeholder(self, op: SpaceOperation) -> str:
        """What stands for the text until all variables have names."""
        return f"{_PLACEHOLDER}{self._ops.index(op)}"

    def fill(self, lines: list[str], names: Mapping[Variable, str]) -> None:
        """Replace the placeholders."""
        for i, line in enumerate(lines if self._ops else ()):
            if line.lstrip().startswith(_PLACEHOLDER):
                indent, _, number = line.partition(_PLACEHOLDER)
                lines[i] = indent + _emptying(self._live[self._ops[int(number)]], names)


def _emptying(live: set[Variable], names: Mapping[Variable, str]) -> str:
    used = {name for v in live for name in _NAME.findall(names.get(v, ""))}
    pointers = [name for v, name in names.items() if isinstance(v.concretetype, Ptr)]
    dead = dict.fromkeys(n for n in pointers if _VARIABLE.fullmatch(n) and n not in used)
    return f"{' = '.join(dead)} = None" if dead else "pass"


def live_after(graph: FunctionGraph, opname: str) -> dict[SpaceOperation, set[Variable]]:
    """For each operation of that name, the variables used after it."""
    if not any(op.opname == opname for _, op in graph.iterblockops()):
        return {}
    blocks = postorder(graph)
    live: dict[Block, set[Variable]] = {block: set() for block in blocks}
    result: dict[SpaceOperation, set[Variable]] = {}
    changed = True
    while changed:
        changed = False
        for block in blocks:
            used = _at_end(block, live)
            for op in reversed(block.operations):
                used.discard(op.result)
                if op.opname == opname:
                    result[op] = set(used)
                used |= _variables(op.args)
            used.difference_update(block.inputargs)
            if used != live[block]:
                live[block] = used
                changed = True
    return result


def _at_end(block: Block, live: dict[Block, set[Variable]]) -> set[Variable]:
    used: set[Variable] = set()
    for link in block.exits:
        used |= live[link.target] | _variables(link.args)
    if isinstance(block.exitswitch, Variable):
        used.add(block.exitswitch)
    return used


def _variables(values: Iterable[Value]) -> set[Variable]:
    return {value for value in values if isinstance(value, Variable)}
