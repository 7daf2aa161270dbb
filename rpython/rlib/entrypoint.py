"""The functions that a shared library gives to C (``rpython build --shared``).

    @entrypoint([int, str], c_name="repeat")
    def repeat_text(times: int, text: str) -> str: ...

    @entrypoint
    def area(width: float, height: float) -> float: ...

What the functions are like in C is told in ``docs/building.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

ATTRIBUTE = "_rpython_entrypoint_"


@dataclass(frozen=True)
class Entrypoint:
    """What a decorator says: the types of the arguments (None: the function has hints), the
    name in C ('': the function's own), whether results stay what they are in
    low-level code, and whether the result in C is a code for exceptions."""

    argtypes: tuple[Any, ...] | None
    c_name: str = ""
    lowlevel: bool = False
    codes: bool = False


def entrypoint_of(func: object) -> Entrypoint | None:
    """What the function was decorated with."""
    found: Entrypoint | None = getattr(func, ATTRIBUTE, None)
    return found


@overload
def entrypoint(argtypes: F) -> F: ...
@overload
def entrypoint(
    argtypes: Sequence[Any] | None = None, c_name: str = "", errors: str = "message"
) -> Callable[[F], F]: ...
def entrypoint(argtypes: Any = None, c_name: str = "", errors: str = "message") -> Any:
    """Let a shared library have this function.

    ``argtypes``: the types of its arguments, as for ``rpython.compile``; default: its hints.
    ``c_name``: what it is called in C.  ``errors``: "code" when it returns a number for the class
    of what it raises, and its result through a pointer.  Works without parentheses, too.
    """
    if callable(argtypes) and not isinstance(argtypes, type):
        return _mark(Entrypoint(None))(argtypes)
    if errors not in ("message", "code"):
        raise ValueError(f"errors must be 'message' or 'code', not {errors!r}")
    types = None if argtypes is None else tuple(argtypes)
    return _mark(Entrypoint(types, c_name, codes=errors == "code"))


def entrypoint_highlevel(
    key: str, argtypes: Sequence[Any], c_name: str | None = None
) -> Callable[[F], F]:
    """RPython's name.  ``key`` chooses nothing here: a library has all functions that are
    decorated in its file."""
    return _mark(Entrypoint(tuple(argtypes), c_name or ""))


def entrypoint_lowlevel(
    key: str, argtypes: Sequence[Any], c_name: str | None = None, relax: bool = False
) -> Callable[[F], F]:
    """The same for a function over low-level types."""
    return _mark(Entrypoint(tuple(argtypes), c_name or "", lowlevel=True))


def _mark(entry: Entrypoint) -> Callable[[F], F]:
    def mark(func: F) -> F:
        setattr(func, ATTRIBUTE, entry)
        return func

    return mark
