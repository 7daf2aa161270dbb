"""Low-level graphs to native code: prebuilt data and calls."""

from __future__ import annotations

from pathlib import Path

from rpython.lltypesystem import rstr
from rpython.lltypesystem.foreign.external import llexternal
from rpython.lltypesystem.lltype import (
    Char,
    FixedSizeArray,
    Float,
    FuncType,
    GcArray,
    GcStruct,
    Ptr,
    Signed,
    Struct,
    Void,
    cast_pointer,
    direct_arrayitems,
    malloc,
)
from tests.support.lowlevel import World, native, run_both

# ------------------------------------------------------------------- prebuilt data


def test_prebuilt_cycle(tmp_path: Path) -> None:
    world = World()
    program = world.program("""
        gcstruct ring { value: Signed, next: *ring }
        data @start: ring
        graph walk(n: Signed) -> Signed {
        b0(n):
            goto b1(n, @start, 0)
        b1(i: Signed, p: *ring, acc: Signed):
            more = int_is_true(i)
            if more goto b2() else return acc
        b2():
            v: Signed = getfield(p, "value")
            t = int_mul(acc, 10)
            s = int_add(t, v)
            q: *ring = getfield(p, "next")
            j = int_sub(i, 1)
            goto b1(j, q, s)
        }
        graph change(n: Signed) -> Signed {
        b0(n):
            setfield(@start, "value", n)
            return 0
        }
    """)
    start = world.env.symbols["start"]
    RING = start._TYPE.TO
    start.value = 1
    previous = start
    for value in (2, 3):
        node = malloc(RING, immortal=True)
        node.value = value
        previous.next = node
        previous = node
    previous.next = start
    lib = native(program, tmp_path)
    assert lib.call("walk", 7) == 1231231
    lib.call("change", 9)
    assert lib.call("walk", 3) == 923


def test_prebuilt_arrays_texts_and_interior_pointers(tmp_path: Path) -> None:
    world = World()
    PAIR = Struct("pair", ("first", Signed), ("second", Char))
    TABLE = GcArray(PAIR)
    BOX = GcStruct("box", ("pair", PAIR), ("row", FixedSizeArray(Signed, 3)), ("f", Float))
    table = malloc(TABLE, 3, immortal=True)
    for i in range(3):
        table[i].first = i * 11
        table[i].second = "abc"[i]
    box = malloc(BOX, immortal=True)
    box.pair.first = -(1 << 63)
    box.pair.second = "\xff"
    box.row[2] = 77
    box.f = -0.0
    numbers = malloc(GcArray(Signed), 1000, immortal=True)
    for i in range(1000):
        numbers[i] = (1 << 62) - i
    empty = malloc(GcArray(Signed), 0, immortal=True)
    world.add("table", table)
    world.add("second", table[1])
    world.add("box", box)
    world.add("inner", box.pair)
    world.add("row", box.row)
    world.add("numbers", numbers)
    world.add("items", direct_arrayitems(numbers))
    world.add("empty", empty)
    world.add("text", cast_pointer(rstr.STR1PTR, rstr.make_str('a"b\\?\n\x00é')))
    world.add("wide", cast_pointer(rstr.STR4PTR, rstr.make_str("x€😀")))
    program = world.program("""
        graph first_of_second() -> Signed {
        b0():
            x: Signed = getfield(@second, "first")
            y: Signed = getinteriorfield(@table, 2, "first")
            z: Signed = int_add(x, y)
            return z
        }
        graph limits() -> Signed {
        b0():
            x: Signed = getfield(@inner, "first")
            y: Signed = getarrayitem(@row, 2)
            z = int_add(x, y)
            return z
        }
        graph sign() -> Float {
        b0():
            x: Float = getfield(@box, "f")
            y = float_truediv(1.0, x)
            return y
        }
        graph number(i: Signed) -> Signed {
        b0(i):
            x: Signed = getarrayitem(@numbers, i)
            y: Signed = getarrayitem(@items, i)
            same = int_eq(x, y)
            if same return x else return -1
        }
        graph lengths() -> Signed {
        b0():
            a = getarraysize(@numbers)
            b = getarraysize(@empty)
            c = getinteriorarraysize(@text, "chars")
            d = getinteriorarraysize(@wide, "chars")
            e = int_add(a, b)
            f = int_mul(c, 10)
            g = int_add(f, d)
            h = int_add(e, g)
            return h
        }
        graph char_at(i: Signed) -> Char {
        b0(i):
            c: Char = getinteriorfield(@text, "chars", i)
            return c
        }
        graph unichar_at(i: Signed) -> UniChar {
        b0(i):
            c: UniChar = getinteriorfield(@wide, "chars", i)
            return c
        }
    """)
    calls = [
        ("first_of_second",), ("limits",), ("sign",), ("number", 999), ("lengths",),
        *[("char_at", i) for i in range(8)], *[("unichar_at", i) for i in range(3)],
    ]  # fmt: skip
    assert run_both(program, tmp_path, calls) == [
        33, -(1 << 63) + 77, float("-inf"), (1 << 62) - 999, 1083, *'a"b\\?\n\x00é', *"x€😀",
    ]  # fmt: skip


def test_lengths_and_numbered_types_do_not_collide(tmp_path: Path) -> None:
    world = World()
    one = GcStruct("same", ("x", Signed))
    two = GcStruct("same", ("y", Signed))
    for i, T in enumerate((one, two)):
        a = malloc(GcArray(Ptr(T)), 2, immortal=True)
        a[1] = malloc(T, immortal=True)
        world.add(f"a{i}", a)
    program = world.program("""
        graph f() -> Signed {
        b0():
            x = getarraysize(@a0)
            y = getarraysize(@a1)
            z = int_add(x, y)
            return z
        }
    """)
    assert native(program, tmp_path).call("f") == 4


def test_deep_prebuilt_list(tmp_path: Path) -> None:
    """A chain far longer than the host's recursion limit."""
    world = World()
    program = world.program("""
        gcstruct link { next: *link }
        data @head: link
        graph length() -> Signed {
        b0():
            goto b1(@head, 0)
        b1(p: *link, n: Signed):
            more = ptr_nonzero(p)
            if more goto b2() else return n
        b2():
            q: *link = getfield(p, "next")
            m = int_add(n, 1)
            goto b1(q, m)
        }
    """)
    node = world.env.symbols["head"]
    for _ in range(5000):
        following = malloc(node._TYPE.TO, immortal=True)
        node.next = following
        node = following
    assert native(program, tmp_path).call("length") == 5001


def test_identity_hash_of_prebuilt(tmp_path: Path) -> None:
    world = World()
    program = world.program("""
        gcstruct thing { x: Signed }
        data @one: thing
        data @two: thing
        graph hash_one() -> Signed {
        b0():
            h = gc_identityhash(@one)
            return h
        }
        graph same_twice() -> Bool {
        b0():
            p: *thing = malloc(type thing, {'flavor': 'gc'})
            g = gc_identityhash(p)
            h = gc_identityhash(p)
            e = int_eq(g, h)
            return e
        }
    """)
    world.env.symbols["one"]._obj._identityhash = 123456789
    assert run_both(program, tmp_path, [("hash_one",), ("same_twice",)]) == [123456789, True]


# --------------------------------------------------------------------------- calls


def test_indirect_calls_and_void(tmp_path: Path) -> None:
    world = World()
    FUNC = FuncType([Signed, Void], Signed)
    TABLE = Struct("methods", ("add", Ptr(FUNC)), ("missing", Ptr(FUNC)))
    table = malloc(TABLE, immortal=True)
    world.add("methods", table)
    program = world.program("""
        graph add_one(n: Signed, nothing: Void) -> Signed {
        b0(n, nothing):
            m = int_add_ovf(n, 1)
            return m
        }
        graph twice(n: Signed, nothing: Void) -> Signed {
        b0(n, nothing):
            m = int_add(n, n)
            return m
        }
        graph choose(yes: Bool) -> *Func(Signed, Void -> Signed) {
        b0(yes):
            if yes return @twice else return @add_one
        }
        graph call(yes: Bool, n: Signed) -> Signed {
        b0(yes, n):
            f: *Func(Signed, Void -> Signed) = direct_call(@choose, yes)
            x: Signed = indirect_call(f, n, void, [@add_one, @twice])
            g: *Func(Signed, Void -> Signed) = getfield(@methods, "add")
            y: Signed = indirect_call(g, x, void, void)
            return y
        }
        graph missing() -> Bool {
        b0():
            g: *Func(Signed, Void -> Signed) = getfield(@methods, "missing")
            z = ptr_iszero(g)
            return z
        }
    """)
    table.add = world.env.symbols["add_one"]
    calls = [("call", True, 20), ("call", False, 20), ("missing",), ("call", False, (1 << 63) - 1)]
    assert run_both(program, tmp_path, calls) == [41, 22, True, "<OverflowError>"]


def test_external_functions(tmp_path: Path) -> None:
    world = World()
    world.add("labs", llexternal("labs", [Signed], Signed, abs, includes=["stdlib.h"]))
    world.add("floor", llexternal("floor", [Float], Float, lambda x: float(x // 1)))
    program = world.program("""
        graph f(n: Signed, floor: Float) -> Float {
        b0(n, floor):
            m: Signed = direct_call(@labs, n)
            x = cast_int_to_float(m)
            y: Float = direct_call(@floor, floor)
            z = float_add(x, y)
            return z
        }
    """)
    assert run_both(program, tmp_path, [("f", -3, 2.75)]) == [5.0]


def test_names_that_mean_something_in_c(tmp_path: Path) -> None:
    program = World().program("""
        graph int(for_: Signed, register: Signed, f_double: Signed, Signed: Signed) -> Signed {
        b0(for_, register, f_double, Signed):
            int = int_add(for_, register)
            errno = int_add(int, f_double)
            s_x: Signed = direct_call(@double, errno)
            rpy_exc = int_add(s_x, Signed)
            return rpy_exc
        }
        graph double(NULL: Signed) -> Signed {
        b0(NULL):
            unix = int_add(NULL, NULL)
            return unix
        }
    """)
    program.exports = {"start": program.exports["int"]}
    assert native(program, tmp_path).call("start", 1, 2, 3, 100) == 112
