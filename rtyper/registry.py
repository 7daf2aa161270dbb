"""The tables in which the rtyper's rules for built-in functions are registered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rpython.annotator.rules.registry import FunctionTable

HOST_CALLS: list[Callable[..., Any]] = []
"""Rules that are asked first, ``rule(hop, function)``, the callee removed: the result, None when
the rule is not about this call."""

STAR_CALLS: list[Callable[..., Any]] = []
"""The same for calls with an argument after a star that is no tuple, ``rule(hop, function)``; the
shape and the star are still there."""

BUILTINS = FunctionTable("rtyper, built-in functions")
"""``rule(hop) -> Value``; the callee is already removed from the operands."""
