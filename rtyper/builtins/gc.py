"""``gc`` and ``rpython.rlib.rgc``."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeObject
from rpython.annotator.program.scope_keep_alive import SomeUnkept
from rpython.lltypesystem.lltype import Ptr, Signed, Void
from rpython.rlib import objectmodel, rgc
from rpython.rtyper.builtins.convert import known_not_none
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.rtyper.rmodel import Repr, UnkeptRepr, repr_for
from rpython.translator.ir.intrinsics import keep_in_scope
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper


@BUILTINS.register(gc.collect)
def collect(hop: HighLevelOp) -> Value:
    """Nobody counts what is freed: 0, which CPython may say as well."""
    hop.genop("gc_collect", [hop.rtyper.finalizers.state], Void)
    return Constant(0, Signed)


@BUILTINS.register(rgc.collect)
def rgc_collect(hop: HighLevelOp) -> Value:
    hop.genop("gc_collect", [hop.rtyper.finalizers.state], Void)
    return Constant(None, Void)


@BUILTINS.register(rgc.set_max_heap_size)
def set_max_heap_size(hop: HighLevelOp) -> Value:
    hop.genop("gc_set_max_heap_size", [hop.inputarg(Signed, 0)], Void)
    return Constant(None, Void)


@BUILTINS.register(objectmodel.keepalive_until_here)
def keepalive_until_here(hop: HighLevelOp) -> Value:
    for i in range(hop.nb_args):
        if isinstance(hop.args_r[i].lowleveltype, Ptr):
            hop.genop("keepalive", [hop.inputarg(hop.args_r[i], i)], Void)
    return Constant(None, Void)


@repr_for(SomeUnkept)
def unkept_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr:
    return UnkeptRepr()


@BUILTINS.register(keep_in_scope)
def hold(hop: HighLevelOp) -> Value:
    for i in range(hop.nb_args):
        T = hop.args_r[i].lowleveltype
        if isinstance(T, Ptr) and T.TO._gckind == "gc":
            hop.genop("keepalive", [hop.inputarg(hop.args_r[i], i)], Void)
    return Constant(None, Void)


@HOST_CALLS.append
def register_finalizer(hop: HighLevelOp, function: object) -> Value | None:
    """``register_finalizer`` of a FinalizerQueue."""
    if not isinstance(function, rgc.Register):
        return None
    number = hop.rtyper.annotator.finalizers.queue_number(function.queue)
    known_not_none(hop)
    hop.rtyper.finalizers.register(hop.llops, hop.inputarg(hop.args_r[0], 0), number)
    return Constant(None, Void)
