"""``rpython.compile``: a function as native code, called in-process through cffi."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from cffi import FFI

from rpython.annotator.lattice.model import SomeBool, SomeFloat, SomeInteger, SomeObject
from rpython.backend_c.build import build_shared
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem.lltype import Bool, Float, LowLevelType, Signed, Void
from rpython.rtyper.boundary.marshal import call_exports, is_direct, marshalled_attributes
from rpython.translator.api import translation_of
from rpython.translator.boundary import require_result
from rpython.translator.driver import Translation
from rpython.translator.hosterrors import host_error, set_attribute
from rpython.translator.marshal import Packer, Unpacker, check
from rpython.translator.options import Options

_C_TYPES: dict[LowLevelType, str] = {Signed: "long", Float: "double", Bool: "_Bool", Void: "void"}

_EXACT_TYPES = {SomeInteger: int, SomeFloat: float, SomeBool: bool}
"""Arguments of these types need no further check: cffi refuses ints outside 64 bits."""

_RUNTIME = """
void *rpy_take_exception(void);
const char *rpy_get_exception_name(void *exc);
long rpy_get_exception_number(void *exc);
void *rpy_message(void *exc);
void rpy_give_back(void *object);
long rpy_result_length(void *writer);
void rpy_result_copy(void *writer, long *words);
"""


class NativeFunction:
    """A Python callable that runs native code.

    Arguments are checked against the types it was compiled for: TypeError for another type, a
    subclass included, OverflowError for an int outside 64 bits, ValueError for a container that is
    passed twice.  What the program raises comes out as the same Python exception.
    """

    def __init__(
        self, f: Callable[..., Any], types: Sequence[Any] | None, options: Options | None = None
    ) -> None:
        translation = translation_of(f, types, options)
        graph = translation.annotate()
        require_result(translation.annotator, graph)
        translation.setup = lambda rtyper: call_exports(rtyper, graph)
        program = translation.optimise()
        self.__name__ = translation.func.__name__
        self.__doc__ = translation.func.__doc__
        self.translation: Translation = translation
        self._args_s = [translation.annotator.binding(v) for v in graph.getargs()]
        self._result_s = translation.result_annotation()
        chosen = translation.options
        self.build = build_shared(
            program,
            None,
            BuildOptions(
                optimise=chosen.optimise, debug=chosen.debug, gc=chosen.gc,
                sanitize=chosen.sanitize, verify=chosen.verify,
            ),
        )  # fmt: skip
        self._ffi = FFI()
        self._ffi.cdef(_RUNTIME)
        self._direct = is_direct(translation.rtyper, graph)
        if self._direct:
            T = translation.rtyper.graph_type(graph)
            args = ", ".join(_C_TYPES[A] for A in T.ARGS) or "void"
            self._ffi.cdef(f"{_C_TYPES[T.RESULT]} rpy_call({args});")
        else:
            self._ffi.cdef("void *rpy_call(long *words);")
        self._prints = "rpy_flush" in program.exports
        if self._prints:
            self._ffi.cdef("void rpy_flush(void);")
        library: Any = self._ffi.dlopen(str(self.build.path))
        self._lib = library
        self._call = library.rpy_call
        self._lock = threading.RLock()
        """The program has one heap and one pending exception; the host may have threads."""
        self._take_exception = library.rpy_take_exception
        self._exact_types = tuple(_EXACT_TYPES.get(type(s)) for s in self._args_s)
        self._classes = {
            vtable.subclassrange_min: classdef.cls
            for classdef, vtable in translation.rtyper.classes.known_vtables()
        }

    def __repr__(self) -> str:
        return f"<NativeFunction {self.__name__}>"

    def __call__(self, *args: Any) -> Any:
        if self._direct:
            if tuple(map(type, args)) != self._exact_types:
                self._check(args)
            if self._prints:
                sys.stdout.flush()
            with self._lock:
                result = self._call(*args)
                self._raise_pending()
            return result
        self._check_count(args)
        packer = Packer()
        for s_arg, arg in zip(self._args_s, args):
            packer.pack(s_arg, arg)
        if self._prints:
            sys.stdout.flush()
        with self._lock:
            writer = self._call(self._ffi.from_buffer("long[]", packer.out))
            # what is not copied now may move while the program writes its output
            result = self._words(writer) if writer else None
            self._lib.rpy_give_back(writer)
            self._raise_pending()
        assert result is not None
        return result.value(self._result_s)

    def _check_count(self, args: tuple[Any, ...]) -> None:
        if len(args) != len(self._args_s):
            raise TypeError(
                f"{self.__name__}() takes {len(self._args_s)} arguments, {len(args)} given"
            )

    def _check(self, args: tuple[Any, ...]) -> None:
        """Raise what is wrong with the arguments, if anything is."""
        self._check_count(args)
        for s_arg, arg in zip(self._args_s, args):
            check(s_arg, arg)

    def _words(self, writer: Any) -> Unpacker:
        length = self._lib.rpy_result_length(writer)
        buffer = self._ffi.new("long[]", length)
        self._lib.rpy_result_copy(writer, buffer)
        return Unpacker(bytes(self._ffi.buffer(buffer)))

    def _raise_pending(self) -> None:
        error = self._take_error()
        if self._prints:
            self._lib.rpy_flush()
            failed = self._take_error()
            error = error or failed
        self._lib.rpy_give_back(self._ffi.NULL)  # a chance to check the counts
        if error is not None:
            raise error

    def _take_error(self) -> BaseException | None:
        """The pending exception as the host's."""
        exception = self._take_exception()
        if not exception:
            return None
        cls: Any = self._classes[self._lib.rpy_get_exception_number(exception)]
        message = self._lib.rpy_message(exception)
        words = self._words(message)
        self._lib.rpy_give_back(message)
        self._lib.rpy_give_back(exception)
        error = host_error(cls, words.str() if words.word() else None)
        for name, s_value in self._attributes(cls):
            if words.word():
                set_attribute(error, name, words.value(s_value))
        return error

    def _attributes(self, cls: type) -> list[tuple[str, SomeObject]]:
        """The attributes that follow the message of such an exception."""
        rtyper = self.translation.rtyper
        classdef = rtyper.annotator.constants.classdef(cls)
        crossing = marshalled_attributes(rtyper, classdef)
        return [(name, r.fields[name][0].s_value) for name, r in crossing]


def compile(
    f: Callable[..., Any], types: Sequence[Any] | None = None, options: Options | None = None
) -> NativeFunction:
    """Compile ``f`` to native code.

    ``types``: of the arguments (``int``, ``float``, ``bool``, ``str``, ``bytes``, None,
    ``list[T]``, ``tuple[T, ...]``, sized integers); default: the function's type hints.
    Raises TranslationError when the program is refused or the C compiler fails.
    """
    return NativeFunction(f, types, options)
