"""Special methods that a class has set to None: the operation raises TypeError, whatever the
classes above or the other operand would do.

    class Shelf(list):
        __iter__ = None         for x in Shelf(): TypeError: 'Shelf' object is not iterable
"""

from __future__ import annotations

import functools
from typing import Any

from rpython.stdlib._registry import per_arguments
from rpython.translator.ir.hlops import HLOPS

_TEXTS = {
    "__iter__": "' object is not iterable",
    "__reversed__": "' object is not reversible",
    "__contains__": "' object is not a container",
}
_OF_OPERATIONS = [op.method[2:-2] for op in HLOPS if op.method]
_BLOCKED = frozenset(f"__{name}__" for name in (
    *_OF_OPERATIONS, *(f"r{name}" for name in _OF_OPERATIONS),
    *"divmod rdivmod bool len iter next reversed call str repr format bytes fspath abs round trunc "
    "floor ceil int float complex index".split(),
))  # fmt: skip


def is_blocked(value: Any, name: str) -> bool:
    """Is None, as a class has it under the name, an operation that is not to be had?  (``__hash__``
    says so of classes everywhere, and has rules of its own.)"""
    return value is None and name in _BLOCKED


@functools.cache
def blocked(name: str) -> Any:
    """The function that the operations call, which raises TypeError."""
    text = _TEXTS.get(name)

    @per_arguments
    def is_none(self: Any, *args: Any) -> Any:
        raise TypeError("'NoneType' object is not callable")

    @per_arguments
    def says_so(self: Any, *args: Any) -> Any:
        raise TypeError(f"'{type(self).__name__}{text}")

    return is_none if text is None else says_so
