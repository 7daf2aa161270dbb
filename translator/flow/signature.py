"""The argument lists of host functions."""

from __future__ import annotations

import types
from typing import Any

from rpython.translator.ir.records import dataclass

_VARARGS = 0x04
_VARKEYWORDS = 0x08


@dataclass(frozen=True, slots=True)
class Signature:
    """How a function takes its arguments.

    ``argnames``: the plain ones, the first ``posonly`` of them positional only;
    ``kwonly``: those after ``*``; ``vararg`` and ``kwarg``: the names of ``*args`` and
    ``**kwargs`` or None; ``defaults``: of the last plain ones; ``kwdefaults``: by name.
    A graph's inputargs are ``graph_args()``.
    """

    argnames: tuple[str, ...]
    posonly: int
    kwonly: tuple[str, ...]
    vararg: str | None
    kwarg: str | None
    defaults: tuple[Any, ...]
    kwdefaults: dict[str, Any]
    is_closure: bool = False
    """Is the first argument the closure's instance, which no call gives?"""

    def defaults_by_name(self) -> dict[str, Any]:
        """The defaults of all parameters that have one."""
        with_default = self.argnames[len(self.argnames) - len(self.defaults) :]
        return {**self.kwdefaults, **dict(zip(with_default, self.defaults))}

    def graph_args(self) -> tuple[str, ...]:
        """The names of all arguments in the order of the graph's inputargs."""
        stars = tuple(name for name in (self.vararg, self.kwarg) if name is not None)
        return self.argnames + self.kwonly + stars


def signature(func: types.FunctionType) -> Signature:
    """The signature of a Python function; a closure's begins with its instance."""
    code = func.__code__
    names = iter(code.co_varnames)
    argnames = tuple(next(names) for _ in range(code.co_argcount))
    posonly = code.co_posonlyargcount
    is_closure = hasattr(func, "_rpython_closure_")
    if is_closure:
        argnames = ("closure", *argnames)
        posonly += 1
    kwonly = tuple(next(names) for _ in range(code.co_kwonlyargcount))
    vararg = next(names) if code.co_flags & _VARARGS else None
    kwarg = next(names) if code.co_flags & _VARKEYWORDS else None
    return Signature(
        argnames,
        posonly,
        kwonly,
        vararg,
        kwarg,
        func.__defaults__ or (),
        dict(func.__kwdefaults__ or {}),
        is_closure,
    )
