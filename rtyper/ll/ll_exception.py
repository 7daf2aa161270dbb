"""The contexts of exceptions."""

from __future__ import annotations

from rpython.lltypesystem.lltype import _ptr, nullptr, typeOf


def ll_set_context(exc: _ptr, context: _ptr) -> None:
    """Let ``context`` (null: nothing) be what was being handled when ``exc`` was raised; a chain
    of contexts that leads back to ``exc`` ends before it, as in CPython."""
    if not context or exc.inst___context__ == context:
        return
    at = slow = context
    slow_moves = False
    while at:
        before = at.inst___context__
        if before == exc:
            at.inst___context__ = nullptr(typeOf(exc).TO)
            break
        at = before
        if at == slow:  # a circle that the program made (R. W. Floyd's algorithm)
            break
        if slow_moves:
            slow = slow.inst___context__
        slow_moves = not slow_moves
    exc.inst___context__ = context
