"""The small parts of the C back end by themselves: names, literals, parallel copies."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpython.backend_c.build import RUNTIME
from rpython.backend_c.compiler import find_compiler
from rpython.backend_c.literals import literal
from rpython.backend_c.names import NameScope, c_string, identifier
from rpython.backend_c.parallel_copies import sequential_copies
from rpython.lltypesystem.lltype import (
    Char,
    Float,
    Int8,
    Int32,
    Int128,
    LowLevelType,
    Primitive,
    Signed,
    UInt128,
    UniChar,
    Unsigned,
)
from rpython.translator.opt.raising import ALWAYS_RAISES, MAY_RAISE
from rpython.translator.opt.summaries import Fact, Summaries
from tests.support.lowlevel import World


def test_identifiers() -> None:
    assert identifier("foo.<locals>.bar") == "foo_locals_bar"
    assert identifier("") == identifier("!?") == "x"
    assert identifier("2nd") == "x2nd"
    assert identifier("__init__") == "init"
    assert len(identifier("a" * 1000)) == 60


def test_names_differ() -> None:
    scope = NameScope()
    assert [scope.new("a", "f_") for _ in range(3)] == ["f_a", "f_a_2", "f_a_3"]
    assert scope.new("a_2", "f_") == "f_a_2_2"
    assert scope.new("int") == "int_2"
    with pytest.raises(ValueError, match="is taken"):
        scope.reserve("f_a")


@given(st.lists(st.sampled_from(["a", "a_2", "b", "a_3", "int", "b_2"])))
def test_names_always_differ(wishes: list[str]) -> None:
    scope = NameScope()
    names = [scope.new(wish) for wish in wishes]
    assert len(set(names)) == len(names)


@given(
    st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from("abcdefgxyz0"), max_size=7)
)
def test_parallel_copies(moves: dict[str, str]) -> None:
    start = {name: f"old {name}" for name in "abcdefgxyz0"}
    state = dict(start)
    statements = sequential_copies([("T", dst, src) for dst, src in moves.items()])
    for statement in statements:
        found = re.fullmatch(r"(?:\{ )?(?:T )?(\w+) = (\w+);(?: \})?", statement)
        assert found, statement
        state[found[1]] = state[found[2]]
    assert {dst: state[dst] for dst in moves} == {dst: start[src] for dst, src in moves.items()}
    moved = [dst for dst, src in moves.items() if dst != src]
    assert len(statements) <= len(moved) + len(moved) // 2


def test_literals_mean_the_value(tmp_path: Path) -> None:
    cases: list[tuple[Any, LowLevelType]] = [
        *((n, Signed) for n in (0, -1, Signed.min, Signed.max)),
        *((n, Unsigned) for n in (0, Unsigned.max)),
        *((n, Int32) for n in (Int32.min, Int32.max)),
        *((n, Int8) for n in (Int8.min, Int8.max)),
        *((n, Int128) for n in (0, -1, Int128.min, Int128.max, 1 << 64)),
        *((n, UInt128) for n in (0, UInt128.max)),
        *((chr(n), Char) for n in range(256)),
        *((c, UniChar) for c in "a\0€\U0010ffff"),
        *((x, Float) for x in (0.0, -0.0, 1e308, 5e-324, 0.1, float("inf"), float("nan"))),
    ]
    lines = ['#include "rpy_base.h"', "#include <string.h>"]
    for i, (value, T) in enumerate(cases):
        lines.append(
            f"void get{i}(void *p) {{ {T} x = {literal(value, T)}; memcpy(p, &x, sizeof x); }}"
        )
    source, library = tmp_path / "x.c", tmp_path / "x.so"
    source.write_text("\n".join(lines))
    subprocess.run(
        [*find_compiler(), "-w", "-shared", "-fPIC", f"-I{RUNTIME}", source, "-o", library],
        check=True,
    )
    loaded = ctypes.CDLL(str(library))
    for i, (value, T) in enumerate(cases):
        buf = ctypes.create_string_buffer(16)
        getattr(loaded, f"get{i}")(buf)
        if T is Float:
            assert repr(ctypes.c_double.from_buffer(buf).value) == repr(value)
        elif T in (Char, UniChar):
            assert int.from_bytes(buf.raw[:4], "little") == ord(value)
        else:
            assert isinstance(T, Primitive)
            data = buf.raw[: T.bits // 8]
            assert int.from_bytes(data, "little", signed=T.signed) == value


@pytest.mark.parametrize("text", ['a"b\\', "??/", "é\n\t\x01", "%d"])
def test_c_strings(text: str) -> None:
    literal_text = c_string(text)
    assert literal_text.isascii()
    assert "??" not in literal_text
    body = literal_text[1:-1].replace("\\?", "?")
    assert body.encode().decode("unicode_escape").encode("latin-1") == text.encode()


RAISES = """
    graph leaf(n: Signed) -> Signed {
    b0(n):
        m = int_add(n, 1)
        return m
    }
    graph overflows(n: Signed) -> Signed {
    b0(n):
        m = int_add_ovf(n, 1)
        return m
    }
    graph catches(n: Signed) -> Signed {
    b0(n):
        try m = int_add_ovf(n, 1)
        return m
        except ArithmeticError(@vt.ArithmeticError) return 0
    }
    graph catches_less(n: Signed) -> Signed {
    b0(n):
        try m = int_add_ovf(n, 1)
        return m
        except LookupError(@vt.LookupError) return 0
    }
    graph swallows(n: Signed) -> Signed {
    b0(n):
        try m: Signed = direct_call(@overflows, n)
        return m
        except BaseException(@vt.BaseException) return 0
    }
    graph fails() -> Signed {
    b0():
        raise @an.ValueError
    }
    graph fails_later(n: Signed) -> Signed {
    b0(n):
        small = int_lt(n, 2)
        if small goto b1() else b2()
    b1():
        m: Signed = direct_call(@fails)
        return m
    b2():
        raise @an.IndexError
    }
    graph loops() -> Signed {
    b0():
        goto b1()
    b1():
        m: Signed = direct_call(@overflows, 1)
        goto b1()
    }
    graph knows(f: *Func(Signed -> Signed)) -> Signed {
    b0(f):
        m: Signed = indirect_call(f, 1, [@leaf, @catches])
        return m
    }
    graph does_not_know(f: *Func(Signed -> Signed)) -> Signed {
    b0(f):
        m: Signed = indirect_call(f, 1, void)
        return m
    }
    graph even(n: Signed) -> Signed {
    b0(n):
        m: Signed = direct_call(@odd, n)
        return m
    }
    graph odd(n: Signed) -> Signed {
    b0(n):
        m: Signed = direct_call(@even, n)
        return m
    }
"""


def test_who_may_raise() -> None:
    program = World().program(RAISES)
    summaries = Summaries()
    graphs = program.exports

    def known(fact: Fact[bool]) -> set[str]:
        return {name for name, graph in graphs.items() if summaries.of_graph(fact, graph)}

    assert known(MAY_RAISE) == {
        "overflows", "catches_less", "fails", "fails_later", "loops", "does_not_know",
    }  # fmt: skip
    assert known(ALWAYS_RAISES) == {"fails", "fails_later"}
