"""The contexts of ``decimal``."""

from __future__ import annotations

import decimal
import threading
from typing import Any

from rpython.stdlib._registry import Refused, converts, replaces


@replaces(decimal.Context)
class Context:
    def __init__(self, prec: int | None = None, rounding: str | None = None) -> None:
        self.prec = 28 if prec is None else prec
        self.rounding = decimal.ROUND_HALF_EVEN if rounding is None else rounding

    def copy(self) -> Context:
        return Context(self.prec, self.rounding)


class _State:
    """Which context there is, and whose; each thread has one of its own in CPython."""

    def __init__(self) -> None:
        self.context: Any = decimal.getcontext()
        self.owner = 0


_STATE = _State()


def current() -> Context:
    if _STATE.owner and _STATE.owner != threading.get_ident():
        raise NotImplementedError("decimal contexts of several threads")
    context: Context = _STATE.context
    return context


@replaces(decimal.getcontext)
def getcontext() -> Context:
    if not _STATE.owner:
        _STATE.owner = threading.get_ident()
    return current()


@replaces(decimal.setcontext)
def setcontext(context: Context, /) -> None:
    getcontext()
    _STATE.context = context


class _Local:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._saved = context

    def __enter__(self) -> Context:
        self._saved = getcontext()
        setcontext(self._context)
        return self._context

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        setcontext(self._saved)


@replaces(decimal.localcontext)
def localcontext(
    ctx: Context | None = None, *, prec: int | None = None, rounding: str | None = None
) -> _Local:
    context = (getcontext() if ctx is None else ctx).copy()
    if prec is not None:
        context.prec = prec
    if rounding is not None:
        context.rounding = rounding
    return _Local(context)


@converts(decimal.Context)
def context_for(x: Any) -> Context:
    trapped = [signal for signal in x.traps if x.traps[signal]]
    if {*trapped} != {decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow}:
        raise Refused("a decimal context with other traps than by default")
    if (x.Emin, x.Emax, x.capitals, x.clamp) != (-999999, 999999, 1, 0):
        raise Refused("a decimal context with other limits of exponents")
    return Context(x.prec, x.rounding)
