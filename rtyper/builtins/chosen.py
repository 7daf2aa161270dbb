"""``min``, ``max``, ``sum`` and ``math.prod``: calls of the functions that their rule has
chosen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(min, max, sum, math.prod)
def call_algorithm(hop: HighLevelOp) -> Value:
    function, args_s = hop.rtyper.annotator.notes.algorithms[hop.spaceop]
    for i, s in enumerate(args_s):
        r = hop.rtyper.getrepr(s)
        hop.replace_arg(i, hop.inputarg(r, i), s, r)
    return call_overlay(hop, function)
