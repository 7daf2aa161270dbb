"""Transfer rules for operations that the front end inserts: safe points, the handler stack, what
it refuses."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject, s_Bool, s_Int, s_None
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.rlib import _tracebacks
from rpython.translator.ir.errors import FlowError, Note
from rpython.translator.ir.intrinsics import (
    handler_enter,
    handler_leave,
    is_made_again,
    print_traceback,
    raised_here,
    refused,
    safepoint,
)


@FUNCTIONS.register(refused)
def what_is_refused(ctx: OpContext, s_refusal: SomeObject) -> SomeObject:
    refusal = s_refusal.value
    notes = [Note(line) for line in refusal.notes]
    raise FlowError(refusal.message, ctx.op.span, notes, refusal.hint)


FUNCTIONS.gives(s_None, safepoint, handler_enter, handler_leave, raised_here, print_traceback)
FUNCTIONS.gives(s_Bool, is_made_again)
FUNCTIONS.gives(
    s_Int, _tracebacks.report_handled, _tracebacks.report_of, _tracebacks.report_byte
)
