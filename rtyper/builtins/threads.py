"""Threads and queues; what ``rpython.rlib._threading`` is made of: calls of ``rpy_thread.h``."""

from __future__ import annotations

import _thread
import threading
from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import (
    SomeBuiltinMethod,
    SomeClass,
    SomeClassMethod,
    SomeFunction,
    SomeHost,
    SomeMethod,
    s_None,
    s_Str,
)
from rpython.annotator.overlay.threads import ThreadClasses
from rpython.annotator.program.desc import FunctionDesc
from rpython.lltypesystem.foreign import threads
from rpython.lltypesystem.lltype import Bool, Float, Signed, Void
from rpython.lltypesystem.rstr import STRPTR
from rpython.rlib import _threadcalls
from rpython.rtyper.callables import Operand
from rpython.rtyper.kinds.annlowlevel import function_pointer
from rpython.rtyper.kinds.instance import void
from rpython.rtyper.overlays import call_overlay
from rpython.rtyper.registry import BUILTINS
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.hlops import CallShape
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp

_NUMBERS: dict[Any, Any] = {
    _threadcalls.number: threads.c_number,
    _threadcalls.identity: threads.c_identity,
    _threadcalls.native_identity: threads.c_native_identity,
    _threadcalls.forks: threads.c_forks,
}


_THREAD_PARAMETERS = ("group", "target", "name", "args", "kwargs")


def _call_maker(hop: HighLevelOp, maker: Any, operands: list[Operand]) -> Value:
    desc = hop.rtyper.annotator.constants.function_desc(maker)
    shape = CallShape(len(operands))
    return hop.rtyper.calls.call_desc(hop.llops, desc, shape, operands, hop.r_result)


def _threads(hop: HighLevelOp) -> ThreadClasses:
    return hop.rtyper.annotator.constants.overlays.threads


@BUILTINS.register(threading.Thread)
def make_thread(hop: HighLevelOp) -> Value:
    constants = hop.rtyper.annotator.constants
    overlays = constants.overlays
    count = hop.nb_args - len(hop.keywords)
    places = {**dict(zip(_THREAD_PARAMETERS, range(count))), **hop.keywords}
    operands = []
    for name in ("target", "args", "name", "daemon"):
        if name in places:
            operands.append(Operand(*hop.operand(places[name])))
        else:
            default: Any = () if name == "args" else None
            s = constants.annotation_of(default)
            r = hop.rtyper.getrepr(s)
            operands.append(Operand(r.inputconst(default), s, r))
    if "kwargs" not in places or hop.args_s[places["kwargs"]] == s_None:
        return _call_maker(hop, overlays.threads.thread_maker(hop.spaceop), operands)
    operands.append(Operand(*hop.operand(places["kwargs"])))
    return _call_maker(hop, overlays.threads.thread_maker_with_keywords(hop.spaceop), operands)


@BUILTINS.register(threading.Timer)
def make_timer(hop: HighLevelOp) -> Value:
    return call_overlay(hop, _threads(hop).timer_maker(hop.spaceop))


@BUILTINS.register(_thread.start_new_thread)
def start_new_thread(hop: HighLevelOp) -> Value:
    maker = _threads(hop).raw_starter(hop.spaceop)
    return _call_maker(hop, maker, [Operand(*hop.operand(i)) for i in range(2)])


@BUILTINS.register(threading.local)
def make_local(hop: HighLevelOp) -> Value:
    return _call_maker(hop, _threads(hop).local_maker(hop.spaceop), [])


@BUILTINS.register(_threadcalls.label)
def label(hop: HighLevelOp) -> Value:
    """`` (name)``; nothing for callables that are no functions."""
    s: Any = hop.args_s[0]
    names: set[str] = set()
    if isinstance(s, (SomeFunction, SomeMethod, SomeClassMethod)):
        names = {_plain(desc.name) for desc in s.descs}
    elif isinstance(s, SomeBuiltinMethod):
        names = {s.name}
    elif isinstance(s, (SomeHost, SomeClass)) and s.is_constant():
        names = {getattr(s.value, "__name__", "")}
    if len(names) > 1:
        return _label_of_several(hop, s)
    return _text(hop, "".join(names))


def _plain(name: str) -> str:
    """``__name__`` for ``__qualname__``."""
    return name.rpartition(".")[2]


def _text(hop: HighLevelOp, name: str) -> Value:
    return hop.rtyper.getrepr(s_Str).inputconst(f" ({name})" if name else "")


def _label_of_several(hop: HighLevelOp, s: Any) -> Value:
    """A function is a number at run time."""
    functions = [desc for desc in s.descs if isinstance(desc, FunctionDesc)]
    if not isinstance(s, SomeFunction) or any(desc.closure is not None for desc in functions):
        raise TyperError(
            f"the name of the thread's function is not known: {s.describe()}",
            hop.spaceop.span, hint="give the thread a name: name=...",
        )  # fmt: skip
    llops = hop.llops
    r: Any = hop.args_r[0]
    v = hop.inputarg(r, 0)
    done = llops.new_join(STRPTR)
    for desc in functions:
        known = r.inputconst(desc.func)
        same, other = llops.branch(llops.genop("int_eq", [v, known], Bool))
        llops.at(same)
        llops.goto(done, _text(hop, _plain(desc.name)))
        llops.at(other)
    llops.unreachable()
    llops.at(done)
    return done.inputargs[0]


@BUILTINS.register(_threadcalls.start)
def start(hop: HighLevelOp) -> Value:
    hop.rtyper.threaded = True
    functions = [
        function_pointer(hop, Operand(*hop.operand(i)), threads.THREAD_FUNCTION)
        for i in range(3)
    ]
    numbers: list[Value] = [hop.inputarg(Signed, 3), hop.inputarg(Signed, 4)]
    return hop.llops.call_pointer(threads.c_start, [*functions, *numbers])


@BUILTINS.register(*_NUMBERS)
def number(hop: HighLevelOp) -> Value:
    return hop.llops.call_pointer(_NUMBERS[hop.host_function], [])


@BUILTINS.register(_threadcalls.set_stack_size)
def set_stack_size(hop: HighLevelOp) -> Value:
    return hop.llops.call_pointer(threads.c_set_stack_size, [hop.inputarg(Signed, 0)])


@BUILTINS.register(_threadcalls.wait)
def wait(hop: HighLevelOp) -> Value:
    hop.rtyper.threaded = True
    args: list[Value] = [hop.inputarg(Signed, 0), hop.inputarg(Float, 1)]
    hop.llops.call_pointer(threads.c_wait, args)
    return void(None)


@BUILTINS.register(_threadcalls.wake)
def wake(hop: HighLevelOp) -> Value:
    hop.llops.call_pointer(threads.c_wake, [hop.inputarg(Signed, 0)])
    return void(None)


@BUILTINS.register(_threadcalls.poll)
def poll(hop: HighLevelOp) -> Value:
    hop.genop("safepoint", [], Void)
    return void(None)
