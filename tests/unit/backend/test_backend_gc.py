"""What the generated code tells the collector: roots, barriers, layouts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rpython.backend_c.build import build_executable
from rpython.backend_c.gctables import item_offsets, pointer_paths
from rpython.backend_c.types import TypeTable
from rpython.lltypesystem.lltype import (
    Array,
    FixedSizeArray,
    GcArray,
    GcStruct,
    Ptr,
    Signed,
    Struct,
)
from tests.support.lowlevel import World, test_options

INTERIOR = """
    gcstruct text { hash: Signed, chars: Array(Char) }
    graph fill(chars: *Array(Char), n: Signed) -> Signed {
    b0(chars, n):
        a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
        setarrayitem(chars, 0, 'x')
        size = getarraysize(a)
        return size
    }
    graph rpy_entry_point() -> Signed {
    b0():
        t: *text = malloc_varsize(type text, {'flavor': 'gc'}, 100)
        chars: *Array(Char) = getsubstruct(t, "chars")
        goto b1(0, chars)
    b1(i: Signed, cs: *Array(Char)):
        more = int_lt(i, 50)
        if more goto b2() else b3()
    b2():
        s: Signed = direct_call(@fill, cs, 1000)
        setarrayitem(cs, 1, 'y')
        j = int_add(i, 1)
        goto b1(j, cs)
    b3():
        c: Char = getarrayitem(cs, 0)
        d: Char = getinteriorfield(t, "chars", 1)
        k = cast_char_to_int(c)
        m = cast_char_to_int(d)
        r = int_add(k, m)
        return r
    }
"""


@pytest.mark.parametrize("debug", ["0", "1", "2"])
def test_pointers_into_objects_move_with_them(tmp_path: Path, debug: str) -> None:
    program = World().program(INTERIOR)
    options = test_options(tmp_path, gc="generational")
    path = build_executable(program, tmp_path / "prog", options).path
    environment = {**os.environ, "RPYTHON_GC_DEBUG": debug, "RPYTHON_GC_NURSERY": "32k"}
    done = subprocess.run([path], env=environment, check=False)
    assert done.returncode == ord("x") + ord("y")


def test_layouts() -> None:
    T = GcArray(Signed)
    inner = Struct("inner", ("n", Signed), ("p", Ptr(T)))
    base = GcStruct("base", ("first", Ptr(T)), ("n", Signed))
    derived = GcStruct(
        "derived", ("super", base), ("two", FixedSizeArray(inner, 2)), ("tail", Array(inner))
    )
    assert list(pointer_paths(derived)) == ["f_super.f_first", "f_two[0].f_p", "f_two[1].f_p"]
    types = TypeTable()
    assert item_offsets(types, inner) == ["__builtin_offsetof(s_inner, f_p)"]
    assert item_offsets(types, Ptr(T)) == ["0"]
    assert item_offsets(types, Signed) == []
