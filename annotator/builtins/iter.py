"""Transfer rule for ``iter``."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.overlay.iteration import until
from rpython.annotator.rules.applying import call_overlay
from rpython.annotator.rules.iteration import builtin_iter
from rpython.annotator.rules.registry import FUNCTIONS, Looks


@FUNCTIONS.register(iter, looks=Looks.VALUES)
def iterate(ctx: OpContext, s: SomeObject, *sentinel: SomeObject) -> SomeObject:
    """``iter(x)``, or ``iter(function, sentinel)``."""
    return call_overlay(ctx, until, (s, *sentinel), {}) if sentinel else builtin_iter(ctx, s)
