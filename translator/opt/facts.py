"""What is known of functions by what they and their callees do: the facts of ``summaries``."""

from __future__ import annotations

from lltypesystem.effects import PURE, Effects
from lltypesystem.llop import LLOp, callees, makes_object
from translator.ir.model import Constant, SpaceOperation
from translator.opt.summaries import Fact


def own_effects(op: SpaceOperation) -> Effects:
    """What the operation does by itself, without the functions that it calls."""
    row = op.opdef
    assert isinstance(row, LLOp)
    return PURE if row.eval is None else row.effects_of(op)


def collects_itself(op: SpaceOperation) -> bool:
    """May the operation run the collector, not counting what it calls?"""
    if makes_object(op):
        flags = op.args[1]
        assert isinstance(flags, Constant)
        return bool(flags.value.get("flavor", "gc") == "gc")
    return own_effects(op).collects


MAY_COLLECT = Fact("may collect", False, True, collects_itself)
"""May objects move, and may those die that nothing keeps?"""


def reaches(c_name: str) -> Fact[bool]:
    """May the function written in C, or an unknown function, be called?"""

    def is_called(op: SpaceOperation) -> bool:
        external = callees(op).external
        return external is not None and external.c_name == c_name

    return Fact(f"reaches {c_name}", False, True, is_called)
