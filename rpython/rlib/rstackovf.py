"""What happens when the stack is full."""

from __future__ import annotations

from rpython.rlib.marks import means

StackOverflow = RecursionError
_StackOverflow = RecursionError


@means(None)
def check_stack_overflow() -> None:
    """To be called in ``except StackOverflow``: RPython tells RuntimeErrors apart there."""
