"""Calling pointers to C functions: the ``__call__`` of their classes.

    s.operation(1, 2)       s.operation is an int(*)(int, int)
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from rpython.lltypesystem.foreign import cglue
from rpython.lltypesystem.foreign.cmemory import CPrimitive
from rpython.lltypesystem.foreign.cvalues import ffi

CType = Any
MOST_ARGUMENTS = 6


class CPointerCall:
    """A call through a pointer, which is the first argument; to be called in restricted code
    as a ``CFunction`` is."""

    _rpython_builtin_ = True

    def __init__(self, T: CType) -> None:
        self.__name__ = T.cname
        self.pointer = T
        args = (ffi.typeof("void *"), *T.args)
        self.ctype = SimpleNamespace(
            args=args, result=T.result, ellipsis=False, cname=T.cname, kind="function"
        )

    def host(self) -> Any:
        """The call in CPython."""
        return self._host

    def _host(self, pointer: Any, *args: Any) -> Any:
        return ffi.cast(self.pointer, pointer)(*args)

    def raw(self, variadic: Any = ()) -> CPrimitive:
        """The same on low-level values.  Raises UnsupportedCType."""
        args, result = self.ctype.args, self.ctype.result
        T = cglue.signature(args, result)
        symbol = cglue.wrapper_name("pointer", (), args, result)
        glue = cglue.pointer_wrapper(symbol, args, result)
        host = cglue.host_wrapper(self.host, args, result)
        return CPrimitive(symbol, T.ARGS, T.RESULT, host, (), glue, blocking=True)


def call_method(T: CType) -> Any:
    """``__call__`` for pointers to functions of this type; None when that has too many
    arguments."""
    if T.ellipsis or len(T.args) > MOST_ARGUMENTS:
        return None
    invoke: Any = CPointerCall(T)
    null = f"cannot call null pointer pointer from cdata '{T.cname}'"  # as cffi says it

    def pointer(p: Any) -> Any:
        if p._c_get_address() == 0:
            raise RuntimeError(null)
        return p

    def call_0(self: Any) -> Any:
        return invoke(pointer(self))

    def call_1(self: Any, a: Any) -> Any:
        return invoke(pointer(self), a)

    def call_2(self: Any, a: Any, b: Any) -> Any:
        return invoke(pointer(self), a, b)

    def call_3(self: Any, a: Any, b: Any, c: Any) -> Any:
        return invoke(pointer(self), a, b, c)

    def call_4(self: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        return invoke(pointer(self), a, b, c, d)

    def call_5(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        return invoke(pointer(self), a, b, c, d, e)

    def call_6(self: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
        return invoke(pointer(self), a, b, c, d, e, f)

    methods = [call_0, call_1, call_2, call_3, call_4, call_5, call_6]
    return methods[len(T.args)]
