"""Asynchronous generators: what drives the state machine that the code of one is.

The machine hands out what those wait for that it awaits, as a coroutine does, and the items that it
yields, each in an ``AsyncItem``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from rpython.stdlib._registry import per_arguments, per_site

_RUNNING = "(): asynchronous generator is already running"
_IGNORED = "async generator ignored GeneratorExit"
_STOPPED = "async generator raised StopAsyncIteration"


class _Counts:
    half_way = 0
    """How many generators that have something to clean up have begun, and not ended."""


COUNTS = _Counts()


def require_ended() -> None:
    """At the end of ``asyncio.run``: CPython closes what was left half-way, when it is no longer
    needed."""
    left, COUNTS.half_way = COUNTS.half_way, 0
    if left:
        raise NotImplementedError("closing an asynchronous generator that was left half-way")


@per_site()
class AsyncItem:
    def __init__(self, value: Any) -> None:
        self.value = value


@per_arguments
def item_of(value: Any, /) -> Any:
    """What the machine hands out for an item."""
    return AsyncItem(value)


@per_arguments
def generator_of(machine: Any, /) -> Any:
    """The generator of such a machine."""
    return AsyncGenerator(machine)


@per_site()
class AsyncGenerator:
    def __init__(self, machine: Any) -> None:
        self._machine = machine
        self._begun = self._ended = self._busy = False
        self._cleans_up: bool = hasattr(machine, "_rpython_cleans_up_")

    def __aiter__(self) -> Any:
        return self

    def __anext__(self) -> Any:
        return _Step(self, None, None, "anext")

    def asend(self, value: Any, /) -> Any:
        return _Step(self, value, None, "asend")

    def athrow(self, error: Any, value: Any = None, traceback: Any = None, /) -> Any:
        return _Step(self, None, error if value is None else value, "athrow")

    def aclose(self) -> Any:
        return _Closing(self)

    def _begin(self, what: str) -> None:
        if self._busy:
            raise RuntimeError(what + _RUNNING)
        self._busy = True
        if not self._begun and not self._ended:
            self._begun = True
            if self._cleans_up:
                COUNTS.half_way += 1

    def _end(self) -> None:
        if self._begun and not self._ended and self._cleans_up:
            COUNTS.half_way -= 1
        self._ended = True

    def _resume(self, value: Any, thrown: BaseException | None) -> Any:
        """What the machine hands out next.  Raises StopIteration at its end."""
        try:
            if thrown is not None:
                return self._machine.throw(thrown)
            if value is None:
                return next(self._machine)
            return self._machine.send(value)
        except StopAsyncIteration as error:
            self._end()
            raise RuntimeError(_STOPPED) from error
        except BaseException:
            self._end()
            raise


@per_site()
class _Step:
    """What ``__anext__`` gives, which is awaited."""

    def __init__(self, of: Any, value: Any, thrown: Any, what: str) -> None:
        self._of = of
        self._value = value
        self._thrown = thrown
        self._what = what

    def __await__(self) -> Generator[Any, Any, Any]:
        generator, value = self._of, self._value
        if value is not None and not generator._begun:
            raise TypeError("can't send non-None value to a just-started async generator")
        thrown: Any = self._thrown
        if thrown is not None and not generator._begun:
            generator._ended = True
            raise thrown
        generator._begin(self._what)
        try:
            while True:
                if generator._ended:
                    raise StopAsyncIteration
                try:
                    signal = generator._resume(value, thrown)
                except StopIteration:
                    raise StopAsyncIteration from None
                if isinstance(signal, AsyncItem):
                    return signal.value
                value = thrown = None
                try:
                    yield signal
                except BaseException as error:
                    thrown = error
        finally:
            generator._busy = False


@per_site()
class _Closing:
    """What ``aclose`` gives."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __await__(self) -> Generator[Any, Any, Any]:
        generator = self._of
        if not generator._begun:
            generator._ended = True
        if generator._ended:
            return
        generator._begin("aclose")
        thrown: BaseException | None = GeneratorExit()
        try:
            while True:
                try:
                    signal = generator._resume(None, thrown)
                except (StopIteration, GeneratorExit):
                    return
                if isinstance(signal, AsyncItem):
                    raise RuntimeError(_IGNORED)
                thrown = None
                try:
                    yield signal
                except BaseException as error:
                    thrown = error
        finally:
            generator._busy = False
