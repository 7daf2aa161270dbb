"""Transfer rules for ``itertools``; see ``annotator.library_itertools``."""

from __future__ import annotations

import itertools

from rpython.annotator.builtins.calling import call_inside
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.library_itertools import (
    ITERATORS,
    check_islice,
    copied_function,
    iterator_places,
)
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.iteration import builtin_iter
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import INTEGER, require_kind
from rpython.translator.ir.hlops import CallShape


@FUNCTIONS.register(iter)
def iterate(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    """``iter(x)``, or ``iter(function, sentinel)``."""
    return builtin_iter(ctx, args_s[0]) if len(args_s) == 1 else make_iterator(ctx, *args_s)


@FUNCTIONS.register(*(host for host in ITERATORS if host is not iter))
def make_iterator(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    host = ctx.annotator.binding(ctx.op.args[0]).value
    functions = ITERATORS[host]
    count = len(args_s)
    if count not in functions:
        raise ctx.error(f"{host.__name__}() called with {count} arguments, which is not supported")
    made = ctx.annotator.iterator_functions
    function = made.get((ctx.op, count))
    if function is None:
        function = made[ctx.op, count] = copied_function(host, functions[count])
    given = [s.without_const() for s in args_s]
    for place in iterator_places(functions[count]):
        given[place] = builtin_iter(ctx, given[place])
    if host is itertools.islice:
        for s_bound in given[1:]:
            require_kind(ctx, s_bound, INTEGER, "an int")
        call_inside(ctx, "check", ctx.constant(check_islice), *given[1:])
    arguments = CallArguments(CallShape(count), tuple(given), (None,) * count)
    return call(ctx, ctx.constant(function), arguments)
