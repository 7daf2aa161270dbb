"""Class statements in functions that are executed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.told_apart import told_apart
from rpython.lltypesystem.lltype import Bool
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.intrinsics import is_made_again
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(is_made_again)
def rtype_is_made_again(hop: HighLevelOp) -> Value:
    statement = hop.args_s[1].value
    if statement.alike and statement.cls not in told_apart(hop.rtyper.annotator):
        return Constant(False, Bool)
    return hop.inputarg(hop.args_r[0], 0)
