"""``secrets``: what its source asks a private method for."""

from __future__ import annotations

import secrets

from rpython.rlib._random import SystemRandom
from rpython.stdlib._registry import replaces


@replaces(secrets.randbelow)
def randbelow(exclusive_upper_bound: int) -> int:
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return SystemRandom()._below(exclusive_upper_bound)
