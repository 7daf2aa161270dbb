"""The text of a dict, a set or a view from the texts of its items."""

from __future__ import annotations

from typing import Any

from rpython.rtyper.ll.ll_str import ll_alloc, ll_put


def ll_join_texts(lst: Any, opening: Any, first: Any, second: Any, closing: Any) -> Any:
    """The texts with ``first`` and ``second`` between them in turn, in one allocation."""
    texts = lst.items
    count = lst.length
    length = opening.length + closing.length
    wide = False
    i = 0
    while i < count:
        length += texts[i].length
        if texts[i].wide:
            wide = True
        if i > 0:
            if i & 1:
                length += first.length
            else:
                length += second.length
        i += 1
    result = ll_alloc(length, wide)
    at = ll_put(result, 0, opening)
    i = 0
    while i < count:
        if i > 0:
            if i & 1:
                at = ll_put(result, at, first)
            else:
                at = ll_put(result, at, second)
        at = ll_put(result, at, texts[i])
        i += 1
    ll_put(result, at, closing)
    return result


def ll_text_unless_empty(lst: Any, text: Any, empty: Any) -> Any:
    if lst.length == 0:
        return empty
    return text
