"""Tables of functions that are loaded to be called: each place of one can be called."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from rpython.backend_c.build import build_executable
from rpython.lltypesystem.lltype import Array, FuncType, Ptr, Signed, malloc
from rpython.translator.ir.model import Constant
from rpython.translator.nativecall import exported
from rpython.translator.opt.callgraph import call_graph
from tests.support.lowlevel import World, test_options

CALLS = """
    graph one() -> Signed {
    b0():
        return 1
    }
    graph call() -> Signed {
    b0():
        f: *Func( -> Signed) = getarrayitem(@table, PLACE)
        n: Signed = indirect_call(f, [@one])
        return n
    }
"""


def test_a_call_through_an_empty_place_stops_the_program(tmp_path: Path) -> None:
    world = World()
    T = FuncType([], Signed)
    table = malloc(Array(Ptr(T), hints={"immutable": True, "called": True}), 3, immortal=True)
    world.add("table", table)
    done = []
    for place in (1, 2):
        program = world.program(CALLS.replace("PLACE", str(place)))
        table[1] = world.env.symbols["one"]
        path = build_executable(program, tmp_path / f"place{place}", test_options(tmp_path)).path
        done.append(subprocess.run([path], check=False, stderr=subprocess.PIPE, text=True))
    there, missing = done
    assert there.returncode == 1
    assert missing.returncode == -signal.SIGABRT
    assert "a call of a method, or of a function, that the program does not have" in missing.stderr


class Shape:
    def area(self) -> int:
        return 0


class Square(Shape):
    def area(self) -> int:
        return 4


class Circle(Shape):
    def area(self) -> int:
        return 3


class Line(Shape):
    """One that nobody asks for the area."""

    def area(self) -> int:
        return 1


def areas(n: int) -> int:
    shapes = [Shape(), Square(), Circle()]
    return shapes[n].area() + (1 if isinstance(Line(), Square) else 0)


def test_a_table_of_methods_has_a_place_for_each_class() -> None:
    program = exported([(areas, [int])])[0].rtype()
    tables = {
        op.args[0].value
        for graph in call_graph(program).graphs
        for _, op in graph.iterblockops()
        if op.opname == "getarrayitem" and isinstance(op.args[0], Constant)
    }
    (table,) = (p for p in tables if isinstance(p._TYPE.TO.OF, Ptr))
    assert len(table._obj.items) == 4
