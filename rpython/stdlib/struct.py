"""``struct``: the functions for formats that are known when the program is translated."""

from __future__ import annotations

import struct
from typing import Any

from rpython.rlib._struct import function_of, struct_object
from rpython.rlib.rstruct.error import StructError
from rpython.rlib.rstruct.runpack import runpack, unpacker_of
from rpython.stdlib._registry import Refused, at_translation, converts, replaces


def _for_format(name: str, fmt: Any) -> Any:
    if not isinstance(fmt, str | bytes):
        raise Refused(f"the format of {name} must be a constant str")
    try:
        text = fmt.decode("ascii") if isinstance(fmt, bytes) else fmt
        return struct_object(text) if name == "Struct" else function_of(name, text)
    except struct.error as error:
        raise Refused(f"{name}: {error}") from None


def _replace(name: str, parameters: str) -> None:
    @replaces(getattr(struct, name))
    @at_translation(f"format {parameters}", "format", what=f"the format of {name}")
    def make(format: Any) -> Any:
        return _for_format(name, format)

    make.__name__ = name


_replace("Struct", "")
_replace("pack", "*values")
_replace("unpack", "buffer")
_replace("unpack_from", "buffer offset")
_replace("iter_unpack", "buffer")
_replace("pack_into", "buffer offset *values")


@replaces(struct.calcsize)
@at_translation("format", what="the format of calcsize")
def calcsize(format: Any) -> Any:
    return _for_format("calcsize", format)()


@converts(struct.Struct)
def struct_for(x: struct.Struct) -> Any:
    return struct_object(x.format)


@replaces(runpack)
@at_translation("fmt input", "fmt", what="the format of runpack")
def unpacker(fmt: Any) -> Any:
    if not isinstance(fmt, str):
        raise Refused("the format of runpack must be a constant str")
    try:
        return unpacker_of(fmt)
    except StructError as error:
        raise Refused(f"runpack: {error.msg}") from None
