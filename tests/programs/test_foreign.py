"""Code nobody here wrote, translated unmodified from its installed source.

The programs in ``foreign/`` drive it: from the standard library heapq, bisect, colorsys and
difflib.SequenceMatcher, from PyPI munkres, rply, snowballstemmer and toposort.  Each says the same
under CPython, in the LLInterpreter and natively.
"""

import importlib
import sys
from pathlib import Path

import pytest
from programs import ROOT, build_program, run

import rpython

FOREIGN = ROOT / "tests" / "programs" / "foreign"
LINES = "a: b c\nb: c\nd: a b\nlonely:\n"
WORDS = """running quickly the relational generously national happiness skies dying
continuellement majestueusement chevaux Häuser aufeinanderfolgenden книгами важнейшими
kitaplar evlerinizden güzellik 'twas yyy a"""
BOXES = [
    '[1, 2, [3, "a\nb"], SELECT, h\u00e9llo, /* no\nmore */ []]', "[1 2]", "[1,", "[1, $]", "", "3",
    "[3, 3", '"abc',
]  # fmt: skip

RUNS = {
    "heaps": ([["7"], ["123456"]], ""),
    "boxes": ([BOXES], ""),
    "bisection": ([[]], ""),
    "colours": ([[]], ""),
    "differences": ([[], ["a b c d e f", "a x c d f e"]], ""),
    "assignment": ([[]], ""),
    "stems": ([[]], WORDS),
    "order": ([[]], LINES),
    "order ": ([[]], "a: b\nb: a\n"),
}


def path_of(name: str) -> Path:
    return FOREIGN / f"{name.strip()}.py"


@pytest.mark.parametrize("name", RUNS)
def test_native(name: str, shared_directory: Path) -> None:
    native = build_program(path_of(name), shared_directory)
    calls, text = RUNS[name]
    for args in calls:
        host = run([sys.executable, path_of(name), *args], text.encode())
        assert host.output
        assert run([native, *args], text.encode()) == host


@pytest.mark.parametrize("name", [name for name in RUNS if RUNS[name][1] == ""])
def test_interpreted(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    sys.path.insert(0, str(FOREIGN))
    try:
        module = importlib.import_module(name)
    finally:
        sys.path.remove(str(FOREIGN))
    argv = [name, *RUNS[name][0][-1]]
    status = module.entry_point(argv)
    host = capfd.readouterr().out
    assert rpython.interpret(module.entry_point, [argv]) == status
    assert capfd.readouterr().out == host
