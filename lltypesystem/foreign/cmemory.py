"""C memory as restricted code reaches it: addresses are ints, and each access is a call.

    n = LOAD["i32"](address)
    STORE["f64"](address, 2.5)

The functions are host callables, so that code written with them also runs untranslated, on
the same real memory: the LLInterpreter does not simulate what C shares with it.  Natively
each is a macro or a small function of ``rpy_c.h``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from rpython.lltypesystem.foreign.cvalues import c_function, ffi
from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.primitives import Float, LowLevelType, Signed, Void
from rpython.lltypesystem.rstr import BYTES
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import Ptr

CHARSPTR = Ptr(BYTES._flds["chars"])
HEADER = "rpy_c.h"

_libc_calloc = c_function("calloc", "void *(*)(size_t, size_t)")
_libc_free = c_function("free", "void (*)(void *)")


class CPrimitive:
    """A C function of low-level values that restricted code calls by this object.

    ``funcptr``: the low-level external; ``function``: its meaning on the host.
    """

    _rpython_builtin_ = True

    def __init__(
        self,
        c_name: str,
        ARGS: Sequence[LowLevelType],
        RESULT: LowLevelType,
        function: Callable[..., Any],
        includes: Sequence[str] = (HEADER,),
        glue: Any = None,
        blocking: bool = False,
    ) -> None:
        self.__name__ = c_name
        self.ARGS = tuple(ARGS)
        self.RESULT = RESULT
        self.function = function
        self.funcptr: _ptr = llexternal(
            c_name, ARGS, RESULT, function, includes, glue, blocking=blocking
        )  # fmt: skip

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)

    def __repr__(self) -> str:
        return f"<C primitive {self.__name__}>"


_FORMATS = {
    "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I",
    "f32": "f", "f64": "d",
}  # fmt: skip


def _view(address: int, size: int) -> Any:
    return ffi.buffer(ffi.cast("char *", address), size)


def _make_load(kind: str) -> CPrimitive:
    code = struct.Struct("=" + _FORMATS[kind])

    def load(address: int) -> Any:
        return code.unpack_from(_view(address, code.size))[0]

    return CPrimitive(f"rpy_c_load_{kind}", [Signed], _value_type(kind), load)


def _make_store(kind: str) -> CPrimitive:
    code = struct.Struct("=" + _FORMATS[kind])
    single = ffi.typeof("float")

    def store(address: int, value: Any) -> None:
        if kind == "f32":
            value = float(ffi.cast(single, value))  # beyond its range: infinity
        code.pack_into(_view(address, code.size), 0, value)

    return CPrimitive(f"rpy_c_store_{kind}", [Signed, _value_type(kind)], Void, store)


def _value_type(kind: str) -> LowLevelType:
    return Float if kind.startswith("f") else Signed


LOAD = {kind: _make_load(kind) for kind in _FORMATS}
"""``load(address) -> int or float`` by the kind of what is there."""
STORE = {kind: _make_store(kind) for kind in _FORMATS}
"""``store(address, value)``; the value is in range."""


def _alloc(size: int) -> int:
    return int(ffi.cast("intptr_t", _libc_calloc(size or 1, 1)))


def _free(address: int) -> None:
    _libc_free(ffi.cast("void *", address))


def _copy(target: int, source: int, size: int) -> None:
    ffi.memmove(ffi.cast("char *", target), ffi.cast("char *", source), size)


def _find_zero(address: int, limit: int) -> int:
    length = 0
    p = ffi.cast("char *", address)
    while (limit < 0 or length < limit) and p[length] != b"\0":
        length += 1
    return length


def _get_errno() -> int:
    return int(ffi.errno)


def _set_errno(value: int) -> None:
    ffi.errno = value


c_alloc = CPrimitive("rpy_c_alloc", [Signed], Signed, _alloc)
"""``size`` zeroed bytes; 0 when there is no memory."""
c_free = CPrimitive("rpy_c_free", [Signed], Void, _free)
c_copy = CPrimitive("rpy_c_copy", [Signed, Signed, Signed], Void, _copy)
"""``memmove(target, source, size)``."""
c_find_zero = CPrimitive("rpy_c_find_zero", [Signed, Signed], Signed, _find_zero)
"""How many bytes come before the first zero, ``limit`` at most (negative: no limit)."""
c_get_errno = CPrimitive("rpy_c_get_errno", [], Signed, _get_errno)
c_set_errno = CPrimitive("rpy_c_set_errno", [Signed], Void, _set_errno)


# -- bytes objects ----------------------------------------------------------------------------


def _host_put(address: int, chars: _ptr, start: int, count: int) -> None:
    items = chars._obj.items[start : start + count]
    _view(address, count)[:] = "".join(items).encode("latin-1")


def _host_get(address: int, chars: _ptr, count: int) -> None:
    data = bytes(_view(address, count))
    chars._obj.items[:count] = data.decode("latin-1")


c_put = llexternal(
    "rpy_c_put", [Signed, CHARSPTR, Signed, Signed], Void, _host_put, ["rpy_c.h"]
)  # fmt: skip
"""Copy ``count`` characters of a bytes object, from ``start`` on, to an address."""
c_get = llexternal("rpy_c_get", [Signed, CHARSPTR, Signed], Void, _host_get, ["rpy_c.h"])
"""Copy ``count`` bytes at an address to the start of a bytes object."""


def bytes_at(address: int, size: int) -> bytes:
    """The ``size`` bytes there, as bytes."""
    return bytes(_view(address, size)) if size else b""


def put_bytes(address: int, data: bytes, size: int) -> None:
    """Copy the first ``size`` bytes of ``data`` there."""
    if size:
        _view(address, size)[:] = data[:size]
