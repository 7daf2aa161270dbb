"""Transfer rules for threads and queues, and for what ``rpython.rlib._threading`` is made of."""

from __future__ import annotations

import _thread
import threading
from typing import Any

from rpython.annotator.context import OpContext
from rpython.annotator.lattice.keywords import SomeKeywords
from rpython.annotator.lattice.model import (
    K_BOOL,
    K_FLOAT,
    K_INT,
    K_NONE,
    K_STR,
    SomeObject,
    SomeTuple,
    s_Int,
    s_None,
    s_Str,
)
from rpython.annotator.rules.applying import call_inside
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import require_kind
from rpython.rlib import _threadcalls
from rpython.translator.ir.hlops import CallShape

s_NoArguments = SomeTuple(())


def _require_arguments(ctx: OpContext, s_args: SomeObject) -> None:
    if not isinstance(s_args, SomeTuple):
        raise ctx.error(
            f"the arguments of a thread's function must be a tuple, not {s_args.describe()}",
            hint="write args=(a, b), and args=(a,) where there is one",
        )


def _require_keywords(ctx: OpContext, s_kwargs: SomeObject) -> None:
    if s_kwargs != s_None and not isinstance(s_kwargs, SomeKeywords):
        raise ctx.error(
            "the keyword arguments of a thread's function must be written here",
            hint='kwargs={"name": value}: which there are has to be known at translation time',
        )


def _try_call(
    ctx: OpContext, s_function: SomeObject, s_args: SomeObject, s_kwargs: SomeObject = s_None
) -> None:
    """The thread makes the call, but what is wrong with it is wrong here."""
    if s_function == s_None or not isinstance(s_args, SomeTuple):
        return
    if isinstance(s_kwargs, SomeKeywords):
        call_inside(ctx, s_function, *s_args.items, s_keywords=s_kwargs)
    else:
        call_inside(ctx, s_function, *s_args.items)


@FUNCTIONS.register(threading.Thread)
def make_thread(
    ctx: OpContext, s_group: SomeObject = s_None, s_target: SomeObject = s_None,
    s_name: SomeObject = s_None, s_args: SomeObject = s_NoArguments,
    s_kwargs: SomeObject = s_None, s_daemon: SomeObject = s_None,
) -> SomeObject:  # fmt: skip
    """A thread of a class that this operation has for itself."""
    require_kind(ctx, s_group, K_NONE, "None")
    _require_keywords(ctx, s_kwargs)
    require_kind(ctx, s_name, K_NONE | K_STR, "a str")
    require_kind(ctx, s_daemon, K_NONE | K_BOOL | K_INT, "a bool")
    _require_arguments(ctx, s_args)
    if s_target.kinds & K_NONE and s_target != s_None:
        raise ctx.error("the target of a Thread may be None here", hint="test for None first")
    _try_call(ctx, s_target, s_args, s_kwargs)
    threads = ctx.annotator.constants.overlays.threads
    if s_kwargs == s_None:
        maker = threads.thread_maker(ctx.op)
        return _call_maker(ctx, maker, s_target, s_args, s_name, s_daemon)
    maker = threads.thread_maker_with_keywords(ctx.op)
    return _call_maker(ctx, maker, s_target, s_args, s_name, s_daemon, s_kwargs)


@FUNCTIONS.register(threading.Timer)
def make_timer(
    ctx: OpContext, s_interval: SomeObject, s_function: SomeObject,
    s_args: SomeObject = s_NoArguments,
) -> SomeObject:  # fmt: skip
    require_kind(ctx, s_interval, K_INT | K_BOOL | K_FLOAT, "a number")
    _require_arguments(ctx, s_args)
    _try_call(ctx, s_function, s_args)
    maker = ctx.annotator.constants.overlays.threads.timer_maker(ctx.op)
    return _call_maker(ctx, maker, s_interval, s_function, s_args)


def _call_maker(ctx: OpContext, maker: Any, *args_s: SomeObject) -> SomeObject:
    shape = CallShape(len(args_s))
    return call(ctx, ctx.constant(maker), CallArguments(shape, args_s, (None,) * len(args_s)))


@FUNCTIONS.register(_thread.start_new_thread)
def start_new_thread(ctx: OpContext, s_function: SomeObject, s_args: SomeObject) -> SomeObject:
    _require_arguments(ctx, s_args)
    _try_call(ctx, s_function, s_args)
    maker = ctx.annotator.constants.overlays.threads.raw_starter(ctx.op)
    return _call_maker(ctx, maker, s_function, s_args)


@FUNCTIONS.register(threading.local)
def make_local(ctx: OpContext) -> SomeObject:
    return _call_maker(ctx, ctx.annotator.constants.overlays.threads.local_maker(ctx.op))


@FUNCTIONS.register(_threadcalls.start)
def start(
    ctx: OpContext, s_run: SomeObject, s_failed: SomeObject, s_done: SomeObject,
    s_number: SomeObject, s_daemon: SomeObject,
) -> SomeObject:  # fmt: skip
    ctx.annotator.constants.overlays.threads.started = True
    for s_function in (s_run, s_failed, s_done):
        call_inside(ctx, s_function, s_Int)
    return s_Int


FUNCTIONS.gives(
    s_Int, _threadcalls.number, _threadcalls.identity, _threadcalls.native_identity,
    _threadcalls.forks, _threadcalls.set_stack_size,
)  # fmt: skip
FUNCTIONS.gives(s_None, _threadcalls.wait, _threadcalls.wake, _threadcalls.poll)
FUNCTIONS.gives(s_Str, _threadcalls.label)
