"""Objects with the buffer protocol: bytes, bytearrays, arrays, numpy's arrays of bytes.

Native code has a memoryview of their bytes, whatever they are.  So of a parameter with the hint
``Buffer`` only that may be asked for that all of them answer alike::

    def f(data: Buffer):
        view = memoryview(data)         what it can be given to, and bytes, bytearray
        isinstance(data, str)           what it is not

    def g(data: bytes | bytearray | memoryview):
        len(data), data[0]              where the classes are known, also what these can do

It is the memory itself (``rtyper.ll.ll_outsideview``), as long as the call lasts: so the function
cannot keep the view, nor be given a bytearray, too, which may be the same object: that is copied.
"""

from __future__ import annotations

from rpython.annotator.lattice.model import K_SLICE, SomeObject
from rpython.annotator.lattice.outsideviews import SomeNumberView, SomeOutsideView
from rpython.annotator.lattice.parts import without_none
from rpython.translator.extension.escape import Escapes
from rpython.translator.ir.model import Constant, FunctionGraph, SpaceOperation, Value

_VIEWED = (memoryview, bytes, bytearray)
_NO_BUFFERS = (str, int, float, bool, complex, list, tuple, dict, set, frozenset)
_READING = (
    len, iter, enumerate, zip, sum, min, max, sorted, reversed, any, all, list, tuple, set,
    frozenset,
)  # fmt: skip
"""What all classes that are named in a hint allow alike."""


def is_memory(s: SomeObject) -> bool:
    """Is it memory that Python has, or None?"""
    return isinstance(without_none(s), (SomeOutsideView, SomeNumberView))


class Uses:
    """Does a function do nothing with an argument but what all buffers allow alike?  ``reads``:
    those that a hint names, which can do more."""

    def __init__(self, escapes: Escapes, reads: bool) -> None:
        self.escapes = escapes
        self.reads = reads
        self._seen: set[tuple[FunctionGraph, int]] = set()

    def are_fine(self, graph: FunctionGraph, index: int) -> bool:
        if (graph, index) in self._seen:
            return True
        self._seen.add((graph, index))
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
            if places and not self._is_fine(op, places):
                return False
        return True

    def _is_fine(self, op: SpaceOperation, places: list[int]) -> bool:
        callee = op.args[0]
        if op.opname in ("is_", "is_not"):
            return any(isinstance(arg, Constant) and arg.value is None for arg in op.args)
        if self.reads and op.opname == "getitem":
            return places == [0] and self.escapes.annotator.binding(op.args[1]).kinds != K_SLICE
        if self.reads and op.opname == "iter":
            return True
        if op.opname != "simple_call" or 0 in places:
            return False
        if isinstance(callee, Constant) and any(callee.value is each for each in _VIEWED):
            return len(op.args) == 2
        if isinstance(callee, Constant) and callee.value is isinstance:
            cls = op.args[2]
            return isinstance(cls, Constant) and any(cls.value is each for each in _NO_BUFFERS)
        if self.reads and isinstance(callee, Constant):
            return any(callee.value is each for each in _READING)
        called = self.escapes.callees(self.escapes.annotator.binding(callee))
        return bool(called) and all(
            self.are_fine(graph, place + shift) for graph, shift in called for place in places
        )
