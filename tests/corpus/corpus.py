"""What a corpus function carries: the arguments to run it with."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def runs(*arguments: tuple[Any, ...]) -> Callable[[F], F]:
    """Decorator: the function is part of the corpus, to be run with these argument tuples."""

    def add(function: F) -> F:
        function.runs = arguments
        return function

    return add


class Boom(Exception):
    """An exception of our own."""


class SmallBoom(Boom):
    """A more special one."""


class Log:
    """A context manager that notes what happens; ``swallow``: the exception class it
    does not let out."""

    def __init__(self, swallow: type[BaseException] | None = None) -> None:
        self.swallow = swallow
        self.events: list[str] = []

    def __repr__(self) -> str:
        return f"Log({self.events})"

    def __enter__(self) -> "Log":
        self.events.append("enter")
        return self

    def __exit__(self, cls: object, error: object, traceback: object) -> bool:
        self.events.append(f"exit {cls}")
        return self.swallow is not None and isinstance(error, self.swallow)


def check(x: int) -> int:
    """Raises for some arguments: what kind says the argument."""
    if x == 1:
        raise KeyError("one")
    if x == 2:
        raise ValueError("two")
    if x == 3:
        raise Boom("three")
    if x == 4:
        raise SmallBoom("four")
    if x == 5:
        raise IndexError("five")
    return x * 10
