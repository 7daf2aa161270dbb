"""Release the GIL around calls of C functions that may wait, and take it again after them.

::

                                        gil_release()
    n: Signed = direct_call(@read)  ->  n: Signed = direct_call(@read)
                                        gil_take()

A call that gets a pointer into an object keeps them from moving it, where objects move.
"""

from __future__ import annotations

from rpython.lltypesystem.operations.llop import callees
from rpython.translator.ir.model import FunctionGraph, SpaceOperation
from rpython.translator.lower.context import Context
from rpython.translator.lower.edges import new_op
from rpython.translator.lower.pointers import Pointers


def release_gil(graph: FunctionGraph, context: Context) -> bool:
    """Do that, around every such call, after ``keep_roots``; was there any?"""
    return _release(graph, context, None)


def release_gil_of_movers(graph: FunctionGraph, context: Context) -> bool:
    """The same with a collector that moves objects."""
    if not context.program.threaded:
        return False
    return _release(graph, context, Pointers(graph, context.inner_parameters(graph)))


def _release(graph: FunctionGraph, context: Context, pointers: Pointers | None) -> bool:
    if not context.program.threaded:
        return False
    changed = False
    for block in graph.iterblocks():
        operations: list[SpaceOperation] = []
        for op in block.operations:
            external = callees(op).external
            waits = external is not None and external.blocking
            if waits and pointers is not None:
                waits = not any(arg in pointers.inner for arg in op.args)
            if waits:
                operations += [
                    new_op("gil_release", [], span=op.span), op,
                    new_op("gil_take", [], span=op.span),
                ]  # fmt: skip
                changed = True
            else:
                operations.append(op)
        block.operations = operations
    return changed
