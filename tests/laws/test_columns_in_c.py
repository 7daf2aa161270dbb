"""The columns of low-level rows on pointers and addresses, held against compiled C.

Every row with a C template runs on two pieces of memory with the same content: what it gives for
them and what is in them afterwards must be what its columns say.
"""

from __future__ import annotations

import pathlib
import shlex
import subprocess
from typing import Any

import cffi
import pytest

from rpython.lltypesystem import lltype as L
from rpython.lltypesystem.llop import Derives, LLOp
from rpython.lltypesystem.llops import LLOPS

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

WITH_RUNTIME = {"keepalive", "gc_identityhash", "runtime_type_info", "raw_free"}
"""Rows whose C is a macro of a collector or an allocator."""

ROWS = [row for row in LLOPS if row.name in OPERANDS]


def takes_pointers(row: LLOp) -> bool:
    return any(T is L.Address or "pointer" in str(T) for T in row.args or ())


def test_every_row_with_a_template_is_here() -> None:
    wanted = {
        row.name for row in LLOPS
        if row.c is not None and takes_pointers(row) and "gc_" not in row.c
    }  # fmt: skip
    assert wanted - WITH_RUNTIME == set(OPERANDS)


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


class Memory:
    """A piece of memory whose bytes are their offsets."""

    def __init__(self) -> None:
        self.ffi = cffi.FFI()
        self.block = self.ffi.new("char[]", bytes(range(SIZE)))
        self.start = int(self.ffi.cast("intptr_t", self.block))

    @property
    def is_changed(self) -> bool:
        return bytes(self.ffi.buffer(self.block, SIZE)) != bytes(range(SIZE))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: LLOp, library: Any) -> None:
    run = getattr(library, f"law_{row.name}")
    memories = [Memory(), Memory()]
    results = [run(memory.block) for memory in memories]
    assert [memory.is_changed for memory in memories] == [bool(row.effects.writes)] * 2
    if not row.effects.writes:
        assert [run(memory.block) for memory in memories] == results
    offsets = [result - memory.start for result, memory in zip(results, memories)]
    if row.derives is not None:
        assert offsets[0] == offsets[1] and 0 <= offsets[0] < SIZE
        assert row.derives is not Derives.SAME or offsets[0] == 0
    else:
        assert (results[0] != results[1]) == row.varies
    if row.private:
        assert results[0] in (0, 1)
