"""Every public name of a module is there in the native one, or building says that it is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = '''\
import functools
import math
import os.path
from collections import OrderedDict as Ordered
from functools import lru_cache, partial
from typing import TypeVar

T = TypeVar("T")
TABLE = [1, 2]
SIZE = 3
NAMES = ("a", "b")
_hidden = {}


@lru_cache(maxsize=None)
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@functools.cache
def pair(n: int, by: int = 2) -> tuple[int, int]:
    return n, n * by


def double(n: int) -> int:
    return n * 2


class Box:
    limit = 3
    things = [1]

    def __init__(self, x: int) -> None:
        self.x = x

    @property
    def twice(self) -> int:
        return self.x * 2

    @staticmethod
    def make(x: int) -> "Box":
        return Box(x)

    @functools.lru_cache
    def cached(self, n: int) -> int:
        return n
'''

SHOW = """
import sys
sys.path.insert(0, sys.argv[1])
import everything as m
shown = lambda names: sorted(n for n in names if not n.startswith("_"))
print(shown(n for n in sys.argv[2].split() if hasattr(m, n)))
print(shown(n for n in sys.argv[3].split() if hasattr(m.Box(1), n)))
print(m.fib(80), m.pair(3), m.pair(by=4, n=1), m.math.pi, m.Ordered.__name__, m.os.path.sep, m.SIZE)
print(m.partial(m.double, 2)(), m.lru_cache.__module__)
"""


def run(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_each_public_name_is_there_or_named(tmp_path: Path) -> None:
    plain, native = tmp_path / "plain", tmp_path / "native"
    for folder in (plain, native):
        folder.mkdir()
        (folder / "everything.py").write_text(SOURCE)
    said = run(sys.executable, "-m", "rpython", "build", "--module", native / "everything.py")
    module: dict[str, object] = {"__name__": "everything"}
    exec(SOURCE, module)
    names, members = " ".join(module), " ".join(vars(module["Box"]))
    outputs = [
        run(sys.executable, "-c", SHOW, folder, names, members).splitlines()
        for folder in (plain, native)
    ]
    assert outputs[0][2:] == outputs[1][2:]
    for line in (0, 1):
        missing = set(eval(outputs[0][line])) - set(eval(outputs[1][line]))
        assert missing and all(f"{name} (" in said for name in missing), (missing, said)
    assert "T (TypeVar), TABLE (list)" in said
