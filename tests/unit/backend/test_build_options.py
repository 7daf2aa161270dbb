"""Options of a build: sanitizers, profiles, link-time optimisation, other machines."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rpython.backend_c.build import build_executable
from rpython.backend_c.compiler import Compiler, find_compiler
from rpython.backend_c.options import EXECUTABLE, BuildOptions, compile_flags, link_flags
from rpython.lltypesystem.program import Program
from rpython.translator.commandline.cli import main
from rpython.translator.ir.errors import BuildError
from rpython.translator.options import Options
from tests.support.lowlevel import World, test_options

LOOP = """
    graph rpy_entry_point() -> Signed {
    b0():
        goto b1(0, 0)
    b1(i: Signed, total: Signed):
        more = int_lt(i, 1000)
        if more goto b2() else return total
    b2():
        next = int_add(i, 1)
        sum = int_add(total, i)
        goto b1(next, sum)
    }
"""
needs_gcc = pytest.mark.skipif(
    not Compiler(Path("unused")).is_gcc(), reason="the C compiler is not GCC"
)


def build(program: Program, tmp_path: Path, name: str = "prog", **options: Any) -> Path:
    return build_executable(program, tmp_path / name, test_options(tmp_path, **options)).path


def status_of(path: Path) -> int:
    return subprocess.run([path], check=False, timeout=30).returncode


def test_there_is_one_default_collector() -> None:
    assert BuildOptions().gc == Options().gc


def test_link_time_optimisation(tmp_path: Path) -> None:
    assert status_of(build(World().program(LOOP), tmp_path, lto=True)) == sum(range(1000)) % 256
    assert "-flto" in compile_flags(BuildOptions(lto=True), EXECUTABLE)
    assert "-flto" not in link_flags(BuildOptions(), EXECUTABLE)


@needs_gcc
def test_profile(tmp_path: Path) -> None:
    # the status of the program is not 0, with which the command has to end
    path = build(World().program(LOOP), tmp_path, profile=f"{{}} || echo $? > {tmp_path}/status")
    assert (tmp_path / "status").read_text() == "44\n"
    assert status_of(path) == 44
    before = path.read_bytes()
    with pytest.raises(BuildError, match="failed with status 44") as info:
        build(World().program(LOOP), tmp_path, profile="one two")
    assert info.value.where.endswith("/profile/prog one two")
    with pytest.raises(BuildError, match="did not run the program"):
        build(World().program(LOOP), tmp_path, profile="true {}")
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c", "prog", "status"]


@pytest.mark.parametrize("command", ["{}", ""])  # "": the program takes no arguments
def test_profile_needs_gcc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(BuildError, match="a profile needs GCC, not no-such-compiler"):
        build(World().program(LOOP), tmp_path, profile=command)


OUT_OF_BOUNDS = """
    graph rpy_entry_point() -> Signed {
    b0():
        a: *Array(Signed) = malloc_varsize(type Array(Signed), {'flavor': 'raw'}, 3)
        x: Signed = getarrayitem(a, 3)
        return x
    }
"""


def test_sanitizers_see_what_the_program_does(tmp_path: Path) -> None:
    done = subprocess.run(
        [build(World().program(OUT_OF_BOUNDS), tmp_path, sanitize=("address",))],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
    both = build(World().program(LOOP), tmp_path, sanitize=("address", "undefined"))
    assert status_of(both) == 44


STALE = """
import gc
from rpython.rtyper.lltypesystem import lltype, llmemory

PAIR = lltype.GcStruct("pair", ("x", lltype.Signed), ("y", lltype.Signed))

def entry_point(argv):
    p = lltype.malloc(PAIR)
    p.y = 7
    address = llmemory.cast_ptr_to_adr(p) + llmemory.offsetof(PAIR, "y")
    if len(argv) > 1:
        gc.collect()
    print(address.signed[0], p.x)
    try:
        print(len(bytearray(len(argv) << 50)))
    except MemoryError:
        print("no memory")
    return 0
"""


@pytest.mark.long
def test_sanitizers_see_what_the_collector_has_moved(tmp_path: Path) -> None:
    source, program = tmp_path / "stale.py", tmp_path / "stale"
    source.write_text(STALE)
    assert main(["build", str(source), "-o", str(program), "--sanitize=address"]) == 0
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "7 0\nno memory\n")
    done = subprocess.run([program, "x"], capture_output=True, text=True, check=False)
    assert "use-after-poison" in done.stderr
    assert done.returncode != 0


def test_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BuildError, match="cannot build for 'pdp11'"):
        build(World().program(LOOP), tmp_path, target="pdp11")
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "ziglang" else find_spec(name)
    )
    with pytest.raises(BuildError, match="needs the compiler of the ziglang package") as info:
        build(World().program(LOOP), tmp_path, target="aarch64-linux-musl")
    assert info.value.hint == "run: pip install ziglang"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(BuildError, match="no C compiler found"):
        find_compiler()
    monkeypatch.undo()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert find_compiler("aarch64-linux-musl") == [
        sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl",
    ]  # fmt: skip
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert find_compiler() == [sys.executable, "-m", "ziglang", "cc"]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for out in (tmp_path / "file" / "program", tmp_path / "folder"):
        with pytest.raises(BuildError, match="cannot write .*: (File exists|it is a directory)"):
            build_executable(World().program(LOOP), out, test_options(tmp_path))


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["build", "--help"])
    shown = capsys.readouterr().out
    page = (Path(__file__).parents[3] / "docs" / "building.md").read_text()
    for option in ("-O", "--debug", "--gc", "--sanitize", "--lto", "--pgo", "--target"):
        assert option in shown
        assert option in page


def test_wrong_options(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (["--sanitize=thread"], ["--target=pdp11"], ["-O9"]):
        with pytest.raises(SystemExit):
            main(["build", "x.py", *wrong])
        assert wrong[0].split("=")[-1].strip("-O") in capsys.readouterr().err
