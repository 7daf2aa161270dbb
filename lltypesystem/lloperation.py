"""``llop``: calling one low-level operation from a low-level helper.

    llop.cast_int_to_char(Char, n)

emits the operation when translated; untranslated, the row's ``eval`` runs.  Programs may call some
of them, too (``is_for_programs``): outside of its domain an operation raises UndefinedOperation.
"""

from __future__ import annotations

import gc
from typing import Any

from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.primitives import Address, Offset, Primitive, Void
from rpython.lltypesystem.simulated.memory import exposed, unboxed


class LLOpCaller:
    """One low-level operation as a callable: ``caller(RESULTTYPE, *args)``.  Operands and
    result are as user code sees them, sized ints boxed."""

    _rpython_builtin_ = True

    def __init__(self, opname: str) -> None:
        self.opname = opname

    def __call__(self, RESULTTYPE: Any, *args: Any) -> Any:
        row = LLOPS[self.opname]
        if row.eval is None:
            raise TypeError(f"{self.opname} cannot be called by name: call the function")
        values = [unboxed(arg) for arg in args]
        if row.typed:
            return exposed(RESULTTYPE, row.eval(RESULTTYPE, *values))
        return exposed(RESULTTYPE, row.eval(*values))

    def __repr__(self) -> str:
        return f"llop.{self.opname}"


def is_for_programs(opname: str) -> bool:
    """May a program call the operation by name?  Those on numbers and characters, which are
    tested, and a few more.  The others need tests that ``lltype``'s functions make."""
    row = LLOPS[opname]
    on_values = row.args is not None and all(
        isinstance(T, Primitive) and T not in (Void, Address, Offset) for T in row.args
    )
    effects = row.effects
    return row.for_programs or (
        on_values and not (effects.reads or effects.writes or effects.collects)
    )


def gc__collect(RESULT: Any, *args: int) -> None:
    """A full collection."""
    gc.collect()


def debug_print_traceback(RESULT: Any) -> None:
    """There is nothing to print: uncaught exceptions print their traceback."""


class LLOpNamespace:
    """``llop.<name>`` for every row of the table, and for operations of RPython's that are
    functions here."""

    _rpython_builtin_ = True

    def __init__(self) -> None:
        self._callers: dict[str, Any] = {row.name: LLOpCaller(row.name) for row in LLOPS}
        for function in (gc__collect, debug_print_traceback):
            self._callers[function.__name__] = function

    def __getattr__(self, name: str) -> Any:
        try:
            return self._callers[name]
        except KeyError:
            raise AttributeError(f"no low-level operation {name!r}") from None


llop = LLOpNamespace()
