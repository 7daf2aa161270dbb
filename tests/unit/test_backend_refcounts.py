"""Where references are counted: what the generated code acquires and releases."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from lowlevel import World, test_options

from rpython.backend_c.build import build_executable
from rpython.backend_c.functions import LineDirectives
from rpython.backend_c.gc import COLLECTORS
from rpython.backend_c.interface import shared_interface
from rpython.backend_c.modules import SourceWriter
from rpython.translator.ir.errors import BuildError
from rpython.translator.lower.runner import lower

TYPES = "gcstruct node { value: Signed, next: *node }"


def counting(graphs: str, name: str = "f") -> list[str]:
    """The lines of the C function ``name`` that allocate, count, call or return."""
    program = World().program(TYPES + graphs)
    collector = COLLECTORS["refcount"]
    lowered = lower(program, collector.passes)
    writer = SourceWriter(lowered, shared_interface, 1, LineDirectives.NONE, collector)
    graph = next(g for g in program.exports.values() if g.name == name)
    lines = [line.strip() for line in writer.function_text(graph).splitlines()]
    words = ("RPY_GC_", "RPY_MALLOC(", "return ", "other(")
    return [
        line.removeprefix("RPY_GC_") for line in lines[1:] if any(word in line for word in words)
    ]


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        pytest.param(
            """graph f(p: *node) -> *node {
            b0(p):
                return p
            }""",
            ["ACQUIRE(p);", "return p;"],
            id="an argument belongs to the caller",
        ),
        pytest.param(
            """graph f() -> *node {
            b0():
                p: *node = malloc(type node, {'flavor': 'gc'})
                return p
            }""",
            ["p = RPY_MALLOC(s_node, RPY_TID_s_node);", "return p;", "return 0;"],
            id="a new object moves to the caller",
        ),
        pytest.param(
            """graph f(p: *node) -> Signed {
            b0(p):
                q: *node = getfield(p, "next")
                n: Signed = getfield(q, "value")
                return n
            }""",
            ["return n;"],
            id="what is read is borrowed",
        ),
        pytest.param(
            """graph f(p: *node) -> *node {
            b0(p):
                q: *node = getfield(p, "next")
                return q
            }""",
            ["ACQUIRE(q);", "return q;"],
            id="but not when it stays",
        ),
        pytest.param(
            """graph f(p: *node) -> Signed {
            b0(p):
                q: *node = getfield(p, "next")
                setfield(p, "next", null(*node))
                n: Signed = getfield(q, "value")
                return n
            }""",
            ["ACQUIRE(q);", "REPLACE(p->f_next, NULL);", "RELEASE(q);", "return n;"],
            id="nor when its place is overwritten while it is used",
        ),
        pytest.param(
            """graph f(p: *node) -> Signed {
            b0(p):
                q: *node = getfield(p, "next")
                n: Signed = getfield(q, "value")
                setfield(p, "next", null(*node))
                return n
            }""",
            ["REPLACE(p->f_next, NULL);", "return n;"],
            id="after that nobody cares",
        ),
        pytest.param(
            """graph f(p: *node, q: *node) -> Void {
            b0(p, q):
                setfield(p, "next", q)
                return void
            }""",
            ["ACQUIRE(q); RPY_GC_REPLACE(p->f_next, q);"],
            id="what is stored is acquired",
        ),
        pytest.param(
            """graph f(p: *node) -> Void {
            b0(p):
                q: *node = malloc(type node, {'flavor': 'gc'})
                setfield(q, "next", p)
                setfield(q, "next", null(*node))
                setfield(p, "next", q)
                return void
            }""",
            [
                "q = RPY_MALLOC(s_node, RPY_TID_s_node);", "ACQUIRE(p); q->f_next = p;",
                "REPLACE(q->f_next, NULL);", "REPLACE(p->f_next, q);",
            ],
            id="a new object has nothing to release, and moves where it is stored last",
        ),
        pytest.param(
            """graph f(p: *node) -> Void {
            b0(p):
                q: *node = malloc(type node, {'flavor': 'gc'})
                set_cause(p, q)
                return void
            }""",
            ["q = RPY_MALLOC(s_node, RPY_TID_s_node);", "RELEASE(q);"],
            id="an operation that stores nothing releases what it uses last",
        ),
        pytest.param(
            """graph f(p: *node) -> Signed {
            b0(p):
                goto b1(p)
            b1(q: *node):
                n: Signed = getfield(q, "value")
                r: *node = getfield(q, "next")
                more = ptr_nonzero(r)
                if more goto b1(r) else b2()
            b2():
                return n
            }""",
            ["ACQUIRE(p);", "ACQUIRE(r);", "RELEASE(q);", "RELEASE(q);", "return n;"],
            id="a variable of a loop has a reference",
        ),
    ],
)  # fmt: skip
def test_counting(graph: str, expected: list[str]) -> None:
    assert counting(graph) == expected


CALLS = """
    graph reads(p: *node) -> Signed {
    b0(p):
        n: Signed = getfield(p, "value")
        return n
    }
    graph writes(p: *node) -> Signed {
    b0(p):
        setfield(p, "next", null(*node))
        return 1
    }
    graph fails(p: *node) -> Signed {
    b0(p):
        raise @an.ValueError
    }
"""


@pytest.mark.parametrize(
    ("callee", "expected"),
    [("reads", []), ("writes", ["ACQUIRE(q);", "RELEASE(q);"])],
)
def test_calls_borrow_their_arguments(callee: str, expected: list[str]) -> None:
    text = f"""{CALLS}
        graph f(p: *node) -> Signed {{
        b0(p):
            q: *node = getfield(p, "next")
            n: Signed = direct_call(@{callee}, q)
            return n
        }}
    """
    assert counting(text) == [*expected, "return n;"]


def test_references_are_released_when_a_call_raises() -> None:
    text = """
        graph other(n: Signed) -> Signed {
        b0(n):
            m = int_add_ovf(n, 1)
            return m
        }
        graph f(n: Signed) -> Signed {
        b0(n):
            p: *node = malloc(type node, {'flavor': 'gc'})
            m: Signed = direct_call(@other, n)
            setfield(p, "value", m)
            k: Signed = getfield(p, "value")
            return k
        }
    """
    assert counting(text) == [
        "p = RPY_MALLOC(s_node, RPY_TID_s_node);", "m = other(n);", "RELEASE(p);", "RELEASE(p);",
        "return k;", "return 0;", "return 0;",
    ]  # fmt: skip


def test_what_nobody_reads_is_released_at_once() -> None:
    text = """
        graph other() -> *node {
        b0():
            p: *node = malloc(type node, {'flavor': 'gc'})
            return p
        }
        graph f() -> Void {
        b0():
            p: *node = direct_call(@other)
            return void
        }
    """
    assert counting(text)[0] == "RELEASE(other());"


def test_a_pointer_into_an_object_keeps_it() -> None:
    text = """
        gcstruct text { hash: Signed, chars: Array(Char) }
        graph f(n: Signed) -> Char {
        b0(n):
            s: *text = malloc_varsize(type text, {'flavor': 'gc'}, n)
            chars: *Array(Char) = getsubstruct(s, "chars")
            goto b1(0, chars)
        b1(i: Signed, cs: *Array(Char)):
            c: Char = getarrayitem(cs, i)
            j = int_add(i, 1)
            more = int_lt(j, n)
            if more goto b1(j, cs) else b2()
        b2():
            return c
        }
    """
    assert counting(text) == ["RELEASE(s);", "return c;", "return 0;"]


def test_a_pointer_into_one_of_several_objects_is_refused() -> None:
    text = """
        gcstruct text { hash: Signed, chars: Array(Char) }
        graph f(n: Signed) -> Char {
        b0(n):
            s: *text = malloc_varsize(type text, {'flavor': 'gc'}, n)
            chars: *Array(Char) = getsubstruct(s, "chars")
            goto b1(0, chars)
        b1(i: Signed, cs: *Array(Char)):
            c: Char = getarrayitem(cs, i)
            other: *text = malloc_varsize(type text, {'flavor': 'gc'}, n)
            more_chars: *Array(Char) = getsubstruct(other, "chars")
            j = int_add(i, 1)
            more = int_lt(j, n)
            if more goto b1(j, more_chars) else b2()
        b2():
            return c
        }
    """
    with pytest.raises(BuildError, match="f keeps a pointer into an object, other, that it"):
        counting(text)


def test_an_object_in_raw_memory_is_refused() -> None:
    text = """
        struct raw { p: *node }
        graph f(a: *node) -> Void {
        b0(a):
            r: *raw = malloc(type raw, {'flavor': 'raw'})
            setfield(r, "p", a)
            return void
        }
    """
    with pytest.raises(BuildError, match="stored in raw memory"):
        counting(text)


LIST = """
    graph make(n: Signed) -> *node {
    b0(n):
        goto b1(0, null(*node))
    b1(i: Signed, head: *node):
        more = int_lt(i, n)
        if more goto b2() else b3()
    b2():
        p: *node = malloc(type node, {'flavor': 'gc'})
        setfield(p, "value", i)
        setfield(p, "next", head)
        j = int_add(i, 1)
        goto b1(j, p)
    b3():
        return head
    }
    graph rpy_entry_point() -> Signed {
    b0():
        goto b1(0)
    b1(i: Signed):
        p: *node = direct_call(@make, 100000)
        a: *GcArray(*node) = malloc_varsize(type GcArray(*node), {'flavor': 'gc'}, 50000)
        setarrayitem(a, 0, p)
        setarrayitem(a, 1, p)
        q: *node = getfield(p, "next")
        copy_array_items(a, a, 0, 1, 49999)
        copy_array_items(a, a, 1, 0, 49999)
        setarrayitem(a, 49999, q)
        setfield(p, "next", null(*node))
        r: *node = getarrayitem(a, 49999)
        n: Signed = getfield(r, "value")
        j = int_add(i, 1)
        more = int_lt(j, 20)
        if more goto b1(j) else b2()
    b2():
        ok = int_eq(n, 99998)
        status = cast_bool_to_int(ok)
        return status
    }
"""


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("refcount")
    program = World().program(TYPES + LIST)
    return build_executable(
        program, directory / "prog", test_options(directory, gc="refcount")
    ).path


@pytest.mark.parametrize(
    ("environment", "status"),
    [
        ({}, 1),
        ({"RPYTHON_GC_MAX": "12M"}, 1),
        ({"RPYTHON_GC_DEBUG": "1"}, 1),
        ({"RPYTHON_GC_DEBUG": "2"}, 1),
    ],
)
def test_long_lists_are_freed(native: Path, environment: dict[str, str], status: int) -> None:
    """Without recursion, in steps, and all of them: twenty times four megabytes."""
    done = subprocess.run(
        [native], env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.parametrize("clock", ["1", "2"])
def test_statistics(native: Path, clock: str) -> None:
    done = subprocess.run(
        [native], env={**os.environ, "RPYTHON_GC_STATS": clock}, capture_output=True, check=False
    )
    assert done.stderr.startswith(b"gc: 0 bytes in use, ")
    assert b"longest" in done.stderr
