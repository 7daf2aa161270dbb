"""``random``: its generators of numbers."""

from __future__ import annotations

import random

from rpython.rlib import _random
from rpython.stdlib._registry import replace_each

replace_each({random.Random: _random.Random, random.SystemRandom: _random.SystemRandom})
