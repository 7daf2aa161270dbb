"""Low-level programs written as text, and ways to run them; shared by the back-end tests."""

from __future__ import annotations

import ctypes
import dataclasses
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rpython.backend_c.build import BuildResult, build_shared
from rpython.backend_c.options import BuildOptions
from rpython.lltypesystem import rclass
from rpython.lltypesystem.interp.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.primitives import (
    Bool,
    Char,
    Float,
    Int8,
    Int16,
    Int32,
    LowLevelType,
    Signed,
    SingleFloat,
    UInt8,
    UInt16,
    UInt32,
    UniChar,
    Unsigned,
    Void,
)
from rpython.lltypesystem.program import Program
from rpython.lltypesystem.simulated.memory import _ptr
from rpython.lltypesystem.text import TextEnv
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.parser import parse_graphs

CLASS_NUMBERS: dict[type[BaseException], tuple[int, int]] = {
    BaseException: (0, 20),
    Exception: (1, 20),
    ArithmeticError: (2, 5),
    OverflowError: (3, 4),
    ZeroDivisionError: (4, 5),
    LookupError: (5, 8),
    IndexError: (6, 7),
    KeyError: (7, 8),
    ValueError: (8, 9),
    MemoryError: (9, 10),
    RecursionError: (10, 11),
}

CTYPES: dict[LowLevelType, Any] = {
    Signed: ctypes.c_long,
    Unsigned: ctypes.c_ulong,
    Int8: ctypes.c_int8,
    Int16: ctypes.c_int16,
    Int32: ctypes.c_int32,
    UInt8: ctypes.c_uint8,
    UInt16: ctypes.c_uint16,
    UInt32: ctypes.c_uint32,
    Float: ctypes.c_double,
    SingleFloat: ctypes.c_float,
    Bool: ctypes.c_bool,
    Char: ctypes.c_ubyte,
    UniChar: ctypes.c_uint32,
    Void: None,
}


class World:
    """The names a program's text can use: exception classes (``@vt.IndexError``,
    instances ``@an.IndexError``) and what the test adds with ``add``."""

    def __init__(self) -> None:
        self.env = TextEnv()
        self.env.types["object"] = rclass.OBJECT
        self.env.types["object_vtable"] = rclass.OBJECT_VTABLE
        self.instances: dict[type[BaseException], _ptr] = {}
        for cls, (low, high) in CLASS_NUMBERS.items():
            vtable = rclass.make_vtable(rclass.OBJECT_VTABLE, cls.__name__, low, high)
            instance = rclass.make_instance(rclass.OBJECT, vtable)
            self.instances[cls] = instance
            self.env.add_symbol(f"vt.{cls.__name__}", vtable)
            self.env.add_symbol(f"an.{cls.__name__}", instance)

    def add(self, name: str, p: _ptr) -> None:
        self.env.add_symbol(name, p)

    def program(self, text: str, filename: str = "<text>", entry: str = "") -> Program:
        """The program with all graphs of the text exported, the last one the entry."""
        graphs = parse_graphs(textwrap.dedent(text), self.env, filename)
        for graph in graphs:
            for _, op in graph.iterblockops():
                op.span = dataclasses.replace(op.span, function=graph.name)
        exports = {graph.name: graph for graph in graphs if graph.name != entry}
        raised = {
            cls: self.instances[cls] for cls in (OverflowError, MemoryError, RecursionError)
        }
        return Program(graphs[-1], exports, raised)


class Native:
    """A program as a loaded shared library."""

    def __init__(self, program: Program, result: BuildResult) -> None:
        self.program = program
        self.result = result
        self.library = ctypes.CDLL(str(result.path))
        self.library.rpy_take_exception.restype = ctypes.c_void_p
        self.library.rpy_get_exception_name.restype = ctypes.c_char_p
        self.library.rpy_get_exception_name.argtypes = [ctypes.c_void_p]

    def call(self, name: str, *args: Any) -> Any:
        """Call an export on low-level values; an exception that leaves it is returned as
        its class name in brackets."""
        graph = self.program.exports[name]
        function = getattr(self.library, name)
        params = [v.concretetype for v in graph.getargs()]
        function.argtypes = [_ctype(T) for T in params if T is not Void]
        result_type = graph.getreturnvar().concretetype
        function.restype = _ctype(result_type)
        values = [to_c(arg, T) for arg, T in zip(args, params, strict=True) if T is not Void]
        result = function(*values)
        exc = self.library.rpy_take_exception()
        if exc:
            return f"<{self.library.rpy_get_exception_name(exc).decode()}>"
        return from_c(result, result_type)

    def traceback(self) -> list[tuple[int, str]]:
        """Line and function of each entry, innermost first."""
        file, function = ctypes.c_char_p(), ctypes.c_char_p()
        line = ctypes.c_int()
        entries = []
        for i in range(self.library.rpy_get_traceback_size()):
            if self.library.rpy_get_traceback_entry(
                i, ctypes.byref(file), ctypes.byref(line), ctypes.byref(function)
            ):
                assert function.value is not None
                entries.append((line.value, function.value.decode()))
        return entries


def _ctype(T: LowLevelType) -> Any:
    return ctypes.c_void_p if isinstance(T, Ptr) else CTYPES[T]


def to_c(value: Any, T: LowLevelType) -> Any:
    return ord(value) if T in (Char, UniChar) else value


def from_c(value: Any, T: LowLevelType) -> Any:
    return chr(value) if T in (Char, UniChar) else value


def native(program: Program, tmp_path: Path, **options: Any) -> Native:
    """Build the program below ``tmp_path`` and load it."""
    return Native(program, build_shared(program, None, test_options(tmp_path, **options)))


def test_options(tmp_path: Path, **options: Any) -> BuildOptions:
    """Options that leave everything below ``tmp_path``, -O1 to save time."""
    given: dict[str, Any] = {
        "directory": tmp_path / "c",
        "optimise": "-O1",
        **options,
    }
    return BuildOptions(**given)


test_options.__test__ = False  # type: ignore[attr-defined]


def interpret(program: Program, name: str, *args: Any) -> Any:
    """The same call in the LLInterpreter, exceptions as ``Native.call`` gives them."""
    try:
        return LLInterpreter(program).eval_graph(program.exports[name], args)
    except LLException as e:
        return f"<{e.class_name}>"


def run_both(program: Program, tmp_path: Path, calls: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The results of calls (name, *args), the same natively and interpreted."""
    lib = native(program, tmp_path)
    results = []
    for name, *args in calls:
        result = lib.call(name, *args)
        assert result == interpret(program, name, *args), (name, args)
        results.append(result)
    return results
