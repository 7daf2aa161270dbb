"""A simulated collector that moves objects, for the LLInterpreter: it proves roots and barriers.

It runs lowered graphs.  Wherever an operation may collect, all objects move: what a variable holds
is an old address from then on, and using it is an error that says where.  Only what was in a frame
of the shadow stack, and is loaded from there, or from the heap, is a present address.  Every
allocation finds the nursery full, and every safe point has something to do.

An object is young until the next collection; storing a young object in an old one that no write
barrier has told of since then is an error.  Arrays and the like may be large, and are never young.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from rpython.lltypesystem.interp.heap import SimulatedHeap
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.simulated.casts import top_container
from rpython.lltypesystem.simulated.containers import MemoryFault, _array, _struct
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.translator.ir.model import SpaceOperation


class OldAddress(MemoryFault):
    """A pointer was used that a collection has made stale: a root is missing."""


class MissingBarrier(MemoryFault):
    """A young object was stored in an old one, and the collector does not know."""


class Held:
    """A pointer in a variable: where the object was when the variable got it."""

    __slots__ = ("pointer", "time")

    def __init__(self, pointer: _ptr, time: int) -> None:
        self.pointer = pointer
        self.time = time


class MovingHeap(SimulatedHeap):
    """``may_collect``: the collector's own idea of which
    operations may, by which the roots were found."""

    def __init__(self, may_collect: Callable[[SpaceOperation], bool]) -> None:
        self._may_collect = may_collect
        self.time = 0
        """How many collections there were."""
        self._untold: dict[int, Any] = {}
        """Old objects into which young ones were copied, which has to be told before the next."""

    # -- pointers

    def live(self, value: Any) -> Any:
        if isinstance(value, Held) and value.time != self.time:
            raise OldAddress(f"{value.pointer!r} is used after its object moved: no root kept it")
        return value

    def pointer(self, value: Any) -> Any:
        return self.live(value).pointer if isinstance(value, Held) else value

    def arrived(self, value: Any) -> Any:
        if isinstance(value, _ptr) and _moves(value):
            return Held(value, self.time)
        return value

    def set_frame(self, frame: dict[int, Any], size: int) -> None:
        for slot in [slot for slot in frame if slot >= size]:
            del frame[slot]

    # -- operations

    def run(self, op: SpaceOperation, *args: Any) -> Any:
        row = op.opdef
        assert isinstance(row, LLOp)
        values = [self.pointer(arg) for arg in args]
        if self._may_collect(op):
            self.collect()
        if row.stores:
            self._check_store(values[0], values[-1])
        result = super().run(op, *values)
        if row.makes_object and _moves(result):
            obj = result._obj
            obj.__dict__["_birth"] = -1 if obj._TYPE._is_varsize() else self.time
        if op.opname == "copy_array_items":
            self._note_copied(values[1])
        return self.arrived(result)

    def called(self, op: SpaceOperation, result: Any) -> Any:
        value = self.pointer(result)
        if self._may_collect(op):
            self.collect()
        return self.arrived(value)

    def probe(self, op: SpaceOperation) -> NoReturn:
        """There is always something to do."""
        assert isinstance(op.opdef, LLOp)
        (cls,) = op.opdef.raises
        raise cls

    def outside(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: self.arrived(function(*map(self.pointer, args)))

    def collect(self) -> None:
        """Move everything."""
        if self._untold:
            raise MissingBarrier("young objects were copied into an old one without a barrier")
        self.time += 1

    # -- generations

    def remember(self, value: Any) -> None:
        obj = top_container(self.pointer(value)._obj)
        obj.__dict__["_remembered"] = self.time
        self._untold.pop(id(obj), None)

    def _is_young(self, p: Any) -> bool:
        return (
            isinstance(p, _ptr)
            and _moves(p)
            and top_container(p._obj).__dict__.get("_birth") == self.time
        )

    def _knows(self, p: _ptr) -> bool:
        """Need it not be told what is stored there?"""
        obj = top_container(p._obj)
        if obj._TYPE._gckind != "gc":
            return True
        attributes = obj.__dict__
        return self.time in (attributes.get("_birth"), attributes.get("_remembered"))

    def _check_store(self, p: _ptr, value: Any) -> None:
        if self._is_young(value) and not self._knows(p):
            raise MissingBarrier(f"{value!r}, young, is stored in an old object without a barrier")

    def _note_copied(self, p: _ptr) -> None:
        if not self._knows(p) and any(map(self._is_young, p._obj.items)):
            obj = top_container(p._obj)
            self._untold[id(obj)] = obj


def _moves(p: _ptr) -> bool:
    """Does it point to an object, or into one, that is not prebuilt?"""
    if not isinstance(p._obj, _struct | _array):
        return False
    obj = top_container(p._obj)
    return bool(obj._TYPE._gckind == "gc" and not obj._immortal)
