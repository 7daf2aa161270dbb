"""``iter``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.overlay.iteration import until
from rpython.rtyper.kinds.iter import builtin_iter
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(iter)
def iterate(hop: HighLevelOp) -> Value:
    return builtin_iter(hop) if hop.nb_args == 1 else call_overlay(hop, until)
