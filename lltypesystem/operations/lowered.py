"""Operations of the ``lowered`` stage, which only the passes of ``translator.lower`` emit: how
exceptions are raised, traced and caught, and how stack checks and safe points find that there is
something to do.

    raise_prebuilt("OverflowError")       the program's own instance is pending from now on
    raise_instance(e)                     e is, with a new traceback unless that is its own
    raise_fresh(e)                        e, prebuilt or like it, is, with a new traceback
    raise_again(e)                        e, caught in this function, is again
    exc_trace()                           what is pending passed through this place of the source
    exc_matches("KeyError", 7, 8)         is the number of its class in that range?
    e = exc_fetch()                       the pending one, which is no longer pending
    exc_promise(True)                     there is one (False: none), for the C compiler to know
    handler_unwind()                      the function handles no exception any more

    n = class_number(p)                   the number of the class of an instance

    p = nursery_malloc(type T, {..})      a new object, unless there is no room in the nursery
    p = collecting_malloc(type T, {..})   the same after a collection
    gc_write_barrier(p, q)                q is going to be stored in p
    gc_slot_barrier(p, q, p, 3)           q is going to be stored at [3] of p, perhaps a large one
    gc_wrote_items(p, to, 2, from, 0, n)  pointers have been copied to [2] .. of p
    gc_save_root(0, p)                    slot 0 of the frame on the shadow stack
    gc_clear_root(0)                      holds nothing
    gc_set_frame(1)                       how many slots of the frame are roots
    gc_find_frame()                       where the frame begins is looked up here
    p1 = gc_load_root(0)                  where the object is now
    gc_save_inner(1, items)               slots 1 and 2: a pointer into an object, or raw memory
    items1 = gc_load_inner(1)
    gc_incref(p)                          one reference more
    gc_decref(p)                          one less; without any the object is freed
    old = gc_exchange(p, "next", q)       store q, whose reference comes along; that of old goes on
    gc_store_weak(p, p, "ref", q)         store q without a reference
    gc_copy_items(from, to, 0, 2, n)      copy_array_items, with what it counts
    gc_note_raised(e)                     the traceback may be that of e
    gil_release()                         other threads of the program may run
    gil_take()                            when they let this one

One exception may be pending at a time.  The LLInterpreter has it in ``pending``
(``llinterp.PendingException``) and the function's frame in ``frame``, of which ``py`` speaks;
nothing can be evaluated without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rpython.lltypesystem.operations.effects import (
    EVERYTHING,
    HEAP,
    NOTHING,
    OUTSIDE,
    Effects,
    reading,
    writing,
)
from rpython.lltypesystem.operations.llop import ANY_PTR, GC_PTR, Kind, LLOp, OperandType
from rpython.lltypesystem.operations.memory import (
    ALLOCATES,
    Offsets,
    checking,
    expect,
    place_of,
    read_place,
    row,
    target_type,
    write_place,
)
from rpython.lltypesystem.operations.memory import rows as memory_rows
from rpython.lltypesystem.primitives import Bool, LowLevelType, Signed, Void
from rpython.lltypesystem.rclass import OBJECTPTR, class_number
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import Constant

Rule = Callable[[Offsets, LowLevelType], None]

RAW_PTR = Kind("any raw pointer", lambda T: isinstance(T, Ptr) and T._gckind == "raw")

_OUTSIDE = frozenset({OUTSIDE})
_ASKS = Effects(_OUTSIDE, NOTHING, frozenset(), False)
_SETS = Effects(_OUTSIDE, _OUTSIDE, frozenset(), False)
_RUNS_ANYTHING = Effects(
    frozenset({EVERYTHING}), frozenset({EVERYTHING}),
    frozenset({RecursionError, KeyboardInterrupt}), False,
)  # fmt: skip


def _check_name(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[0], Constant) or not isinstance(args[0].value, str):
        raise TypeError("operand 0 must be a constant, the name of a class")


def _check_constant(args: Offsets, RESULT: LowLevelType) -> None:
    if not isinstance(args[0], Constant):
        raise TypeError("operand 0 must be a constant")


def _check_slot(args: Offsets, RESULT: LowLevelType) -> None:
    if len(args) < 4:
        raise TypeError("the object, the value and the place in it are missing")
    T = place_of(target_type(args[2:]), args[3:]).type
    expect("the value", T, args[1].concretetype)


def _check_load(kind: str) -> Callable[[Offsets, LowLevelType], None]:
    def check(args: Offsets, RESULT: LowLevelType) -> None:
        _check_constant(args, RESULT)
        if not isinstance(RESULT, Ptr) or RESULT.TO._gckind != kind:
            raise TypeError(f"the result must be a {kind} pointer, is {RESULT}")

    return check


def _machine_row(
    name: str, args: tuple[OperandType, ...] | None, result: LowLevelType | None,
    effects: Effects, py: str, check: Rule | None = None, **columns: Any,
) -> LLOp:  # fmt: skip
    checked = None if check is None else checking(check)
    return row(name, args, result, effects, None, checked, py=py, **columns)


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield _machine_row(
        "raise_prebuilt", (Void,), Void, _SETS, "pending.set_prebuilt({0})", _check_name
    )
    for name, method in (("raise_instance", "set_raised"), ("raise_fresh", "set_fresh")):
        yield _machine_row(name, (GC_PTR,), Void, _SETS, f"pending.{method}({{0}})", keeps=True)
    yield _machine_row("raise_again", (GC_PTR,), Void, _SETS, "pending.set({0})", keeps=True)
    yield _machine_row("exc_trace", (), Void, _SETS, "pending.trace()")
    yield _machine_row("exc_fetch", (), OBJECTPTR, _SETS, "pending.fetch()", gives_reference=True)
    yield _machine_row(
        "exc_matches", (Void, Signed, Signed), Bool, _ASKS, "pending.matches({1}, {2})",
        _check_name,
    )  # fmt: skip
    yield _machine_row("exc_promise", (Bool,), Void, _ASKS, "None", _check_constant)
    yield _machine_row("handler_unwind", (), Void, _SETS, "None")
    yield row(
        "class_number", (OBJECTPTR,), Signed, reading(HEAP), class_number, None, private=True
    )
    # each probe fails when the operation after it has something to do
    failing = Effects(_OUTSIDE, NOTHING, frozenset({RecursionError}), False)
    yield replace(_machine_row("stack_probe", (), Void, failing, "None"), probe=True)
    yield _machine_row("stack_overflow", (), Void, _RUNS_ANYTHING, "None", safepoint=True)
    yield replace(_machine_row("safepoint_probe", (), Void, failing, "safepoint()"), probe=True)
    yield _machine_row(  # its probe did not let others run where a heap made it fail
        "safepoint_slow", (), Void, _RUNS_ANYTHING, "safepoint()", safepoint=True
    )
    yield from _memory_rows()
    yield from _root_rows()
    yield from _count_rows()


def _memory_rows() -> Iterator[LLOp]:
    without_collecting = replace(ALLOCATES, collects=False)
    for name in ("malloc", "malloc_varsize"):
        allocation = next(row for row in memory_rows() if row.name == name)
        made = replace(allocation, form=allocation.writer)
        yield replace(made, name=f"nursery_{name}", effects=without_collecting, probe=True)
        yield replace(made, name=f"collecting_{name}")
    remembers = "remember({0})"
    yield _machine_row(
        "gc_write_barrier", (GC_PTR, GC_PTR), Void, _SETS, remembers, barrier=True
    )  # fmt: skip
    yield _machine_row("gc_slot_barrier", None, Void, _SETS, remembers, _check_slot, barrier=True)
    yield _machine_row(
        "gc_wrote_items", (GC_PTR, ANY_PTR, Signed, ANY_PTR, Signed, Signed), Void, _SETS,
        remembers, barrier=True,
    )  # fmt: skip
    yield _machine_row("gil_release", (), Void, _SETS, "None")
    yield _machine_row("gil_take", (), Void, _SETS, "None")


def _root_rows() -> Iterator[LLOp]:
    yield _machine_row(
        "gc_save_root", (Signed, GC_PTR), Void, _SETS, "frame.__setitem__({0}, {1})",
        _check_constant, in_frame=True,
    )  # fmt: skip
    yield _machine_row(
        "gc_save_inner", (Signed, RAW_PTR), Void, _SETS, "frame.__setitem__({0}, {1})",
        _check_constant, in_frame=True,
    )  # fmt: skip
    yield _machine_row(
        "gc_clear_root", (Signed,), Void, _SETS, "frame.pop({0}, None)", _check_constant,
        in_frame=True,
    )  # fmt: skip
    yield _machine_row(
        "gc_set_frame", (Signed,), Void, _SETS, "set_frame(frame, {0})", _check_constant,
        in_frame=True,
    )  # fmt: skip
    yield _machine_row("gc_find_frame", (), Void, _SETS, "None")
    for name, kind in (("gc_load_root", "gc"), ("gc_load_inner", "raw")):
        yield _machine_row(
            name, (Signed,), None, _ASKS, "frame[{0}]", _check_load(kind), in_frame=True
        )


def _exchange(p: _ptr, *rest: Any) -> Any:
    old = read_place(p, *rest[:-1])
    write_place(p, *rest)
    return old


def _store_weak(base: _ptr, p: _ptr, *rest: Any) -> None:
    write_place(p, *rest)


def _check_exchange(args: Offsets, RESULT: LowLevelType) -> None:
    T = place_of(target_type(args), args[1:-1]).type
    expect("the value", T, args[-1].concretetype)
    expect("the result", T, RESULT)


def _check_weak(args: Offsets, RESULT: LowLevelType) -> None:
    T = place_of(target_type(args[1:]), args[2:-1]).type
    expect("the value", T, args[-1].concretetype)


def _count_rows() -> Iterator[LLOp]:
    yield _machine_row("gc_incref", (GC_PTR,), Void, _SETS, "acquire({0})")
    yield _machine_row("gc_decref", (GC_PTR,), Void, _SETS, "release({0})")
    yield _machine_row("gc_note_raised", (GC_PTR,), Void, _SETS, "None")
    access = reading(HEAP) | writing(HEAP)
    yield row("gc_exchange", None, None, access, _exchange, checking(_check_exchange), stores=True)
    yield row(
        "gc_store_weak", None, Void, writing(HEAP), _store_weak, checking(_check_weak), stores=True
    )
    copy = next(row for row in memory_rows() if row.name == "copy_array_items")
    yield replace(copy, name="gc_copy_items", form="gc_copy_items")
