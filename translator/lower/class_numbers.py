"""Ask an instance for the number of its class in one operation.

::

    c = getfield(p, "typeptr")                      n = class_number(p)
    n = getfield(c, "subclassrange_min")    ->      f = getarrayitem(@step, n)
    f = getarrayitem(@step, n)

Calls of methods and ``isinstance`` want no more of the class than that, and the type number in an
object's header may say it (``backend_c/classes.py``): two loads less.  Not where something between
the two may collect: the instance would have to be kept for it.
"""

from __future__ import annotations

from rpython.lltypesystem.interp.shape import count_uses
from rpython.lltypesystem.rclass import CLASSTYPE, OBJECTPTR
from rpython.translator.ir.model import Block, Constant, FunctionGraph, SpaceOperation, Value
from rpython.translator.lower.context import Context
from rpython.translator.lower.edges import new_op
from rpython.translator.opt.facts import MAY_COLLECT


def find_class_numbers(graph: FunctionGraph, context: Context) -> bool:
    """Do that before ``keep_roots``; was there any?"""
    changed = [block for block in graph.iterblocks() if _work_on(block, context)]
    if changed:
        uses = count_uses(graph)
        for block in changed:
            block.operations = [
                op for op in block.operations if op.result in uses or not _loads_class(op)
            ]
    return bool(changed)


def _work_on(block: Block, context: Context) -> bool:
    changed = False
    instances: dict[Value, Value] = {}
    """The instances whose classes were loaded, as long as they are where they were."""
    for i, op in enumerate(block.operations):
        if (instance := _loaded(op, "typeptr")) is not None:
            instances[op.result] = instance
        elif (cls := _loaded(op, "subclassrange_min")) is not None and cls in instances:
            number = new_op("class_number", [instances[cls]], op.result, op.span)
            block.operations[i] = number
            changed = True
        elif context.summaries.of_op(MAY_COLLECT, op):
            instances.clear()
    return changed


def _loads_class(op: SpaceOperation) -> bool:
    return _loaded(op, "typeptr") is not None


def _loaded(op: SpaceOperation, name: str) -> Value | None:
    """The instance or class of which the operation loads the field of that name."""
    if op.opname != "getfield" or op.args[0].concretetype not in (OBJECTPTR, CLASSTYPE):
        return None
    field = op.args[1]
    return op.args[0] if isinstance(field, Constant) and field.value == name else None
