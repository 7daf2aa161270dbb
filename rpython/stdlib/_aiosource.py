"""Classes of ``asyncio`` whose methods are those of CPython's own source."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from rpython.stdlib._aioloop import get_running_loop
from rpython.stdlib._registry import replaces


class LoopBound:
    """What locks and queues of CPython's source ask for their loop."""

    def _get_loop(self) -> Any:
        return get_running_loop()


_METHODS = (types.FunctionType, property, staticmethod)


def from_source(
    host: type, base: type = LoopBound, without: Sequence[str] = (), **names: Any
) -> Any:
    """A class in place of ``host`` with the methods of its source, but for those in ``without``;
    ``names``: what globals of theirs are."""
    members: dict[str, Any] = {
        name: value for cls in reversed(host.__mro__[:-1]) for name, value in vars(cls).items()
        if isinstance(value, _METHODS) and name not in ("_get_loop", *without)
    }  # fmt: skip
    for name, value in members.items() if names else ():
        if isinstance(value, staticmethod):
            members[name] = staticmethod(_with_globals(value.__func__, names))
        elif not isinstance(value, property):
            members[name] = _with_globals(value, names)
    return replaces(host)(type(host.__name__, (base,), members))


def _with_globals(function: Any, names: dict[str, Any]) -> types.FunctionType:
    namespace = {**function.__globals__, **names}
    copy = types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    return copy
