"""How fast the LLInterpreter is: low-level operations per second on four loops.

Run from the repository: ``python -m benchmarks.llinterp_speed [ITERATIONS]``.
"""

from __future__ import annotations

import sys
import time

from rpython.lltypesystem.interp.llinterp import LLInterpreter
from rpython.lltypesystem.text import TextEnv
from rpython.translator.ir.parser import parse_graphs

TEXT = """
gcstruct cell { value: Signed, next: *cell }

graph count(n: Signed) -> Signed {
b0(n):
    goto b1(0, 0)
b1(i: Signed, acc: Signed):
    t0 = int_lt(i, n)
    if t0 goto b2() else b3()
b2():
    a = int_add(acc, i)
    j = int_add(i, 1)
    goto b1(j, a)
b3():
    return acc
}

graph memory(n: Signed) -> Signed {
b0(n):
    p: *cell = malloc(type cell, {'flavor': 'gc'})
    items: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, 8)
    goto b1(0)
b1(i: Signed):
    t0 = int_lt(i, n)
    if t0 goto b2() else b3()
b2():
    v: Signed = getfield(p, "value")
    k = int_and(i, 7)
    w: Signed = getarrayitem(items, k)
    x = int_add(v, w)
    setarrayitem(items, k, i)
    setfield(p, "value", x)
    j = int_add(i, 1)
    goto b1(j)
b3():
    r: Signed = getfield(p, "value")
    return r
}

graph allocate(n: Signed) -> *cell {
b0(n):
    goto b1(0, null(*cell))
b1(i: Signed, head: *cell):
    t0 = int_lt(i, n)
    if t0 goto b2() else b3()
b2():
    p: *cell = malloc(type cell, {'flavor': 'gc'})
    setfield(p, "value", i)
    j = int_add(i, 1)
    goto b1(j, p)
b3():
    return head
}

gcstruct text { hash: Signed, chars: Array(Char) }

graph strings(n: Signed) -> Signed {
b0(n):
    goto b1(0, 0)
b1(i: Signed, acc: Signed):
    t0 = int_lt(i, n)
    if t0 goto b2() else b3()
b2():
    p: *text = malloc_varsize(type text, {'flavor': 'gc'}, 3)
    setinteriorfield(p, "chars", 1, 'x')
    c: Char = getinteriorfield(p, "chars", 1)
    k = cast_char_to_int(c)
    a = int_add(acc, k)
    j = int_add(i, 1)
    goto b1(j, a)
b3():
    return acc
}
"""

OPERATIONS = {"count": 3, "memory": 8, "allocate": 4, "strings": 7}
"""Operations per iteration."""


def main(iterations: int) -> None:
    interpreter = LLInterpreter({})
    for graph in parse_graphs(TEXT, TextEnv()):
        interpreter.eval_graph(graph, [10])
        start = time.perf_counter()
        interpreter.eval_graph(graph, [iterations])
        seconds = time.perf_counter() - start
        speed = OPERATIONS[graph.name] * iterations / seconds
        print(f"{graph.name:10} {speed / 1e6:8.1f} million operations/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
