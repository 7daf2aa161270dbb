"""Objects with the buffer protocol: bytes, bytearrays, arrays, numpy's arrays of bytes.

Native code has a memoryview of their bytes, whatever they are.  So of a parameter with the hint
``Buffer`` only that may be asked for that all of them answer alike::

    def f(data: Buffer):
        view = memoryview(data)         what it can be given to, and bytes, bytearray
        isinstance(data, str)           what it is not

The bytes are copied when the function is called.  Nobody can tell, as long as it does not keep the
view, and is not given a bytearray, too, which may be the same object.
"""

from __future__ import annotations

import collections.abc
from typing import Any

from rpython.annotator.lattice.model import SomeMemoryView, SomeObject
from rpython.translator.extension.escape import Escapes
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value

_VIEWED = (memoryview, bytes, bytearray)
_NO_BUFFERS = (str, int, float, bool, complex, list, tuple, dict, set, frozenset)


def is_buffer(hint: Any) -> bool:
    """Is it the type of all objects with the buffer protocol?"""
    named = getattr(hint, "__name__", "") == "Buffer"
    where = getattr(hint, "__module__", "")
    return hint is getattr(collections.abc, "Buffer", object()) or (
        named and where in ("typing_extensions", "_collections_abc")
    )


def is_view(s: SomeObject) -> bool:
    return isinstance(s, SomeMemoryView)


def only_viewed(escapes: Escapes, graph: FunctionGraph, index: int) -> bool:
    """Does the function do nothing with its argument but what all buffers allow alike?"""
    return _only_viewed(escapes, graph, index, set())


def _only_viewed(
    escapes: Escapes, graph: FunctionGraph, index: int, seen: set[tuple[FunctionGraph, int]]
) -> bool:
    if (graph, index) in seen:
        return True
    seen.add((graph, index))
    aliases: set[Value] = {graph.getargs()[index]}
    changed = True
    while changed:
        changed = False
        for link in graph.iterlinks():
            for arg, target in zip(link.args, link.target.inputargs):
                if arg not in aliases or target in aliases:
                    continue
                if link.target in (graph.returnblock, graph.exceptblock):
                    return False
                aliases.add(target)
                changed = True
    for _, op in graph.iterblockops():
        places = [place for place, arg in enumerate(op.args) if arg in aliases]
        if places and not _views(escapes, op, places, seen):
            return False
    return True


def _views(
    escapes: Escapes, op: SpaceOperation, places: list[int], seen: set[tuple[FunctionGraph, int]]
) -> bool:
    callee = op.args[0]
    if op.opname in ("is_", "is_not"):
        return any(isinstance(arg, Constant) and arg.value is None for arg in op.args)
    if op.opname != "simple_call" or 0 in places:
        return False
    if isinstance(callee, Constant) and any(callee.value is each for each in _VIEWED):
        return len(op.args) == 2
    if isinstance(callee, Constant) and callee.value is isinstance:
        cls = op.args[2]
        return isinstance(cls, Constant) and any(cls.value is each for each in _NO_BUFFERS)
    called = escapes.callees(escapes.annotator.binding(callee))
    return bool(called) and all(
        _only_viewed(escapes, graph, place + shift, seen)
        for graph, shift in called
        for place in places
    )
