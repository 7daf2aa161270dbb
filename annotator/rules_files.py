"""Transfer rules for what programs use of ``os`` besides reading and writing, ``os.path``, and
``time``."""

from __future__ import annotations

import os
import time
from typing import Any

from annotator.context import OpContext
from annotator.model import (
    K_BOOL,
    K_FLOAT,
    K_INT,
    K_STR,
    SomeObject,
    s_Bool,
    s_Float,
    s_None,
    s_NonNeg,
    s_Str,
)
from annotator.registry import FUNCTIONS
from annotator.rules_library import call_in_python
from annotator.rules_os import may_fail
from annotator.rules_strings import INTEGER, require_kind
from rpython.rlib import rpath

PATH_FUNCTIONS: dict[Any, Any] = {
    os.path.join: rpath.join, os.path.normpath: rpath.rnormpath,
    os.path.abspath: rpath.rabspath, os.path.isabs: rpath.risabs, os.path.split: rpath.split,
    os.path.dirname: rpath.dirname, os.path.basename: rpath.basename,
    os.path.splitext: rpath.splitext, os.path.exists: rpath.exists,
}  # fmt: skip
"""What the program calls -> what is translated for it."""

for _host, _function in PATH_FUNCTIONS.items():

    @FUNCTIONS.register(_host)
    def path_function(ctx: OpContext, *args_s: SomeObject, function: Any = _function) -> SomeObject:
        for s in args_s:
            require_kind(ctx, s, K_STR, "a str")
        return call_in_python(ctx, function, {}, args_s, {})


@FUNCTIONS.register(os.lseek)
def seek(ctx: OpContext, s_fd: SomeObject, s_offset: SomeObject, s_how: SomeObject) -> SomeObject:
    for s in (s_fd, s_offset, s_how):
        require_kind(ctx, s, INTEGER, "an int")
    may_fail(ctx)
    return s_NonNeg


@FUNCTIONS.register(os.ftruncate)
def truncate(ctx: OpContext, s_fd: SomeObject, s_length: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    require_kind(ctx, s_length, INTEGER, "an int")
    may_fail(ctx)
    return s_None


@FUNCTIONS.register(os.fsync)
def synchronise(ctx: OpContext, s_fd: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    may_fail(ctx)
    return s_None


@FUNCTIONS.register(os.dup)
def duplicate(ctx: OpContext, s_fd: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    may_fail(ctx)
    return s_NonNeg


@FUNCTIONS.register(os.isatty)
def is_terminal(ctx: OpContext, s_fd: SomeObject) -> SomeObject:
    require_kind(ctx, s_fd, INTEGER, "an int")
    return s_Bool


@FUNCTIONS.register(os.unlink, os.remove, os.rmdir)
def remove(ctx: OpContext, s_path: SomeObject) -> SomeObject:
    require_kind(ctx, s_path, K_STR, "a str")
    may_fail(ctx)
    return s_None


@FUNCTIONS.register(os.mkdir)
def make_directory(ctx: OpContext, s_path: SomeObject, s_mode: SomeObject = s_NonNeg) -> SomeObject:
    require_kind(ctx, s_path, K_STR, "a str")
    require_kind(ctx, s_mode, INTEGER, "an int")
    may_fail(ctx)
    return s_None


@FUNCTIONS.register(os.access)
def accessible(ctx: OpContext, s_path: SomeObject, s_mode: SomeObject) -> SomeObject:
    require_kind(ctx, s_path, K_STR, "a str")
    require_kind(ctx, s_mode, INTEGER, "an int")
    return s_Bool


@FUNCTIONS.register(os.getcwd)
def working_directory(ctx: OpContext) -> SomeObject:
    may_fail(ctx)
    return s_Str


@FUNCTIONS.register(os.getpid)
def process_number(ctx: OpContext) -> SomeObject:
    return s_NonNeg


@FUNCTIONS.register(time.time, time.monotonic, time.perf_counter, time.process_time)
def clock(ctx: OpContext) -> SomeObject:
    return s_Float


@FUNCTIONS.register(time.sleep)
def sleep(ctx: OpContext, s_seconds: SomeObject) -> SomeObject:
    require_kind(ctx, s_seconds, K_INT | K_BOOL | K_FLOAT, "a number")
    return s_None
