"""The text of bytes and bytearrays: ``str``, ``repr``, print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotator.model import SomeObject
from lltypesystem.lltype import Bool
from rtyper.ll import ll_bytes_repr
from rtyper.r_bytearray import ByteArrayRepr
from rtyper.r_bytes import ByteSequenceRepr, BytesRepr, contents
from rtyper.text import TEXT, literal
from translator.ir.model import Constant, Value

if TYPE_CHECKING:
    from rtyper.hop import HighLevelOp


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
