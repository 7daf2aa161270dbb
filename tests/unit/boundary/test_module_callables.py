"""Callables of Python in extension modules: exceptions that go through native code, output in
order, threads that are in calls of Python at once, and objects that native code keeps."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import threading
import traceback
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from test_extension import build_native, load_native, load_source

from rpython.translator.extension.program import translate_module
from rpython.translator.ir.errors import TranslationError

SOURCE = """
import gc
from collections.abc import Callable

class Refused(Exception):
    pass

def call(f: Callable[[int], int], n: int) -> int:
    return f(n)

def refuse(f: Callable[[int], int]) -> int:
    try:
        return f(1)
    except ValueError as e:
        raise Refused("no") from e

def handle(f: Callable[[int], int]) -> int:
    try:
        return 1 // (f(0) - f(0))
    except ZeroDivisionError:
        return f(1)

def collect(n: int, f: Callable[[int], str]) -> list[str]:
    kept = [f(i) + str(i) for i in range(n)]
    return [text for text in kept if text]

class Holder:
    def __init__(self, f: Callable[[int], int]) -> None:
        self.f = f

def printing(f: Callable[[int], None]) -> None:
    for i in range(3):
        print("native", i)
        f(i)
    print("end", end="")

def clean() -> None:
    gc.collect()
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> list[ModuleType]:
    """As Python and native."""
    path = tmp_path_factory.mktemp("callables") / "back.py"
    path.write_text(SOURCE)
    return [load_source(path, "back"), load_native(build_native(path, path.parent), "back")]


@pytest.fixture
def native(modules: list[ModuleType]) -> ModuleType:
    return modules[1]


def raiser(error: BaseException) -> Any:
    def fail(n: int) -> int:
        raise error

    return fail


def test_the_same_exception_comes_out(modules: list[ModuleType]) -> None:
    for module in modules:
        error = LookupError("x", 3)
        with pytest.raises(LookupError) as info:
            module.call(raiser(error), 1)
        assert info.value is error
        names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        assert names == ["test_the_same_exception_comes_out", "call", "fail"]


def test_causes_and_contexts(modules: list[ModuleType]) -> None:
    for module in modules:
        error = ValueError("x")
        with pytest.raises(module.Refused) as info:
            module.refuse(raiser(error))
        assert info.value.__cause__ is error and info.value.__context__ is error
        with pytest.raises(RuntimeError) as other:
            module.handle(lambda n: n and raiser(RuntimeError("second"))(n))
        assert isinstance(other.value.__context__, ZeroDivisionError)


def test_one_exception_that_is_raised_twice(modules: list[ModuleType]) -> None:
    for module in modules:
        error = ZeroDivisionError("again")
        with pytest.raises(ZeroDivisionError) as info:
            module.handle(raiser(error))
        assert info.value is error and error.__context__ is None


def test_output_in_order(modules: list[ModuleType]) -> None:
    printed = []
    for module in modules:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            module.printing(lambda i: print("python", i))
        printed.append(out.getvalue())
    assert printed[0] == printed[1]


def test_output_of_the_process_in_order(modules: list[ModuleType]) -> None:
    program = "import back; back.printing(lambda i: print('python', i))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(str(modules[1].__file__)).parent,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split("\n")[1:4] == ["python 0", "native 1", "python 1"]


def test_exceptions_that_end_programs(modules: list[ModuleType]) -> None:
    for module in modules:
        for cls in (KeyboardInterrupt, SystemExit, GeneratorExit):
            with pytest.raises(cls):
                module.call(raiser(cls()), 1)


def test_calls_of_several_threads_end_in_any_order(native: ModuleType) -> None:
    results: dict[int, list[str]] = {}
    turns = [threading.Event() for _ in range(4)]

    def work(number: int) -> None:
        def text(i: int) -> str:
            if i == 50:  # in the middle of all others
                turns[number].set()
                turns[(number + 1) % len(turns)].wait(10)
            with contextlib.suppress(ZeroDivisionError):
                native.call(lambda n: n // (i % 3), i)
            return "x" * (i % 40) + str(native.collect(2, str))

        results[number] = native.collect(100, text)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(turns))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = ["x" * (i % 40) + "['00', '11']" + str(i) for i in range(100)]
    assert results == dict.fromkeys(range(len(turns)), expected)


def test_objects_are_kept_as_long_as_native_code_has_them(native: ModuleType) -> None:
    class Call:
        def __call__(self, n: int) -> int:
            return n + 1

    call = Call()
    seen = weakref.ref(call)
    holder = native.Holder(call)
    del call
    assert holder.f(1) == 2 and seen() is not None
    holder.f = abs
    native.clean()
    native.collect(0, str)  # what native code does not need any more is released behind a call
    assert seen() is None


def test_references_do_not_leak(native: ModuleType) -> None:
    def call(n: int) -> int:
        return n

    before = sys.getrefcount(call)
    for _ in range(100):
        native.call(call, 1000)
        native.handle(lambda n: n)
        with contextlib.suppress(TypeError):
            native.collect(3, call)
    assert sys.getrefcount(call) == before


def test_without_the_lock_python_is_not_called(tmp_path: Path) -> None:
    path = tmp_path / "calls.py"
    path.write_text(
        "import rpython\nfrom collections.abc import Callable\n@rpython.nogil\n"
        "def f(g: Callable[[int], int]) -> int: return g(1)\n"
    )
    module = load_source(path, "calls")
    with pytest.raises(TranslationError, match="is marked with nogil, and calls Python"):
        translate_module(module)
