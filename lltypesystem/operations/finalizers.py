"""Operations about the collector, and finalizers of objects that nothing refers to any more.

    gc_register_finalizer(state, p, n)    note the object: it will be found dead once, as number n
    gc_finalizers_due(state)              is one dead, and is no finalizer running?
    gc_next_dead(state)                   the next dead one, or null; until null, none is due
    gc_dead_number(state)                 the number it was registered with
    gc_finalizers_waiting(state)          do others have to wait for the next collection?
    gc_collect(state)                     a full collection
    gc_condemn(state)                     all those that are left count as dead, at exit
    gc_set_max_heap_size(n)               MemoryError for more than n bytes of objects

``state`` is a Void constant: simulated memory keeps the dead objects there.  An object dies when
the host drops it, which calls ``died`` (``containers.container_class``).
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

from rpython.lltypesystem.operations.effects import EVERYTHING, NOTHING, OUTSIDE, Effects
from rpython.lltypesystem.operations.integers import simple_row
from rpython.lltypesystem.operations.llop import LLOp
from rpython.lltypesystem.primitives import Bool, Signed, Void
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.simulated.containers import FinalizerState, _array, _container, _struct
from rpython.lltypesystem.simulated.memory import _ptr, make_ptr

_OUTSIDE = frozenset({OUTSIDE})
_LOOKS = Effects(_OUTSIDE, _OUTSIDE, frozenset(), False)
_COLLECTS = Effects(frozenset({EVERYTHING}), _OUTSIDE, frozenset(), True)


def register(state: FinalizerState, p: _ptr, number: int) -> None:
    obj = p._obj
    obj.__dict__.setdefault("_finalizers", (weakref.ref(obj), []))[1].append((state, number))


def is_due(state: FinalizerState) -> bool:
    return bool(state.dead) and not state.running


def next_dead(state: FinalizerState) -> _ptr:
    state.running = bool(state.dead)
    if not state.dead:
        return make_ptr(OBJECTPTR, None)
    state.told = True
    obj, state.number, in_cycle = state.dead.popleft()
    if in_cycle:
        _attach_inlined(obj)
    return make_ptr(OBJECTPTR, obj)


def _attach_inlined(obj: Any) -> None:
    """What is inlined in others has a weak reference to them, which the host has cleared if it
    found them in or behind a cycle."""
    todo, seen = [obj], {id(obj)}
    while todo:
        outer = todo.pop()
        for key, value in _parts(outer):
            inner = value
            if isinstance(value, _container):
                value._set_parent(outer, key)
            elif isinstance(value, _ptr) and value._TYPE.TO._gckind == "gc":
                inner = value._obj
            if isinstance(inner, _struct | _array) and not inner._immortal:
                if id(inner) not in seen:
                    seen.add(id(inner))
                    todo.append(inner)


def _parts(obj: Any) -> list[tuple[Any, Any]]:
    if isinstance(obj, _array):
        return list(enumerate(obj.items))
    return [(slot, value) for slot, value in obj.__dict__.items() if slot[0] != "_"]


def number_of_dead(state: FinalizerState) -> int:
    return state.number


def some_wait(state: FinalizerState) -> bool:
    """What was told may have kept a cycle alive."""
    return state.told and not state.running


def nothing_left(state: FinalizerState) -> None:
    """An interpreted function has no exit at which what is alive would be told."""


def no_limit(size: int) -> None:
    """Simulated memory has no limit of its own."""


def collect(state: FinalizerState) -> None:
    """Cycles are the host's to find; when nobody would see it, they may wait."""
    state.told = False
    if state.observed:
        gc.collect()


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield simple_row(
        "gc_collect", (Void,), Void, collect, "RPY_GC_COLLECT()", None, effects=_COLLECTS,
        for_programs=True,
    )  # fmt: skip
    yield simple_row(
        "gc_register_finalizer", (Void, OBJECTPTR, Signed), Void, register,
        "rpy_gc_register_finalizer({1}, {2})", None,
        effects=Effects(NOTHING, _OUTSIDE, frozenset(), False),
    )  # fmt: skip
    yield simple_row(
        "gc_finalizers_due", (Void,), Bool, is_due, "RPY_GC_FINALIZERS_DUE()", None,
        effects=_LOOKS,
    )  # fmt: skip
    yield simple_row(
        "gc_next_dead", (Void,), OBJECTPTR, next_dead, "({R})rpy_gc_next_dead()", None,
        effects=_COLLECTS, gives_reference=True,
    )  # fmt: skip
    yield simple_row(
        "gc_dead_number", (Void,), Signed, number_of_dead, "rpy_gc_dead_number()", None,
        effects=_LOOKS,
    )  # fmt: skip
    yield simple_row(
        "gc_finalizers_waiting", (Void,), Bool, some_wait, "rpy_gc_finalizers_waiting()",
        None, effects=_LOOKS,
    )  # fmt: skip
    yield simple_row(
        "gc_condemn", (Void,), Void, nothing_left, "rpy_gc_condemn()", None, effects=_COLLECTS
    )
    yield simple_row(
        "gc_set_max_heap_size", (Signed,), Void, no_limit, "rpy_gc_set_max_heap_size({0})", None,
        effects=Effects(NOTHING, _OUTSIDE, frozenset(), False),
    )  # fmt: skip
