"""``__exit__`` for Python's ``with``: it is called with Python's exceptions, which do not cross.

    def __exit__(self, *exc) -> None:      can be called: it does not look at them
        self.close()
    def __exit__(self, cls, error, tb):    native code only
        return cls is ValueError
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from rpython.translator.extension.exports import Parameters
from rpython.translator.flow.build import build_flow
from rpython.translator.ir.errors import FlowError

PARAMETERS = Parameters(("kind", "error", "traceback"), 3, 3, (None, None, None), {})


def ignores_arguments(func: FunctionType) -> bool:
    """Does the method use nothing but its first argument?"""
    try:
        graph = build_flow(func)
    except FlowError:
        return False  # annotating it will say so
    ignored = set(graph.getargs()[1:])
    uses = [
        *(arg for _, op in graph.iterblockops() for arg in op.args),
        *(arg for link in graph.iterlinks() for arg in link.args),
        *(block.exitswitch for block in graph.iterblocks()),
    ]
    return not any(value in ignored for value in uses)


def leaving(func: FunctionType) -> Callable[..., Any]:
    """Calls the method with None in the place of what it does not look at."""

    def leave(obj: Any, kind: None, error: None, traceback: None) -> Any:
        return func(obj, kind, error, traceback)

    return leave
