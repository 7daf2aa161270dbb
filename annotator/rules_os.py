"""Transfer rules for what programs use of ``os`` and ``sys``."""

from __future__ import annotations

import os
import sys

from annotator.context import OpContext
from annotator.excattrs import places
from annotator.model import (
    K_BYTEARRAY,
    K_BYTES,
    K_NONE,
    K_STR,
    SomeObject,
    s_Bottom,
    s_Bytes,
    s_None,
    s_NonNeg,
    s_Str,
)
from annotator.registry import FUNCTIONS
from annotator.rules_exceptions import register, set_attributes
from annotator.rules_strings import INTEGER, require_kind


def may_fail(ctx: OpContext) -> None:
    """The operation raises OSError or a subclass, with ``errno`` set."""
    constants = ctx.annotator.constants
    attribute = constants.attribute(constants.classdef(OSError), "errno")
    ctx.write(attribute, s_NonNeg, "set by the operating system here")
    register(ctx)
    strerror = constants.classdef(OSError).find_attribute("strerror")
    if strerror is not None:
        ctx.write(strerror, s_Str, "set by the operating system here")


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


@FUNCTIONS.register(os.open)
def os_open(
    ctx: OpContext, s_path: SomeObject, s_flags: SomeObject, s_mode: SomeObject = s_NonNeg
) -> SomeObject:
    require_kind(ctx, s_path, K_STR, "a str")
    require_kind(ctx, s_flags, INTEGER, "an int")
    require_kind(ctx, s_mode, INTEGER, "an int")
    may_fail(ctx)
    return s_NonNeg


@FUNCTIONS.register(os.close)
def os_close(ctx: OpContext, s_fd: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    may_fail(ctx)
    return s_None


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
