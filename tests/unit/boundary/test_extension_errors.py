"""Exceptions that leave an extension module say what they say as Python, or raise."""

from __future__ import annotations

import pickle
import subprocess
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from test_extension import OPTIONS, load_native, load_source

from rpython.backend_c.headers import extension_suffix
from rpython.backend_c.modulebuild import build_module
from rpython.translator.extension.program import translate_module

ERRORS = Path(__file__).parents[2] / "programs" / "extension" / "errors.py"


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    module = load_source(ERRORS, "errors")
    sys.modules["errors"] = module
    try:
        program, extension = translate_module(module)
    finally:
        del sys.modules["errors"]
    path = tmp_path_factory.mktemp("errors") / f"errors{extension_suffix()}"
    return load_native(build_module(program, extension, path, OPTIONS).path, "errors")


@pytest.fixture(scope="module")
def source() -> ModuleType:
    return load_source(ERRORS, "errors")


FACTS = (
    "errno", "strerror", "filename", "filename2", "code", "value", "object", "start", "end",
    "reason", "encoding", "msg", "name", "line", "where", "n", "free", "severity",
)  # fmt: skip


def raised(module: ModuleType, *args: int) -> tuple[Any, ...]:
    with pytest.raises(BaseException) as info:  # noqa: PT011
        module.fail(*args)
    error = info.value
    attributes = {name: getattr(error, name) for name in FACTS if hasattr(error, name)}
    return (
        type(error).__name__, str(error), repr(error), tuple(map(repr, error.args)),
        [c.__name__ for c in type(error).__mro__ if c.__module__ != "builtins"],
        {name: repr(value) for name, value in attributes.items()},
        traceback.format_exception_only(error)[-1],
    )  # fmt: skip


@pytest.mark.parametrize("n", range(45))
def test_same_exception(native: ModuleType, source: ModuleType, n: int) -> None:
    assert raised(native, n) == raised(source, n)
    if n in (2, 39, 42):
        assert raised(native, n, 5) == raised(source, n, 5)


@pytest.mark.parametrize("n", [*range(10), *range(11, 19), *range(22, 42), 44])
def test_same_within(native: ModuleType, source: ModuleType, n: int) -> None:
    assert native.within(n) == source.within(n)


def test_instances_cross(native: ModuleType) -> None:
    with pytest.raises(native.About) as info:
        native.about(0)
    assert info.value.node is native.node()
    with pytest.raises(AttributeError, match=r"^About.notes is list of str, which Python code"):
        _ = info.value.notes
    with pytest.raises(native.Error) as other:
        native.about(1)
    assert other.value.args == (native.node(), 1)


def test_what_does_not_cross(native: ModuleType) -> None:
    for n, place, what in ((2, 0, "list of str"), (3, 1, "instance of _Hidden")):
        with pytest.raises(native.Error) as info:
            native.about(n)
        value = info.value.args[place]
        for use in (str, repr, bool, hash, len, list, pickle.dumps, lambda x: x == x,
                    lambda x: x.a):  # fmt: skip
            with pytest.raises(TypeError, match=f"is {what}.*, which Python code cannot have"):
                use(value)
    assert info.value.args[0] == "x"


def test_containers_that_nobody_else_has_are_copied(
    native: ModuleType, source: ModuleType
) -> None:
    def run(module: ModuleType, n: int) -> tuple[Any, ...]:
        with pytest.raises((module.Error, module.Details)) as info:
            module.with_copies([1.5], n)
        return info.value.args, str(info.value), getattr(info.value, "found", None)

    assert run(native, 0) == run(source, 0)
    assert run(native, 1) == run(source, 1)
    xs = [1.5]
    with pytest.raises(native.Error) as info:
        native.with_copies(xs, 2)
    assert info.value.args[0] is xs
    assert xs == [1.5, 1.0]


@pytest.mark.parametrize("n", range(6))
def test_causes_and_contexts(native: ModuleType, source: ModuleType, n: int) -> None:
    def shown(error: BaseException | None) -> Any:
        if error is None:
            return None
        names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        return (
            repr(error), names[-1:], error.__suppress_context__, shown(error.__cause__),
            shown(error.__context__),
        )  # fmt: skip

    def run(module: ModuleType) -> Any:
        try:
            raise OSError("outer")
        except OSError:
            with pytest.raises(module.Error) as info:
                module.linked(n)
        return shown(info.value), traceback.format_exception(info.value)[-1]

    assert run(native) == run(source)


@pytest.mark.parametrize("n", range(3))
def test_an_exception_may_be_its_own_cause(
    native: ModuleType, source: ModuleType, n: int
) -> None:
    def run(module: ModuleType) -> tuple[Any, ...]:
        with pytest.raises(module.Error) as info:
            module.own_cause(n)
        error = info.value
        cause = error.__cause__
        return error.args, cause is error, repr(cause), error.__context__ is cause

    assert run(native) == run(source)


def test_what_cannot_be_unpickled_is_not_pickled(native: ModuleType) -> None:
    program = """
import concurrent.futures, multiprocessing, pickle
import errors
with concurrent.futures.ProcessPoolExecutor(1) as pool:
    print(repr(pool.submit(errors.private, 6).exception()))
    print(repr(pool.submit(errors.fail, 6, 3).exception()))
    print(repr(pool.submit(errors.linked, 3).exception()))
with multiprocessing.get_context("fork").Pool(1) as pool:
    for n in (6, 0):
        try:
            pool.apply(errors.private, (n,))
        except Exception as error:
            print(type(error).__name__)
"""
    assert native.__file__ is not None
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(native.__file__).parent, capture_output=True,
        text=True, check=True, timeout=60,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert "Private cannot be pickled or copied: that calls its __init__()" in lines[0]
    assert lines[1:4] == ["Worded(3)", "Error('alone')", "MaybeEncodingError"]


@pytest.mark.parametrize("how", range(4))
def test_a_stream_that_is_none(
    native: ModuleType, source: ModuleType, how: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(module: ModuleType) -> str | None:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", None)
            patch.setattr(sys, "stderr", None)
            try:
                module.say("text", how)
            except AttributeError as error:
                return str(error)
        return None

    assert run(native) == run(source)
    assert (run(source) is None) == (how == 0)


def test_what_only_native_code_can_do(native: ModuleType) -> None:
    with pytest.raises(native.Worded) as info:
        native.fail(6, 5)
    with pytest.raises(native.Private) as private:
        native.private(3)
    error, other = info.value, private.value
    for use, cls, message in (
        (lambda: other.twice(), TypeError, "Private.twice can be used by native code only"),
        (lambda: other.half, AttributeError, "Private.half can be used by native code only"),
        (lambda: setattr(error, "n", 6), AttributeError, "'n' cannot be assigned: the text of"),
        (lambda: native.Private(3), TypeError, "Private has an __init__() that only native code"),
        (lambda: setattr(native.Error, "severity", 4), TypeError, "cannot set 'severity'"),
    ):
        with pytest.raises(cls) as refused:
            use()
        assert message in str(refused.value)
    error.add_note("noted")
    assert (str(error), error.twice(), error.half, other.n) == ("worded 5", 10, 2, 3)
    assert (str(native.Worded(3)), str(native.Plain(3))) == ("worded 3", "plain")


def test_python_makes_and_extends_them(native: ModuleType, source: ModuleType) -> None:
    for module in (native, source):
        error = module.Error("a", 1)
        assert (error.args, str(error), error.severity) == (("a", 1), "('a', 1)", 3)
        mine = type("Mine", (module.Error,), {"extra": 1})
        mine.extra = 2
        with pytest.raises(module.Error) as info:
            raise mine("m") from error
        assert info.value.__cause__ is error


def test_python_ends_while_a_signal_waits_for_native_code(native: ModuleType) -> None:
    program = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run in the background
import errors
try:
    errors.open_nothing()
except FileNotFoundError:
    pass
try:
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass
except KeyboardInterrupt:
    print("caught")
"""
    assert native.__file__ is not None
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(native.__file__).parent, capture_output=True,
        text=True, check=True, timeout=20,
    )  # fmt: skip
    assert done.stdout == "caught\n"
