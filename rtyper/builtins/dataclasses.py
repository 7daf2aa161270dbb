"""``replace``, ``asdict`` and ``astuple`` of dataclasses: calls of the functions that their rule
has chosen."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.stdlib.dataclasses import OF_FIELDS
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(*OF_FIELDS)
def call_of_fields(hop: HighLevelOp) -> Value:
    return call_overlay(hop, hop.rtyper.annotator.notes.algorithms[hop.spaceop][0])


@BUILTINS.register(dataclasses.is_dataclass)
def is_dataclass(hop: HighLevelOp) -> Value:
    return hop.result_constant()
