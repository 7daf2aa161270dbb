"""``rpython.compile``: a function as native code, called in-process through cffi."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cffi import FFI

from rpython.annotator.lattice.model import SomeBool, SomeFloat, SomeInteger, SomeObject
from rpython.backend_c.build import BuildResult, build_shared
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem.lltype import Bool, Float, LowLevelType, Signed, Void
from rpython.rtyper.boundary.marshal import (
    call_exports,
    call_name,
    is_direct,
    marshalled_attributes,
)
from rpython.translator.api import translation_of_all
from rpython.translator.boundary import require_result
from rpython.translator.driver import Translation
from rpython.translator.hosterrors import host_error, set_attribute
from rpython.translator.ir.model import FunctionGraph
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


def exported(
    functions: Sequence[tuple[Callable[..., Any], Sequence[Any] | None]],
    options: Options | None = None,
) -> tuple[Translation, list[FunctionGraph]]:
    """Functions, each with its argument types (None: its type hints), as one program that exports
    what the host calls; and their annotated graphs.  Raises TranslationError."""
    translation, graphs = translation_of_all(functions, options)
    for graph in graphs:
        require_result(translation.annotator, graph)
    translation.setup = lambda rtyper: call_exports(rtyper, graphs)
    return translation, graphs


class NativeProgram:
    """Native code in this process: one program, of which the host calls some functions."""

    def __init__(
        self,
        functions: Sequence[tuple[Callable[..., Any], Sequence[Any] | None]],
        options: Options | None = None,
    ) -> None:
        """``functions``: as ``exported`` takes them.  Raises TranslationError."""
        translation, graphs = exported(functions, options)
        program = translation.optimise()
        self.translation: Translation = translation
        self.graphs = graphs
        chosen = translation.options
        self.build = build_shared(
            program,
            None,
            BuildOptions(
                optimise=chosen.optimise, debug=chosen.debug, gc=chosen.gc,
                sanitize=chosen.sanitize, verify=chosen.verify,
            ),
        )  # fmt: skip
        self.ffi = FFI()
        self.ffi.cdef(_RUNTIME)
        for number, graph in enumerate(graphs):
            self.ffi.cdef(f"{self._declaration(graph, call_name(number))};")
        self.prints = "rpy_flush" in program.exports
        if self.prints:
            self.ffi.cdef("void rpy_flush(void);")
        self.lib: Any = _load(self.ffi, self.build.path)
        self.build.release()  # what is loaded stays; finding a number for a build looks at them all
        self.lock = threading.RLock()
        """The program has one heap and one pending exception; the host may have threads."""
        self.classes = {
            vtable.subclassrange_min: classdef.cls
            for classdef, vtable in translation.rtyper.classes.known_vtables()
        }
        self.functions = [
            NativeFunction(self, function, graph, getattr(self.lib, call_name(number)))
            for number, ((function, _), graph) in enumerate(zip(functions, graphs))
        ]

    def _declaration(self, graph: FunctionGraph, name: str) -> str:
        rtyper = self.translation.rtyper
        if not is_direct(rtyper, graph):
            return f"void *{name}(long *words)"
        T = rtyper.graph_type(graph)
        args = ", ".join(_C_TYPES[A] for A in T.ARGS) or "void"
        return f"{_C_TYPES[T.RESULT]} {name}({args})"

    def words(self, writer: Any) -> Unpacker:
        """What a writer of the program wrote."""
        length = self.lib.rpy_result_length(writer)
        buffer = self.ffi.new("long[]", length)
        self.lib.rpy_result_copy(writer, buffer)
        return Unpacker(bytes(self.ffi.buffer(buffer)))

    def raise_pending(self) -> None:
        """Raise the program's pending exception as the host's, if there is one."""
        error = self._take_error()
        if self.prints:
            self.lib.rpy_flush()
            failed = self._take_error()
            error = error or failed
        self.lib.rpy_give_back(self.ffi.NULL)  # a chance to check the counts
        if error is not None:
            raise error

    def _take_error(self) -> BaseException | None:
        exception = self.lib.rpy_take_exception()
        if not exception:
            return None
        cls: Any = self.classes[self.lib.rpy_get_exception_number(exception)]
        message = self.lib.rpy_message(exception)
        words = self.words(message)
        self.lib.rpy_give_back(message)
        self.lib.rpy_give_back(exception)
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


def _load(ffi: FFI, path: Path) -> Any:
    """Load a library under a name of its own: the C library takes one that was loaded under the
    same name for the same, and numbers of directories that were removed come back."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        name = Path(folder) / path.name
        name.symlink_to(path)
        return ffi.dlopen(str(name))


class NativeFunction:
    """A Python callable that runs native code.

    Arguments are checked against the types it was compiled for: TypeError for another type, a
    subclass included, OverflowError for an int outside 64 bits, ValueError for a container that is
    passed twice.  What the program raises comes out as the same Python exception.
    """

    def __init__(
        self, program: NativeProgram, f: Callable[..., Any], graph: FunctionGraph, call: Any
    ) -> None:
        """``graph``: the annotated one of ``f``; ``call``: the C function that cffi found."""
        annotator = program.translation.annotator
        self.__name__ = f.__name__
        self.__doc__ = f.__doc__
        self.program = program
        self.graph = graph
        self._args_s = [annotator.binding(v) for v in graph.getargs()]
        self._result_s = annotator.binding(graph.getreturnvar())
        self._direct = is_direct(program.translation.rtyper, graph)
        self._exact_types = tuple(_EXACT_TYPES.get(type(s)) for s in self._args_s)
        self._call = call

    @property
    def translation(self) -> Translation:
        return self.program.translation

    @property
    def build(self) -> BuildResult:
        return self.program.build

    def __repr__(self) -> str:
        return f"<NativeFunction {self.__name__}>"

    def __call__(self, *args: Any) -> Any:
        program = self.program
        if self._direct:
            if tuple(map(type, args)) != self._exact_types:
                self._check(args)
            if program.prints:
                sys.stdout.flush()
            with program.lock:
                result = self._call(*args)
                program.raise_pending()
            return result
        self._check_count(args)
        packer = Packer()
        for s_arg, arg in zip(self._args_s, args):
            packer.pack(s_arg, arg)
        if program.prints:
            sys.stdout.flush()
        with program.lock:
            writer = self._call(program.ffi.from_buffer("long[]", packer.out))
            # what is not copied now may move while the program writes its output
            result = program.words(writer) if writer else None
            program.lib.rpy_give_back(writer)
            program.raise_pending()
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


def compile(
    f: Callable[..., Any], types: Sequence[Any] | None = None, options: Options | None = None
) -> NativeFunction:
    """Compile ``f`` to native code.

    ``types``: of the arguments (``int``, ``float``, ``bool``, ``str``, ``bytes``, None,
    ``list[T]``, ``tuple[T, ...]``, sized integers); default: the function's type hints.
    Raises TranslationError when the program is refused or the C compiler fails.
    """
    return NativeProgram([(f, types)], options).functions[0]
