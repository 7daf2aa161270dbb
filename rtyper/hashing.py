"""Hashes of keys: emitted code, and the same function of host values.

``HASHES`` has, per class of Repr, the rules

    "hash"        rule(llops, v, r) -> Value, a Signed
    "host_hash"   rule(r, value) -> int, for dicts built at translation time
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lltypesystem.lltype import Signed
from lltypesystem.rarithmetic import intmask
from rtyper.ll import ll_str
from rtyper.r_int import IntegerRepr
from rtyper.r_str import CharRepr, StringRepr
from rtyper.rmodel import ImpossibleRepr, NullableRepr, Repr
from translator.ir.dispatch import DispatchTable
from translator.ir.errors import TyperError
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import LowLevelOpList

HASHES = DispatchTable("rtyper, hashes", 1)


def emit_hash(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    """Emit the hash of a value.  Raises TyperError for kinds that have none."""
    rule = HASHES.lookup("hash", type(r))
    if rule is None:
        raise TyperError(f"{r!r} cannot be the key of a dict")
    v_hash: Value = rule(llops, v, r)
    return v_hash


def host_hash(r: Repr, value: Any) -> int:
    """The same of a host value."""
    rule = HASHES.lookup("host_hash", type(r))
    if rule is None:
        raise TyperError(f"{r!r} cannot be the key of a dict")
    result: int = rule(r, value)
    return result


@HASHES.register("hash", IntegerRepr)
def hash_int(llops: LowLevelOpList, v: Value, r: IntegerRepr) -> Value:
    if r.lowleveltype is Signed:
        return v
    return llops.genop("cast_primitive", [v], Signed)


@HASHES.register("host_hash", IntegerRepr)
def host_hash_int(r: IntegerRepr, value: Any) -> int:
    return intmask(r.convert_const(value))


@HASHES.register("hash", StringRepr)
def hash_str(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.gendirectcall(ll_str.ll_strhash, v)


@HASHES.register("host_hash", StringRepr)
def host_hash_str(r: Repr, value: str) -> int:
    return ll_str.host_hash(value)


@HASHES.register("hash", CharRepr)
def hash_char(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return llops.genop("cast_unichar_to_int", [v], Signed)


@HASHES.register("host_hash", CharRepr)
def host_hash_char(r: Repr, value: str) -> int:
    return ord(value)


@HASHES.register("hash", NullableRepr)
def hash_nullable(llops: LowLevelOpList, v: Value, r: NullableRepr) -> Value:
    done = llops.new_join(Signed)
    null, other = llops.branch(r.is_null(v, llops))
    llops.at(null)
    llops.goto(done, Constant(0, Signed))
    llops.at(other)
    llops.goto(done, emit_hash(llops, v, r.inner))
    llops.at(done)
    return done.inputargs[0]


@HASHES.register("host_hash", NullableRepr)
def host_hash_nullable(r: NullableRepr, value: Any) -> int:
    return 0 if value is None else host_hash(r.inner, value)


@HASHES.register("hash", ImpossibleRepr)
def hash_nothing(llops: LowLevelOpList, v: Value, r: Repr) -> Value:
    return Constant(0, Signed)
