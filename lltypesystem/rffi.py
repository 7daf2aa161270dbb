"""RPython's ``rffi``: C functions with low-level types.

    eci = ExternalCompilationInfo(includes=["math.h"], libraries=["m"])
    c_frexp = llexternal("frexp", [DOUBLE, INTP], DOUBLE, compilation_info=eci)

    with lltype.scoped_alloc(INTP.TO, 1) as exponent:
        mantissa = c_frexp(x, exponent)

A layer over the same thing as ``rpython.cdef``.  Memory is what ``lltype.malloc`` makes with
``flavor="raw"``; where it is simulated, C sees a copy (``cmirror``).  ``str`` where RPython has
8-bit strings: characters up to U+00FF.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from typing import Any

from cffi import FFI, VerificationError

from rpython.lltypesystem.foreign.cbuild import NO_INFO as NO_INFO
from rpython.lltypesystem.foreign.cbuild import ExternalCompilationInfo as ExternalCompilationInfo
from rpython.lltypesystem.foreign.cglue import declaration, wrapper_text
from rpython.lltypesystem.foreign.cmemory import c_get_errno, c_set_errno
from rpython.lltypesystem.foreign.external import CCHARARRAY as CCHARARRAY
from rpython.lltypesystem.foreign.external import CCHARP as CCHARP
from rpython.lltypesystem.foreign.external import Glue
from rpython.lltypesystem.foreign.external import llexternal as low_level_external
from rpython.lltypesystem.foreign.rffitext import CCHARPP as CCHARPP
from rpython.lltypesystem.foreign.rffitext import CWCHARP as CWCHARP
from rpython.lltypesystem.foreign.rffitext import alloc_buffer as alloc_buffer
from rpython.lltypesystem.foreign.rffitext import bytes2charp as bytes2charp
from rpython.lltypesystem.foreign.rffitext import charp2str as charp2str
from rpython.lltypesystem.foreign.rffitext import charp2strn as charp2strn
from rpython.lltypesystem.foreign.rffitext import charpsize2str as charpsize2str
from rpython.lltypesystem.foreign.rffitext import free_charp as free_charp
from rpython.lltypesystem.foreign.rffitext import free_charpp as free_charpp
from rpython.lltypesystem.foreign.rffitext import free_nonmovingbuffer as free_nonmovingbuffer
from rpython.lltypesystem.foreign.rffitext import free_nonmovingbuffer_ll as free_nonmovingbuffer_ll
from rpython.lltypesystem.foreign.rffitext import free_wcharp as free_wcharp
from rpython.lltypesystem.foreign.rffitext import get_nonmovingbuffer as get_nonmovingbuffer
from rpython.lltypesystem.foreign.rffitext import get_nonmovingbuffer_ll as get_nonmovingbuffer_ll
from rpython.lltypesystem.foreign.rffitext import (
    keep_buffer_alive_until_here as keep_buffer_alive_until_here,
)
from rpython.lltypesystem.foreign.rffitext import liststr2charpp as liststr2charpp
from rpython.lltypesystem.foreign.rffitext import scoped_alloc_buffer as scoped_alloc_buffer
from rpython.lltypesystem.foreign.rffitext import (
    scoped_alloc_unicodebuffer as scoped_alloc_unicodebuffer,
)
from rpython.lltypesystem.foreign.rffitext import scoped_nonmovingbuffer as scoped_nonmovingbuffer
from rpython.lltypesystem.foreign.rffitext import scoped_str2charp as scoped_str2charp
from rpython.lltypesystem.foreign.rffitext import str2chararray as str2chararray
from rpython.lltypesystem.foreign.rffitext import str2charp as str2charp
from rpython.lltypesystem.foreign.rffitext import str_from_buffer as str_from_buffer
from rpython.lltypesystem.foreign.rffitext import unicode2wcharp as unicode2wcharp
from rpython.lltypesystem.foreign.rffitext import wcharp2unicode as wcharp2unicode
from rpython.lltypesystem.foreign.rffitext import wcharp2unicoden as wcharp2unicoden
from rpython.lltypesystem.foreign.rffitext import wcharpsize2unicode as wcharpsize2unicode
from rpython.lltypesystem.foreign.rffitext import wcharpsize2utf8 as wcharpsize2utf8
from rpython.lltypesystem.layout import c_name, c_type, field_offset, layout
from rpython.lltypesystem.primitives import (
    Bool,
    Char,
    Float,
    Int8,
    Int16,
    Int32,
    LowLevelType,
    Primitive,
    Signed,
    SingleFloat,
    UInt8,
    UInt16,
    UInt32,
    UniChar,
    Unsigned,
    Void,
)
from rpython.lltypesystem.rarithmetic import (
    r_int8,
    r_int16,
    r_int32,
    r_int64,
    r_singlefloat,
    r_uint8,
    r_uint16,
    r_uint32,
    r_uint64,
)
from rpython.lltypesystem.simulated.addresses import cast_ptr_to_int
from rpython.lltypesystem.simulated.casts import cast_primitive, direct_ptradd
from rpython.lltypesystem.simulated.cmirror import MIRRORS
from rpython.lltypesystem.simulated.memory import _ptr, exposed, free, malloc, unboxed
from rpython.lltypesystem.simulated.rawbytes import VOIDP as VOIDP
from rpython.lltypesystem.types import Array, FixedSizeArray, FuncType, OpaqueType, Ptr, Struct

# -- types ------------------------------------------------------------------------------------

SIGNEDCHAR, UCHAR = Int8, UInt8
SHORT, USHORT = Int16, UInt16
INT, UINT = Int32, UInt32
LONG, ULONG = Signed, Unsigned
LONGLONG, ULONGLONG = Signed, Unsigned
INT_real, UINT_real = INT, UINT
SIZE_T, SSIZE_T = Unsigned, Signed
INTPTR_T, UINTPTR_T, PTRDIFF_T = Signed, Unsigned, Signed
TIME_T, OFF_T = Signed, Signed
INT8_T, INT16_T, INT32_T, INT64_T = Int8, Int16, Int32, Signed
UINT8_T, UINT16_T, UINT32_T, UINT64_T = UInt8, UInt16, UInt32, Unsigned
PID_T, UID_T, GID_T, MODE_T = Int32, UInt32, UInt32, UInt32
CHAR, DOUBLE, FLOAT, VOID, BOOL = Char, Float, SingleFloat, Void, Bool
SIGNED, UNSIGNED = Signed, Unsigned

r_signedchar, r_short, r_int, r_long, r_longlong = r_int8, r_int16, r_int32, r_int64, r_int64
r_uchar, r_ushort, r_uint, r_ulong, r_ulonglong = r_uint8, r_uint16, r_uint32, r_uint64, r_uint64
r_size_t, r_ssize_t, r_time_t, r_off_t = r_ulong, r_long, r_long, r_long
r_pid_t, r_uid_t, r_gid_t, r_mode_t = r_int, r_uint, r_uint, r_uint
"""The integers of these types."""


def CArray(TYPE: LowLevelType) -> Array:
    """C's ``TYPE[]``: items and no length."""
    return Array(TYPE, hints={"nolength": True})


def CArrayPtr(TYPE: LowLevelType) -> Ptr:
    """``TYPE *``."""
    return Ptr(CArray(TYPE))


def CFixedArray(TYPE: LowLevelType, size: int) -> FixedSizeArray:
    return FixedSizeArray(TYPE, size)


for _known in (CArray, CArrayPtr, CFixedArray):
    vars(_known)["_annspecialcase_"] = "specialize:memo"


def CStruct(name: str, *fields: tuple[str, LowLevelType]) -> Struct:
    """A C struct with all its fields in order; field ``x`` is ``p.c_x``."""
    hints = {"c_name": name, "external": "C"}
    return Struct(name, *((f"c_{field}", T) for field, T in fields), hints=hints)


def CStructPtr(name: str, *fields: tuple[str, LowLevelType]) -> Ptr:
    return Ptr(CStruct(name, *fields))


def COpaque(name: str) -> OpaqueType:
    """A C type of which nothing is known."""
    return OpaqueType(name)


def COpaquePtr(name: str) -> Ptr:
    return Ptr(COpaque(name))


def CCallback(args: Sequence[LowLevelType], result: LowLevelType) -> Ptr:
    """A pointer to a function that C calls: a function known at translation time is given to C
    as one.  An exception does not get into C: it is told on stderr, and C gets 0."""
    return Ptr(FuncType(args, result))


def is_callback_type(T: Any) -> bool:
    return isinstance(T, Ptr) and isinstance(T.TO, FuncType)


VOIDPP = CArrayPtr(VOIDP)
CONST_CCHARP, CONST_VOIDP, CONST_WCHARP = CCHARP, VOIDP, CWCHARP
"""``const`` is nothing here: C functions are called with pointers of their own types."""
WCHAR_T = UniChar
SIGNEDP, INTP, UINTP = CArrayPtr(Signed), CArrayPtr(INT), CArrayPtr(UINT)
SHORTP, USHORTP = CArrayPtr(SHORT), CArrayPtr(USHORT)
LONGP, ULONGP, SIZE_TP = CArrayPtr(LONG), CArrayPtr(ULONG), CArrayPtr(SIZE_T)
LONGLONGP, ULONGLONGP = LONGP, ULONGP
UCHARP, SIGNEDCHARP = CArrayPtr(UCHAR), CArrayPtr(SIGNEDCHAR)
DOUBLEP, FLOATP = CArrayPtr(DOUBLE), CArrayPtr(FLOAT)
FILEP = COpaquePtr("FILE")


def sizeof(T: LowLevelType) -> int:
    """The size in C, in bytes."""
    return layout(T)[0]


def offsetof(S: Struct, field: str) -> int:
    """Where a field is, in bytes."""
    return field_offset(S, field)


# -- functions --------------------------------------------------------------------------------


RFFI_ERR_NONE, RFFI_SAVE_ERRNO, RFFI_READSAVED_ERRNO = 0, 1, 2
RFFI_FULL_ERRNO = RFFI_SAVE_ERRNO | RFFI_READSAVED_ERRNO
"""Accepted and meaning nothing: every call reads and saves errno."""

_ANY_ERROR = BaseException
"""There is nobody above C who could catch what a callback raises."""

_GUARDED: dict[tuple[FuncType, Any], Any] = {}


def guarded_function(F: FuncType, function: Any) -> Any:
    """The function that C calls in place of ``function``: no exception leaves it."""
    if (F, function) not in _GUARDED:
        RESULT = F.RESULT
        message = f"exception in {function.__name__}(), called by C\n".encode()

        def give(*args: Any) -> Any:
            try:
                return cast(RESULT, function(*args))
            except _ANY_ERROR:
                os.write(2, message)
                return cast(RESULT, 0)

        def run(*args: Any) -> None:
            try:
                function(*args)
            except _ANY_ERROR:
                os.write(2, message)

        _GUARDED[F, function] = run if RESULT is Void else give
    return _GUARDED[F, function]


class ExternalFunction:
    """A C function, to be called with values that are converted to its low-level types.

    Numbers are converted as C does; a ``str`` or ``bytes`` for a ``char *`` is copied for the
    duration of the call; None is a null pointer.
    """

    _rpython_builtin_ = True

    def __init__(
        self, name: str, args: Sequence[LowLevelType], result: LowLevelType,
        info: ExternalCompilationInfo, callable: Callable[..., Any] | None,
        blocking: bool = False,
    ) -> None:  # fmt: skip
        self.__name__ = name
        self.ARGS = tuple(args)
        self.RESULT = result
        self.info = info
        glue = self._glue()
        self._function: Any = None
        self._library: Any = None
        """Where that is: it must not be closed."""
        self._callable = callable or self._mirrored
        calls_back = callable is None and any(map(is_callback_type, args))
        self.funcptr: _ptr = low_level_external(
            self._symbol(), args, result, self._interpreted if calls_back else self._callable,
            (), glue, interpreted=calls_back, blocking=blocking,
        )  # fmt: skip

    def _symbol(self) -> str:
        types = [c_name(T) for T in (*self.ARGS, self.RESULT)]
        what = repr((self.__name__, self.info.declarations(), types))
        return f"rpy_f_{self.__name__}_{hashlib.sha256(what.encode()).hexdigest()[:8]}"

    def _glue(self) -> Glue:
        return Glue(self.info.prelude(), self._wrapper(True), self.info.linking())

    def _wrapper(self, keeps_errno: bool) -> str:
        types, result = [c_name(T) for T in self.ARGS], c_name(self.RESULT)
        parameters = [(T, f"a{i}") for i, T in enumerate(types)]
        declared_by = "" if self.info.declares() else declaration(self.__name__, types, result)
        return wrapper_text(
            self._symbol(), self.__name__, parameters, result, result, "result", declared_by,
            keeps_errno,
        )  # fmt: skip

    def host(self) -> Any:
        """The cffi function, whose pointers are ``void *``.  Raises AttributeError."""
        if self._function is None:
            types = ", ".join(c_name(T) for T in self.ARGS) or "void"
            ffi = FFI()
            ffi.cdef(f"{c_name(self.RESULT)} {self.__name__}({types});")
            for file in self.info.files():
                library: Any = ffi.dlopen(file)
                if hasattr(library, self.__name__):
                    self._library = library
                    self._function = getattr(library, self.__name__)
                    break
            else:
                self._function = self._wrapped()
        return self._function

    def _wrapped(self) -> Any:
        """A macro, an inline function or one of a static library, in a library of its own.
        Raises AttributeError."""
        name, types = self._symbol(), ", ".join(map(c_name, self.ARGS)) or "void"
        ffi = FFI()
        ffi.cdef(f"{c_name(self.RESULT)} {name}({types});")
        try:
            self._library = ffi.dlopen(str(self.info.wrappers(self._wrapper(False))))
            return getattr(self._library, name)
        except (VerificationError, OSError) as error:
            raise AttributeError(
                f"no library has the function {self.__name__!r}", name=self.__name__, obj=self
            ) from error

    def _mirrored(self, *args: Any) -> Any:
        """The call with low-level values, in simulated memory."""
        return MIRRORS.call(self.host(), self.ARGS, self.RESULT, args)

    def _interpreted(self, interpreter: Any, *args: Any) -> Any:
        """The same in the LLInterpreter, which runs the callbacks."""
        values = []
        for T, arg in zip(self.ARGS, args):
            if isinstance(T, Ptr) and is_callback_type(T) and arg._obj is not None:
                graph = arg._obj.graph
                key = (interpreter, graph)
                arg = MIRRORS.callback(T.TO, c_type(T.TO), key, interpreter.function(graph))
            values.append(arg)
        return self._mirrored(*values)

    def _function_address(self, F: FuncType, function: Callable[..., Any]) -> int:
        """The same of a function of the host."""
        guarded = guarded_function(F, function)

        def called(*args: Any) -> Any:
            result = guarded(*map(exposed, F.ARGS, args))
            return None if F.RESULT is Void else unboxed(result)

        return MIRRORS.callback(F, c_type(F), (F, function), called)

    def __call__(self, *args: Any) -> Any:
        if len(args) != len(self.ARGS):
            raise TypeError(
                f"{self.__name__}() takes {len(self.ARGS)} arguments, {len(args)} given"
            )
        copies = []
        values: list[Any] = []
        for T, arg in zip(self.ARGS, args):
            if isinstance(arg, (str, bytes)) and isinstance(T, Ptr):
                arg = str2charp(arg) if isinstance(arg, str) else bytes2charp(arg)
                copies.append(arg)
            given = callable(arg) and not isinstance(arg, _ptr)
            if isinstance(T, Ptr) and is_callback_type(T) and given:
                values.append(self._function_address(T.TO, arg))
                continue
            values.append(cast(T, arg) if not isinstance(T, Ptr) else _pointer(T, arg))
        try:
            result = self._callable(*map(unboxed, values))
        finally:
            for copy in copies:
                free(copy, flavor="raw")
        return None if self.RESULT is Void else exposed(self.RESULT, result)

    def __repr__(self) -> str:
        return f"<external C function {self.__name__}>"


def _pointer(T: Ptr, value: Any) -> _ptr:
    if value is None:
        null: _ptr = T._defl()
        return null
    if not isinstance(value, _ptr) or value._TYPE != T:
        raise TypeError(f"expected a {T._short_name()}, got {value!r}")
    return value


def llexternal(
    name: str,
    args: Sequence[LowLevelType],
    result: LowLevelType,
    _callable: Callable[..., Any] | None = None,
    compilation_info: ExternalCompilationInfo = NO_INFO,
    releasegil: bool = False,
    **hints: Any,
) -> ExternalFunction:
    """The C function ``name`` with low-level types.

    ``_callable``: what to call instead, with low-level values, where memory is simulated.
    ``releasegil``: other threads run meanwhile; it must not call back.  ``hints``: RPython's
    other keywords (``save_err``, ``macro``, ...) are accepted and mean nothing here.
    """
    blocking = releasegil is True
    return ExternalFunction(name, args, result, compilation_info, _callable, blocking)


def CExternVariable(
    TYPE: LowLevelType,
    name: str,
    eci: ExternalCompilationInfo,
    c_type: str | None = None,
    getter_only: bool = False,
    **hints: Any,
) -> Any:
    """``(getter, setter)`` of a variable of C, or the getter alone.

    ``c_type``: its type in C, when that is another name than the one of ``TYPE``.  ``hints``:
    RPython's other keywords mean nothing here."""
    c_type = c_type or c_name(TYPE)
    getter, setter = f"rpy_get_{name}", f"rpy_set_{name}"
    code = "" if eci.declares() else f"extern {c_type} {name};\n"
    code += f"static {c_type} {getter}(void) {{ return {name}; }}\n"
    code += f"static void {setter}({c_type} value) {{ {name} = value; }}\n"
    own = eci.convert_sources_to_files()
    info = own.merge(ExternalCompilationInfo(post_include_bits=[code]))
    get = llexternal(getter, [], TYPE, compilation_info=info)
    if getter_only:
        return get
    return get, llexternal(setter, [TYPE], Void, compilation_info=info)


c_memcpy = llexternal("memcpy", [VOIDP, VOIDP, SIZE_T], Void)
c_memset = llexternal("memset", [VOIDP, INT, SIZE_T], Void)

# -- values -----------------------------------------------------------------------------------


def cast(T: LowLevelType, value: Any) -> Any:
    """``value`` as C converts it: numbers wrap, pointers keep their address."""
    if isinstance(T, Ptr):
        if isinstance(value, _ptr) and value._TYPE == T:
            return value
        if T._gckind == "gc" or (isinstance(value, _ptr) and value._TYPE._gckind == "gc"):
            raise TypeError(f"cast() of {value!r} to {T}")
        if isinstance(value, _ptr):
            return MIRRORS.cast(T, value)
        return MIRRORS.pointer(T, int(value))
    if isinstance(value, _ptr):
        collected = value._TYPE._gckind == "gc"
        return cast_primitive(T, cast_ptr_to_int(value) if collected else MIRRORS.address(value))
    return cast_primitive(T, float(value) if isinstance(value, r_singlefloat) else value)


def ptradd(p: _ptr, n: int) -> _ptr:
    """The pointer ``n`` items further."""
    return direct_ptradd(p, n)


def setintfield(pdst: _ptr, fieldname: str, value: int) -> None:
    """Store an integer in a field of any type of integers."""
    setattr(pdst, fieldname, cast(field_type(pdst._TYPE, fieldname), value))


def getintfield(pdst: _ptr, fieldname: str) -> int:
    """An integer from such a field."""
    number: int = cast(Signed, getattr(pdst, fieldname))
    return number


def field_type(T: Ptr, name: str) -> LowLevelType:
    """The type of a field of a struct.  Raises TypeError."""
    found: Any = T.TO._flds.get(name) if isinstance(T.TO, Struct) else None
    if not is_number_type(found):
        raise TypeError(f"{T.TO} has no field {name!r} of integers")
    field: LowLevelType = found
    return field


def structcopy(pdst: _ptr, psrc: _ptr) -> None:
    """Copy all fields of a struct, those of structs and arrays in it too."""
    if pdst._TYPE != psrc._TYPE or not isinstance(pdst._TYPE.TO, Struct):
        raise TypeError("structcopy() takes two pointers to one type of struct")
    for name, F in pdst._TYPE.TO._flds.items():
        if isinstance(F, Struct):
            structcopy(getattr(pdst, name), getattr(psrc, name))
        elif isinstance(F, FixedSizeArray):
            for i in range(F.length):
                getattr(pdst, name)[i] = getattr(psrc, name)[i]
        else:
            setattr(pdst, name, getattr(psrc, name))


def make(STRUCT: Struct, **fields: Any) -> _ptr:
    """A new struct in raw memory with these fields, to be freed with ``lltype.free``."""
    p = malloc(STRUCT, flavor="raw")
    for name, value in fields.items():
        setattr(p, name, value)
    return p


def get_saved_errno() -> int:
    """The errno that the last C call left."""
    number: int = c_get_errno()
    return number


def set_saved_errno(number: int) -> None:
    """The errno that the next C call starts with."""
    c_set_errno(number)


def is_number_type(T: Any) -> bool:
    """Do numbers convert to it?"""
    return isinstance(T, Primitive) and T not in (Void, Char, UniChar)
