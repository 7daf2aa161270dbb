"""Host functions that graphs call and no program does."""

from __future__ import annotations

from typing import Any


def generator_result(iterator: Any) -> Any:
    """The value of ``yield from iterator``, which is exhausted: what the generator returned,
    None for other iterators."""
    return iterator._result() if hasattr(iterator, "_rpython_state_machine_") else None
