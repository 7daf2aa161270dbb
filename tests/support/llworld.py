"""Low-level graphs from text, with exception classes that are numbered by hand."""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem import rclass
from rpython.lltypesystem.checker import check_graph
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.parser import parse_graphs
from rpython.translator.ir.verifier import verify


class World:
    """Exception classes and one instance of each, numbered by hand."""

    NUMBERS = {
        "Exception": (1, 20), "ArithmeticError": (2, 5), "OverflowError": (3, 4),
        "ZeroDivisionError": (4, 5), "LookupError": (6, 9), "KeyError": (7, 8),
        "MemoryError": (10, 11), "RecursionError": (11, 12),
    }  # fmt: skip

    def __init__(self) -> None:
        self.vtables: dict[str, Any] = {}
        self.instances: dict[str, Any] = {}
        for name, (low, high) in self.NUMBERS.items():
            vtable = rclass.make_vtable(rclass.OBJECT_VTABLE, name, low, high)
            instance = rclass.make_instance(rclass.OBJECT, vtable)
            self.vtables[name], self.instances[name] = vtable, instance

    @property
    def exceptions(self) -> dict[type[BaseException], Any]:
        classes = (OverflowError, MemoryError, RecursionError)
        return {cls: self.instances[cls.__name__] for cls in classes}

    def parse(self, text: str, **symbols: Any) -> dict[str, FunctionGraph]:
        env = TextEnv()
        for name in self.NUMBERS:
            env.add_symbol(f"vt_{name}", self.vtables[name])
            env.add_symbol(f"exc_{name}", self.instances[name])
        for name, p in symbols.items():
            env.add_symbol(name, p)
        env.types.update(object_vtable=rclass.OBJECT_VTABLE, object=rclass.OBJECT)
        graphs = parse_graphs(text, env)
        for graph in graphs:
            verify(graph, "test")
            check_graph(graph, "test")
        return {graph.name: graph for graph in graphs}


COLLATZ = """
graph collatz(n: Signed) -> Signed {
b0(n):
    goto b1(n, 0)
b1(x: Signed, steps: Signed):
    done = int_eq(x, 1)
    if done goto b6() else b2()
b2():
    odd = int_and(x, 1)
    isodd = int_is_true(odd)
    if isodd goto b3() else b4()
b3():
    t = int_mul(x, 3)
    u = int_add(t, 1)
    goto b5(u)
b4():
    h = int_rshift(x, 1)
    goto b5(h)
b5(y: Signed):
    next = int_add(steps, 1)
    goto b1(y, next)
b6():
    return steps
}
"""
