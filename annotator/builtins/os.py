"""Transfer rules for what programs use of ``os`` and ``sys``, and for ``time.sleep``."""

from __future__ import annotations

import os
import sys
import time

from rpython.annotator.context import OpContext
from rpython.annotator.conversions import AS_PATH
from rpython.annotator.lattice.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_FLOAT,
    K_NONE,
    K_STR,
    SomeObject,
    SomeTuple,
    s_Bool,
    s_Bottom,
    s_Bytes,
    s_Float,
    s_Int,
    s_None,
    s_NonNeg,
    s_Str,
)
from rpython.annotator.program.excattrs import OS_ERROR_CLASSES, places
from rpython.annotator.rules.exceptions import OF_THE_SYSTEM, register, s_Text, set_attributes
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import INTEGER, require_kind
from rpython.lltypesystem.foreign.sockettable import SYSTEM_CALLS
from rpython.lltypesystem.foreign.systemcalls import REQUIRED, SystemCall

_FACTS = {**OF_THE_SYSTEM, "args": SomeTuple((s_Int, s_Str))}


def may_fail(ctx: OpContext) -> None:
    """The operation raises OSError or a subclass, with ``errno`` set."""
    constants = ctx.annotator.constants
    attribute = constants.attribute(constants.classdef(OSError), "errno")
    ctx.write(attribute, s_NonNeg, "set by the operating system here")
    register(ctx)
    classes: list[type] = [OSError, *OS_ERROR_CLASSES.values()]
    for cls in classes:
        for name, s_value in _FACTS.items():
            found = constants.classdef(cls).find_attribute(name)
            if found is not None:
                ctx.write(found, s_value, "set by the operating system here")


@FUNCTIONS.register(os.write)
def os_write(ctx: OpContext, s_fd: SomeObject, s_data: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    require_kind(ctx, s_data, K_BYTES | K_BYTEARRAY, "bytes")
    may_fail(ctx)
    return s_NonNeg


@FUNCTIONS.register(os.read)
def os_read(ctx: OpContext, s_fd: SomeObject, s_size: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    require_kind(ctx, s_size, INTEGER, "an int")
    may_fail(ctx)
    return s_Bytes


_WANTED = {"path": (K_STR, "a str or a path"), "text": (K_STR, "a str"), "data": (K_BYTES, "bytes")}
_RESULTS: dict[str, SomeObject] = {
    "none": s_None, "int": s_Int, "bool": s_Bool, "float": s_Float, "text": s_Text,
    "data": s_Bytes,
}  # fmt: skip


def system_call(
    ctx: OpContext, call: SystemCall, args_s: tuple[SomeObject, ...],
    keywords: dict[str, SomeObject],
) -> SomeObject:  # fmt: skip
    """A call of a row of the table ``lltypesystem.foreign.systemtable``."""
    name = call.host.__name__
    given = dict(zip((parameter.name for parameter in call.parameters), args_s))
    if len(args_s) > len(call.parameters):
        most = len(call.parameters)
        raise ctx.error(f"{name}() takes at most {most} arguments ({len(args_s)} given)")
    for key, s in keywords.items():
        if all(parameter.name != key[2:] for parameter in call.parameters) or key[2:] in given:
            raise ctx.error(f"{name}() with the keyword argument {key[2:]!r} is not supported")
        given[key[2:]] = s
    for parameter in call.parameters:
        s_given = given.get(parameter.name)
        if s_given is not None:
            kinds, what = _WANTED.get(parameter.kind, (INTEGER, "an int"))
            if call.host is os.listdir and s_given.kinds & K_NONE:
                raise ctx.error("listdir() of None is not supported", hint="write '.'")
            conversion = AS_PATH if parameter.kind == "path" else None
            require_kind(ctx, s_given, kinds, what, conversion)
        elif parameter.default is REQUIRED:
            raise ctx.error(f"{name}() missing the argument {parameter.name!r}")
    if call.fails:
        may_fail(ctx)
    return _RESULTS[call.result]


for _call in SYSTEM_CALLS.values():

    @FUNCTIONS.register(_call.host)
    def call_of_row(
        ctx: OpContext, *args_s: SomeObject, row: SystemCall = _call, **keywords: SomeObject
    ) -> SomeObject:
        return system_call(ctx, row, args_s, keywords)


@FUNCTIONS.register(sys.exit)
def sys_exit(ctx: OpContext, *args_s: SomeObject) -> SomeObject:
    for s in args_s:
        require_kind(ctx, s, INTEGER | K_NONE | K_STR, "an int or a str")
    classdef = ctx.annotator.constants.classdef(SystemExit)
    if len(args_s) > 1:
        raise ctx.error(f"exit expected at most 1 argument, got {len(args_s)}")
    given = tuple(s for s in args_s if s != s_None)
    set_attributes(ctx, classdef, given, places(SystemExit, len(given)))
    return s_Bottom


@FUNCTIONS.register(time.sleep)
def sleep(ctx: OpContext, s_seconds: SomeObject) -> SomeObject:
    require_kind(ctx, s_seconds, INTEGER | K_FLOAT, "a number")
    return s_None
