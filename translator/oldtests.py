"""What tests that were written for the original RPython call, with its parameters:

    rpython.rtyper.test.test_llinterp               interpret, interpret_raises, gengraph
    rpython.rtyper.test.tool                        BaseRtypingTest
    rpython.translator.c.test.test_genc             compile
    rpython.translator.c.test.test_standalone       StandaloneTests

RPython's LLInterpreter takes and gives low-level values, ours those of Python: conversions between
them leave them as they are.  Parameters about what is shown meanwhile mean nothing.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from rpython.backend_c.build import build_executable
from rpython.lltypesystem.lltype import cast_pointer
from rpython.lltypesystem.rstr import read_str
from rpython.rtyper.boundary.hostvalues import low_field
from rpython.rtyper.ll.ll_class import CLASS_VTABLE_PTR
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator import api
from rpython.translator.driver import Translation
from rpython.translator.executable import executable_translation
from rpython.translator.interactive import TranslationContext, graphof
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.nativecall import compile as compile_native


def gengraph(
    func: Callable[..., Any], argtypes: Sequence[Any] = (), viewbefore: object = None,
    policy: object = None, backendopt: bool = False, config: object = None, **settings: object,
) -> tuple[TranslationContext, RPythonTyper, FunctionGraph]:  # fmt: skip
    """The low-level graph of a function for arguments of these types, with what has made it.
    Raises TranslationError when it is refused."""
    context = TranslationContext()
    context.buildannotator().build_types(func, list(argtypes))
    rtyper = context.buildrtyper()
    rtyper.specialize()
    return context, rtyper, graphof(context, func)


def interpret(
    func: Callable[..., Any], values: Sequence[Any], view: object = None,
    viewbefore: object = None, policy: object = None, backendopt: bool = False,
    config: object = None, malloc_check: bool = True, **settings: object,
) -> Any:  # fmt: skip
    """``rpython.interpret(func, values)``."""
    return api.interpret(func, values)


def interpret_raises(
    exc: type[BaseException], func: Callable[..., Any], values: Sequence[Any], **settings: object
) -> None:
    """``interpret``, which has to raise ``exc``."""
    api.interpret_raises(exc, func, values)


class BaseRtypingTest:
    """A base class of tests."""

    FLOAT_PRECISION = 8

    gengraph = staticmethod(gengraph)
    interpret = staticmethod(interpret)
    interpret_raises = staticmethod(interpret_raises)

    def float_eq(self, x: float, y: float) -> bool:
        return x == y

    def float_eq_approx(self, x: float, y: float) -> bool:
        return abs(x - y) / y < 0.1**self.FLOAT_PRECISION

    def is_of_type(self, x: Any, type_: type) -> bool:
        return type(x) is type_

    def string_to_ll(self, s: str) -> str:
        return s

    def unicode_to_ll(self, s: str) -> str:
        return s

    def ll_to_string(self, s: str | None) -> str | None:
        return s

    def ll_to_unicode(self, s: str | None) -> str | None:
        return s

    def ll_to_list(self, items: list[Any]) -> list[Any]:
        return list(items)

    def ll_unpack_tuple(self, t: tuple[Any, ...], length: int) -> tuple[Any, ...]:
        assert len(t) == length
        return t

    def class_name(self, value: Any) -> str:
        """Of the class of an instance."""
        while hasattr(value, "super"):
            value = value.super
        return read_str(cast_pointer(CLASS_VTABLE_PTR, value.typeptr).pyname)

    def read_attr(self, value: Any, attr_name: str) -> Any:
        """The low-level value of an attribute of an instance."""
        while not hasattr(value, f"inst_{attr_name}"):
            value = value.super
        return low_field(value, f"inst_{attr_name}")

    def _skip_llinterpreter(self, reason: str) -> None:
        raise unittest.SkipTest(f"LLInterpreter: {reason}")


def compile(
    fn: Callable[..., Any], argtypes: Sequence[Any], view: bool = False, gcpolicy: str = "none",
    backendopt: bool = True, annotatorpolicy: object = None, thread: bool = False,
    **settings: object,
) -> Callable[..., Any]:  # fmt: skip
    """``rpython.compile(fn, argtypes)``; calls may say ``expected_exception_name="ValueError"``.
    Raises TranslationError."""
    native = compile_native(fn, argtypes)

    def call(
        *args: Any, expected_extra_mallocs: object = 0, expected_exception_name: str | None = None
    ) -> Any:
        if expected_exception_name is None:
            return native(*args)
        try:
            result = native(*args)
        except Exception as error:
            if type(error).__name__ == expected_exception_name:
                return None
            raise
        raise AssertionError(f"did not raise {expected_exception_name}, returned {result!r}")

    return call


class Standalone:
    """An executable: what RPython's tests call the builder of one."""

    def __init__(self, path: Path) -> None:
        self.executable_name = path

    def cmdexec(
        self, args: str = "", env: Mapping[str, str] | None = None, err: bool = False,
        expect_crash: bool = False, exe: str | None = None,
    ) -> Any:  # fmt: skip
        """What the program writes on standard output, for a command line as a shell reads it;
        with ``err``, that and what it writes on standard error.  Raises AssertionError unless it
        ends with status 0, or, with ``expect_crash``, with another."""
        command = f"{exe or self.executable_name} {args}"
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, check=False,
            env={**os.environ, **(env or {})},
        )  # fmt: skip
        if (done.returncode != 0) != expect_crash:
            raise AssertionError(f"status {done.returncode}: {command}\n{done.stderr}")
        return (done.stdout, done.stderr) if err or expect_crash else done.stdout


class StandaloneTests:
    """A base class of tests of programs."""

    def compile(
        self, entry_point: FunctionType, **settings: object
    ) -> tuple[Translation, Standalone]:
        """Build the executable of ``entry_point(argv)``; what has made it comes first.  Raises
        TranslationError."""
        out = Path(tempfile.mkdtemp(prefix="rpython-")) / f"{entry_point.__name__}-c"
        translation = executable_translation(entry_point)
        return translation, Standalone(build_executable(translation.optimise(), out).path)
