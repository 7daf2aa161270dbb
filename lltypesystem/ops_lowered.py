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

One exception may be pending at a time.  The LLInterpreter has it in ``pending``
(``llinterp.PendingException``), of which ``py`` speaks; nothing can be evaluated without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rpython.lltypesystem.effects import EVERYTHING, NOTHING, OUTSIDE, Effects
from rpython.lltypesystem.llop import GC_PTR, LLOp, OperandType
from rpython.lltypesystem.ops_memory import Offsets, checking, row
from rpython.lltypesystem.rclass import OBJECTPTR
from rpython.lltypesystem.types import Bool, LowLevelType, Signed, Void
from rpython.translator.ir.model import Constant

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


def _machine_row(
    name: str, args: tuple[OperandType, ...], result: LowLevelType, effects: Effects, py: str,
    check: Any = None, **columns: Any,
) -> LLOp:  # fmt: skip
    checked = None if check is None else checking(check)
    return row(name, args, result, effects, None, checked, py=py, **columns)


def rows() -> Iterator[LLOp]:
    """All rows of this family."""
    yield _machine_row(
        "raise_prebuilt", (Void,), Void, _SETS, "pending.set_prebuilt({0})", _check_name
    )
    yield _machine_row("raise_instance", (GC_PTR,), Void, _SETS, "pending.set({0})")
    yield _machine_row("raise_fresh", (GC_PTR,), Void, _SETS, "pending.set({0})")
    yield _machine_row("raise_again", (GC_PTR,), Void, _SETS, "pending.set({0})")
    yield _machine_row("exc_trace", (), Void, _SETS, "None")
    yield _machine_row("exc_fetch", (), OBJECTPTR, _SETS, "pending.fetch()", gives_reference=True)
    yield _machine_row(
        "exc_matches", (Void, Signed, Signed), Bool, _ASKS, "pending.matches({1}, {2})",
        _check_name,
    )  # fmt: skip
    yield _machine_row("exc_promise", (Bool,), Void, _ASKS, "None", _check_constant)
    yield _machine_row("handler_unwind", (), Void, _SETS, "None")
    # each probe fails when the operation after it has something to do
    failing = Effects(_OUTSIDE, NOTHING, frozenset({RecursionError}), False)
    yield _machine_row("stack_probe", (), Void, failing, "None")
    yield _machine_row("stack_overflow", (), Void, _RUNS_ANYTHING, "None", safepoint=True)
    yield _machine_row("safepoint_probe", (), Void, failing, "break_check()")
    yield _machine_row("safepoint", (), Void, _RUNS_ANYTHING, "None", safepoint=True)
