"""``runpack`` and ``struct``: a call of the function for its format."""

from __future__ import annotations

import struct
from typing import Any

from rpython.annotator.builtins.library import call_in_python
from rpython.annotator.context import OpContext
from rpython.annotator.lattice.model import K_BYTES, K_STR, SomeObject
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.rlib._struct import function_of
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
    return call_in_python(ctx, unpacker, {"s": (K_STR | K_BYTES, "bytes or a str")}, (s_input,), {})


STRUCT_FUNCTIONS: dict[Any, str] = {
    getattr(struct, name): name
    for name in ("pack", "unpack", "unpack_from", "iter_unpack", "pack_into", "calcsize")
}


def for_format(function: Any, fmt: Any) -> Any:
    """What stands for the function of ``struct`` with that format.  Raises struct.error."""
    text = fmt.decode("ascii") if isinstance(fmt, bytes) else fmt
    return function_of(STRUCT_FUNCTIONS[function], text)


@FUNCTIONS.register(struct.Struct)
def make_struct(ctx: OpContext, s_format: SomeObject) -> SomeObject:
    """The object for that format, the same each time."""
    if not s_format.is_constant() or not isinstance(s_format.value, (str, bytes)):
        raise ctx.error("the format of Struct must be a constant str")
    try:
        return ctx.constant(ctx.annotator.constants.library.struct_of(s_format.value))
    except struct.error as error:
        raise ctx.error(f"Struct: {error}") from None


for _host in STRUCT_FUNCTIONS:

    @FUNCTIONS.register(_host)
    def struct_function(
        ctx: OpContext, s_format: SomeObject, *args_s: SomeObject, host: Any = _host,
        **keywords: SomeObject,
    ) -> SomeObject:  # fmt: skip
        name = STRUCT_FUNCTIONS[host]
        if not s_format.is_constant() or not isinstance(s_format.value, (str, bytes)):
            raise ctx.error(f"the format of {name} must be a constant str")
        try:
            function = for_format(host, s_format.value)
        except struct.error as error:
            raise ctx.error(f"{name}: {error}") from None
        return call_in_python(ctx, function, {}, args_s, keywords)
