"""Low-level values back as host values, for ``interpret`` and tests."""

from __future__ import annotations

from typing import Any

from rpython.annotator.program.excattrs import REPR
from rpython.lltypesystem.lltype import Ptr, _ptr, cast_pointer
from rpython.lltypesystem.rstr import BYTESPTR, STRPTR, read_bytes, read_str
from rpython.rlib.rbigint import rbigint
from rpython.rtyper.kinds.instance import InstanceRepr
from rpython.rtyper.kinds.int import IntegerRepr
from rpython.rtyper.kinds.tuple import TupleRepr
from rpython.rtyper.rmodel import NoneRepr, NullableRepr, Repr


def to_host(r: Repr, value: Any) -> Any:
    """The host value that a low-level ``value`` of Repr ``r`` stands for.  What has no host
    form (an instance) comes back as the low-level pointer."""
    if isinstance(r, NoneRepr):
        return None
    if isinstance(r, NullableRepr):
        if not value:
            return None
        return to_host(r.inner, value)
    if isinstance(r, TupleRepr):
        return r.make_host(
            to_host(item, low_field(value, f"item{i}")) for i, item in enumerate(r.items_r)
        )
    if isinstance(r, IntegerRepr):
        return r.knowntype(value)
    if isinstance(r, InstanceRepr) and r.classdef.seen_as is int:
        return _big_int(r, value)
    read = getattr(r, "to_host", None)
    if read is not None:
        return read(value)
    T = r.lowleveltype
    if isinstance(T, Ptr):
        if T == STRPTR:
            return read_str(value)
        if T == BYTESPTR:
            return read_bytes(value)
    return value


def _big_int(r: InstanceRepr, value: Any) -> int:
    """An int that does not fit in 64 bits (``rpython.stdlib._bigints.BigInt``)."""
    r_number: Any = r.fields["number"][1]
    parts = host_attributes(r_number, host_attributes(r, value)["number"])
    return rbigint(parts["_digits"], parts["_size"]).tolong()


def host_attributes(r: InstanceRepr, value: Any) -> dict[str, Any]:
    """The attributes of an instance, a low-level pointer, as host values."""
    result: dict[str, Any] = {}
    for classdef in r.classdef.mro():
        r_class = r.rtyper.instance_repr(classdef)
        home = cast_pointer(r_class.lowleveltype, value)
        for name, (_, r_field) in r_class.fields.items():
            if name == REPR:
                continue  # belongs to the translation
            if name not in r_class.unset_flags or low_field(home, f"has_{name}"):
                result[name] = to_host(r_field, low_field(home, f"inst_{name}"))
    return result


def low_field(p: _ptr, name: str) -> Any:
    """A field as its plain low-level value."""
    return p._obj._getfield(p._TYPE.TO, name)

