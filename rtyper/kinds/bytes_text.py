"""The text of bytes and bytearrays: ``str``, ``repr``, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeObject
from rpython.lltypesystem.lltype import Bool
from rpython.rtyper.kinds.bytearray import ByteArrayRepr
from rpython.rtyper.kinds.bytes import ByteSequenceRepr, BytesRepr, contents
from rpython.rtyper.ll import ll_bytes_repr
from rpython.rtyper.text import TEXT, literal
from rpython.translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@TEXT.register("text", BytesRepr)
def bytes_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: BytesRepr, quoted: bool
) -> list[Value]:
    return [_repr(hop, r, v)]


@TEXT.register("text", ByteArrayRepr)
def bytearray_text(
    hop: HighLevelOp, v: Value, s: SomeObject, r: ByteArrayRepr, quoted: bool
) -> list[Value]:
    return [literal(hop.rtyper, "bytearray("), _repr(hop, r, v), literal(hop.rtyper, ")")]


def _repr(hop: HighLevelOp, r: ByteSequenceRepr, v: Value) -> Value:
    v_of_bytes = Constant(isinstance(r, BytesRepr), Bool)
    return hop.gendirectcall(ll_bytes_repr.ll_bytes_repr, *contents(r, v, hop), v_of_bytes)
