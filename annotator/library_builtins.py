"""Built-in functions as values: what a variable holds that has ``max`` or a function of the
program.

    OPERATIONS = {"+": add, "max": max}     ->     {"+": add, "max": a function that calls max}

Where the built-in is known it is called itself, by its own rule.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any


class BuiltinFunctions:
    """The functions that call built-ins, one for each, of one program."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, FunctionType]] = {}

    def calling(self, builtin: Any) -> FunctionType:
        """A function with the name of ``builtin`` that does the same."""
        if id(builtin) not in self._known:
            self._known[id(builtin)] = (builtin, _calling(builtin))
        return self._known[id(builtin)][1]


def _calling(builtin: Any) -> FunctionType:
    def function(*args: Any, **keywords: Any) -> Any:
        return builtin(*args, **keywords)

    assert isinstance(function, FunctionType)
    function.__name__ = builtin.__name__
    function.__qualname__ = builtin.__qualname__
    function.__module__ = builtin.__module__ or "builtins"
    function.__doc__ = builtin.__doc__
    vars(function)["_rpython_calls_builtin_"] = builtin
    return function
