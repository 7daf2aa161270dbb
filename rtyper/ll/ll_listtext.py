"""The text of a list from the texts of its items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.lltype import malloc, typeOf
from rpython.rtyper.ll.ll_str import ll_alloc, ll_put, prebuilt_str

OPEN = prebuilt_str("[")
COMMA = prebuilt_str(", ")
CLOSE = prebuilt_str("]")
INSIDE_ITSELF = prebuilt_str("[...]")


def ll_guarded_text(state: Any, lst: Any, text: Callable[[Any], Any], inside: Any) -> Any:
    """``text(lst)``, or ``inside`` while that is being made.

    ``state``: the stack of such lists (or dicts, or sets)."""
    outer = state.innermost
    node = outer
    while node:
        if node.list == lst:
            return inside
        node = node.outer
    node = malloc(typeOf(state.innermost).TO)
    node.list = lst
    node.outer = outer
    state.innermost = node
    try:
        result = text(lst)
    except BaseException:
        state.innermost = outer
        raise
    state.innermost = outer
    return result


def ll_list_text(lst: Any) -> Any:
    """``"[" + ", ".join(lst) + "]"`` in one allocation."""
    texts = lst.items
    count = lst.length
    length = 2
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
    at = ll_put(result, 0, OPEN)
    i = 0
    while i < count:
        if i > 0:
            at = ll_put(result, at, COMMA)
        at = ll_put(result, at, texts[i])
        i += 1
    ll_put(result, at, CLOSE)
    return result
