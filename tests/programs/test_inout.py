"""``inout.py`` under CPython and natively: streams, files, the environment, exec."""

import os
import sys
from pathlib import Path

import pytest
from programs import ROOT, Outcome, build_program, run

PROGRAM = ROOT / "tests" / "programs" / "inout.py"
TEXT = "aé€c\ndéf\nghi\njkl\nmno\nlast".encode()
INPUTS = [TEXT, b"", b"\n", b"abcdefgh", b"ab\n\n\n\n\n\n", b"x" * 70000 + b"\n" + TEXT]


@pytest.mark.parametrize("mode", ["text", "binary"])
@pytest.mark.parametrize("data", INPUTS)
def test_standard_input(mode: str, data: bytes, shared_directory: Path) -> None:
    native = build_program(PROGRAM, shared_directory)
    host, translated = (
        run([*command, mode], data) for command in ([sys.executable, PROGRAM], [native])
    )
    assert (translated.status, translated.output) == (host.status, host.output)
    assert translated.errors.splitlines()[-1:] == host.errors.splitlines()[-1:]


def test_files_are_flushed_at_exit(tmp_path: Path, shared_directory: Path) -> None:
    native = build_program(PROGRAM, shared_directory)
    environment = {**os.environ, "RPYTHON3_TEST": "wert\udcff"}
    for locale in ("C.UTF-8", "POSIX"):  # bytes that are no UTF-8 are passed on
        environment["LC_ALL"] = locale
        translated = run([native, "files", tmp_path / "native"], environment=environment)
        assert translated.output.endswith(b" wert\xff None\n")
    environment["RPYTHON3_TEST"] = "wért"
    translated = run([native, "files", tmp_path / "native"], environment=environment)
    lines = (tmp_path / "native").read_text(encoding="utf-8").splitlines()
    assert lines == [f"{i} {'é' * (i % 7)}" for i in range(3000)] + ["the end"]
    size = sum(len(line) + 1 for line in lines[:-1])
    assert (translated.status, translated.output.decode()) == (3, f"{size} wért None\n")


def both(native: Path, arguments: str, data: bytes = b"") -> list[Outcome]:
    """What a shell's command does under CPython and natively."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    environment.pop("PYTHONUNBUFFERED", None)
    commands = (f"{sys.executable} {PROGRAM}", str(native))
    return [
        run(["sh", "-c", arguments.replace("PROGRAM", command)], data, environment)
        for command in commands
    ]


@pytest.mark.parametrize("data", [*INPUTS, b"a\xffb\n\xe2\x28", b"x" * 8191 + "€é".encode()])
def test_any_kind_of_file(data: bytes, shared_directory: Path, tmp_path: Path) -> None:
    native = build_program(PROGRAM, shared_directory)
    host, translated = both(native, f"PROGRAM streams {tmp_path}/out", data)
    assert translated == host


@pytest.mark.parametrize(
    "arguments",
    ["streams -", "streams - >&-", "streams - 2>&-", "streams - >/dev/full",
     "streams /nonexistent/x", "mixed 1", "mixed 7", "mixed 3000"],
)  # fmt: skip
def test_ways_to_run(arguments: str, shared_directory: Path) -> None:
    native = build_program(PROGRAM, shared_directory)
    host, translated = both(native, f"PROGRAM {arguments}")
    assert (translated.status, translated.output) == (host.status, host.output)
    assert translated.errors.splitlines()[-1:] == host.errors.splitlines()[-1:]


def test_time_zone(shared_directory: Path) -> None:
    native = build_program(PROGRAM, shared_directory)
    host, translated = both(native, "TZ=CET-1CEST,M3.5.0,M10.5.0/3 PROGRAM zone")
    assert translated == host
    assert host.output.endswith(b"True\n")


def test_exec(shared_directory: Path) -> None:
    native = build_program(PROGRAM, shared_directory)
    for command in ([native], [sys.executable, PROGRAM]):
        assert run([*command, "exec", "a b", ""]).output == b"before\nafter a b \n"
