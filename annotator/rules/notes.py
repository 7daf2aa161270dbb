"""Transfer rule for ``e.add_note(note)``: notes are an attribute like those of the program."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_STR, SomeInstance, SomeObject
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import METHODS
from rpython.stdlib._exceptions import add_note
from rpython.translator.ir.hlops import CallShape


@METHODS.register("add_note", SomeInstance)
def add_note_rule(ctx: OpContext, s: SomeObject, s_note: SomeObject) -> SomeObject:
    if s_note.kinds & ~K_STR:
        raise ctx.error(f"note must be a str, not {s_note.describe()}")
    return call(ctx, ctx.constant(add_note), CallArguments(CallShape(2), (s, s_note), (None, 1)))
