"""What the generated code tells the collector: roots, barriers, layouts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from lowlevel import World, test_options

from rpython.backend_c.build import build_executable
from rpython.backend_c.functions import LineDirectives
from rpython.backend_c.gc import COLLECTORS
from rpython.backend_c.gctables import item_offsets, pointer_paths
from rpython.backend_c.interface import shared_interface
from rpython.backend_c.modules import SourceWriter
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
from rpython.translator.ir.errors import BuildError
from rpython.translator.lower.runner import lower


def c_text(text: str, name: str) -> list[str]:
    """The lines of the C function of the graph ``name``, without labels and directives."""
    program = World().program(text)
    collector = COLLECTORS["generational"]
    lowered = lower(program, collector.passes)
    writer = SourceWriter(lowered, shared_interface, 1, LineDirectives.NONE, collector)
    graph = next(g for g in program.exports.values() if g.name == name)
    return [line.strip() for line in writer.function_text(graph).splitlines()]


PAIRS = """
    gcstruct pair { a: *GcArray(Signed), b: *GcArray(Signed) }
    graph make(a: *GcArray(Signed), b: *GcArray(Signed)) -> *pair {
    b0(a, b):
        p: *pair = malloc(type pair, {'flavor': 'gc'})
        setfield(p, "a", a)
        setfield(p, "b", b)
        return p
    }
    graph two(n: Signed) -> Signed {
    b0(n):
        a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
        b: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
        p: *pair = direct_call(@make, a, b)
        c: *GcArray(Signed) = getfield(p, "b")
        m = getarraysize(c)
        k = getarraysize(a)
        r = int_add(m, k)
        return r
    }
    graph late(p: *pair, n: Signed) -> Void {
    b0(p, n):
        a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
        setfield(p, "a", a)
        return void
    }
    graph leaf(p: *pair) -> Signed {
    b0(p):
        a: *GcArray(Signed) = getfield(p, "a")
        r = getarraysize(a)
        return r
    }
"""


def test_only_what_is_used_after_a_call_is_a_root() -> None:
    lines = c_text(PAIRS, "two")
    call = next(i for i, line in enumerate(lines) if line.startswith("p = make("))
    assert lines[call - 2 : call + 2] == [
        "rpy_frame[0] = a;", "rpy_gc_roots = rpy_frame + 1;", "p = make(a, b);",
        "a = (gcarray_Signed *)rpy_frame[0];",
    ]  # fmt: skip


def test_functions_that_cannot_collect_have_no_frame() -> None:
    assert not any("rpy_frame" in line for line in c_text(PAIRS, "leaf"))


def test_barriers_are_for_objects_that_may_be_old() -> None:
    assert not any("RPY_GC_WRITE" in line for line in c_text(PAIRS, "make"))
    assert "RPY_GC_WRITE(p, a); p->f_a = a;" in c_text(PAIRS, "late")


def test_roots_are_kept_only_where_an_allocation_collects() -> None:
    lines = c_text(PAIRS, "late")
    (allocation,) = [line for line in lines if line.startswith("a = RPY_MALLOC_VARSIZE(")]
    fast, slow = allocation.split(" if (RPY_UNLIKELY(a == NULL)) ")
    assert "rpy_frame" not in fast
    assert slow.startswith("{ rpy_frame[0] = p; rpy_gc_roots = rpy_frame + 1; a = RPY_MALLOC_")
    assert slow.endswith("p = (s_pair *)rpy_frame[0]; rpy_gc_roots = rpy_frame; }")


def test_an_object_in_raw_memory_is_refused() -> None:
    text = """
        struct raw { p: *GcArray(Signed) }
        graph f(a: *GcArray(Signed)) -> Void {
        b0(a):
            r: *raw = malloc(type raw, {'flavor': 'raw'})
            setfield(r, "p", a)
            return void
        }
    """
    with pytest.raises(BuildError, match="stored in raw memory"):
        c_text(text, "f")


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
