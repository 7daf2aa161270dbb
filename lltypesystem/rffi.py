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

import ctypes.util
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cffi import FFI

from lltypesystem.casts import cast_primitive
from lltypesystem.cglue import prelude
from lltypesystem.cmemory import c_get_errno, c_set_errno
from lltypesystem.cmirror import MIRRORS, field_offset, layout
from lltypesystem.external import CCHARARRAY as CCHARARRAY
from lltypesystem.external import CCHARP as CCHARP
from lltypesystem.external import Glue, Linking
from lltypesystem.external import llexternal as low_level_external
from lltypesystem.memory import _ptr, exposed, free, malloc, unboxed
from lltypesystem.types import (
    Array,
    Bool,
    Char,
    FixedSizeArray,
    Float,
    Int8,
    Int16,
    Int32,
    LowLevelType,
    OpaqueType,
    Primitive,
    Ptr,
    Signed,
    SingleFloat,
    Struct,
    UInt8,
    UInt16,
    UInt32,
    UniChar,
    Unsigned,
    Void,
)

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


def CArray(TYPE: LowLevelType) -> Array:
    """C's ``TYPE[]``: items and no length."""
    return Array(TYPE, hints={"nolength": True})


def CArrayPtr(TYPE: LowLevelType) -> Ptr:
    """``TYPE *``."""
    return Ptr(CArray(TYPE))


def CFixedArray(TYPE: LowLevelType, size: int) -> FixedSizeArray:
    return FixedSizeArray(TYPE, size)


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


VOIDP = Ptr(Array(Char, hints={"nolength": True, "render_as_void": True}))
"""``void *``: goes to and from other pointers with ``cast``."""
CCHARPP, VOIDPP = CArrayPtr(CCHARP), CArrayPtr(VOIDP)
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


@dataclass(frozen=True)
class ExternalCompilationInfo:
    """What the C compiler and the linker have to know."""

    includes: Sequence[str] = ()
    libraries: Sequence[str] = ()
    include_dirs: Sequence[str] = ()
    library_dirs: Sequence[str] = ()

    def files(self) -> list[str | None]:
        """The files to load for the libraries; None is the C library."""
        found: list[str | None] = [
            name[1:] if name.startswith(":") else ctypes.util.find_library(name) or f"lib{name}.so"
            for name in self.libraries
        ]
        return [*found, None]

    def linking(self) -> Linking:
        """The same for the linker: it takes the files that are loaded here."""
        names = [f":{file}" if file else name for name, file in zip(self.libraries, self.files())]
        return Linking(tuple(names), tuple(self.include_dirs), tuple(self.library_dirs))


NO_INFO = ExternalCompilationInfo()
RFFI_ERR_NONE, RFFI_SAVE_ERRNO, RFFI_READSAVED_ERRNO = 0, 1, 2
RFFI_FULL_ERRNO = RFFI_SAVE_ERRNO | RFFI_READSAVED_ERRNO
"""Accepted and meaning nothing: every call reads and saves errno."""

_C_NAMES: dict[LowLevelType, str] = {
    Signed: "long", Unsigned: "unsigned long", Int8: "signed char", Int16: "short",
    Int32: "int", UInt8: "unsigned char", UInt16: "unsigned short", UInt32: "unsigned int",
    Float: "double", SingleFloat: "float", Char: "unsigned char", UniChar: "unsigned int",
    Bool: "_Bool", Void: "void",
}  # fmt: skip


def c_name(T: LowLevelType) -> str:
    """The C type of a value.  Raises TypeError."""
    if isinstance(T, Ptr):
        return "void *"
    if T not in _C_NAMES:
        raise TypeError(f"{T} cannot be given to C")
    return _C_NAMES[T]


class ExternalFunction:
    """A C function, to be called with values that are converted to its low-level types.

    Numbers are converted as C does; a ``str`` or ``bytes`` for a ``char *`` is copied for the
    duration of the call; None is a null pointer.
    """

    _rpython_builtin_ = True

    def __init__(
        self, name: str, args: Sequence[LowLevelType], result: LowLevelType,
        info: ExternalCompilationInfo, callable: Callable[..., Any] | None,
    ) -> None:  # fmt: skip
        self.__name__ = name
        self.ARGS = tuple(args)
        self.RESULT = result
        self.info = info
        glue = self._glue()
        self._function: Any = None
        self._callable = callable or self._mirrored
        self.funcptr: _ptr = low_level_external(
            self._symbol(), args, result, self._callable, (), glue
        )

    def _symbol(self) -> str:
        types = [c_name(T) for T in (*self.ARGS, self.RESULT)]
        what = repr((self.__name__, tuple(self.info.includes), types))
        return f"rpy_f_{self.__name__}_{hashlib.sha256(what.encode()).hexdigest()[:8]}"

    def _glue(self) -> Glue:
        types = [c_name(T) for T in self.ARGS]
        result, name = c_name(self.RESULT), self.__name__
        parameters = ", ".join(f"{T} a{i}" for i, T in enumerate(types)) or "void"
        call = f"{name}({', '.join(f'a{i}' for i in range(len(types)))})"
        lines = []
        if not self.info.includes:
            lines.append(f"extern {result} {name}({', '.join(types) or 'void'});")
        lines += [f"{result} {self._symbol()}({parameters})", "{"]
        lines.append("    errno = (int)rpy_c_get_errno();")
        kept = self.RESULT is not Void
        lines.append(f"    {result} result = ({result}){call};" if kept else f"    {call};")
        lines.append("    rpy_c_set_errno(errno);")
        lines += ["    return result;", "}"] if kept else ["}"]
        start = prelude(self.info.includes)
        return Glue(start, "\n".join(lines) + "\n", self.info.linking())

    def host(self) -> Any:
        """The cffi function, whose pointers are ``void *``.  Raises AttributeError."""
        if self._function is None:
            types = ", ".join(c_name(T) for T in self.ARGS) or "void"
            ffi = FFI()
            ffi.cdef(f"{c_name(self.RESULT)} {self.__name__}({types});")
            for file in self.info.files():
                library: Any = ffi.dlopen(file)
                if hasattr(library, self.__name__):
                    self._function = getattr(library, self.__name__)
                    break
            else:
                raise AttributeError(
                    f"no library has the function {self.__name__!r}", name=self.__name__, obj=self
                )
        return self._function

    def _mirrored(self, *args: Any) -> Any:
        """The call with low-level values, in simulated memory."""
        return MIRRORS.call(self.host(), self.ARGS, self.RESULT, args)

    def __call__(self, *args: Any) -> Any:
        if len(args) != len(self.ARGS):
            raise TypeError(
                f"{self.__name__}() takes {len(self.ARGS)} arguments, {len(args)} given"
            )
        copies = []
        values = []
        for T, arg in zip(self.ARGS, args):
            if isinstance(arg, (str, bytes)) and isinstance(T, Ptr):
                arg = str2charp(arg) if isinstance(arg, str) else bytes2charp(arg)
                copies.append(arg)
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
    **hints: Any,
) -> ExternalFunction:
    """The C function ``name`` with low-level types.

    ``_callable``: what to call instead, with low-level values, where memory is simulated.
    ``hints``: RPython's other keywords (``releasegil``, ``save_err``, ``macro``, ...) are
    accepted and mean nothing here.
    """
    return ExternalFunction(name, args, result, compilation_info, _callable)


# -- values -----------------------------------------------------------------------------------


def cast(T: LowLevelType, value: Any) -> Any:
    """``value`` as C converts it: numbers wrap, pointers keep their address."""
    if isinstance(T, Ptr):
        if isinstance(value, _ptr):
            return MIRRORS.cast(T, value)
        return MIRRORS.pointer(T, int(value))
    if isinstance(value, _ptr):
        return cast_primitive(T, MIRRORS.address(value))
    return cast_primitive(T, value)


def get_saved_errno() -> int:
    """The errno that the last C call left."""
    number: int = c_get_errno()
    return number


def set_saved_errno(number: int) -> None:
    """The errno that the next C call starts with."""
    c_set_errno(number)


def char_of(number: int) -> Any:
    """A low-level Char."""
    return cast_primitive(Char, number)


def str2charp(s: str) -> _ptr:
    """A zero-terminated copy of ``s``, whose characters are at most U+00FF; to be freed with
    ``free_charp``."""
    size = len(s)
    p = malloc(CCHARARRAY, size + 1, flavor="raw")
    for i in range(size):
        number = ord(s[i])
        if number > 255:
            free(p, flavor="raw")
            raise ValueError("a character beyond 255 does not fit in a C string")
        p[i] = cast_primitive(Char, number)
    p[size] = cast_primitive(Char, 0)
    return p


def bytes2charp(data: bytes) -> _ptr:
    """The same of bytes."""
    size = len(data)
    p = malloc(CCHARARRAY, size + 1, flavor="raw")
    for i in range(size):
        p[i] = cast_primitive(Char, data[i])
    p[size] = cast_primitive(Char, 0)
    return p


def free_charp(p: _ptr) -> None:
    free(p, flavor="raw")


def charp2str(p: _ptr) -> str:
    """The characters before the first zero."""
    chars = []
    i = 0
    while ord(p[i]) != 0:
        chars.append(chr(ord(p[i])))
        i += 1
    return "".join(chars)


def charp2strn(p: _ptr, maxlen: int) -> str:
    """The same, at most ``maxlen`` of them."""
    chars = []
    i = 0
    while i < maxlen and ord(p[i]) != 0:
        chars.append(chr(ord(p[i])))
        i += 1
    return "".join(chars)


def charpsize2str(p: _ptr, size: int) -> str:
    """``size`` characters, zeros among them."""
    chars = []
    for i in range(size):
        chars.append(chr(ord(p[i])))
    return "".join(chars)


class scoped_str2charp:
    """``with scoped_str2charp(s) as p:`` a copy of ``s`` for the block."""

    def __init__(self, s: str) -> None:
        self.buf = str2charp(s)

    def __enter__(self) -> _ptr:
        return self.buf

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free_charp(self.buf)


class scoped_nonmovingbuffer:
    """The same; C must not change what it sees."""

    def __init__(self, s: str) -> None:
        self.buf = str2charp(s)

    def __enter__(self) -> _ptr:
        return self.buf

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free_charp(self.buf)


class scoped_alloc_buffer:
    """``with scoped_alloc_buffer(n) as b:`` room for ``n`` characters, ``b.raw``; ``b.str(k)``
    gives the first ``k``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.raw = malloc(CCHARARRAY, size, flavor="raw")

    def __enter__(self) -> scoped_alloc_buffer:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        free(self.raw, flavor="raw")

    def str(self, length: int) -> str:
        return charpsize2str(self.raw, length)


def is_pointer_type(T: Any) -> bool:
    return isinstance(T, Ptr)


def is_number_type(T: Any) -> bool:
    """Do numbers convert to it?"""
    return isinstance(T, Primitive) and T not in (Void, Char, UniChar)
