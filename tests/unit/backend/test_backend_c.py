"""Low-level graphs to native code and back: values, memory, exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpython.lltypesystem import rstr
from rpython.lltypesystem.lltype import GcArray, Signed, cast_pointer, malloc
from tests.support.lowlevel import World, native, run_both

SUM = """
    graph sum_to(n: Signed) -> Signed {
    b0(n):
        goto b1(0, 0)
    b1(i: Signed, acc: Signed):
        more = int_lt(i, n)
        if more goto b2() else b3()
    b2():
        acc1 = int_add_ovf(acc, i)
        i1 = int_add(i, 1)
        goto b1(i1, acc1)
    b3():
        return acc
    }
"""


def test_loop_and_overflow(tmp_path: Path) -> None:
    program = World().program(SUM)
    assert run_both(program, tmp_path, [("sum_to", 10), ("sum_to", -1)]) == [45, 0]
    lib = native(program, tmp_path)
    assert lib.call("sum_to", 5_000_000_000) == "<OverflowError>"
    assert lib.call("sum_to", 4) == 6  # the state is clean again


def test_parallel_assignment(tmp_path: Path) -> None:
    program = World().program("""
        graph rotate(n: Signed) -> Signed {
        b0(n):
            goto b1(n, 1, 2, 3, 4)
        b1(i: Signed, a: Signed, b: Signed, c: Signed, d: Signed):
            more = int_is_true(i)
            if more goto b2() else b3()
        b2():
            j = int_sub(i, 1)
            goto b1(j, b, c, a, a)
        b3():
            t = int_mul(a, 1000)
            u = int_mul(b, 100)
            v = int_mul(c, 10)
            w = int_add(t, u)
            x = int_add(v, d)
            y = int_add(w, x)
            return y
        }
    """)
    calls = [("rotate", n) for n in range(5)]
    assert run_both(program, tmp_path, calls) == [1234, 2311, 3122, 1233, 2311]


def test_branches_that_swap(tmp_path: Path) -> None:
    program = World().program("""
        graph gcd(a: Signed, b: Signed) -> Signed {
        b0(a, b):
            goto b1(a, b)
        b1(x: Signed, y: Signed):
            done = int_eq(y, 0)
            if done return x else b2()
        b2():
            less = int_lt(x, y)
            if less goto b1(y, x) else b3()
        b3():
            r = int_mod(x, y)
            goto b1(y, r)
        }
    """)
    assert run_both(program, tmp_path, [("gcd", 12, 18), ("gcd", 7, 0), ("gcd", 35, 21)]) == [
        6, 7, 7,
    ]  # fmt: skip


def test_structs_inheritance_and_interior_fields(tmp_path: Path) -> None:
    world = World()
    program = world.program("""
        struct pair { left: Signed, right: Float }
        gcstruct base { tag: Signed }
        gcstruct derived { super: base, inside: pair, nothing: Void, next: *base }
        graph build(n: Signed) -> Signed {
        b0(n):
            p: *derived = malloc(type derived, {'flavor': 'gc'})
            q: *base = cast_pointer(p)
            setfield(q, "tag", n)
            setinteriorfield(p, "inside", "left", 5)
            inner: *pair = getsubstruct(p, "inside")
            setfield(inner, "right", 2.5)
            setfield(p, "next", q)
            setfield(p, "nothing", void)
            again: *base = getfield(p, "next")
            back: *derived = cast_pointer(again)
            same = ptr_eq(back, p)
            if same goto b1() else b2()
        b1():
            left: Signed = getinteriorfield(back, "inside", "left")
            right: Float = getinteriorfield(back, "inside", "right")
            tag: Signed = getfield(q, "tag")
            whole = cast_float_to_int(right)
            s = int_add(left, whole)
            t = int_add(s, tag)
            return t
        b2():
            return -1
        }
    """)
    assert run_both(program, tmp_path, [("build", 100)]) == [107]


def test_arrays(tmp_path: Path) -> None:
    world = World()
    program = world.program("""
        struct cell { key: Signed, mark: Char }
        gcstruct text { hash: Signed, chars: Array(Char) }
        graph squares(n: Signed) -> Signed {
        b0(n):
            a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
            goto b1(0)
        b1(i: Signed):
            more = int_lt(i, n)
            if more goto b2() else b3()
        b2():
            sq = int_mul(i, i)
            setarrayitem(a, i, sq)
            j = int_add(i, 1)
            goto b1(j)
        b3():
            last = int_sub(n, 1)
            copy_array_items(a, a, 0, 1, last)
            size = getarraysize(a)
            x: Signed = getarrayitem(a, last)
            y = int_mul(size, 1000)
            z = int_add(x, y)
            return z
        }
        graph cells(n: Signed) -> Char {
        b0(n):
            a: *GcArray(cell) = malloc_varsize(type GcArray(cell), {'flavor': 'gc'}, n)
            last = int_sub(n, 1)
            p: *cell = getarraysubstruct(a, last)
            setfield(p, "mark", 'x')
            c: Char = getinteriorfield(a, last, "mark")
            return c
        }
        graph chars(n: Signed) -> Signed {
        b0(n):
            t: *text = malloc_varsize(type text, {'flavor': 'gc'}, n)
            setinteriorfield(t, "chars", 1, 'a')
            items: *Array(Char) = getsubstruct(t, "chars")
            c: Char = getarrayitem(items, 1)
            size = getinteriorarraysize(t, "chars")
            code = cast_char_to_int(c)
            both = int_add(size, code)
            return both
        }
        graph raw(n: Signed) -> Signed {
        b0(n):
            a: *Array(Signed, nolength) = malloc_varsize(type Array(Signed, nolength), {'flavor': 'raw', 'zero': True}, n)
            f: *FixedSizeArray(Signed, 4) = malloc(type FixedSizeArray(Signed, 4), {'flavor': 'raw', 'zero': True})
            setarrayitem(a, 2, 40)
            setarrayitem(f, 3, 2)
            x: Signed = getarrayitem(a, 2)
            y: Signed = getarrayitem(f, 3)
            z: Signed = getarrayitem(a, 0)
            four = getarraysize(f)
            free(a)
            free(f)
            s = int_add(x, y)
            t = int_add(s, z)
            u = int_add(t, four)
            return u
        }
    """)  # noqa: E501
    calls = [("squares", 9), ("cells", 3), ("chars", 7), ("raw", 3)]
    assert run_both(program, tmp_path, calls) == [9049, "x", 104, 46]


def test_allocation_failure(tmp_path: Path) -> None:
    program = World().program("""
        graph allocate(n: Signed) -> Signed {
        b0(n):
            a: *GcArray(Signed) = malloc_varsize(type GcArray(Signed), {'flavor': 'gc'}, n)
            size = getarraysize(a)
            return size
        }
    """)
    lib = native(program, tmp_path)
    assert lib.call("allocate", 0) == 0
    assert lib.call("allocate", 100_000) == 100_000
    for n in (-1, 1 << 40, 1 << 60, 1 << 61, (1 << 63) - 1, -(1 << 63)):
        assert lib.call("allocate", n) == "<MemoryError>"


def test_memory_is_zeroed_across_chunks(tmp_path: Path) -> None:
    program = World().program("""
        gcstruct node { value: Signed, next: *node }
        graph many(n: Signed) -> Signed {
        b0(n):
            goto b1(n, null(*node), 0)
        b1(i: Signed, head: *node, bad: Signed):
            more = int_is_true(i)
            if more goto b2() else b3()
        b2():
            p: *node = malloc(type node, {'flavor': 'gc'})
            v: Signed = getfield(p, "value")
            old: *node = getfield(p, "next")
            dirty = ptr_nonzero(old)
            d = cast_bool_to_int(dirty)
            e = int_or(v, d)
            bad1 = int_or(bad, e)
            setfield(p, "next", head)
            setfield(p, "value", i)
            j = int_sub(i, 1)
            goto b1(j, p, bad1)
        b3():
            first: Signed = getfield(head, "value")
            r = int_add(first, bad)
            return r
        }
    """)
    assert native(program, tmp_path).call("many", 300_000) == 1


# ---------------------------------------------------------------------- exceptions

RAISING = """
    graph check(n: Signed) -> Signed {
    b0(n):
        negative = int_lt(n, 0)
        if negative goto b1() else b2()
    b1():
        e: *object = malloc(type object, {'flavor': 'gc'})
        setfield(e, "typeptr", @vt.IndexError)
        raise e
    b2():
        big = int_gt(n, 100)
        if big raise @an.ValueError else return n
    }
    graph between(n: Signed) -> Signed {
    b0(n):
        m: Signed = direct_call(@check, n)
        k = int_mul_ovf(m, 200000000000000000)
        return k
    }
    graph lookup(n: Signed) -> Signed {
    b0(n):
        try r: Signed = direct_call(@between, n)
        goto b1()
        except LookupError(@vt.LookupError) as e goto b2(e)
        except OverflowError(@vt.OverflowError) goto b3()
    b1():
        return r
    b2(caught: *object):
        t: *object_vtable = getfield(caught, "typeptr")
        low: Signed = getfield(t, "subclassrange_min")
        minus = int_neg(low)
        return minus
    b3():
        return -3
    }
    graph all(n: Signed) -> Signed {
    b0(n):
        try r: Signed = direct_call(@between, n)
        return r
        except BaseException(@vt.BaseException) return -1
    }
    graph again(n: Signed) -> Signed {
    b0(n):
        try r: Signed = direct_call(@between, n)
        return r
        except Exception(@vt.Exception) as e raise e
    }
    graph local(n: Signed) -> Signed {
    b0(n):
        try r = int_add_ovf(n, 1)
        return r
        except ArithmeticError(@vt.ArithmeticError) as e goto b1(e)
    b1(caught: *object):
        t: *object_vtable = getfield(caught, "typeptr")
        low: Signed = getfield(t, "subclassrange_min")
        return low
    }
"""


def test_exceptions(tmp_path: Path) -> None:
    program = World().program(RAISING)
    top = (1 << 63) - 1
    calls = [
        ("check", 5), ("check", -1), ("check", 101),
        ("between", 5), ("between", -1), ("between", 100),
        ("lookup", 5), ("lookup", -1), ("lookup", 100), ("lookup", 101),
        ("all", 5), ("all", -1), ("all", 100), ("all", 101),
        ("again", 5), ("again", -1), ("again", 100), ("again", 101),
        ("local", 5), ("local", top),
    ]  # fmt: skip
    five = 1000000000000000000
    assert run_both(program, tmp_path, calls) == [
        5, "<IndexError>", "<ValueError>",
        five, "<IndexError>", "<OverflowError>",
        five, -6, -3, "<ValueError>",
        five, -1, -1, -1,
        five, "<IndexError>", "<OverflowError>", "<ValueError>",
        6, 3,
    ]  # fmt: skip


def test_traceback_entries(tmp_path: Path) -> None:
    program = World().program(RAISING)
    text = (RAISING).splitlines()
    lib = native(program, tmp_path)

    def line(of: str, after: str) -> int:
        start = next(i for i, found in enumerate(text) if f"graph {after}(" in found)
        return next(i + 1 for i, found in enumerate(text) if i > start and of in found)

    lib.call("again", -1)
    assert lib.traceback() == [
        (line("setfield", "check"), "check"),
        (line("direct_call", "between"), "between"),
        (line("direct_call", "again"), "again"),
    ]
    lib.call("between", 100)
    assert lib.traceback() == [(line("int_mul_ovf", "between"), "between")]
    lib.call("all", 5)
    assert len(lib.traceback()) == 1  # the last exception's, until the next one


def test_helpers_do_not_appear_in_tracebacks(tmp_path: Path) -> None:
    program = World().program("""
        graph ll_fail() -> Signed {
        b0():
            raise @an.IndexError
        }
        graph ll_helper() -> Signed {
        b0():
            x: Signed = direct_call(@ll_fail)
            return x
        }
        graph user() -> Signed {
        b0():
            x: Signed = direct_call(@ll_helper)
            return x
        }
    """)
    program.exports["ll_fail"].is_helper = True
    program.exports["ll_helper"].is_helper = True
    lib = native(program, tmp_path)
    assert lib.call("user") == "<IndexError>"
    assert [function for _, function in lib.traceback()] == ["user"]


def test_stack_overflow_raises(tmp_path: Path) -> None:
    program = World().program("""
        graph down(n: Signed) -> Signed {
        b0(n):
            stack_check()
            more = int_is_true(n)
            if more goto b1() else return 0
        b1():
            m = int_sub(n, 1)
            r: Signed = direct_call(@down, m)
            s = int_add(r, 1)
            return s
        }
    """)
    lib = native(program, tmp_path, optimise="-O0")
    assert lib.call("down", 1000) == 1000
    assert lib.call("down", 1 << 40) == "<RecursionError>"
    entries = lib.traceback()
    assert 256 < len(entries) <= 512
    assert lib.call("down", 10) == 10


def test_functions_that_cannot_raise_are_not_tested(tmp_path: Path) -> None:
    program = World().program("""
        graph leaf(n: Signed) -> Signed {
        b0(n):
            m = int_add(n, 1)
            return m
        }
        graph caller(n: Signed) -> Signed {
        b0(n):
            m: Signed = direct_call(@leaf, n)
            return m
        }
    """)
    lib = native(program, tmp_path)
    text = (lib.result.directory / "program.c").read_text()
    body = text[text.index("Signed caller(Signed n)\n") : text.index("interface")]
    assert "rpy_exc" not in body
    assert lib.call("caller", 1) == 2


@pytest.mark.parametrize("unit_size", [1, 10, 30])
def test_several_units(tmp_path: Path, unit_size: int) -> None:
    world = World()
    world.add("numbers", numbers := malloc(GcArray(Signed), 50, immortal=True))
    numbers[7] = 5
    text = RAISING + SUM + """
        graph both(n: Signed) -> Signed {
        b0(n):
            x: Signed = direct_call(@lookup, n)
            y: Signed = direct_call(@small, x)
            i: Signed = getarrayitem(@numbers, 7)
            z: Signed = direct_call(@sum_to, i)
            w = int_add(y, z)
            return w
        }
        graph small(n: Signed) -> Signed {
        b0(n):
            m: Signed = direct_call(@smaller, n)
            return m
        }
        graph smaller(n: Signed) -> Signed {
        b0(n):
            m = int_add(n, 1)
            return m
        }
    """
    program = world.program(text)
    program.exports = {"both": program.exports["both"]}
    lib = native(program, tmp_path, unit_size=unit_size)
    assert lib.result.units >= 3
    assert lib.call("both", -1) == -6 + 1 + 10
    assert lib.call("both", 101) == "<ValueError>"


def test_same_bytes_twice(tmp_path: Path) -> None:
    def sources(where: Path) -> dict[str, bytes]:
        world = World()
        world.add("text", cast_pointer(rstr.STR1PTR, rstr.make_str("hello")))
        program = world.program(RAISING + SUM)
        lib = native(program, where, unit_size=20)
        return {p.name: p.read_bytes() for p in lib.result.directory.glob("*.[ch]")}

    assert sources(tmp_path / "a") == sources(tmp_path / "b")
