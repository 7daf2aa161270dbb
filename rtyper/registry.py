"""The table of built-in functions for the rtyper, and the list of modules with rules."""

from __future__ import annotations

from annotator.registry import FunctionTable

BUILTINS = FunctionTable("rtyper, built-in functions")
"""``rule(hop) -> Value``; the callee is already removed from the operands."""
