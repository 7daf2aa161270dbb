"""Calls of the functions that a rule of the annotator has chosen (``call_chosen``)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.stdlib import copy
from rpython.stdlib.dataclasses import OF_FIELDS
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(
    min, max, sum, math.prod, *OF_FIELDS, copy.of_instance, copy.deep_of_instance,
    copy.deep_of_tuple,
)  # fmt: skip
def call_chosen(hop: HighLevelOp) -> Value:
    function, args_s = hop.rtyper.annotator.notes.algorithms[hop.spaceop]
    for i, s in enumerate(args_s):
        r = hop.rtyper.getrepr(s)
        hop.replace_arg(i, hop.inputarg(r, i), s, r)
    return call_overlay(hop, function)
