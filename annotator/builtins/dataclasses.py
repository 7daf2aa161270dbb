"""Transfer rules for the functions of ``dataclasses`` that look at all fields: there is a function
for each class, which names them (``rpython.stdlib.dataclasses``)."""

from __future__ import annotations

import dataclasses
from typing import Any

from rpython.annotator.builtins.overlay import exact_classes
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_NONE, SomeInstance, SomeObject
from rpython.annotator.rules.applying import call_chosen
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.stdlib._registry import Refused
from rpython.stdlib.dataclasses import OF_FIELDS, fields_of, of_fields


@FUNCTIONS.register(dataclasses.fields)
def fields(ctx: OpContext, s: SomeObject) -> SomeObject:
    classes: tuple[type, ...] = ()
    if isinstance(s, SomeInstance):
        classes = tuple(d.cls for d in exact_classes(ctx, s))
    elif s.is_constant() and isinstance(s.value, type):
        classes = (s.value,)
    try:
        if classes:
            return call_chosen(ctx, fields_of(classes), (s,), {})
    except Refused as error:
        raise ctx.error(str(error)) from None
    raise ctx.error(f"fields() of {s.describe()}: it takes an instance of a dataclass")


@FUNCTIONS.register(dataclasses.is_dataclass)
def is_dataclass(ctx: OpContext, s: SomeObject) -> SomeObject:
    if s.kinds & K_NONE and s.kinds != K_NONE:
        raise ctx.error("is_dataclass() of what may be None: test for None first")
    if s.is_constant() and isinstance(s.value, type):
        return ctx.constant(dataclasses.is_dataclass(s.value))
    if not isinstance(s, SomeInstance):
        return ctx.constant(False)
    s.classdef.note_class_reader(ctx.position)
    answers = {dataclasses.is_dataclass(d.cls) for d in s.classdef.concrete(s.members)}
    if len(answers) > 1:
        raise ctx.error(f"is_dataclass() of {s.describe()}: only some subclasses are")
    return ctx.constant(answers == {True})


def _choose(
    ctx: OpContext, host: Any, args_s: tuple[SomeObject, ...], changes: dict[str, SomeObject]
) -> SomeObject:
    """``replace(x, a=1)``, ``asdict(x)``, ``astuple(x)``."""
    name = host.__name__
    if len(args_s) != 1 or (changes and host is not dataclasses.replace):
        raise ctx.error(f"{name}() takes an instance here, and no dict_factory or tuple_factory")
    (s,) = args_s
    if not isinstance(s, SomeInstance):
        raise ctx.error(f"{name}() of {s.describe()}: it takes an instance of a dataclass")
    classes = tuple(d.cls for d in exact_classes(ctx, s))
    try:
        chosen = of_fields(host, classes, tuple(key.removeprefix("s_") for key in changes))
    except Refused as error:
        raise ctx.error(str(error)) from None
    return call_chosen(ctx, chosen, args_s, changes)


for _host in OF_FIELDS:

    @FUNCTIONS.register(_host)
    def of_all_fields(
        ctx: OpContext, *args_s: SomeObject, host: Any = _host, **changes: SomeObject
    ) -> SomeObject:
        return _choose(ctx, host, args_s, changes)
