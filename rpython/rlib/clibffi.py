"""C functions that are known when the program runs, called through libffi.

    libm = CDLL("libm.so.6")
    sqrt = libm.getpointer("sqrt", [ffi_type_double], ffi_type_double)
    sqrt.push_arg(2.0)
    sqrt.call(rffi.DOUBLE)

Types are described by libffi's ``ffi_type_...``; nobody checks that the function has them.  No
header of libffi is needed: what is declared here is its binary interface, which does not change.
"""

from __future__ import annotations

import os
from typing import Any

from rpython.lltypesystem import lltype, rffi
from rpython.lltypesystem.types import FixedSizeArray, ForwardReference, Struct
from rpython.rlib import rdynload
from rpython.rlib.objectmodel import specialize
from rpython.rlib.rdynload import DLOpenError as DLOpenError
from rpython.rlib.rdynload import dlclose as dlclose
from rpython.rlib.rdynload import dlopen as dlopen
from rpython.rlib.rdynload import dlsym as dlsym

_ABIS = {"x86_64": 2, "aarch64": 1, "riscv64": 1}
"""Machine -> libffi's ``FFI_DEFAULT_ABI``."""

if os.uname().machine not in _ABIS:
    raise ImportError(f"rpython.rlib.clibffi does not know libffi on {os.uname().machine}")

FFI_DEFAULT_ABI = _ABIS[os.uname().machine]
FFI_OK, FFI_BAD_TYPEDEF, FFI_BAD_ABI = 0, 1, 2

FUNCFLAG_STDCALL, FUNCFLAG_CDECL, FUNCFLAG_PYTHONAPI = 0, 1, 4
FUNCFLAG_USE_ERRNO, FUNCFLAG_USE_LASTERROR = 8, 16
"""Flags of functions.  There is one way to call C here, and errno is always kept."""

# -- types ------------------------------------------------------------------------------------

(
    FFI_TYPE_VOID, FFI_TYPE_INT, FFI_TYPE_FLOAT, FFI_TYPE_DOUBLE, FFI_TYPE_LONGDOUBLE,
    FFI_TYPE_UINT8, FFI_TYPE_SINT8, FFI_TYPE_UINT16, FFI_TYPE_SINT16, FFI_TYPE_UINT32,
    FFI_TYPE_SINT32, FFI_TYPE_UINT64, FFI_TYPE_SINT64, FFI_TYPE_STRUCT, FFI_TYPE_POINTER,
) = range(15)  # fmt: skip

_forward: Any = ForwardReference()
FFI_TYPE_P = lltype.Ptr(_forward)
FFI_TYPE_PP = rffi.CArrayPtr(FFI_TYPE_P)
FFI_TYPE = Struct(
    "rpy_ffi_type",
    ("c_size", rffi.SIZE_T),
    ("c_alignment", rffi.USHORT),
    ("c_type", rffi.USHORT),
    ("c_elements", FFI_TYPE_PP),
)
_forward.become(FFI_TYPE)

FFI_STRUCT_P = lltype.Ptr(
    Struct("rpy_ffi_struct", ("ffistruct", FFI_TYPE), ("members", rffi.CArray(FFI_TYPE_P)))
)

FFI_CIF = Struct(
    "rpy_ffi_cif",
    ("c_abi", rffi.INT),
    ("c_nargs", rffi.UINT),
    ("c_arg_types", FFI_TYPE_PP),
    ("c_rtype", FFI_TYPE_P),
    ("c_bytes", rffi.UINT),
    ("c_flags", rffi.UINT),
    ("c_extra", FixedSizeArray(rffi.UINT, 4)),
)
FFI_CIFP = lltype.Ptr(FFI_CIF)


def _described(size: int, kind: int) -> Any:
    p = lltype.malloc(FFI_TYPE, flavor="raw", immortal=True)
    p.c_size = rffi.cast(rffi.SIZE_T, size)
    p.c_alignment = rffi.cast(rffi.USHORT, size)
    p.c_type = rffi.cast(rffi.USHORT, kind)
    p.c_elements = lltype.nullptr(FFI_TYPE_PP.TO)
    return p


ffi_type_void = _described(1, FFI_TYPE_VOID)
ffi_type_float = _described(4, FFI_TYPE_FLOAT)
ffi_type_double = _described(8, FFI_TYPE_DOUBLE)
ffi_type_pointer = _described(8, FFI_TYPE_POINTER)
ffi_type_uint8, ffi_type_sint8 = _described(1, FFI_TYPE_UINT8), _described(1, FFI_TYPE_SINT8)
ffi_type_uint16, ffi_type_sint16 = _described(2, FFI_TYPE_UINT16), _described(2, FFI_TYPE_SINT16)
ffi_type_uint32, ffi_type_sint32 = _described(4, FFI_TYPE_UINT32), _described(4, FFI_TYPE_SINT32)
ffi_type_uint64, ffi_type_sint64 = _described(8, FFI_TYPE_UINT64), _described(8, FFI_TYPE_SINT64)
ffi_type_uchar, ffi_type_schar = ffi_type_uint8, ffi_type_sint8
ffi_type_ushort, ffi_type_sshort = ffi_type_uint16, ffi_type_sint16
ffi_type_uint, ffi_type_sint = ffi_type_uint32, ffi_type_sint32
ffi_type_ulong, ffi_type_slong = ffi_type_uint64, ffi_type_sint64
ffi_type_ulonglong, ffi_type_slonglong = ffi_type_uint64, ffi_type_sint64

_OF_TYPES = {
    rffi.DOUBLE: ffi_type_double, rffi.FLOAT: ffi_type_float, rffi.VOID: ffi_type_void,
    rffi.UCHAR: ffi_type_uchar, rffi.SIGNEDCHAR: ffi_type_schar, rffi.CHAR: ffi_type_uchar,
    rffi.BOOL: ffi_type_uchar, rffi.USHORT: ffi_type_ushort, rffi.SHORT: ffi_type_sshort,
    rffi.UINT: ffi_type_uint, rffi.INT: ffi_type_sint, rffi.WCHAR_T: ffi_type_uint,
    rffi.ULONG: ffi_type_ulong, rffi.LONG: ffi_type_slong,
}  # fmt: skip


@specialize.memo()
def cast_type_to_ffitype(tp: Any) -> Any:
    """The description of a low-level type, a constant.  Raises KeyError."""
    return ffi_type_pointer if isinstance(tp, lltype.Ptr) else _OF_TYPES[tp]


def make_struct_ffitype_e(size: int, aligment: int, field_types: list[Any]) -> Any:
    """The description of a struct, ``p.ffistruct``, to be freed with ``lltype.free(p)``.
    ``size`` and ``aligment`` 0: as C lays the fields out."""
    p = lltype.malloc(FFI_STRUCT_P.TO, len(field_types) + 1, flavor="raw")
    p.ffistruct.c_type = rffi.cast(rffi.USHORT, FFI_TYPE_STRUCT)
    p.ffistruct.c_size = rffi.cast(rffi.SIZE_T, size)
    p.ffistruct.c_alignment = rffi.cast(rffi.USHORT, aligment)
    for i in range(len(field_types)):
        p.members[i] = field_types[i]
    p.members[len(field_types)] = lltype.nullptr(FFI_TYPE)
    p.ffistruct.c_elements = rffi.cast(FFI_TYPE_PP, p.members)
    return p


# -- libffi -----------------------------------------------------------------------------------

_LIBFFI = rffi.ExternalCompilationInfo(libraries=["ffi"])
_CALLED_BY_C = rffi.CCallback([FFI_CIFP, rffi.VOIDP, rffi.VOIDPP, rffi.VOIDP], rffi.VOID)
_CLOSURE_SIZE = 128
"""At least ``sizeof(ffi_closure)``."""

c_ffi_prep_cif: Any = rffi.llexternal(
    "ffi_prep_cif", [FFI_CIFP, rffi.INT, rffi.UINT, FFI_TYPE_P, FFI_TYPE_PP], rffi.INT,
    compilation_info=_LIBFFI,
)  # fmt: skip
c_ffi_call: Any = rffi.llexternal(
    "ffi_call", [FFI_CIFP, rffi.VOIDP, rffi.VOIDP, rffi.VOIDPP], rffi.VOID,
    compilation_info=_LIBFFI,
)  # fmt: skip
_closure_alloc: Any = rffi.llexternal(
    "ffi_closure_alloc", [rffi.SIZE_T, rffi.VOIDPP], rffi.VOIDP, compilation_info=_LIBFFI
)
_closure_free: Any = rffi.llexternal(
    "ffi_closure_free", [rffi.VOIDP], rffi.VOID, compilation_info=_LIBFFI
)
_prep_closure: Any = rffi.llexternal(
    "ffi_prep_closure_loc", [rffi.VOIDP, FFI_CIFP, _CALLED_BY_C, rffi.VOIDP, rffi.VOIDP], rffi.INT,
    compilation_info=_LIBFFI,
)  # fmt: skip


class LibFFIError(Exception):
    """libffi refuses these types."""


class StackCheckError(ValueError):
    """Kept for programs that catch it: only Windows can tell; the text in ``message``."""

    def __init__(self, message: str) -> None:
        self.message = message


# -- functions --------------------------------------------------------------------------------


class AbstractFuncPtr:
    """Types of arguments and of the result, prepared by libffi."""

    def __init__(self, argtypes: list[Any], restype: Any, flags: int = FUNCFLAG_CDECL) -> None:
        """Raises LibFFIError for types that libffi refuses."""
        self.argtypes = argtypes
        self.restype = restype
        self.flags = flags
        self.ll_argtypes = lltype.malloc(FFI_TYPE_PP.TO, len(argtypes) + 1, flavor="raw")
        for i in range(len(argtypes)):
            self.ll_argtypes[i] = argtypes[i]
        self.ll_argtypes[len(argtypes)] = lltype.nullptr(FFI_TYPE)
        self.ll_cif = lltype.malloc(FFI_CIF, flavor="raw", zero=True)
        if c_ffi_prep_cif(
            self.ll_cif, FFI_DEFAULT_ABI, len(argtypes), restype, self.ll_argtypes
        ) != FFI_OK:  # fmt: skip
            raise LibFFIError

    def __del__(self) -> None:
        lltype.free(self.ll_cif, flavor="raw")
        lltype.free(self.ll_argtypes, flavor="raw")


class _LibraryFuncPtr(AbstractFuncPtr):
    """A function of a library."""

    def __init__(
        self, name: str, argtypes: list[Any], restype: Any, funcsym: Any,
        flags: int = FUNCFLAG_CDECL, keepalive: RawCDLL | None = None,
    ) -> None:  # fmt: skip
        """``funcsym``: its address.  ``keepalive``: the library, which stays open."""
        AbstractFuncPtr.__init__(self, argtypes, restype, flags)
        self.keepalive = keepalive
        self.name = name
        self.funcsym = funcsym


class RawFuncPtr(_LibraryFuncPtr):
    """A function that takes pointers to its arguments."""

    def call(self, args_ll: list[Any], ll_result: Any) -> None:
        """``args_ll``: a ``VOIDP`` to each argument; ``ll_result``: where the result goes, at
        least eight bytes.  Raises TypeError for another number of arguments."""
        if len(args_ll) != len(self.argtypes):
            raise TypeError(f"{self.name}: {len(self.argtypes)} arguments, not {len(args_ll)}")
        with lltype.scoped_alloc(rffi.VOIDPP.TO, len(args_ll) + 1) as places:
            for i in range(len(args_ll)):
                places[i] = args_ll[i]
            c_ffi_call(self.ll_cif, self.funcsym, ll_result, places)


@specialize.memo()
def _is_no_integer(T: Any) -> bool:
    return isinstance(T, lltype.Ptr) or T in (rffi.DOUBLE, rffi.FLOAT)


@specialize.argtype(1)
def push_arg_as_ffiptr(ffitp: Any, arg: Any, ll_buf: Any) -> None:
    """Store ``arg`` at ``ll_buf`` as C's type ``ffitp``; an integer becomes as wide as that is.
    Raises TypeError where the sizes of others differ."""
    T = lltype.typeOf(arg)
    size = rffi.cast(lltype.Signed, ffitp.c_size)
    if size == rffi.sizeof(T):
        rffi.cast(rffi.CArrayPtr(T), ll_buf)[0] = arg
    elif _is_no_integer(T):
        raise TypeError("the argument's size is not the parameter's")
    else:
        number = rffi.cast(lltype.Signed, arg)
        bytes = rffi.cast(rffi.UCHARP, ll_buf)
        for i in range(size):
            bytes[i] = rffi.cast(rffi.UCHAR, number >> 8 * i)


class FuncPtr(_LibraryFuncPtr):
    """A function that takes its arguments one after the other."""

    def __init__(
        self, name: str, argtypes: list[Any], restype: Any, funcsym: Any,
        flags: int = FUNCFLAG_CDECL, keepalive: RawCDLL | None = None,
    ) -> None:  # fmt: skip
        _LibraryFuncPtr.__init__(self, name, argtypes, restype, funcsym, flags, keepalive)
        self.argnum = len(argtypes)
        self.pushed_args = 0
        self.ll_args = lltype.malloc(rffi.VOIDPP.TO, self.argnum + 1, flavor="raw")
        for i in range(self.argnum):
            self.ll_args[i] = _room(argtypes[i])
        self.ll_result = _room(restype)

    @specialize.argtype(1)
    def push_arg(self, value: Any) -> None:
        """The next argument: a number or a pointer.  Raises TypeError when there are too many or
        it does not fit."""
        if self.pushed_args == self.argnum:
            raise TypeError(f"{self.name}: more than {self.argnum} arguments")
        at = self.pushed_args
        push_arg_as_ffiptr(self.argtypes[at], value, self.ll_args[at])
        self.pushed_args = at + 1

    @specialize.arg(1)
    def call(self, RES_TP: Any) -> Any:
        """Call it with what was pushed; the result as a ``RES_TP``.  Raises TypeError when
        arguments are missing."""
        if self.pushed_args != self.argnum:
            raise TypeError(f"{self.name}: {self.argnum} arguments, not {self.pushed_args}")
        self.pushed_args = 0
        c_ffi_call(self.ll_cif, self.funcsym, self.ll_result, self.ll_args)
        if RES_TP is not lltype.Void:
            return rffi.cast(rffi.CArrayPtr(RES_TP), self.ll_result)[0]

    def __del__(self) -> None:
        for i in range(self.argnum):
            lltype.free(self.ll_args[i], flavor="raw")
        lltype.free(self.ll_args, flavor="raw")
        lltype.free(self.ll_result, flavor="raw")
        AbstractFuncPtr.__del__(self)


def _room(ffi_type: Any) -> Any:
    """Memory for a value; a result is as wide as a register at least."""
    size = max(rffi.cast(lltype.Signed, ffi_type.c_size), 8)
    return rffi.cast(rffi.VOIDP, lltype.malloc(rffi.CCHARP.TO, size, flavor="raw", zero=True))


# -- callbacks --------------------------------------------------------------------------------

USERDATA_P = lltype.Ptr(Struct("USERDATA", ("addarg", lltype.Signed)))


class _Callbacks:
    """Who is called back, by the number that C is given for it."""

    def __init__(self) -> None:
        self.made = 0
        self.alive: dict[int, CallbackFuncPtr] = {}


_CALLBACKS = _Callbacks()


class CallbackFuncPtr(AbstractFuncPtr):
    """A C function, at ``ll_closure``, that calls ``func(ll_args, ll_res, ll_userdata)``.

    ``ll_args``: ``VOIDPP``, where the arguments are; ``ll_res``: where the result goes;
    ``ll_userdata.addarg`` is ``additional_arg``.  It lives until ``free()``, as C may keep it.
    An exception of ``func`` does not get into C: the process says so on stderr.
    """

    def __init__(
        self, argtypes: list[Any], restype: Any, func: Any, additional_arg: int = 0,
        flags: int = FUNCFLAG_CDECL,
    ) -> None:  # fmt: skip
        """Raises LibFFIError, MemoryError."""
        AbstractFuncPtr.__init__(self, argtypes, restype, flags)
        self.func = func
        self.userdata = lltype.malloc(USERDATA_P.TO, flavor="raw")
        self.userdata.addarg = additional_arg
        _CALLBACKS.made += 1
        self.number = _CALLBACKS.made
        with lltype.scoped_alloc(rffi.VOIDPP.TO, 1) as code:
            self.closure = _closure_alloc(_CLOSURE_SIZE, code)
            if not self.closure:
                raise MemoryError
            self.ll_closure = code[0]
        number = rffi.cast(rffi.VOIDP, self.number)
        if _prep_closure(self.closure, self.ll_cif, _run_callback, number, self.ll_closure) != 0:
            raise LibFFIError
        _CALLBACKS.alive[self.number] = self

    def free(self) -> None:
        """Nobody in C calls it any more."""
        del _CALLBACKS.alive[self.number]
        _closure_free(self.closure)
        lltype.free(self.userdata, flavor="raw")


def _run_callback(cif: Any, ll_res: Any, ll_args: Any, number: Any) -> None:
    callback = _CALLBACKS.alive[rffi.cast(lltype.Signed, number)]
    callback.func(ll_args, ll_res, callback.userdata)


# -- libraries --------------------------------------------------------------------------------


class RawCDLL:
    """A library that is open."""

    def __init__(self, handle: Any) -> None:
        self.lib = handle

    def getpointer(
        self, name: str, argtypes: list[Any], restype: Any, flags: int = FUNCFLAG_CDECL
    ) -> FuncPtr:
        """A function of the library.  Raises KeyError, LibFFIError."""
        return FuncPtr(name, argtypes, restype, rdynload.dlsym(self.lib, name), flags, self)

    def getrawpointer(
        self, name: str, argtypes: list[Any], restype: Any, flags: int = FUNCFLAG_CDECL
    ) -> RawFuncPtr:
        """The same, which takes pointers to arguments."""
        return RawFuncPtr(name, argtypes, restype, rdynload.dlsym(self.lib, name), flags, self)

    def getaddressindll(self, name: str) -> Any:
        """The address of a function or variable.  Raises KeyError."""
        return rdynload.dlsym(self.lib, name)


class CDLL(RawCDLL):
    """A library that is opened; closed when nobody has it or its functions any more."""

    def __init__(self, libname: str | None, mode: int = -1) -> None:
        """None: the program itself.  Raises DLOpenError."""
        if libname is None:
            handle = rdynload.dlopen(lltype.nullptr(rffi.CCHARP.TO), mode)
        else:
            with rffi.scoped_str2charp(libname) as name:
                handle = rdynload.dlopen(name, mode)
        RawCDLL.__init__(self, handle)

    def __del__(self) -> None:
        rdynload.dlclose(self.lib)


def get_libc_name() -> str:
    """The file name of the C library."""
    return "libc.so.6"
