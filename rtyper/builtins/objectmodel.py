"""``rpython.rlib.objectmodel``: identities, and instances without ``__init__``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import K_NONE, SomeObject
from rpython.annotator.program.desc import ClassDesc
from rpython.annotator.program.extregistry import lookup
from rpython.lltypesystem.lltype import Signed
from rpython.rlib import debug, objectmodel
from rpython.rlib._hashes import ID_OF_NONE
from rpython.rtyper.kinds.pbc import ClassRepr, switch_class
from rpython.rtyper.ll import ll_hash
from rpython.rtyper.registry import BUILTINS, HOST_CALLS
from rpython.rtyper.rmodel import HOST_REPRS, NullableRepr, Repr
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.rtyper import RPythonTyper


@BUILTINS.register(objectmodel.compute_identity_hash)
def identity(hop: HighLevelOp) -> Value:
    return hop.genop("gc_identityhash", [hop.inputarg(hop.args_r[0], 0)], Signed)


@BUILTINS.register(id, objectmodel.compute_unique_id)
def unique_id(hop: HighLevelOp) -> Value:
    if hop.args_s[0].kinds == K_NONE:
        return Constant(ID_OF_NONE, Signed)
    if not isinstance(hop.args_r[0], NullableRepr):
        return identity(hop)
    return hop.gendirectcall(ll_hash.ll_unique_id, hop.inputarg(hop.args_r[0], 0))


@BUILTINS.register(objectmodel.instantiate, object.__new__)
def instantiate(hop: HighLevelOp) -> Value:
    r_class = hop.args_r[0]
    assert isinstance(r_class, ClassRepr)

    def make(desc: ClassDesc) -> Value:
        r: Any = hop.rtyper.instance_repr(desc.classdef)
        return hop.llops.convertvar(r.new_instance(hop.llops), r, hop.r_result)

    if len(r_class.descs) == 1:
        return make(r_class.descs[0])
    return switch_class(hop, hop.inputarg(r_class, 0), r_class.descs, make)


@BUILTINS.register(debug.make_sure_not_resized, debug.make_sure_not_modified)
def promise(hop: HighLevelOp) -> Value:
    return hop.inputarg(hop.r_result, 0)


@BUILTINS.register(debug.name_of_kind)
def name_of_kind(hop: HighLevelOp) -> Value:
    return hop.result_constant()


@HOST_REPRS.append
def registered_repr(rtyper: RPythonTyper, s: SomeObject) -> Repr | None:
    """The Repr that an ExtRegistryEntry gives the object that it is about."""
    entry = lookup(s.value)
    found: Repr | None = None if entry is None else entry.get_repr(rtyper, s)
    return found


@HOST_CALLS.append
def registered(hop: HighLevelOp, function: object) -> Value | None:
    """A function that a library has an ExtRegistryEntry for."""
    entry = lookup(function)
    if entry is None:
        return None
    v_result: Value = entry.specialize_call(hop, **{f"i_{k}": i for k, i in hop.keywords.items()})
    return v_result
