"""The text of a list, or a tuple, from the texts of its items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.lltype import malloc, nullptr, typeOf
from rpython.rtyper.ll.ll_str import ll_alloc, ll_put, prebuilt_str

OPEN = prebuilt_str("[")
COMMA = prebuilt_str(", ")
CLOSE = prebuilt_str("]")
OPEN_TUPLE = prebuilt_str("(")
CLOSE_TUPLE = prebuilt_str(")")
CLOSE_ONE = prebuilt_str(",)")
INSIDE_ITSELF = prebuilt_str("[...]")


def ll_guarded_text(
    state: Any, thread: int, shown: Any, text: Callable[[Any], Any], inside: Any
) -> Any:
    """``text(shown)``, or ``inside`` while this thread is making that.

    ``state``: the stack of the lists (or dicts, or sets) being shown, by all threads.  Another
    thread may run between any two steps here, so what it has put on top stays there: a thread
    marks its own entry as done, and whoever leaves takes done ones off the top."""
    node = state.innermost
    while node:
        if node.shown == shown and node.thread == thread:
            return inside
        node = node.outer
    node = malloc(typeOf(state.innermost).TO)
    node.shown = shown
    node.thread = thread
    node.outer = state.innermost
    state.innermost = node
    try:
        result = text(shown)
    except BaseException:
        ll_leave(state, node)
        raise
    ll_leave(state, node)
    return result


def ll_leave(state: Any, node: Any) -> None:
    node.shown = nullptr(typeOf(node.shown).TO)
    while state.innermost and not state.innermost.shown:
        state.innermost = state.innermost.outer


def ll_list_text(lst: Any) -> Any:
    """``"[" + ", ".join(lst) + "]"``"""
    return ll_between(OPEN, lst, CLOSE)


def ll_tuple_text(lst: Any) -> Any:
    """The same for a tuple."""
    return ll_between(OPEN_TUPLE, lst, CLOSE_ONE if lst.length == 1 else CLOSE_TUPLE)


def ll_between(start: Any, lst: Any, end: Any) -> Any:
    """``start + ", ".join(lst) + end`` in one allocation."""
    texts = lst.items
    count = lst.length
    length = start.length + end.length
    wide = False
    i = 0
    while i < count:
        length += texts[i].length
        if i > 0:
            length += 2
        if texts[i].wide:
            wide = True
        i += 1
    result = ll_alloc(length, wide)
    at = ll_put(result, 0, start)
    i = 0
    while i < count:
        if i > 0:
            at = ll_put(result, at, COMMA)
        at = ll_put(result, at, texts[i])
        i += 1
    ll_put(result, at, end)
    return result
