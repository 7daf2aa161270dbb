"""Functions of the program that C calls: what is between the two.

    @lib.callback("int(int, int)")          def called(a, b):         # what C calls
    def add(a, b):                              try:
        return a + b                                return convert(add(give(a), give(b)))
                                                except BaseException as error:
                                                    report(...)
                                                    return 0
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from cffi import FFI

from annotator.library_c import CData, converter, data_class, giver
from lltypesystem import cglue
from lltypesystem.cdef import CCallback
from lltypesystem.memory import _ptr
from lltypesystem.rffi import llexternal
from lltypesystem.types import Ptr, Signed

MOST_ARGUMENTS = 6


def report(name: str, error: BaseException) -> None:
    """An exception cannot go through C: it is printed."""
    print(f"From cffi callback {name}:", file=sys.stderr)
    print(f"{type(error).__name__}: {error}", file=sys.stderr)


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
        glue = cglue.callback_wrapper(
            symbol, T.args, T.result, library.linking, cglue.prelude(library.headers)
        )
        self._kept: list[Any] = []
        self.funcptr: _ptr = llexternal(
            symbol, [Ptr(signature)], Signed, self._interpreted, (), glue, interpreted=True
        )

    def _interpreted(self, interpreter: Any, target: _ptr) -> int:
        """In the LLInterpreter: a callback of cffi that runs the graph."""
        T = self.callback.ctype
        function = interpreter.function(target._obj.graph)

        def call(*args: Any) -> Any:
            result = function(*(cglue.sent(A, arg) for A, arg in zip(T.args, args)))
            return None if T.result.kind == "void" else cglue.arrived(T.result, result)

        ffi = FFI()
        self._kept.append(ffi.callback(T, call))
        return int(ffi.cast("intptr_t", self._kept[-1]))


def make_called(callback: CCallback) -> Callable[..., Any]:
    """The function of low-level values that C calls.  Raises UnsupportedCType."""
    T, function = callback.ctype, callback.function
    if T.ellipsis or len(T.args) > MOST_ARGUMENTS:
        raise cglue.UnsupportedCType(
            f"a callback takes at most {MOST_ARGUMENTS} arguments, none of them variadic"
        )
    name = getattr(function, "__qualname__", repr(function))
    give = [giver(A) for A in T.args]
    give += [_nothing] * (MOST_ARGUMENTS - len(give))
    give0, give1, give2, give3, give4, give5 = give
    convert, failed = _result(callback)

    def called_0() -> Any:
        try:
            return convert(function())
        except BaseException as error:
            report(name, error)
            return failed

    def called_1(a: Any) -> Any:
        try:
            return convert(function(give0(a)))
        except BaseException as error:
            report(name, error)
            return failed

    def called_2(a: Any, b: Any) -> Any:
        try:
            return convert(function(give0(a), give1(b)))
        except BaseException as error:
            report(name, error)
            return failed

    def called_3(a: Any, b: Any, c: Any) -> Any:
        try:
            return convert(function(give0(a), give1(b), give2(c)))
        except BaseException as error:
            report(name, error)
            return failed

    def called_4(a: Any, b: Any, c: Any, d: Any) -> Any:
        try:
            return convert(function(give0(a), give1(b), give2(c), give3(d)))
        except BaseException as error:
            report(name, error)
            return failed

    def called_5(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        try:
            return convert(function(give0(a), give1(b), give2(c), give3(d), give4(e)))
        except BaseException as error:
            report(name, error)
            return failed

    def called_6(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
        try:
            return convert(function(give0(a), give1(b), give2(c), give3(d), give4(e), give5(f)))
        except BaseException as error:
            report(name, error)
            return failed

    all_called: list[Any] = [called_0, called_1, called_2, called_3, called_4, called_5, called_6]
    chosen: Callable[..., Any] = all_called[len(T.args)]
    return chosen


def _nothing(value: Any) -> Any:
    return value


def _result(callback: CCallback) -> tuple[Callable[[Any], Any], Any]:
    """How the result travels, and what C gets after an exception."""
    result, error = callback.ctype.result, callback.error
    if result.kind == "void":
        return _drop, None
    if cglue.is_floating(result):
        return converter(result), float(error or 0)
    if error is not None and cglue.is_pointer(result):
        raise cglue.UnsupportedCType("callback(error=...) of a pointer is not supported")
    return converter(result), int(error or 0)


def _drop(value: Any) -> None:
    """C wants no result."""


def callback_data(callback: CCallback) -> CData:
    """The pointer that stands for a callback: its address is known when the program runs."""
    base = data_class(callback.ctype)
    find: Any = CallbackAddress(callback)

    def get_address(self: Any) -> int:
        if self.address == 0:
            self.address = find()
        address: int = self.address
        return address

    names = {"get_address": get_address, "__slots__": ()}
    cls: type[CData] = type(f"{base.__name__}_callback", (base,), names)
    assert isinstance(get_address, FunctionType)
    get_address.__qualname__ = f"{cls.__qualname__}.get_address"
    return cls(0, -1, False)
