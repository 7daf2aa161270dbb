"""A simulated collector that counts references, for the LLInterpreter: it proves the counting.

It runs graphs that were lowered for ``--gc=refcount``.  ``gc_incref`` and ``gc_decref`` count, and
an object without references is dead from then on: using it is an error that says where.  At the
end each object that lives must have as many references as there are pointers to it in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

from rpython.lltypesystem.interp.heap import SimulatedHeap
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.primitives import LowLevelType
from rpython.lltypesystem.simulated.casts import top_container
from rpython.lltypesystem.simulated.containers import (
    FinalizerState,
    MemoryFault,
    _array,
    _container,
    _dead,
    _struct,
)
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import Array, FixedSizeArray, Ptr, Struct
from rpython.translator.ir.model import SpaceOperation


class WrongCount(MemoryFault):
    """An object has more references or fewer than there are pointers to it."""


class CountingHeap(SimulatedHeap):
    def __init__(self) -> None:
        self._counts: dict[Any, int] = {}
        """How many references each object has that lives."""
        self._weak: dict[Any, list[tuple[Any, str]]] = {}
        """Where weak pointers to an object are: container and field."""
        self._written: dict[int, Any] = {}
        """The prebuilt data into which pointers were stored."""
        self._finalizers: set[FinalizerState] = set()
        """Those that objects have waited for."""

    # -- operations

    def run(self, op: SpaceOperation, *args: Any) -> Any:
        row = op.opdef
        assert isinstance(row, LLOp)
        if op.opname == "gc_copy_items":
            return self._copy(op, *args)
        for each in args:
            if row.stores and isinstance(each, _ptr):
                self._note_written(each)
        result = super().run(op, *args)
        if row.makes_object and result._TYPE._gckind == "gc":
            self._counts[result._obj] = 1
        if op.opname == "gc_store_weak":
            _, place, field, value = args
            target = self._counted(value)
            if target is not None:
                self._weak.setdefault(target, []).append((place._obj, field))
        return result

    def _copy(
        self, op: SpaceOperation, source: _ptr, target: _ptr, start: int, to: int, length: int
    ) -> None:
        old = list(target._obj.items[to : to + length])
        for each in source._obj.items[start : start + length]:
            self.acquire(each)
        super().run(op, source, target, start, to, length)
        self._note_written(target)
        for each in old:
            self.release(each)

    def _note_written(self, p: _ptr) -> None:
        if isinstance(p._obj, _struct | _array):
            top = top_container(p._obj)
            if top not in self._counts:
                self._written[id(top)] = top

    # -- counts

    def _counted(self, p: Any) -> Any:
        """The object that a pointer leads to, or into, when it was made by the program; else
        None.  Raises MemoryFault when it is dead."""
        if not isinstance(p, _ptr) or p._obj is None:
            return None
        if isinstance(p._obj, _dead):
            p._obj._check()
        if not isinstance(p._obj, _struct | _array):
            return None
        top = top_container(p._obj)
        return top if top in self._counts else None

    def acquire(self, value: Any) -> None:
        """Raises MemoryFault when the object is dead."""
        obj = self._counted(value)
        if obj is not None:
            self._counts[obj] += 1

    def release(self, value: Any) -> None:
        """The last one takes the object away, and its own references with it."""
        todo = [value]
        while todo:
            obj = self._counted(todo.pop())
            if obj is None:
                continue
            self._counts[obj] -= 1
            if self._counts[obj] == 0 and not self._wait_for_finalizers(obj):
                todo += _pointers_in(obj)
                for container, name in self._weak.pop(obj, []):
                    if not isinstance(container, _dead):
                        T = container._TYPE
                        container._setfield(T, name, T._flds[name]._defl())
                del self._counts[obj]
                obj._kill()

    def _wait_for_finalizers(self, obj: Any) -> bool:
        """Is the program to be told first?  Each time it is told it gets a reference."""
        _, registered = obj.__dict__.pop("_finalizers", (None, ()))
        for state, number in registered:
            state.dead.append((obj, number, False))
            self._finalizers.add(state)
        self._counts[obj] = len(registered)
        return bool(registered)

    def check(self, kept: Iterable[Any] = ()) -> int:
        """Raises WrongCount when an object has not the references that it should have."""
        found = dict.fromkeys(self._counts, 0)
        containers = [*self._counts, *self._written.values()]
        for p in chain(kept, *map(_pointers_in, containers)):
            obj = self._counted(p)
            if obj is not None:
                found[obj] += 1
        for state in self._finalizers:
            for obj, _, _ in state.dead:
                found[obj] += 1
        for obj, count in self._counts.items():
            if found[obj] != count:
                raise WrongCount(f"{obj!r} has {count} references, {found[obj]} are in memory")
        return len(found)


def _pointers_in(container: Any) -> Iterator[_ptr]:
    """The pointers to objects in a container that count."""
    if isinstance(container, _dead) or not _may_hold_pointers(container._TYPE):
        return
    items = container.items if isinstance(container, _array) else _fields(container)
    for item in list(items):
        if isinstance(item, _container):
            yield from _pointers_in(item)
        elif isinstance(item, _ptr) and item._TYPE._gckind == "gc" and item._obj is not None:
            yield item


@cache
def _may_hold_pointers(T: LowLevelType) -> bool:
    if isinstance(T, Struct):
        return any(map(_may_hold_pointers, T._flds.values()))
    if isinstance(T, Array | FixedSizeArray):
        return _may_hold_pointers(T.OF)
    return isinstance(T, Ptr) and T._gckind == "gc"


def _fields(container: _struct) -> Iterator[Any]:
    """What is in a struct, on all levels, but for weak pointers."""
    S: Any = container._TYPE
    while S is not None:
        weak = S._hints.get("weak_fields", ())
        for name in S._flds:
            if name not in weak and name != S._parent_field:
                yield container.__dict__.get(S._slots[name])
        S = S._flds[S._parent_field] if S._parent_field else None
