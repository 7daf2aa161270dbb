"""Questions about one operation, each answered in one place from its table row."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.operations.effects import Effects
from rpython.lltypesystem.operations.llop import UndefinedOperation, makes_object, row_of
from rpython.lltypesystem.primitives import Void
from rpython.lltypesystem.simulated.containers import MemoryFault
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.model import Constant, SpaceOperation
from rpython.translator.opt.facts import EFFECTS
from rpython.translator.opt.summaries import Summaries

_FEW_ITEMS = 1 << 16
"""So many there is always room for."""


def effects_of(op: SpaceOperation) -> Effects:
    """What this use of the operation may do, when nothing is known of whom it calls."""
    return row_of(op).effects_of(op)


def is_removable(op: SpaceOperation, summaries: Summaries) -> bool:
    """May ``op`` be dropped when nobody uses its result?  Not where it may make very many items:
    that there is no room for them is an answer."""
    if makes_object(op) and len(op.args) > 2:
        length = op.args[2]
        if not isinstance(length, Constant) or length.value > _FEW_ITEMS:
            return False
    row = row_of(op)
    if row.effects.is_removable and row.callees is None and not row.safepoint:
        return True  # wherever it is
    return summaries.of_op(EFFECTS, op).is_removable


def is_foldable(op: SpaceOperation) -> bool:
    """Do the operands alone determine the result, the same at translation time as at run
    time?  It may still raise OverflowError, or be undefined, for some operands."""
    if _reads_constant(op):
        return True
    effects = effects_of(op)
    return not (
        effects.reads
        or effects.writes
        or effects.collects
        or effects.raises - {OverflowError}
        or row_of(op).varies
        or op.result.concretetype is Void
    )


def _reads_constant(op: SpaceOperation) -> bool:
    """Is it a field of prebuilt memory that never changes?  (Those of vtables are decided last.)"""
    if op.opname != "getfield" or not isinstance(op.args[0], Constant) or not op.args[0].value:
        return False
    struct, name = op.args[0].value._TYPE.TO, op.args[1]
    assert isinstance(name, Constant)
    return name.value in struct._hints.get("constant_fields", ())


def fold(op: SpaceOperation) -> Constant | None:
    """The result of ``op`` when it is foldable, all operands are constants and it does
    not raise; else None."""
    values: list[Any] = []
    for arg in op.args:
        if not isinstance(arg, Constant):
            return None
        values.append(arg.value)
    row = row_of(op)
    if row.eval is None or not is_foldable(op):
        return None
    T = op.result.concretetype
    if isinstance(T, Ptr) and row.args is not None and len(row.args) > 1:
        return None  # an interior pointer: the operation says more than the constant
    try:
        result = row.eval(T, *values) if row.typed else row.eval(*values)
    except (ArithmeticError, UndefinedOperation, MemoryFault):
        return None
    return Constant(result, T)


def catches(handler: type[BaseException], op: SpaceOperation, summaries: Summaries) -> bool:
    """May an exception raised by ``op`` be an instance of ``handler``?"""
    raised = summaries.of_op(EFFECTS, op).raises
    return any(issubclass(cls, handler) or issubclass(handler, cls) for cls in raised)
