"""Every row of the low-level operation table means the same in ``eval`` and in C, and
its ``py`` text is equal to ``eval``."""

from __future__ import annotations

import itertools
import pathlib
import random
import shlex
import subprocess
from collections.abc import Callable
from typing import Any

import cffi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oplaws import Instance, edges, pack, primitive_instances, same, size, unpack, values

from rpython.lltypesystem.operations.integers import PY_NAMES
from rpython.lltypesystem.operations.llop import UndefinedOperation

RUNTIME = pathlib.Path(__file__).parents[2] / "backend_c" / "runtime"
INSTANCES = primitive_instances()
MAX_EDGE_CASES = 600


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Instance, Any], Any]:
    """Evaluates a row in C: the result, or the OverflowError class when it raises."""
    folder = tmp_path_factory.mktemp("oplaws")
    source = folder / "laws.c"
    functions = "\n".join(instance.c_function() for instance in INSTANCES)
    source.write_text(f'#include "rpy_base.h"\n#include "rpy_ops.h"\n{functions}\n')
    library = folder / "laws.so"
    command = f"cc -O2 -Wall -Werror -shared -fPIC -I {shlex.quote(str(RUNTIME))}"
    subprocess.run([*shlex.split(command), "-o", str(library), str(source)], check=True)
    ffi = cffi.FFI()
    for instance in INSTANCES:
        ffi.cdef(f"int law_{instance.name}(const char *, char *);")
    lib = ffi.dlopen(str(library))
    buffer = ffi.new("char[16]")

    def run(instance: Instance, operands: Any) -> Any:
        data = b"".join(pack(T, v) for T, v in zip(instance.args, operands, strict=True))
        if getattr(lib, f"law_{instance.name}")(data, buffer):
            return OverflowError
        return unpack(instance.result, ffi.buffer(buffer, size(instance.result))[:])

    return run


def outcome(instance: Instance, operands: Any) -> Any:
    try:
        return instance.eval(operands)
    except OverflowError:
        assert OverflowError in instance.row.raises
        return OverflowError


def edge_operands(instance: Instance) -> list[tuple[Any, ...]]:
    combinations = list(itertools.product(*(edges(T) for T in instance.args)))
    if len(combinations) > MAX_EDGE_CASES:
        combinations = random.Random(0).sample(combinations, MAX_EDGE_CASES)
    return [operands for operands in combinations if instance.in_domain(operands)]


def py_function(instance: Instance) -> Any:
    """The ``py`` text as a Python function, or None."""
    if instance.row.py is None:
        return None
    names = [f"a{i}" for i in range(len(instance.args))]
    text = instance.row.py.format(*names, r="r")
    return eval(f"lambda {', '.join(names)}: ({text})", dict(PY_NAMES))


def check(instance: Instance, operands: Any, compiled: Any, python: Any) -> None:
    expected = outcome(instance, operands)
    in_c = compiled(instance, operands)
    assert same(expected, in_c), f"{operands}: eval gives {expected!r}, C {in_c!r}"
    if python is not None:
        try:
            in_python = python(*operands)
        except OverflowError:
            in_python = OverflowError
        assert same(expected, in_python), f"{operands}: eval {expected!r}, py {in_python!r}"


@pytest.mark.parametrize("instance", INSTANCES, ids=repr)
def test_edge_operands(instance: Instance, compiled: Any) -> None:
    python = py_function(instance)
    for operands in edge_operands(instance):
        check(instance, operands, compiled, python)


@pytest.mark.parametrize("instance", [i for i in INSTANCES if i.row.name != "same_as"], ids=repr)
def test_any_operands(instance: Instance, compiled: Any) -> None:
    python = py_function(instance)
    operands_of = st.tuples(*(values(T) for T in instance.args)).filter(instance.in_domain)

    @given(operands_of)
    def run(operands: Any) -> None:
        check(instance, operands, compiled, python)

    run()


RAISING = sorted({i.row.name for i in INSTANCES if i.row.can_raise})


@pytest.mark.parametrize("name", RAISING)
def test_c_raises_sometimes(name: str, compiled: Any) -> None:
    """A row that declares an exception raises it for some operands and not for others."""
    outcomes = {
        compiled(instance, operands) is OverflowError
        for instance in INSTANCES if instance.row.name == name
        for operands in edge_operands(instance)
    }  # fmt: skip
    assert outcomes == {False, True}


def test_c_gives_the_same_twice(compiled: Any) -> None:
    """No row on primitives reads anything but its operands, whatever was computed before."""
    first: dict[Any, Any] = {}
    for instances in (INSTANCES, INSTANCES[::-1]):
        for instance in instances:
            assert not instance.row.varies and not instance.row.effects.reads
            for at, operands in enumerate(edge_operands(instance)[::5]):
                result = compiled(instance, operands)
                assert same(first.setdefault((instance.name, at), result), result)


@pytest.mark.parametrize("instance", [i for i in INSTANCES if i.row.domain], ids=repr)
def test_undefined_operands_are_refused(instance: Instance) -> None:
    combinations = itertools.islice(itertools.product(*(edges(T) for T in instance.args)), 500)
    for operands in combinations:
        if not instance.in_domain(operands):
            with pytest.raises(UndefinedOperation):
                instance.eval(operands)
