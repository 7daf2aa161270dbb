"""``rpython.cdef``: C declarations become functions and constants of restricted code.

    libm = rpython.cdef("double cbrt(double);", libraries=["m"])
    libm.cbrt(27.0)

Under CPython everything goes through cffi, which parses the declarations: values are cffi's
own, memory is what ``ffi.new`` makes.  The translated program calls the same C functions.
"""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cffi import FFI

from rpython.lltypesystem.foreign import cglue
from rpython.lltypesystem.foreign.cmemory import CPrimitive
from rpython.lltypesystem.foreign.cprobe import complete, with_integer_types
from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.lltypesystem.foreign.external import Linking

CType = Any
CData = Any
CDataType: type = type(ffi.NULL)
OWNED_CDATA: type = type(ffi.new("int *"))


class CFunction:
    """A C function of a library, to be called with Python values."""

    _rpython_builtin_ = True

    def __init__(self, library: CLibrary, name: str, T: CType) -> None:
        self.library = library
        self.__name__ = name
        self.ctype = T
        """The cffi function type."""
        self._function: Any = None
        self._raw: dict[tuple[CType, ...], CPrimitive] = {}

    def __repr__(self) -> str:
        return f"<C function {self.__name__}>"

    def host(self) -> Any:
        """The cffi function.  Raises AttributeError when no library has it."""
        if self._function is None:
            self._function = self.library.find(self.__name__)
        return self._function

    def __call__(self, *args: Any) -> Any:
        return self.host()(*args)

    def raw(self, variadic: Sequence[CType] = ()) -> CPrimitive:
        """The same on low-level values, for calls whose variadic part has these types.
        Raises UnsupportedCType."""
        key = tuple(variadic)
        known = self._raw.get(key)
        if known is None:
            known = self._raw[key] = self._make_raw(key)
        return known

    def _make_raw(self, variadic: tuple[CType, ...]) -> CPrimitive:
        library = self.library
        args, result = (*self.ctype.args, *variadic), self.ctype.result
        T = cglue.signature(args, result)
        symbol = cglue.wrapper_name(self.__name__, library.headers, args, result)
        fixed = len(self.ctype.args) if self.ctype.ellipsis else -1
        glue = cglue.function_wrapper(
            symbol, self.__name__, args, fixed, result, bool(library.headers),
            library.linking, cglue.prelude(library.headers),
        )  # fmt: skip
        host = cglue.host_wrapper(self.host, args, result)
        return CPrimitive(symbol, T.ARGS, T.RESULT, host, (), glue, blocking=True)


class CCallback:
    """A function of the program given to C: what its cffi cdata was made of.  ``number``: a
    different one for each."""

    def __init__(
        self, library: CLibrary, T: CType, function: Callable[..., Any], error: Any, number: int
    ) -> None:
        self.library = library
        self.ctype = T
        self.function = function
        self.error = error
        """What C gets when the function raises."""
        self.number = number


_CALLBACKS: dict[int, CCallback] = {}
"""By address: cffi has one type for callbacks and for pointers to C functions."""


def address_of(cdata: CData) -> int:
    """The address in a pointer."""
    return int(ffi.cast("intptr_t", cdata))


def find_callback(cdata: CData) -> CCallback | None:
    """What ``CLibrary.callback`` made this of, None for other cdata."""
    return _CALLBACKS.get(address_of(cdata))


class CLibrary:
    """What ``cdef`` makes: the declared functions and constants are its attributes, and
    cffi's functions on memory, under cffi's names, its methods."""

    _rpython_builtin_ = True
    OPERATIONS = (
        "new", "cast", "string", "unpack", "memmove", "addressof", "sizeof", "offsetof",
        "release", "callback", "get_errno", "set_errno",
    )  # fmt: skip

    def __init__(
        self, source: str, headers: Sequence[str], linking: Linking, wanted: Sequence[str]
    ) -> None:
        self.__name__ = "C library"
        self.ffi = FFI()
        self.ffi.cdef(with_integer_types(source, headers, linking))
        self.headers = tuple(headers)
        self.linking = linking
        constants, functions = complete(self.ffi, self.headers, linking)
        self._wanted = tuple(wanted)
        self._opened: list[Any] | None = None
        self._callbacks: list[CData] = []
        """All that were made, which keeps them alive."""
        self.NULL: CData = self.ffi.NULL
        for name, value in constants.items():
            setattr(self, name, value)
        for name, T in functions.items():
            setattr(self, name, CFunction(self, name, T))
        for name in self.OPERATIONS:  # one object each, however often it is read
            if not hasattr(type(self), name):
                raise AssertionError(name)
            setattr(self, name, getattr(self, name))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the C declarations have no {name!r}")

    def find(self, name: str) -> Any:
        """The cffi function of that name.  Raises AttributeError, OSError."""
        if self._opened is None:
            self._opened = [self.ffi.dlopen(path) for path in (*self._wanted, None)]
        for library in self._opened:
            try:
                return getattr(library, name)
            except AttributeError:
                continue
        raise AttributeError(f"no library has the function {name!r}", name=name, obj=self)

    # -- cffi's functions ------------------------------------------------------------------

    def new(self, cdecl: str, init: Any = None) -> CData:
        """New zeroed memory: ``new("int *")``, ``new("char[]", 10)``, ``new("char[]", b"x")``."""
        return self.ffi.new(cdecl, init)

    def cast(self, cdecl: str, value: Any) -> CData:
        return self.ffi.cast(cdecl, value)

    def string(self, cdata: CData, maxlen: int = -1) -> Any:
        """The bytes before the first zero."""
        return self.ffi.string(cdata, maxlen)

    def unpack(self, cdata: CData, length: int) -> Any:
        """``length`` items: bytes for ``char *``, else a list."""
        return self.ffi.unpack(cdata, length)

    def memmove(self, dest: CData, src: CData, n: int) -> None:
        self.ffi.memmove(dest, src, n)

    def addressof(self, cdata: CData, *fields: Any) -> CData:
        return self.ffi.addressof(cdata, *fields)

    def sizeof(self, cdecl: Any) -> int:
        return self.ffi.sizeof(cdecl)

    def offsetof(self, cdecl: str, *fields: str) -> int:
        return self.ffi.offsetof(cdecl, *fields)

    def release(self, cdata: CData) -> None:
        """Free what ``new`` made, now."""
        self.ffi.release(cdata)

    def get_errno(self) -> int:
        """The errno that the last C call left."""
        return int(self.ffi.errno)

    def set_errno(self, value: int) -> None:
        self.ffi.errno = value

    def callback(self, cdecl: str, function: Any = None, error: Any = None) -> Any:
        """A C function that calls ``function``; without one, a decorator.

        Where the function raises, the exception is printed and C gets ``error`` (or 0).
        Callbacks are made before the translation and last for ever.
        """

        def make(function: Callable[..., Any]) -> CData:
            cdata: Any = self.ffi.callback(cdecl, function, error)
            self._callbacks.append(cdata)
            T = self.ffi.typeof(cdata)
            made = CCallback(self, T, function, error, len(_CALLBACKS))
            _CALLBACKS[address_of(cdata)] = made
            return cdata

        return make if function is None else make(function)


def cdef(
    source: str,
    libraries: Sequence[str] = (),
    headers: Sequence[str] = (),
    include_dirs: Sequence[str] = (),
    library_dirs: Sequence[str] = (),
) -> CLibrary:
    """C declarations as a library for restricted code.

    Args:
        source: the declarations, as cffi's ``cdef`` takes them.  What has ``...`` in it
            is asked of the C compiler, which needs ``headers``.
        libraries: names as for ``-l``; the C library is always there.
        headers: what declares the functions in C.  Without, the declarations are taken to
            be right and the C compiler needs no header of the library.
        include_dirs, library_dirs: where else to look for headers and libraries.

    Raises:
        cffi.CDefError: the declarations are no C.
        UnsupportedCType: they declare something that is not supported.
    """
    found = [_find_library(name, library_dirs) for name in libraries]
    links = tuple(f":{file}" if file and "/" not in file else name
                  for name, file in zip(libraries, found))  # fmt: skip
    linking = Linking(links, tuple(include_dirs), tuple(library_dirs))
    wanted = [file or f"lib{name}.so" for name, file in zip(libraries, found)]
    return CLibrary(source, headers, linking, wanted)


def _find_library(name: str, directories: Sequence[str]) -> str | None:
    """The file to load for ``-lNAME``."""
    if name.startswith(":"):
        return name[1:]
    for directory in directories:
        path = Path(directory, f"lib{name}.so")
        if path.exists():
            return str(path)
    return ctypes.util.find_library(name)
