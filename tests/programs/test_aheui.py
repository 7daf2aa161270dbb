"""The interpreter of the package aheui, written for RPython, translated unmodified: with machine
integers and with ``rbigint``.

The oracle is the same package under a CPython without this project, where it uses CPython's own
integers.
"""

import importlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import aheui_text
import pytest
from programs import ROOT, Outcome, build_program, run

import rpython

SOURCE = ROOT / "tests" / "programs" / "foreign" / "aheui_run.py"
HELLO = """\
밤밣따빠밣밟따뿌
빠맣파빨받밤뚜뭏
돋밬탕빠맣붏두붇
볻뫃박발뚷투뭏붖
뫃도뫃희멓뭏뭏붘
뫃봌토범더벌뿌뚜
뽑뽀멓멓더벓뻐뚠
뽀덩벐멓뻐덕더벅
"""
PROGRAMS = {
    "hello": (HELLO, ""),
    "turned": ("받타망희", ""),  # without a second value the code turns round
    "divisors": (aheui_text.divisors(120), ""),
    "sums": (aheui_text.sums(), "4 10 -7 99 123456789012 한글 and\nthe rest\n"),
    "factorials": (aheui_text.factorials(20), ""),
    "fibonacci": (aheui_text.fibonacci(90), ""),
}
BEYOND = {
    "factorials": (aheui_text.factorials(80), ""),
    "fibonacci": (aheui_text.fibonacci(300), ""),
    "sums": (aheui_text.sums(), f"3 {10**40} {-(10**50)} 99999999999999999999 \n"),
}
"""Programs that leave 64 bits."""
LEVELS = ["0", "1", "2"]
NUL, REPLACEMENT = b"\0", "\ufffd".encode()


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """The command that runs the package without this project."""
    spec = find_spec("aheui")
    assert spec is not None and spec.origin is not None
    directory = tmp_path_factory.mktemp("oracle")
    (directory / "aheui").symlink_to(Path(spec.origin).parent)
    (directory / SOURCE.name).symlink_to(SOURCE)
    python = os.path.realpath(sys.executable)
    alone = [python, "-E", "-s", "-c", "import rpython"]
    assert subprocess.run(alone, cwd=directory, capture_output=True, check=False).returncode == 1
    copy = directory / "run.py"
    copy.write_text(SOURCE.read_text())
    return [python, "-E", "-s", copy]


@pytest.fixture(scope="module", params=["small", "big"])
def native(request: pytest.FixtureRequest, shared_directory: Path) -> tuple[str, Path]:
    """The form of integers, and the native interpreter."""
    directory = shared_directory / f"aheui_{request.param}"
    directory.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RPAHEUI_BIGINT", "1" if request.param == "big" else "")
        return request.param, build_program(SOURCE, directory)


def check(
    oracle: list[str | Path], native: tuple[str, Path], tmp_path: Path, level: str, source: str,
    data: str,
) -> None:  # fmt: skip
    """Run a program both ways; beyond 64 bits small integers raise OverflowError."""
    path = tmp_path / "program.aheui"
    path.write_text(source)
    form, executable = native
    expected = run([*oracle, path, level], data.encode())
    found = run([executable, path, level], data.encode())
    if form == "small" and "OverflowError" in found.errors:
        assert found.status == 1
        assert expected.output.startswith(found.output)
    else:
        # the package's big form prints the character 0, its small form does not
        output = expected.output.replace(REPLACEMENT, NUL)
        assert (found.status, found.output.replace(REPLACEMENT, NUL)) == (expected.status, output)
        assert last_line(found) == last_line(expected)


def last_line(outcome: Outcome) -> str:
    return outcome.errors.rstrip().rpartition("\n")[2]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(
    oracle: list[str | Path], native: tuple[str, Path], tmp_path: Path, name: str, level: str
) -> None:
    check(oracle, native, tmp_path, level, *PROGRAMS[name])


@pytest.mark.parametrize("name", BEYOND)
def test_beyond_64_bits(
    oracle: list[str | Path], native: tuple[str, Path], tmp_path: Path, name: str
) -> None:
    source, data = BEYOND[name]
    check(oracle, native, tmp_path, "2", source, data)
    if native[0] == "small":
        outcome = run([native[1], tmp_path / "program.aheui"], data.encode())
        assert last_line(outcome).startswith("OverflowError")


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(
    oracle: list[str | Path], native: tuple[str, Path], tmp_path: Path, seed: int
) -> None:
    check(oracle, native, tmp_path, LEVELS[seed % 3], aheui_text.random_program(seed), "")


def test_interpreted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SOURCE.parent))
        patch.delenv("RPAHEUI_BIGINT", raising=False)
        module = importlib.import_module(SOURCE.stem)
    path = tmp_path / "program.aheui"
    path.write_text(HELLO)
    assert rpython.interpret(module.entry_point, [["aheui", str(path), "1"]]) == 0
    assert capfd.readouterr().out == "Hello, world!\n"
