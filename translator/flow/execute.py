"""The meaning of every version-free instruction, in terms of the graph being built."""

from __future__ import annotations

from rpython.translator.flow.execute_calls import CALLS
from rpython.translator.flow.execute_control import CONTROL
from rpython.translator.flow.execute_imports import IMPORTS
from rpython.translator.flow.execute_match import MATCH
from rpython.translator.flow.execute_values import VALUES
from rpython.translator.flow.explore import Explorer
from rpython.translator.flow.instructions import Instr, Op
from rpython.translator.flow.ruletable import Rule

RULES: dict[Op, Rule] = {**VALUES, **IMPORTS, **CALLS, **CONTROL, **MATCH}

assert len(RULES) == len(Op) == sum(map(len, (VALUES, IMPORTS, CALLS, CONTROL, MATCH)))


def execute(flow: Explorer, instr: Instr) -> None:
    """Execute one instruction; the block is ended if it does not simply go on."""
    RULES[instr.op](flow, instr)
