"""Finds raw memory of the simulation that is never freed, for tests.

    with no_leaks():
        interpret(f, [3])
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_FRAMES = 8
"""Innermost calls that are shown of where memory was allocated."""


class MallocMismatch(Exception):
    """Memory is left; ``allocations``: each container and the stack where it was made."""

    def __init__(self, allocations: dict[Any, str]) -> None:
        self.allocations = allocations
        places = "\n".join(
            f"{container._TYPE._short_name()}, allocated at\n{stack}"
            for container, stack in allocations.items()
        )
        super().__init__(f"{len(allocations)} raw allocations were never freed:\n{places}")


_tracking: list[dict[Any, str]] = []
"""What is allocated, for each ``start_tracking_allocations`` that is not stopped."""


def start_tracking_allocations() -> None:
    """From now on raw allocations are remembered until they are freed."""
    _tracking.append({})


def stop_tracking_allocations(check: bool) -> dict[Any, str]:
    """End the innermost tracking; what is left.  Raises MallocMismatch if ``check`` and
    something is, ValueError when nothing is tracked."""
    if not _tracking:
        raise ValueError("allocations are not being tracked")
    left = _tracking.pop()
    if check and left:
        raise MallocMismatch(left)
    return left


@contextmanager
def no_leaks() -> Iterator[None]:
    """Raises MallocMismatch at the end when raw memory allocated meanwhile is left."""
    start_tracking_allocations()
    try:
        yield
    except BaseException:
        stop_tracking_allocations(check=False)
        raise
    stop_tracking_allocations(check=True)


def remember(container: Any) -> None:
    """Note a raw allocation."""
    if _tracking:
        _tracking[-1][container] = "".join(traceback.format_stack(limit=_FRAMES)[:-2])


def forget(container: Any) -> None:
    """Note that it was freed."""
    for allocations in _tracking:
        allocations.pop(container, None)
