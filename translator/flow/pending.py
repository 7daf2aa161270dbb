"""Operations that exist only while a graph is being built; none is left in a finished one.

    yield_(x)                 hand ``x`` out and wait to be resumed (``generators.py``)
    check_bound(x, error)     raise the exception unless ``x`` has a value (``unbound.py``)
"""

from __future__ import annotations

from translator.ir.hlops import HLOp

YIELD = HLOp("yield_", 1, "yield", None, False, True)
CHECK_BOUND = HLOp("check_bound", 2, "bound", None, True, True)
