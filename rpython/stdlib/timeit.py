"""``timeit`` of functions; statements in texts are not there."""

from __future__ import annotations

import time
import timeit
from typing import Any

from rpython.stdlib._registry import per_arguments, per_site, replaces


def _nothing() -> None:
    pass


def _measured(stmt: Any, setup: Any, timer: Any, number: int) -> Any:
    setup()
    start = timer()
    for _ in range(number):
        stmt()
    return timer() - start


@replaces(timeit.Timer)
@per_site()
class Timer:
    """A function to be measured."""

    def __init__(
        self, stmt: Any = _nothing, setup: Any = _nothing, timer: Any = time.perf_counter
    ) -> None:
        self.stmt = stmt
        self.setup = setup
        self.timer = timer

    def timeit(self, number: int = 1000000) -> Any:
        return _measured(self.stmt, self.setup, self.timer, number)

    def repeat(self, repeat: int = 5, number: int = 1000000) -> list[Any]:
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self) -> Any:
        scale = 1
        while True:
            for step in (1, 2, 5):
                taken = self.timeit(scale * step)
                if taken >= 0.2:
                    return scale * step, taken
            scale *= 10


@replaces(timeit.timeit)
@per_arguments
def timed(
    stmt: Any = _nothing, setup: Any = _nothing, timer: Any = time.perf_counter,
    number: int = 1000000,
) -> Any:  # fmt: skip
    return _measured(stmt, setup, timer, number)


@replaces(timeit.repeat)
@per_arguments
def repeated(
    stmt: Any = _nothing, setup: Any = _nothing, timer: Any = time.perf_counter, repeat: int = 5,
    number: int = 1000000,
) -> list[Any]:  # fmt: skip
    return [_measured(stmt, setup, timer, number) for _ in range(repeat)]
