"""The text of a list from the texts of its items."""

from __future__ import annotations

from typing import Any

from rtyper.ll.ll_str import ll_alloc, ll_put, prebuilt_str

OPEN = prebuilt_str("[")
COMMA = prebuilt_str(", ")
CLOSE = prebuilt_str("]")


def ll_list_text(texts: Any) -> Any:
    """``"[" + ", ".join(texts) + "]"`` in one allocation."""
    count = len(texts)
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
