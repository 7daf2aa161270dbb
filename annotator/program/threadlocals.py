"""Attributes of thread-local objects: those of the running thread's storage.

    tls.x                   storage_of(tls).x
    hasattr(tls, "x")       hasattr(storage_of(tls), "x")

The operation is flowed, and lowered, with the storage in place of the object.
"""

from __future__ import annotations

from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_NONE, SomeHost, SomeInstance, SomeObject
from rpython.annotator.lattice.parts import without_none
from rpython.annotator.program.local_classes import storage_getter
from rpython.annotator.rules.applying import call_inside
from rpython.translator.ir.hlops import Group, group_of


def local_operand(opname: str, args_s: list[SomeObject]) -> tuple[int, Any] | None:
    """Which operand is a thread-local object whose storage is meant, and the function that
    gives that; None for other operations."""
    place = 0
    if opname == "simple_call" and isinstance(args_s[0], SomeHost):
        if not any(args_s[0].value is function for function in (hasattr, getattr)):
            return None
        place = 1
    elif group_of(opname) is not Group.ATTRIBUTE:
        return None
    if len(args_s) < place + 2 or not args_s[place + 1].is_constant():
        return None
    s = without_none(args_s[place])
    if not isinstance(s, SomeInstance):
        return None
    getter = storage_getter(s.classdef.cls, args_s[place + 1].value)
    return None if getter is None else (place, getter)


def through_storage(ctx: OpContext, args_s: list[SomeObject]) -> list[SomeObject]:
    """The operands with the storage in place of the object."""
    found = local_operand(ctx.op.opname, args_s)
    if found is None:
        return args_s
    place, getter = found
    s = args_s[place]
    if s.kinds & K_NONE:
        raise ctx.error(f"an attribute of what may be None: {s.describe()}")
    s_storage = call_inside(ctx, ctx.constant(getter), s)
    return [*args_s[:place], s_storage, *args_s[place + 1 :]]
