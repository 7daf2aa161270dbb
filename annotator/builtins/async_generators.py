"""Transfer rules for what asynchronous generators are turned into (``stdlib._asyncgens``)."""

from __future__ import annotations

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.stdlib._asyncgens import generator_of, item_of
from rpython.translator.ir.intrinsics import async_generator, async_item


@FUNCTIONS.register(async_item)
def item_of_generator(ctx: OpContext, s: SomeObject) -> SomeObject:
    return call_chosen(ctx, item_of, (s.without_const(),), {})


@FUNCTIONS.register(async_generator)
def generator_of_machine(ctx: OpContext, s: SomeObject) -> SomeObject:
    return call_chosen(ctx, generator_of, (s,), {})
