"""The columns of low-level rows on pointers and addresses, held against compiled C.

Every row with a C template, and those whose C the back end writes, run on two pieces of memory with
the same content: what they give for them and what is in them afterwards must be what the columns
say.
"""

from __future__ import annotations

import pathlib
import shlex
import subprocess
from collections.abc import Callable
from typing import Any

import cffi
import pytest

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.operations.llop import Derives, LLOp
from rpython.lltypesystem.operations.llops import LLOPS
from tests.support.lowlevel import Native, World, native

RUNTIME = pathlib.Path(__file__).parents[2] / "backend_c" / "runtime"
SIZE = 64

OPERANDS = {
    "ptr_eq": ("p", "p"), "ptr_ne": ("p", "p"), "ptr_nonzero": ("p",), "ptr_iszero": ("p",),
    "cast_ptr_to_int": ("p",), "cast_pointer": ("p",), "cast_opaque_ptr": ("p",),
    "adr_add": ("p", "8L"), "adr_sub": ("(p + 8)", "8L"), "adr_delta": ("(p + 8)", "p"),
    "adr_eq": ("p", "p"), "adr_ne": ("p", "p"), "adr_lt": ("p", "(p + 8)"),
    "adr_le": ("p", "(p + 8)"), "adr_gt": ("p", "(p + 8)"), "adr_ge": ("p", "(p + 8)"),
    "cast_ptr_to_adr": ("p",), "cast_adr_to_ptr": ("p",), "cast_adr_to_int": ("p",),
    "raw_load": ("p", "1L"), "raw_memclear": ("p", "8L"), "raw_memcopy": ("(p + 8)", "p", "8L"),
}  # fmt: skip
"""C expressions for the operands; ``p`` points to bytes that differ from one another."""

WITH_RUNTIME = {"keepalive", "gc_identityhash", "runtime_type_info", "raw_free", "report_of"}
"""Rows whose C is a macro of a collector or an allocator."""

WRITTEN = {
    "getfield": ("memory", 'p, "n"', "Signed"), "setfield": ("memory", 'p, "n", 7', "Void"),
    "getsubstruct": ("memory", 'p, "inner"', "*inner"),
    "getinteriorfield": ("memory", 'p, "inner", "m"', "Signed"),
    "setinteriorfield": ("memory", 'p, "inner", "m", 7', "Void"),
    "getarrayitem": ("words", "p, 2", "Signed"), "setarrayitem": ("words", "p, 2, 7", "Void"),
    "getarraysubstruct": ("inners", "p, 2", "*inner"),
    "direct_fieldptr": ("memory", 'p, "n"', "*items"), "direct_ptradd": ("items", "p, 2", "*items"),
    "direct_arrayitems": ("words", "p", "*items"),
}  # fmt: skip
"""Rows on pointers whose C the back end writes: what ``p`` points to, the operands, and the type
of the result."""

BY_COLLECTORS = {"gc_exchange", "gc_store_weak"}
"""What collectors do in C."""

INNER = L.Struct("inner", ("k", L.Signed), ("m", L.Signed))
TYPES = {
    "inner": INNER,
    "memory": L.Struct("memory", ("k", L.Signed), ("n", L.Signed), ("inner", INNER)),
    "words": L.Array(L.Signed, hints={"nolength": True}),
    "inners": L.Array(INNER, hints={"nolength": True}),
    "items": L.FixedSizeArray(L.Signed, 1),
}

ROWS = [row for row in LLOPS if row.name in OPERANDS]
ROWS_WRITTEN = [row for row in LLOPS if row.name in WRITTEN]


def takes_pointers(row: LLOp) -> bool:
    return any(T is L.Address or "pointer" in str(T) for T in row.args or ())


def test_every_row_with_a_template_is_here() -> None:
    wanted = {
        row.name for row in LLOPS
        if row.c is not None and takes_pointers(row) and "gc_" not in row.c
    }  # fmt: skip
    assert wanted - WITH_RUNTIME == set(OPERANDS)
    assert {
        row.name for row in LLOPS
        if row.c is None and (row.loads or row.stores or row.derives is not None)
    } == {*WRITTEN, *BY_COLLECTORS}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All rows, in one compilation."""
    folder = tmp_path_factory.mktemp("columns")
    lines = ['#include "rpy_base.h"', '#include "rpy_ops.h"']
    for row in ROWS:
        assert row.c is not None
        R = "Signed" if row.name == "raw_load" else "Address"
        text = row.c.format(*OPERANDS[row.name], R=R, r="r")
        given = f"{text}; return 0;" if row.result is L.Void else f"return (Signed)({text});"
        lines.append(f"Signed law_{row.name}(char *p) {{ {given} }}")
    source, made = folder / "laws.c", folder / "laws.so"
    source.write_text("\n".join(lines) + "\n")
    command = f"cc -O2 -w -shared -fPIC -I {shlex.quote(str(RUNTIME))} -o {made} {source}"
    subprocess.run(shlex.split(command), check=True)
    ffi = cffi.FFI()
    for row in ROWS:
        ffi.cdef(f"long law_{row.name}(char *);")
    return ffi.dlopen(str(made))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Native:
    """The rows that are written by the back end, in one program."""
    world = World()
    world.env.types.update(TYPES)
    text = ""
    for name, (kind, operands, result) in WRITTEN.items():
        lines = [f"r: {result} = {name}({operands})" if result != "Void" else f"{name}({operands})"]
        lines += ["r2 = cast_ptr_to_int(r)"] * result.startswith("*")
        given = {"Signed": "r", "Void": "0"}.get(result, "r2")
        body = "\n    ".join([*lines, f"return {given}"])
        text += f"graph law_{name}(p: *{kind}) -> Signed {{\nb0(p):\n    {body}\n}}\n"
    return native(world.program(text), tmp_path_factory.mktemp("written"))


class Memory:
    """A piece of memory whose bytes are their offsets, or those and ``more``."""

    def __init__(self, more: int = 0) -> None:
        self.ffi = cffi.FFI()
        self.content = bytes(range(more, SIZE + more))
        self.block = self.ffi.new("char[]", self.content)
        self.start = int(self.ffi.cast("intptr_t", self.block))

    @property
    def is_changed(self) -> bool:
        return bytes(self.ffi.buffer(self.block, SIZE)) != self.content


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: LLOp, library: Any) -> None:
    check(row, getattr(library, f"law_{row.name}"))


@pytest.mark.parametrize("row", ROWS_WRITTEN, ids=lambda row: row.name)
def test_row_that_is_written(row: LLOp, written: Native) -> None:
    start = cffi.FFI().cast
    check(row, lambda p: written.call(f"law_{row.name}", int(start("intptr_t", p))))


def check(row: LLOp, run: Callable[[Any], int]) -> None:
    """Hold the columns against what ``run`` does with a pointer."""
    memories = [Memory(), Memory()]
    results = [run(memory.block) for memory in memories]
    assert [memory.is_changed for memory in memories] == [bool(row.effects.writes)] * 2
    if not row.effects.writes:
        assert [run(memory.block) for memory in memories] == results
        other = Memory(more=1)
        moves = row.derives is not None or row.varies
        told = run(other.block) - (other.start if moves else 0)
        differs = told != results[0] - (memories[0].start if moves else 0)
        assert row.loads <= differs <= bool(row.effects.reads)
    offsets = [result - memory.start for result, memory in zip(results, memories)]
    if row.derives is not None:
        assert offsets[0] == offsets[1] and 0 <= offsets[0] < SIZE
        assert row.derives is not Derives.SAME or offsets[0] == 0
    else:
        assert (results[0] != results[1]) == row.varies
    if row.private:
        assert row.loads or results[0] in (0, 1)
