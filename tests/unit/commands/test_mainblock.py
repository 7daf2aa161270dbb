"""Scripts: what stands under ``if __name__ == "__main__":`` at the end of a file is the program, or
what a file does that says nowhere where its program begins."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from rpython.translator.imports import program_imports
from rpython.translator.mainblock import run_as_main
from rpython.translator.scripts import split_script
from tests.support.commandline import rpython

SCRIPT = """
from __future__ import annotations
import argparse
import sys
from dataclasses import dataclass
from typing import ClassVar

VERBOSE = False

@dataclass
class Point:
    x: int
    scale: ClassVar[int] = 3

def log(*a):
    if VERBOSE:
        print("log:", *a)

def parse():
    parser = argparse.ArgumentParser(description="Sum numbers")
    parser.add_argument("nums", nargs="*", type=int)
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser.parse_args()

if "__main__" == __name__:
    args = parse()
    VERBOSE: bool = args.verbose
    total: int
    log("nums", args.nums)
    total = sum(args.nums)
    print(total, Point(3), Point.scale, __name__, type(Point(1)), Point.__module__)
    for i, a in enumerate(sys.argv[1:]):
        print(i, a)
    calls = [lambda: total + i for i in range(2)]
    print([call() for call in calls])
    if len(args.nums) > 2:
        raise RuntimeError("too many")
    sys.exit(len(args.nums))
"""


def test_a_script_does_what_it_does_under_cpython(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    built = rpython(tmp_path, "build", "script.py", "-o", "script")
    assert built.returncode == 0, built.stderr
    for words in (["1", "2", "-v"], [], ["1", "2", "3"], ["x"], ["-h"]):
        done, expected = (
            subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
            for command in (["./script"], [sys.executable, "script.py"])
        )
        assert (done.returncode, done.stdout.replace("usage: script ", "usage: script.py ")) == (
            expected.returncode, expected.stdout
        )  # fmt: skip
        assert done.stderr.splitlines()[-1:] == [
            line.replace("script.py: error", "script: error")
            for line in expected.stderr.splitlines()[-1:]
        ]


PLAIN = """
import random
from collections import Counter
count = 0
NAMES = ["a", "b"]
print("start", count)
count = count + 1
def bump():
    global count
    count += 10
class Point:
    def __init__(self, x: int = len(NAMES)):
        self.x = x
bump()
import math
for i, name in enumerate(NAMES):
    print(i, name, math.sqrt(Point().x))
print(Counter("hello").most_common(2), count)
squares = {x: x * x for x in range(5)}
try:
    int("x")
except ValueError as error:
    print(error)
random.seed(4)
print(random.randint(1, 100), __name__, squares)
if count > 5:
    raise RuntimeError("too many")
"""


def test_a_file_without_a_block_does_what_it_does(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    built = rpython(tmp_path, "build", "plain.py", "-o", "plain")
    assert (built.returncode, built.stderr) == (0, "")
    done, expected = (
        subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        for command in (["./plain"], [sys.executable, "plain.py"])
    )
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
    assert done.stderr.splitlines()[-1] == expected.stderr.splitlines()[-1]


def test_the_block_changes_what_the_file_assigns(tmp_path: Path) -> None:
    source = "total = 1\nif __name__ == '__main__':\n    total += 5\n    print(total)\n"
    (tmp_path / "app.py").write_text(source)
    assert rpython(tmp_path, "run", "app.py").stdout == "6\n"


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nLIMIT = 10\nnames: list[str] = []\ndef f(): print(1)\n",  # no program
        "import sys\nsys.path.append('lib')\nimport ast\n",  # for what is imported
        "print(f)\ndef f(): pass\n",  # NameError
        "def g(): return f()\ng()\ndef f(): pass\n",  # the same
        "def f(): pass\nf()\ndef f(): print(1)\nf()\n",  # it is another one
        "print(1)\nn = 3\ndef f(x=n): pass\n",  # it needs what the program found out
        "print(1)\nbase = dict\nclass C(base): pass\n",
        "print(1)\nfor i in range(3):\n    import sys\n    print(sys)\n",  # both at once
    ],
)
def test_what_is_no_plain_script(source: str) -> None:
    assert split_script(ast.parse(source)) is None


def test_the_default_name_is_the_file_s(tmp_path: Path) -> None:
    (tmp_path / "hello.py").write_text("if __name__ == '__main__':\n    print('hello')\n")
    assert rpython(tmp_path, "build", "hello.py").returncode == 0
    done = subprocess.run(["./hello-c"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "hello\n")


GUARDED = "if __name__ == '__main__':\n    pass\n"


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\n",
        "def entry_point(argv):\n    return 0\n" + GUARDED,
        "def target(driver, args):\n    return f\n" + GUARDED,
        "from app import f as entry_point\n" + GUARDED,
        GUARDED + "x = 1\n",
        GUARDED + GUARDED,
        GUARDED + "else:\n    pass\n",
        "if __name__ != '__main__':\n    pass\n",
    ],
)
def test_what_is_no_script(tmp_path: Path, source: str) -> None:
    path = tmp_path / "app.py"
    path.write_text(source)
    assert run_as_main(path) is None


def test_the_toolchain_keeps_its_main_module(tmp_path: Path) -> None:
    path, before = tmp_path / "app.py", sys.modules["__main__"]
    path.write_text(GUARDED)
    imports = program_imports(path)
    with imports:
        module = run_as_main(path)
        assert sys.modules["__main__"] is module
    assert sys.modules["__main__"] is before
    with imports:
        assert sys.modules["__main__"] is module


def test_functions_see_the_globals_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(
        "def show():\n    try:\n        print(size)\n    except NameError as e:\n        print(e)\n"
        "show()\nsize = 3\nshow()\n"
    )
    done = rpython(tmp_path, "run", "app.py")
    assert done.stdout == "name 'size' is not defined\n3\n"


MAKING = """\
import argparse
import csv
import io

LIMIT = 2
parser = argparse.ArgumentParser(prog="making")
parser.add_argument("-n", type=int, default=LIMIT)

def wanted():
    return parser.parse_args().n

reader = csv.DictReader(io.StringIO("a;b\\n1;2\\n3;4\\n"), delimiter=";")
"""
USING = """\
for row in reader:
    print(row, reader.line_num, wanted() * LIMIT)
"""


BLOCK = "if __name__ == '__main__':\n" + textwrap.indent(USING, "    ")


@pytest.mark.parametrize("end", [USING, BLOCK])
def test_what_no_program_starts_with_belongs_to_it(tmp_path: Path, end: str) -> None:
    (tmp_path / "making.py").write_text(MAKING + end)
    built = rpython(tmp_path, "build", "making.py", "-o", "making")
    assert (built.returncode, built.stderr) == (0, "")
    for words in ([], ["-n", "5"]):
        done, expected = (
            subprocess.run([*command, *words], cwd=tmp_path, capture_output=True, text=True)
            for command in (["./making"], [sys.executable, "making.py"])
        )
        assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)


def test_what_is_made_sees_what_was_there_then(tmp_path: Path) -> None:
    (tmp_path / "order.py").write_text(
        "import argparse\n"
        "LIMIT = 1\n"
        "sizes = ['a']\n"
        "parser = argparse.ArgumentParser(prog=f'p{LIMIT}{len(sizes)}')\n"
        "LIMIT = 2\n"
        "sizes.append('b')\n"
        "if __name__ == '__main__':\n"
        "    print(parser.prog, LIMIT, sizes)\n"
    )
    assert rpython(tmp_path, "run", "order.py").stdout == "p11 2 ['a', 'b']\n"
