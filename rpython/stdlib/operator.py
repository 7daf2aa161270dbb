"""``operator``: what its source tells by identity."""

from __future__ import annotations

import operator
from typing import Any

from rpython.stdlib._registry import replaces


@replaces(operator.countOf)
def count_of(a: Any, b: Any, /) -> int:
    return list(a).count(b)


@replaces(operator.indexOf)
def index_of(a: Any, b: Any, /) -> int:
    items = list(a)
    if b not in items:
        raise ValueError("sequence.index(x): x not in sequence")
    return items.index(b)
