"""Hashes of values: emitted code, and the same function of host values.

``HASHES`` has, per class of Repr, the rules (``r_hash`` has most of them)

    "hash"        rule(llops, v, r) -> Value, a Signed: what the tables of dicts use
    "host_hash"   rule(r, value) -> int: the same, for dicts built at translation time
    "exact_hash"  rule(llops, v, r) -> Value: what ``hash()`` gives, where that differs
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.lltypesystem.lltype import Signed
from rpython.translator.ir.dispatch import DispatchTable
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Block, Value

if TYPE_CHECKING:
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rmodel import Repr

HASHES = DispatchTable("rtyper, hashes", 1)


def emit_hash(llops: LowLevelOpList, v: Value, r: Repr, exact: bool = False) -> Value:
    """Emit the hash of a value.  Raises TyperError for kinds that have none."""
    rule = HASHES.lookup("exact_hash", type(r)) if exact else None
    rule = rule or HASHES.lookup("hash", type(r))
    if rule is None:
        raise TyperError(f"{r!r} cannot be the key of a dict")
    v_hash: Value = rule(llops, v, r)
    return v_hash


def refuse_hash(llops: LowLevelOpList, name: str) -> Value:
    """The hash of a value of the built-in class, one of several kinds that a key may be of:
    TypeError."""
    llops.raise_constant(TypeError, f"unhashable type: '{name}'")
    llops.at(Block([]))
    return llops.dummy(Signed)


def host_hash(r: Repr, value: Any) -> int:
    """The same of a host value."""
    rule = HASHES.lookup("host_hash", type(r))
    if rule is None:
        raise TyperError(f"{r!r} cannot be the key of a prebuilt dict")
    result: int = rule(r, value)
    return result
