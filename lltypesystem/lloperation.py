"""``llop``: calling one low-level operation from a low-level helper.

    llop.cast_int_to_char(Char, n)

emits the operation when translated; untranslated, the row's ``eval`` runs.
"""

from __future__ import annotations

from typing import Any

from lltypesystem.llops import LLOPS


class LLOpCaller:
    """One low-level operation as a callable: ``caller(RESULTTYPE, *args)``."""

    _rpython_builtin_ = True

    def __init__(self, opname: str) -> None:
        self.opname = opname

    def __call__(self, RESULTTYPE: Any, *args: Any) -> Any:
        return LLOPS[self.opname].eval(*args)

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
