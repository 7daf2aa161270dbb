"""``int | None`` and its like: numbers in a box, so that None can be the null pointer.

    x: int | None      Ptr(GcStruct("boxed", ("value", Signed))), immutable; null is None

``BoxedRepr`` is the inner Repr of such a ``NullableRepr``: a value that was tested for
None and is opened when an operation wants it.  The pass ``remove_mallocs`` removes the
boxes that do not escape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rpython.annotator.lattice.model import SomeObject
from rpython.lltypesystem.lltype import GcStruct, Ptr, malloc
from rpython.rtyper.boundary.hostvalues import to_host
from rpython.rtyper.hashing import HASHES, emit_hash, host_hash
from rpython.rtyper.kinds.instance import GC_FLAGS, void
from rpython.rtyper.rmodel import CONVERSIONS, Repr
from rpython.rtyper.text import TEXT, text_pieces
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp
    from rpython.rtyper.oplist import LowLevelOpList
    from rpython.rtyper.rtyper import RPythonTyper


class BoxedRepr(Repr):
    """A number of ``content`` in a box."""

    nullable = True
    by_value = True

    def __init__(self, rtyper: RPythonTyper, content: Repr) -> None:
        self.rtyper = rtyper
        self.content = content
        T = content.lowleveltype
        self.struct = GcStruct("boxed", ("value", T), hints={"immutable": True, "box": True})
        self.lowleveltype = Ptr(self.struct)

    def convert_const(self, value: Any) -> Any:
        content = self.content.convert_const(value)

        def make() -> Any:
            box = malloc(self.struct, immortal=True)
            box.value = content
            return box

        key = ("boxed", self, type(value), repr(value))  # 0.0 and -0.0 are two
        return self.rtyper.items.constant(key, make)

    def to_host(self, value: Any) -> Any:
        return to_host(self.content, value._obj._getfield(self.struct, "value"))

    def open(self, llops: LowLevelOpList, v_box: Value) -> Value:
        """What is in the box, a value of ``content``."""
        return llops.genop("getfield", [v_box, void("value")], self.content.lowleveltype)

    def close(self, llops: LowLevelOpList, v: Value) -> Value:
        """A new box for a value of ``content``."""
        v_box = llops.genop("malloc", [void(self.struct), GC_FLAGS], self.lowleveltype)
        llops.genop("setfield", [v_box, void("value"), v])
        return v_box

    def open_operand(self, hop: HighLevelOp, index: int) -> None:
        v = self.open(hop.llops, hop.args_v[index])
        hop.replace_arg(index, v, hop.args_s[index], self.content)

    def rtype_bool(self, hop: HighLevelOp) -> Value:
        self.open_operand(hop, 0)
        content: Any = self.content
        v_true: Value = content.rtype_bool(hop)
        return v_true


@CONVERSIONS.register("convert", BoxedRepr, Repr)
def from_box(r_from: BoxedRepr, r_to: Repr, v: Value, llops: LowLevelOpList) -> Value:
    return llops.convertvar(r_from.open(llops, v), r_from.content, r_to)


@CONVERSIONS.register("convert", Repr, BoxedRepr)
def to_box(r_from: Repr, r_to: BoxedRepr, v: Value, llops: LowLevelOpList) -> Value:
    return r_to.close(llops, llops.convertvar(v, r_from, r_to.content))


@CONVERSIONS.register("convert", BoxedRepr, BoxedRepr)
def between_boxes(r_from: BoxedRepr, r_to: BoxedRepr, v: Value, llops: LowLevelOpList) -> Value:
    if r_from.lowleveltype == r_to.lowleveltype:
        return v
    return to_box(r_from.content, r_to, r_from.open(llops, v), llops)


@TEXT.register("text", BoxedRepr)
def boxed_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: BoxedRepr, quoted: bool
) -> list[Value]:
    return text_pieces(hop, (r.open(hop.llops, v), s, r.content), quoted)


@HASHES.register("hash", BoxedRepr)
def hash_boxed(llops: LowLevelOpList, v: Value, r: BoxedRepr) -> Value:
    return emit_hash(llops, r.open(llops, v), r.content)


@HASHES.register("host_hash", BoxedRepr)
def host_hash_boxed(r: BoxedRepr, value: Any) -> int:
    return host_hash(r.content, value)
