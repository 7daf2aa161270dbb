"""Annotate an operation without the None of an operand for which it raises TypeError at run time.

    v = simple_call(m, x)      m: 'abc'.find, x: str or None

The rule refuses the None in ``x``; the operation is annotated without it and the typer tests
for it.  Rules need not know: they say ``ctx.refusal(s, ...)``, or call ``require_kind``.  So it
is with instances that the operation converts (``annotator.conversions``).
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import K_NONE, SomeInstance, SomeNone, SomeObject, SomeUnion
from rpython.annotator.lattice.parts import without_none
from rpython.translator.ir.errors import AnnotatorError

if TYPE_CHECKING:
    from rpython.annotator.context import OpContext


class OperandRefused(AnnotatorError):
    """A rule refuses ``s_operand``, and would not if it were another value."""

    s_operand: SomeObject


class NoneRefused(OperandRefused):
    """It would not if the operand could not be None."""


def told_apart(s: SomeObject) -> SomeObject:
    """What may be None or an instance, as an annotation that no other operand has."""
    if isinstance(s, SomeUnion):
        return SomeUnion(s.parts)
    if isinstance(s, SomeInstance):
        return copy.copy(s)
    return SomeNone() if s.kinds == K_NONE else s


def refused_operand(args_s: list[SomeObject], error: OperandRefused) -> int:
    """The number of the operand that the error is about.  Raises the error if it is about None in
    place of the operand that decides about the rule, or about no operand."""
    first = 1 if isinstance(error, NoneRefused) else 0
    for number, s in enumerate(args_s):
        if s is error.s_operand and number >= first:
            return number
    raise error


def narrowed_operands(ctx: OpContext, args_s: list[SomeObject]) -> list[SomeObject]:
    """The operands, without None where the operation has refused that."""
    refused = ctx.annotator.notes.none_refused.get(ctx.op, ())
    return [without_none(s) if i in refused else s for i, s in enumerate(args_s)]
