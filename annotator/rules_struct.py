"""``runpack``: a call of the function for its format."""

from __future__ import annotations

from annotator.context import OpContext
from annotator.model import K_STR, SomeObject
from annotator.registry import FUNCTIONS
from annotator.rules_library import call_in_python
from rpython.rlib.rstruct.error import StructError
from rpython.rlib.rstruct.runpack import runpack, unpacker_of


@FUNCTIONS.register(runpack)
def unpack(ctx: OpContext, s_format: SomeObject, s_input: SomeObject) -> SomeObject:
    if not s_format.is_constant() or not isinstance(s_format.value, str):
        raise ctx.error("the format of runpack must be a constant str")
    try:
        unpacker = unpacker_of(s_format.value)
    except StructError as error:
        raise ctx.error(f"runpack: {error.msg}") from None
    return call_in_python(ctx, unpacker, {"s": (K_STR, "a str")}, (s_input,), {})
