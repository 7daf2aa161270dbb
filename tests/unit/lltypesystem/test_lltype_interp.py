"""The LLInterpreter, normal and checked: control flow, memory, calls, exceptions."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.foreign import external
from rpython.lltypesystem.interp.checked import CheckedOps, EffectsError
from rpython.lltypesystem.interp.llinterp import LLException, LLInterpreter
from rpython.lltypesystem.operations.llop import LLOp, UndefinedOperation
from rpython.lltypesystem.operations.llops import LLOPS
from rpython.lltypesystem.operations.memory import FatalError
from rpython.lltypesystem.program import Program
from rpython.translator.ir.model import Constant, SpaceOperation, Variable
from tests.support.llworld import COLLATZ, World


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture(params=[False, True], ids=["normal", "checked"])
def checked(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def run(world: World, checked: bool) -> Callable[..., Any]:
    """``run(text, *args)``: the value of the first graph, or the name of the exception."""

    def evaluate(text: str, *args: Any, **symbols: Any) -> Any:
        graphs = world.parse(text, **symbols)
        interpreter = LLInterpreter(world.exceptions, checked=checked)
        graph = next(iter(graphs.values()))
        try:
            return interpreter.eval_graph(graph, args)
        except LLException as e:
            return e.class_name

    return evaluate


def test_loops_and_joins(run: Callable[..., Any]) -> None:
    def collatz(x: int) -> int:
        steps = 0
        while x != 1:
            x, steps = (x * 3 + 1 if x & 1 else x >> 1), steps + 1
        return steps

    for n in (1, 2, 7, 27):
        assert run(COLLATZ, n) == collatz(n)


def test_nested_loops_and_swapped_arguments(run: Callable[..., Any]) -> None:
    text = """
    graph fibonacci_sums(n: Signed) -> Signed {
    b0(n):
        goto b1(0, 0)
    b1(i: Signed, total: Signed):
        more = int_lt(i, n)
        if more goto b2() else b6()
    b2():
        goto b3(i, 0, 1)
    b3(k: Signed, a: Signed, b: Signed):
        again = int_gt(k, 0)
        if again goto b4() else b5()
    b4():
        k1 = int_sub(k, 1)
        c = int_add(a, b)
        goto b3(k1, b, c)
    b5():
        total1 = int_add(total, a)
        i1 = int_add(i, 1)
        goto b1(i1, total1)
    b6():
        return total
    }
    """
    assert run(text, 10) == sum([0, 1, 1, 2, 3, 5, 8, 13, 21, 34])


def test_a_swap_is_parallel(run: Callable[..., Any]) -> None:
    text = """
    graph gcd(a: Signed, b: Signed) -> Signed {
    b0(a, b):
        goto b1(a, b)
    b1(x: Signed, y: Signed):
        zero = int_eq(y, 0)
        if zero goto b3() else b2()
    b2():
        r = int_mod(x, y)
        goto b1(y, r)
    b3():
        return x
    }
    """
    assert run(text, 48, 36) == 12


def test_values_that_dominate_are_used_across_arms(run: Callable[..., Any]) -> None:
    text = """
    graph f(n: Signed) -> Signed {
    b0(n):
        t = int_mul(n, 10)
        c = int_gt(n, 5)
        if c goto b1(t) else b2()
    b1(u: Signed):
        w: Signed = same_as(u)
        goto b3(0)
    b2():
        return t
    b3(i: Signed):
        c2 = int_lt(i, u)
        if c2 goto b4() else b5()
    b4():
        i1 = int_add(i, 7)
        goto b3(i1)
    b5():
        r = int_sub(i, w)
        return r
    }
    """
    assert run(text, 3) == 30
    assert run(text, 6) == 63 - 60


def test_deeply_nested_branches(run: Callable[..., Any]) -> None:
    depth = 130
    lines = ["graph deep(n: Signed) -> Signed {", "b0(n):"]
    for i in range(depth):
        if i:
            lines.append(f"b{2 * i}():")
        lines += [
            f"    c{i} = int_gt(n, {i})",
            f"    s{i} = bool_not(c{i})",
            f"    if c{i} goto b{2 * i + 2}() else b{2 * i + 1}()",
            f"b{2 * i + 1}():",
            f"    if s{i} goto b{2 * depth + 2 * i + 1}() else b{2 * depth + 2 * i + 2}()",
            f"b{2 * depth + 2 * i + 1}():",
            f"    return {i}",
            f"b{2 * depth + 2 * i + 2}():",
            "    return -1",
        ]
    lines += [f"b{2 * depth}():", "    return 1000", "}"]
    text = "\n".join(lines)
    for n in (-1, 0, 5, depth - 1):
        assert run(text, n) == max(n, 0)
    assert run(text, depth + 7) == 1000


def test_wrapping_and_overflow(run: Callable[..., Any]) -> None:
    text = """
    graph f(a: Signed, b: Signed) -> Signed {
    b0(a, b):
        try r = int_add_ovf(a, b)
            goto b1()
        except OverflowError(@vt_OverflowError) as e goto b2(e)
    b1():
        return r
    b2(exc: *object):
        w = int_add(a, b)
        return w
    }
    """
    assert run(text, 3, 4) == 7
    assert run(text, 2**63 - 1, 1) == -(2**63)


RAISER = """
graph catch(n: Signed) -> Signed {
b0(n):
    try r: Signed = direct_call(@raiser, n)
        goto b1()
    except KeyError(@vt_KeyError) goto b2()
    except ArithmeticError(@vt_ArithmeticError) as e goto b3(e)
b1():
    return r
b2():
    return -1
b3(exc: *object):
    same: Bool = ptr_eq(exc, @exc_OverflowError)
    if same goto b4() else b5(exc)
b4():
    return -2
b5(again: *object):
    raise again
}
graph raiser(n: Signed) -> Signed {
b0(n):
    c = int_eq(n, 1)
    if c goto b1() else b2()
b1():
    raise @exc_KeyError
b2():
    c2 = int_eq(n, 2)
    if c2 goto b3() else b4()
b3():
    raise @exc_ZeroDivisionError
b4():
    c3 = int_eq(n, 3)
    if c3 goto b5() else b6()
b5():
    raise @exc_LookupError
b6():
    m: Signed = int_mul_ovf(n, 4611686018427387904)
    return m
}
"""


@pytest.mark.parametrize(
    ("n", "result"),
    [(0, 0), (1, -1), (2, "ZeroDivisionError"), (3, "LookupError"), (4, -2), (5, -2)],
)
def test_exceptions(run: Callable[..., Any], n: int, result: Any) -> None:
    assert run(RAISER, n) == result


def test_uncaught_host_exceptions_become_low_level_ones(run: Callable[..., Any]) -> None:
    text = """
    graph f(n: Signed) -> *GcArray(Signed) {
    b0(n):
        m = int_neg_ovf(n)
        a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, m)
        return a
    }
    """
    assert run(text, -(2**63)) == "OverflowError"
    assert run(text, 1) == "MemoryError"
    assert len(run(text, -3)) == 3


def test_endless_recursion(run: Callable[..., Any]) -> None:
    text = """
    graph outer(n: Signed) -> Signed {
    b0(n):
        try r: Signed = direct_call(@forever, n)
            goto b1()
        except RecursionError(@vt_RecursionError) goto b2()
    b1():
        return r
    b2():
        return -1
    }
    graph forever(n: Signed) -> Signed {
    b0(n):
        stack_check()
        m = int_add(n, 1)
        r: Signed = direct_call(@forever, m)
        return r
    }
    """
    assert run(text, 0) == -1


POINTERS = """
gcstruct base { x: Signed }
gcstruct derived { super: base, y: Float, chars: Array(Char) }
graph f(n: Signed) -> Signed {
b0(n):
    d: *derived = malloc_varsize(type derived, {'flavor': 'gc'}, n)
    b: *base = cast_pointer(d)
    setfield(b, "x", 5)
    sub: *base = getsubstruct(d, "super")
    same: Bool = ptr_eq(b, sub)
    d2: *derived = cast_pointer(sub)
    setinteriorfield(d2, "chars", 1, 'q')
    chars: *Array(Char) = getsubstruct(d, "chars")
    c: Char = getarrayitem(chars, 1)
    c2: Char = getinteriorfield(d, "chars", 1)
    equal = char_eq(c, c2)
    size = getarraysize(chars)
    size2 = getinteriorarraysize(d, "chars")
    x: Signed = getinteriorfield(d, "super", "x")
    i = cast_char_to_int(c)
    s1 = cast_bool_to_int(same)
    s2 = cast_bool_to_int(equal)
    t = int_add(size, size2)
    t1 = int_add(t, x)
    t2 = int_add(t1, i)
    t3 = int_add(t2, s1)
    t4 = int_add(t3, s2)
    return t4
}
"""


def test_memory(run: Callable[..., Any]) -> None:
    assert run(POINTERS, 4) == 4 + 4 + 5 + ord("q") + 1 + 1


def test_arrays_of_structs_and_copies(run: Callable[..., Any]) -> None:
    text = """
    struct item { key: Signed, value: Float }
    graph f(n: Signed) -> Signed {
    b0(n):
        a: *GcArray(item) = malloc_varsize(type GcArray(item), {'flavor': 'gc'}, n)
        setinteriorfield(a, 2, "key", 7)
        p: *item = getarraysubstruct(a, 2)
        k: Signed = getfield(p, "key")
        v: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
        setarrayitem(v, 0, 1)
        setarrayitem(v, 1, k)
        copy_array_items(v, v, 0, 1, 2)
        r: Signed = getarrayitem(v, 2)
        h = gc_identityhash(v)
        h2 = gc_identityhash(v)
        z = int_sub(h, h2)
        r2 = int_add(r, z)
        return r2
    }
    """
    assert run(text, 3) == 7


def test_calls_of_host_functions_and_through_pointers(run: Callable[..., Any]) -> None:
    triple = external.llexternal("triple", [L.Signed], L.Signed, lambda n: 3 * n)
    text = """
    graph f(n: Signed) -> Signed {
    b0(n):
        c = int_gt(n, 10)
        if c goto b1(@triple) else b1(@double)
    b1(g: *Func(Signed -> Signed)):
        r: Signed = indirect_call(g, n, [@double])
        r2: Signed = direct_call(@triple, r)
        return r2
    }
    graph double(n: Signed) -> Signed {
    b0(n):
        m = int_add(n, n)
        return m
    }
    """
    assert run(text, 4, triple=triple) == 24
    assert run(text, 11, triple=triple) == 99


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("x: Signed = getfield(null(*s), \"x\")", L.MemoryFault, "null pointer"),
        ("setfield(null(*s), \"x\", 1)", L.MemoryFault, "null pointer"),
        ("a: Signed = getarrayitem(@arr, 3)", L.ArrayBoundsError, "out of bounds"),
        ("a: Signed = getarrayitem(@arr, n)", L.ArrayBoundsError, "out of bounds"),
        ("setarrayitem(@arr, n, 1)", L.ArrayBoundsError, "out of bounds"),
        ("setarrayitem(@arr, 3, 1)", L.ArrayBoundsError, "out of bounds"),
        ("copy_array_items(@arr, @arr, 0, 2, 2)", L.ArrayBoundsError, "copy of 2 items"),
        ("x = int_floordiv(n, 0)", UndefinedOperation, "int_floordiv"),
        ("x = int_lshift(1, 64)", UndefinedOperation, "int_lshift"),
        ("t: *t = cast_pointer(@inst)", L.MemoryFault, "the object is a GcStruct s"),
        ("x: Signed = getfield(@freed, \"x\")", L.MemoryFault, "use after free"),
        ("setfield(@freed, \"x\", 1)", L.MemoryFault, "use after free"),
        ("x: Signed = getfield(@fresh, \"x\")", L.MemoryFault, "not initialised"),
        ("x: Signed = getarrayitem(@raw, 0)", L.MemoryFault, "not initialised"),
        ("indirect_call(null(*Func(Signed -> Void)), n, void)", L.MemoryFault, "null"),
        ("x: Signed = indirect_call(@nothing, n, void)", TypeError, "neither a graph nor"),
        ("x: Signed = direct_call(@liar, n)", TypeError, "result of liar"),
    ],
)  # fmt: skip
def test_faults_name_graph_block_and_operation(
    world: World, checked: bool, body: str, error: type[Exception], message: str
) -> None:
    S = L.GcStruct("s", ("x", L.Signed))
    R = L.Struct("r", ("x", L.Signed))
    A = L.Array(L.Signed)
    freed = L.malloc(R, flavor="raw", zero=True)
    L.free(freed)
    F = L.FuncType([L.Signed], L.Signed)
    text = f"""
    gcstruct s {{ x: Signed }}
    gcstruct t {{ super: s }}
    struct r {{ x: Signed }}
    graph f(n: Signed) -> Signed {{
    b0(n):
        goto b1()
    b1():
        {body}
        return n
    }}
    """
    graphs = world.parse(
        text, inst=L.malloc(S), arr=L.malloc(L.GcArray(L.Signed), 3), freed=freed,
        fresh=L.malloc(R, flavor="raw"), raw=L.malloc(A, 2, flavor="raw"),
        nothing=L.functionptr(F, "nothing"),
        liar=external.llexternal("liar", [L.Signed], L.Signed, lambda n: "x"),
    )  # fmt: skip
    interpreter = LLInterpreter(world.exceptions, checked=checked)
    with pytest.raises(error, match=message) as info:
        interpreter.eval_graph(graphs["f"], [-1])
    assert "graph f, block b1" in str(info.value)
    assert body.split("(")[0].split()[-1] in str(info.value)


def test_arguments_are_checked(world: World) -> None:
    graph = world.parse(COLLATZ)["collatz"]
    interpreter = LLInterpreter(world.exceptions)
    with pytest.raises(TypeError, match="takes 1 arguments, 2 given"):
        interpreter.eval_graph(graph, [1, 2])
    with pytest.raises(TypeError, match="argument n of collatz: expected Signed"):
        interpreter.eval_graph(graph, ["x"])


def test_graphs_are_compiled_once_and_tracebacks_show_the_text(world: World) -> None:
    graphs = world.parse(RAISER)
    interpreter = LLInterpreter(Program(graphs["catch"], graphs, world.exceptions))
    function = interpreter.function(graphs["catch"])
    assert interpreter.function(graphs["catch"]) is function
    try:
        interpreter.eval_graph(graphs["catch"], [3])
    except LLException:
        text = traceback.format_exc()
    assert "g0_raiser(" in text
    assert "raise LLException(" in text


# --------------------------------------------------------------- the checked mode itself


def checked_op(name: str, effects: Any, args: list[Any], result: Any) -> Any:
    """Run a row with other effects on values given as (type, value) pairs."""
    row = LLOPS[name]
    fields = {field: getattr(row, field) for field in LLOp.__slots__}
    lying = LLOp(row.name, **{**fields, "effects": effects, "refine": None})
    op = SpaceOperation(lying, [Constant(v, T) for T, v in args], Variable("r", result))
    return CheckedOps((OverflowError, MemoryError)).run(op, *(v for _, v in args))


def test_undeclared_effects_are_found() -> None:
    pure = LLOPS["int_add"].effects
    S = L.GcStruct("s", ("x", L.Signed))
    s, a = L.malloc(S), L.malloc(L.GcArray(L.Signed), 2)
    SP, AP = L.Ptr(S), L.Ptr(L.GcArray(L.Signed))
    with pytest.raises(EffectsError, match="getfield read x of GcStruct s"):
        checked_op("getfield", pure, [(SP, s), (L.Void, "x")], L.Signed)
    with pytest.raises(EffectsError, match="setfield wrote x of GcStruct s"):
        checked_op("setfield", pure, [(SP, s), (L.Void, "x"), (L.Signed, 1)], L.Void)
    with pytest.raises(EffectsError, match="getarrayitem read items of Signed"):
        checked_op("getarrayitem", pure, [(AP, a), (L.Signed, 1)], L.Signed)
    counts = [(L.Signed, 0), (L.Signed, 1), (L.Signed, 1)]
    with pytest.raises(EffectsError, match="copy_array_items"):
        checked_op("copy_array_items", pure, [(AP, a), (AP, a), *counts], L.Void)
    with pytest.raises(EffectsError, match="undeclared OverflowError"):
        checked_op("int_neg_ovf", pure, [(L.Signed, -(2**63))], L.Signed)
    assert checked_op("getarraysize", pure, [(AP, a)], L.Signed) == 2
    assert type(s._obj).__name__ == "s"
    assert s.x == 1


@pytest.mark.parametrize("checked", [False, True])
def test_an_unreachable_end_stops_the_program(world: World, checked: bool) -> None:
    text = """
    graph f(n: Signed) -> Signed {
    b0(n):
        t = int_lt(n, 0)
        if t goto b1() else return n
    b1():
        m = int_neg(n)
        unreachable
    }
    """
    interpreter = LLInterpreter(world.exceptions, checked=checked)
    graph = world.parse(text)["f"]
    assert interpreter.eval_graph(graph, [3]) == 3
    with pytest.raises(FatalError, match="unreachable code reached"):
        interpreter.eval_graph(graph, [-3])
