"""Counts of references in native code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rpython.backend_c.build import build_executable
from tests.support.lowlevel import World, test_options

LIST = """
    gcstruct node { value: Signed, next: *node }
    graph make(n: Signed) -> *node {
    b0(n):
        goto b1(0, null(*node))
    b1(i: Signed, head: *node):
        more = int_lt(i, n)
        if more goto b2() else b3()
    b2():
        p: *node = malloc(type node, {'flavor': 'gc'})
        setfield(p, "value", i)
        setfield(p, "next", head)
        j = int_add(i, 1)
        goto b1(j, p)
    b3():
        return head
    }
    graph rpy_entry_point() -> Signed {
    b0():
        goto b1(0)
    b1(i: Signed):
        p: *node = direct_call(@make, 100000)
        a: *GcArray(*node) = malloc_varsize(type GcArray(*node), {'flavor': 'gc'}, 50000)
        setarrayitem(a, 0, p)
        setarrayitem(a, 1, p)
        q: *node = getfield(p, "next")
        copy_array_items(a, a, 0, 1, 49999)
        copy_array_items(a, a, 1, 0, 49999)
        setarrayitem(a, 49999, q)
        setfield(p, "next", null(*node))
        r: *node = getarrayitem(a, 49999)
        n: Signed = getfield(r, "value")
        j = int_add(i, 1)
        more = int_lt(j, 20)
        if more goto b1(j) else b2()
    b2():
        ok = int_eq(n, 99998)
        status = cast_bool_to_int(ok)
        return status
    }
"""


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("refcount")
    program = World().program(LIST)
    return build_executable(
        program, directory / "prog", test_options(directory, gc="refcount")
    ).path


@pytest.mark.parametrize(
    ("environment", "status"),
    [
        ({}, 1),
        ({"RPYTHON_GC_MAX": "12M"}, 1),
        ({"RPYTHON_GC_DEBUG": "1"}, 1),
        ({"RPYTHON_GC_DEBUG": "2"}, 1),
    ],
)
def test_long_lists_are_freed(native: Path, environment: dict[str, str], status: int) -> None:
    """Without recursion, in steps, and all of them: twenty times four megabytes."""
    done = subprocess.run(
        [native], env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.parametrize("clock", ["1", "2"])
def test_statistics(native: Path, clock: str) -> None:
    done = subprocess.run(
        [native], env={**os.environ, "RPYTHON_GC_STATS": clock}, capture_output=True, check=False
    )
    assert done.stderr.startswith(b"gc: 0 bytes in use, ")
    assert b"longest" in done.stderr
