"""Built-in functions of anything that has a length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpython.rtyper.registry import BUILTINS
from rpython.rtyper.rmodel import NoneRepr, NullableRepr
from rpython.translator.ir.errors import TyperError
from rpython.translator.ir.model import Value

if TYPE_CHECKING:
    from rpython.rtyper.hop import HighLevelOp


@BUILTINS.register(len)
def builtin_len(hop: HighLevelOp) -> Value:
    """``rtype_len`` of the argument's Repr, once it is known not to be None."""
    r = hop.args_r[0]
    if isinstance(r, NoneRepr):
        return hop.raise_none_error()
    if isinstance(r, NullableRepr):
        r.unwrap(hop, 0)
    method = getattr(hop.args_r[0], "rtype_len", None)
    if method is None:
        raise TyperError(f"len() of {hop.args_s[0].describe()} is not supported")
    result: Value = method(hop)
    return result
