"""Safe points: in executables an operation, elsewhere nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rtyper.r_class import void
from rtyper.registry import BUILTINS
from translator.ir.machinery import break_check
from translator.ir.model import Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


@BUILTINS.register(break_check)
def rtype_break_check(hop: HighLevelOp) -> Value:
    if hop.rtyper.interruptible:
        hop.genop("break_check", [])
    return void(None)
