"""``random``: its generators of numbers."""

from __future__ import annotations

import random
from typing import Any

from rpython.rlib import _random
from rpython.stdlib._registry import converts, extensible, replace_each

replace_each({random.Random: extensible(_random.Random), random.SystemRandom: _random.SystemRandom})


@converts(random.SystemRandom)
def numbers_of_system(x: random.SystemRandom) -> Any:
    return _random.SystemRandom()


@converts(random.Random)
def numbers_for(x: random.Random) -> Any:
    if x is getattr(random.random, "__self__", None):
        return _random.unseeded()
    _, words, gauss = x.getstate()
    return _random.in_state(words, gauss)
