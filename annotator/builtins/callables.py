"""Transfer rules for library functions that return a callable (``operator.itemgetter``,
``functools.cmp_to_key``, ...), called with constants."""

from __future__ import annotations

import functools
import operator

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import SomeClass, SomeFunction, SomeObject
from rpython.annotator.library import NotInLibrary
from rpython.annotator.library_contextlib import suppress
from rpython.annotator.rules.registry import FUNCTIONS


@FUNCTIONS.register(operator.itemgetter, operator.attrgetter, operator.methodcaller)
def make_library_function(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    """A callable made from constants is one itself."""
    maker = ctx.annotator.binding(ctx.op.args[0]).value
    if not all(s.is_constant() for s in args_s):
        raise ctx.error(
            f"the arguments of {maker.__name__} must be constants", hint="use a lambda"
        )
    try:
        made = ctx.annotator.constants.library.make(maker, tuple(s.value for s in args_s))
    except NotInLibrary as error:
        raise ctx.error(str(error), hint="use a lambda") from None
    return ctx.constant(made)


@FUNCTIONS.register(functools.cmp_to_key)
def make_key_class(ctx: OpContext, s_function: SomeObject) -> SomeObject:
    if not s_function.is_constant() or not isinstance(s_function, SomeFunction):
        raise ctx.error("cmp_to_key needs a function known at translation time")
    return ctx.constant(ctx.annotator.constants.library.key_class(s_function.value))


@FUNCTIONS.register(suppress)
def make_suppressor(ctx: OpContext, *classes_s: SomeObject) -> SomeObject:
    if not all(isinstance(s, SomeClass) and s.is_constant() for s in classes_s):
        raise ctx.error("suppress needs exception classes known at translation time")
    classes = tuple(s.value for s in classes_s)
    return ctx.constant(ctx.annotator.constants.library.suppressor(classes))
