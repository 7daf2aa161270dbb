"""Functions of the program that C calls: what is between the two.

    @lib.callback("int(int, int)")          def called(a, b):         # what C calls, through glue
    def add(a, b):                              return convert(add(give(a), give(b)))
        return a + b

No exception gets into C: the glue prints it and gives C the value of ``error=``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from types import FunctionType
from typing import Any

from rpython.annotator.overlay.c_data import CData, converter, data_class, giver
from rpython.lltypesystem.foreign import cglue
from rpython.lltypesystem.foreign.cdef import CCallback
from rpython.lltypesystem.foreign.cvalues import ffi
from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.interp.llinterp import LLException
from rpython.lltypesystem.primitives import Signed
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.types import Ptr

MOST_ARGUMENTS = 6


class CallbackAddress:
    """Called by the program, the address of the C function of a callback.

    ``called``: what that calls, a function of low-level values; ``funcptr``: the external that
    takes it and gives the address.
    """

    _rpython_builtin_ = True

    def __init__(self, callback: CCallback) -> None:
        T = callback.ctype
        self.callback = callback
        self.__name__ = f"address of {callback.function.__name__}"
        self.called = make_called(callback)
        signature = cglue.signature(T.args, T.result)
        number = f"callback {callback.number}"
        symbol = cglue.wrapper_name(callback.function.__name__, number, T.args, T.result)
        library = callback.library
        self._failed = failed(callback)
        glue = cglue.callback_wrapper(
            symbol, callback.function.__name__, T.args, T.result, self._failed,
            library.linking, cglue.prelude(library.headers),
        )  # fmt: skip
        self._kept: list[Any] = []
        self.funcptr: _ptr = llexternal(
            symbol, [Ptr(signature)], Signed, self._interpreted, (), glue, interpreted=True
        )

    def _interpreted(self, interpreter: Any, target: _ptr) -> int:
        """In the LLInterpreter: a callback of cffi that runs the graph."""
        T = self.callback.ctype
        function = interpreter.function(target._obj.graph)

        def call(*args: Any) -> Any:
            values = [cglue.sent(A, arg) for A, arg in zip(T.args, args)]
            with interpreter.gil.inside() if interpreter.gil else nullcontext():
                try:
                    result = function(*values)
                except LLException as error:
                    interpreter.give_back(error.value)
                    raise
            return None if T.result.kind == "void" else cglue.arrived(T.result, result)

        error = None if T.result.kind == "void" else cglue.arrived(T.result, self._failed)
        self._kept.append(ffi.callback(T, call, error))
        return int(ffi.cast("intptr_t", self._kept[-1]))


def make_called(callback: CCallback) -> Callable[..., Any]:
    """The function of low-level values that C calls.  Raises UnsupportedCType."""
    T, function = callback.ctype, callback.function
    if T.ellipsis or len(T.args) > MOST_ARGUMENTS:
        raise cglue.UnsupportedCType(
            f"a callback takes at most {MOST_ARGUMENTS} arguments, none of them variadic"
        )
    give = [giver(A) for A in T.args]
    give += [_nothing] * (MOST_ARGUMENTS - len(give))
    give0, give1, give2, give3, give4, give5 = give
    convert = _drop if T.result.kind == "void" else converter(T.result)

    def called_0() -> Any:
        return convert(function())

    def called_1(a: Any) -> Any:
        return convert(function(give0(a)))

    def called_2(a: Any, b: Any) -> Any:
        return convert(function(give0(a), give1(b)))

    def called_3(a: Any, b: Any, c: Any) -> Any:
        return convert(function(give0(a), give1(b), give2(c)))

    def called_4(a: Any, b: Any, c: Any, d: Any) -> Any:
        return convert(function(give0(a), give1(b), give2(c), give3(d)))

    def called_5(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        return convert(function(give0(a), give1(b), give2(c), give3(d), give4(e)))

    def called_6(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
        return convert(function(give0(a), give1(b), give2(c), give3(d), give4(e), give5(f)))

    all_called: list[Any] = [called_0, called_1, called_2, called_3, called_4, called_5, called_6]
    chosen: Callable[..., Any] = all_called[len(T.args)]
    return chosen


def _nothing(value: Any) -> Any:
    return value


def failed(callback: CCallback) -> Any:
    """What C gets after an exception, as a low-level value.  Raises UnsupportedCType."""
    result, error = callback.ctype.result, callback.error
    if error is not None and cglue.is_pointer(result):
        raise cglue.UnsupportedCType("callback(error=...) of a pointer is not supported")
    return float(error or 0) if cglue.is_floating(result) else int(error or 0)


def _drop(value: Any) -> None:
    """C wants no result."""


def callback_data(callback: CCallback) -> CData:
    """The pointer that stands for a callback: its address is known when the program runs."""
    base = data_class(callback.ctype)
    find: Any = CallbackAddress(callback)

    def _c_get_address(self: Any) -> int:
        if self._c_address == 0:
            self._c_address = find()
        address: int = self._c_address
        return address

    names = {"_c_get_address": _c_get_address, "__slots__": ()}
    cls: type[CData] = type(f"{base.__name__}_callback", (base,), names)
    assert isinstance(_c_get_address, FunctionType)
    _c_get_address.__qualname__ = f"{cls.__qualname__}._c_get_address"
    return cls(0, -1, False)
