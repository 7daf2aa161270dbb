"""Calls through libffi that are described in one block of memory, as PyPy's cffi does them.

    d = lltype.malloc(CIF_DESCRIPTION, 1, flavor="raw")
    d.abi, d.nargs, d.rtype, d.atypes = FFI_DEFAULT_ABI, 1, types.double, atypes
    d.exchange_result, d.exchange_args[0] = 8, 16
    jit_ffi_prep_cif(d)
    jit_ffi_call(d, address_of_sqrt, buffer)      # buffer: [room for a pointer, result, argument]

There is no JIT: every call goes through libffi.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem import lltype, rffi
from rpython.lltypesystem.types import Array, Struct
from rpython.rlib import clibffi

FFI_CIF, FFI_TYPE = clibffi.FFI_CIF, clibffi.FFI_TYPE
FFI_TYPE_P, FFI_TYPE_PP = clibffi.FFI_TYPE_P, clibffi.FFI_TYPE_PP
FFI_ABI = lltype.Signed
SIZE_OF_FFI_ARG = 8

CIF_DESCRIPTION = Struct(
    "CIF_DESCRIPTION",
    ("cif", FFI_CIF),
    ("abi", FFI_ABI),
    ("nargs", lltype.Signed),
    ("rtype", FFI_TYPE_P),
    ("atypes", FFI_TYPE_PP),
    ("exchange_size", lltype.Signed),
    ("exchange_result", lltype.Signed),
    ("exchange_args", Array(lltype.Signed, hints={"nolength": True, "immutable": True})),
    hints={"immutable": True},
)
CIF_DESCRIPTION_P = lltype.Ptr(CIF_DESCRIPTION)
"""The program fills ``abi``, ``nargs``, ``rtype``, ``atypes`` and where in the exchange buffer the
result and each argument are.  The buffer starts with room for ``nargs`` pointers."""


def jit_ffi_prep_cif(cif_description: Any) -> int:
    """Prepare a description that is filled; ``FFI_OK`` or what libffi says is wrong."""
    return rffi.cast(  # type: ignore[no-any-return]
        lltype.Signed,
        clibffi.c_ffi_prep_cif(
            cif_description.cif, cif_description.abi, cif_description.nargs,
            cif_description.rtype, cif_description.atypes,
        ),
    )  # fmt: skip


def jit_ffi_call(cif_description: Any, func_addr: Any, exchange_buffer: Any) -> None:
    """Call the function, a ``VOIDP``, with the arguments that are in the buffer, a ``CCHARP``; its
    result gets there."""
    places = rffi.cast(rffi.VOIDPP, exchange_buffer)
    for i in range(cif_description.nargs):
        place = rffi.ptradd(exchange_buffer, cif_description.exchange_args[i])
        places[i] = rffi.cast(rffi.VOIDP, place)
    result = rffi.ptradd(exchange_buffer, cif_description.exchange_result)
    clibffi.c_ffi_call(
        cif_description.cif, func_addr, rffi.cast(rffi.VOIDP, result), places
    )  # fmt: skip


_KINDS = {
    clibffi.FFI_TYPE_VOID: "v",
    clibffi.FFI_TYPE_FLOAT: "s",
    clibffi.FFI_TYPE_DOUBLE: "f",
    clibffi.FFI_TYPE_STRUCT: "S",
    clibffi.FFI_TYPE_UINT8: "u",
    clibffi.FFI_TYPE_UINT16: "u",
    clibffi.FFI_TYPE_UINT32: "u",
    clibffi.FFI_TYPE_UINT64: "u",
    clibffi.FFI_TYPE_POINTER: "u",
    clibffi.FFI_TYPE_SINT8: "i",
    clibffi.FFI_TYPE_SINT16: "i",
    clibffi.FFI_TYPE_SINT32: "i",
    clibffi.FFI_TYPE_SINT64: "i",
}


class types:
    """Descriptions of C's types."""

    void, float, double = clibffi.ffi_type_void, clibffi.ffi_type_float, clibffi.ffi_type_double
    pointer = clibffi.ffi_type_pointer
    uint8, sint8 = clibffi.ffi_type_uint8, clibffi.ffi_type_sint8
    uint16, sint16 = clibffi.ffi_type_uint16, clibffi.ffi_type_sint16
    uint32, sint32 = clibffi.ffi_type_uint32, clibffi.ffi_type_sint32
    uint64, sint64 = clibffi.ffi_type_uint64, clibffi.ffi_type_sint64
    uchar, schar = clibffi.ffi_type_uchar, clibffi.ffi_type_schar
    ushort, sshort = clibffi.ffi_type_ushort, clibffi.ffi_type_sshort
    uint, sint = clibffi.ffi_type_uint, clibffi.ffi_type_sint
    ulong, slong = clibffi.ffi_type_ulong, clibffi.ffi_type_slong
    ulonglong, slonglong = clibffi.ffi_type_ulonglong, clibffi.ffi_type_slonglong
    signed, size_t = slong, ulong
    wchar_t = clibffi.cast_type_to_ffitype(rffi.WCHAR_T)

    @staticmethod
    def getkind(ffi_type: Any) -> str:
        """``v`` void, ``i`` and ``u`` integers with and without sign (pointers too), ``f`` double,
        ``s`` float, ``S`` struct.  Raises KeyError for others."""
        return _KINDS[rffi.cast(lltype.Signed, ffi_type.c_type)]

    @staticmethod
    def is_struct(ffi_type: Any) -> bool:
        """Is it a struct's?"""
        return bool(rffi.cast(lltype.Signed, ffi_type.c_type) == clibffi.FFI_TYPE_STRUCT)
