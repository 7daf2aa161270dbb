"""``llop``: calling one low-level operation from a low-level helper.

    llop.cast_int_to_char(Char, n)

emits the operation when translated; untranslated, the row's ``eval`` runs.
"""

from __future__ import annotations

from typing import Any

from lltypesystem.llops import LLOPS
from lltypesystem.memory import exposed, unboxed


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


class LLOpNamespace:
    """``llop.<name>`` for every row of the table."""

    _rpython_builtin_ = True

    def __init__(self) -> None:
        self._callers = {row.name: LLOpCaller(row.name) for row in LLOPS}

    def __getattr__(self, name: str) -> LLOpCaller:
        try:
            return self._callers[name]
        except KeyError:
            raise AttributeError(f"no low-level operation {name!r}") from None


llop = LLOpNamespace()
