"""The contexts of exceptions."""

from __future__ import annotations

from rpython.lltypesystem.lltype import _ptr, nullptr, typeOf


def ll_set_context(exc: _ptr, context: _ptr) -> None:
    """Let ``context`` (null: nothing) be what was being handled when ``exc`` was raised; a chain
    of contexts that leads back to ``exc`` ends before it, as in CPython."""
    if not context or exc.inst___context__ == context:
        return
    at = context
    while at:
        before = at.inst___context__
        if before == exc:
            at.inst___context__ = nullptr(typeOf(exc).TO)
            break
        at = before
    exc.inst___context__ = context
