"""Operations that exist only while a graph is being built; none is left in a finished one.

    yield_(x)                 hand ``x`` out and wait to be resumed (``generators.py``)
    yield_(x, it)             the same in ``yield from it``
    check_bound(x, error)     raise the exception unless ``x`` has a value (``unbound.py``)
"""

from __future__ import annotations

from rpython.translator.ir.hlops import Group, HLOp

YIELD = HLOp("yield_", None, "yield", None, False, True, Group.BUILDING)
CHECK_BOUND = HLOp("check_bound", 2, "bound", None, True, True, Group.BUILDING)
