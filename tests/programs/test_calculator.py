"""examples/calculator.py, whose lexer and parser are made by rply, as it comes from PyPI.

rply goes one way in an environment with this project (`rpython` can be imported), another way
without it, and a third when it is translated: the answers are the same.
"""

import os
import sys
from pathlib import Path

import appdirs
import pytest
import rply
from calculations import script
from programs import EXAMPLES, build_example, load_example, run

import rpython

SCRIPTS = 100

AWKWARD = {
    "nothing": "",
    "many digits": "1" * 6000 + "\n0x" + "f" * 6000 + "\n0." + "12345" * 999 + "\n1e-999999999999",
    "a long sum": "+".join(["1"] * 4000) + "\n" + "+".join(["1"] * 6000),
    "parentheses": "(" * 4000 + "1" + ")" * 4000 + "\n" + "(" * 4000,
    "to the right": "-" * 4900 + "1\n" + "-" * 6000 + "1\n" + "^".join(["1"] * 4900),
    "a long call": f"max({','.join(map(str, range(4000)))})",
    "a long name": "a" * 100_000 + " = 1\n" + "a" * 100_000 + "+ b",
    "parameters": f"def f({', '.join(f'p{i}' for i in range(500))}) = p499\nf(1)\n"
    f"f({', '.join(map(str, range(500)))})",
    "recursion": "def f(n) = if n == 0 then 0 else 1 + f(n - 1)\nf(1600)\nf(2500)\nans",
    "many lines": "\n".join(f"x = {i} * x{i % 3}\n{i} // 7" for i in range(2000)),
    "the smallest": "m = -9223372036854775807 - 1\nm // -1\n-m\nabs(m)\nm % -1\nm * -1\ngcd(m, 0)\n"
    "truncate(-9223372036854775808.0)\nfloor(9.3e18)\n9007199254740993 / 3\n3 ^ 40\n(0 - 2) ^ 63",
    "zeros": "0 ^ 0\n0 ^ -1\n0.0 ^ -1\n-0.0\n5 // 0.0\n5.5 % -2\n-1 // 1e-400\n"
    "min(1, 1.0)\n0.0 == -0.0",
    "line ends": "1 + 1\r\n2 *\r\n 3\r\n\t\n  4\n\n1 +\n\t$\n 1\0",
    "every character": "".join(map(chr, range(1, 256))),
    "separators": "1\u20281\n1\u00a0+\u30002\nx\x1c=\x853\n\u0663 + \u096a.5\n\u00b2\n"
    "\ud55c = 1\n\U0001d4b3",
}  # fmt: skip


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str | Path], dict[str, str]]:
    """A command and an environment: CPython with rply, but without this project."""
    packages = tmp_path_factory.mktemp("packages")
    (packages / "rply").symlink_to(Path(rply.__file__).parent)
    (packages / "appdirs.py").symlink_to(appdirs.__file__)
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    command: list[str | Path] = [sys.executable, "-S"]
    absent = run([*command, "-P", "-c", "import rply.lexergenerator, rpython"], b"", environment)
    assert "No module named 'rpython'" in absent.errors
    return [*command, EXAMPLES / "calculator.py"], environment


@pytest.fixture(scope="module")
def native(shared_directory: Path) -> Path:
    return build_example("calculator", shared_directory)


def check(
    paths: list[Path], native: Path, bare: tuple[list[str | Path], dict[str, str]]
) -> list[str]:
    """What the calculator says about files: the same, whoever runs it."""
    host = run([sys.executable, EXAMPLES / "calculator.py", *paths])
    lines = host.output.decode().split("\n")
    assert host.errors == ""
    for command, environment in [([native], None), bare]:
        done = run([*command, *paths], b"", environment)
        assert done.output.decode().split("\n") == lines
        assert done == host
    return lines


def test_generated(tmp_path: Path, native: Path, bare) -> None:
    paths = []
    for seed in range(SCRIPTS):
        paths.append(tmp_path / str(seed))
        paths[-1].write_text(script(seed), newline="")
    lines = check(paths, native, bare)
    errors = [line for line in lines if line.startswith(str(tmp_path))]
    values = [line for line in lines if line and line[0] != " " and line not in errors]
    assert len(errors) > 3 * SCRIPTS < len(values)


def test_awkward(tmp_path: Path, native: Path, bare) -> None:
    for name, text in AWKWARD.items():
        path = tmp_path / name
        path.write_text(text, newline="")
        check([path], native, bare)


def test_not_text(tmp_path: Path, native: Path, bare) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(255, 0, -1)) + "größe = 1".encode()[:4])
    check([path], native, bare)
    check([tmp_path / "missing"], native, bare)


def test_interpreted(capfd: pytest.CaptureFixture[str]) -> None:
    calculator = load_example("calculator")

    def good(path: str, text: str) -> bool:
        return bool(calculator.run(path, text, calculator.Globals()))

    text = script(1) + "def f(n) = if n == 0 then 0 else 1 + f(n - 1)\nf(50)\n1 +\n2 ? 3\n"
    assert not good("input", text)
    host = capfd.readouterr().out
    assert not rpython.interpret(good, ["input", text])
    assert capfd.readouterr().out == host
