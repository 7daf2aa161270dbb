"""``rpython.compile``: a function as native code, called in-process through cffi."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cffi import FFI

from annotator.model import (
    SomeBool,
    SomeBytes,
    SomeFloat,
    SomeInteger,
    SomeList,
    SomeNone,
    SomeObject,
    SomeString,
    SomeTuple,
    SomeUnion,
)
from annotator.parts import without_none
from backend_c.build import BuildOptions, build_shared
from lltypesystem.lltype import Bool, Float, LowLevelType, Signed, Void
from rtyper.marshal import call_exports, is_direct
from rtyper.r_print import flush_exports
from translator.driver import Translation
from translator.hosterrors import host_error
from translator.interactive import translation_of
from translator.options import Options

_C_TYPES: dict[LowLevelType, str] = {Signed: "long", Float: "double", Bool: "_Bool", Void: "void"}

_RUNTIME = """
void *rpy_take_exception(void);
const char *rpy_get_exception_name(void *exc);
long rpy_get_exception_number(void *exc);
void *rpy_message(void *exc);
long rpy_result_length(void *writer);
void rpy_result_copy(void *writer, long *words);
"""


class NativeFunction:
    """A Python callable that runs native code.

    Arguments are checked against the types it was compiled for: TypeError for another
    kind, OverflowError for an int outside 64 bits.  What the program raises comes out as
    the same Python exception.
    """

    def __init__(
        self, f: Callable[..., Any], types: Sequence[Any] | None, options: Options | None = None
    ) -> None:
        translation = translation_of(f, types, options)
        graph = translation.annotate()
        translation.setup = lambda rtyper: {
            **call_exports(rtyper, graph), **flush_exports(rtyper),
        }  # fmt: skip
        program = translation.optimise()
        self.__name__ = translation.func.__name__
        self.__doc__ = translation.func.__doc__
        self.translation: Translation = translation
        self._args_s = [translation.annotator.binding(v) for v in graph.getargs()]
        self._result_s = translation.result_annotation()
        chosen = translation.options
        self.build = build_shared(
            program, None, BuildOptions(optimise=chosen.optimise, debug=chosen.debug)
        )
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
        self._lib: Any = self._ffi.dlopen(str(self.build.path))
        self._classes = {
            vtable.subclassrange_min: classdef.cls
            for classdef, vtable in translation.rtyper.classes.known_vtables()
        }

    def __repr__(self) -> str:
        return f"<NativeFunction {self.__name__}>"

    def __call__(self, *args: Any) -> Any:
        if len(args) != len(self._args_s):
            raise TypeError(
                f"{self.__name__}() takes {len(self._args_s)} arguments, {len(args)} given"
            )
        words: list[int] = []
        for s_arg, arg in zip(self._args_s, args):
            _encode(s_arg, arg, words)
        if self._prints:
            sys.stdout.flush()
        if self._direct:
            result = self._lib.rpy_call(*args)
            self._raise_pending()
            return None if isinstance(self._result_s, SomeNone) else result
        writer = self._lib.rpy_call(self._ffi.new("long[]", words or [0]))
        self._raise_pending()
        return _decode(self._result_s, iter(self._words(writer)))

    def _words(self, writer: Any) -> list[int]:
        length = self._lib.rpy_result_length(writer)
        buffer = self._ffi.new("long[]", max(length, 1))
        self._lib.rpy_result_copy(writer, buffer)
        return [buffer[i] for i in range(length)]

    def _raise_pending(self) -> None:
        exception = self._lib.rpy_take_exception()
        if self._prints:
            self._lib.rpy_flush()
            failed = self._lib.rpy_take_exception()
            exception = exception or failed
        if exception == self._ffi.NULL:
            return
        cls: Any = self._classes[self._lib.rpy_get_exception_number(exception)]
        words = iter(self._words(self._lib.rpy_message(exception)))
        raise host_error(cls, _read_str(words) if next(words) else None)


def compile(
    f: Callable[..., Any], types: Sequence[Any] | None = None, options: Options | None = None
) -> NativeFunction:
    """Compile ``f`` to native code.

    ``types``: of the arguments (``int``, ``float``, ``bool``, ``str``, ``bytes``, None,
    ``list[T]``, ``tuple[T, ...]``, sized integers); default: the function's type hints.
    Raises TranslationError when the program is refused or the C compiler fails.
    """
    return NativeFunction(f, types, options)


# -- words ------------------------------------------------------------------------------------


def _encode(s: SomeObject, value: Any, words: list[int]) -> None:
    """Append the words of an argument; the inverse of ``rtyper.marshal.decode``."""
    if isinstance(s, SomeUnion):
        words.append(value is not None)
        if value is None:
            return
        s = without_none(s)
    if isinstance(s, SomeInteger):
        _require(value, int, not isinstance(value, bool))
        number = int(value)
        if s.knowntype is int and not -(1 << 63) <= number < 1 << 63:
            raise OverflowError(f"{number} does not fit in 64 bits")
        words.append((number + (1 << 63)) % (1 << 64) - (1 << 63))
    elif isinstance(s, SomeBool):
        _require(value, bool)
        words.append(int(value))
    elif isinstance(s, SomeFloat):
        _require(value, float)
        words.append(struct.unpack("<q", struct.pack("<d", value))[0])
    elif isinstance(s, SomeString):
        _require(value, str)
        words += [len(value), any(char > "\xff" for char in value), *map(ord, value)]
    elif isinstance(s, SomeBytes):
        _require(value, bytes)
        words += [len(value), *value]
    elif isinstance(s, SomeTuple):
        _require(value, tuple, len(value) == len(s.items))
        for s_item, item in zip(s.items, value):
            _encode(s_item, item, words)
    elif isinstance(s, SomeList):
        _require(value, list)
        words.append(len(value))
        for item in value:
            _encode(s.listdef.find().item.s_value, item, words)
    else:
        _require(value, type(None))


def _require(value: Any, cls: type, fits: bool = True) -> None:
    if not isinstance(value, cls) or not fits:
        raise TypeError(f"expected {cls.__name__}, got {value!r:.60}")


def _decode(s: SomeObject, words: Iterator[int]) -> Any:
    """Read a result; the inverse of ``rtyper.marshal.encode``."""
    if isinstance(s, SomeUnion):
        if not next(words):
            return None
        s = without_none(s)
    if isinstance(s, SomeInteger):
        return s.knowntype(next(words))
    if isinstance(s, SomeBool):
        return bool(next(words))
    if isinstance(s, SomeFloat):
        return struct.unpack("<d", struct.pack("<q", next(words)))[0]
    if isinstance(s, SomeString):
        return _read_str(words)
    if isinstance(s, SomeBytes):
        return bytes([next(words) for _ in range(next(words))])
    if isinstance(s, SomeTuple):
        return tuple(_decode(s_item, words) for s_item in s.items)
    if isinstance(s, SomeList):
        s_item = s.listdef.find().item.s_value
        return [_decode(s_item, words) for _ in range(next(words))]
    return None


def _read_str(words: Iterator[int]) -> str:
    return "".join([chr(next(words)) for _ in range(next(words))])
