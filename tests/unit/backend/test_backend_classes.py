"""Where an instance finds its class: in its header, if the type of structs has one class only."""

import subprocess
from pathlib import Path

import pytest

from rpython.backend_c.build import build_executable
from rpython.backend_c.classes import class_by_type
from rpython.backend_c.collect import Contents
from rpython.backend_c.gc import COLLECTORS
from rpython.lltypesystem import rclass
from rpython.lltypesystem.lltype import Signed, cast_pointer
from rpython.lltypesystem.program import Program
from rpython.translator.lower.runner import lower
from tests.support.lowlevel import World, test_options

POINT = rclass.make_instance_type("point", rclass.OBJECT, ("x", Signed))

TWO_POINTS = """
    graph make(n: Signed) -> *point {
    b0(n):
        p: *point = malloc(type point, {'flavor': 'gc'})
        o: *object = cast_pointer(p)
        goto b1(o)
    b1(q: *object):
        setfield(q, "typeptr", @vt.First)
        r: *point = cast_pointer(q)
        setfield(r, "x", n)
        return r
    }
    graph rpy_entry_point() -> Signed {
    b0():
        p: *point = direct_call(@make, 3)
        o: *object = cast_pointer(p)
        c: *object_vtable = getfield(o, "typeptr")
        n: Signed = getfield(c, "subclassrange_min")
        d: *object = cast_pointer(@prebuilt)
        e: *object_vtable = getfield(d, "typeptr")
        m: Signed = getfield(e, "subclassrange_min")
        r = int_add(n, m)
        return r
    }
"""


def two_points(second: str) -> Program:
    """A new point of class First, and a prebuilt one of class ``second``."""
    world = World()
    vtables = {
        name: rclass.make_vtable(rclass.OBJECT_VTABLE, name, number, number + 1)
        for number, name in enumerate(("First", "Second"), 10)
    }
    world.env.types["point"] = POINT
    world.add("vt.First", vtables["First"])
    world.add("prebuilt", rclass.make_instance(POINT, vtables[second]))
    program = world.program(TWO_POINTS)
    exceptions = {}  # those of the world have one type
    for cls, p in program.exceptions.items():
        T = rclass.make_instance_type(cls.__name__, rclass.OBJECT)
        exceptions[cls] = cast_pointer(rclass.OBJECTPTR, rclass.make_instance(T, p.typeptr))
    return Program(program.entry, program.exports, exceptions)


@pytest.mark.parametrize("gc", ["generational", "refcount"])
@pytest.mark.parametrize(("second", "known"), [("First", True), ("Second", False)])
def test_the_class_is_in_the_header_if_there_is_only_one(
    tmp_path: Path, second: str, known: bool, gc: str
) -> None:
    program = two_points(second)
    found = class_by_type(Contents(lower(program, COLLECTORS[gc].passes)))
    assert (found is not None) == known
    assert not known or POINT in found
    options = test_options(tmp_path, gc=gc)
    path = build_executable(program, tmp_path / "points", options).path
    expected = 10 + (10 if second == "First" else 11)
    assert subprocess.run([path], check=False).returncode == expected
