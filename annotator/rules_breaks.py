"""Transfer rule for safe points."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import SomeObject, s_None
from annotator.registry import FUNCTIONS
from translator.ir.machinery import break_check


@FUNCTIONS.register(break_check)
def check(ctx: OpContext) -> SomeObject:
    return s_None
