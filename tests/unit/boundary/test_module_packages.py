"""Extension modules in packages: relative imports, names, and sources that are built already."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rpython.translator.imports import module_place
from tests.support.commandline import rpython

FILES = {
    "pkg/__init__.py": "from .fast import Box, Missing, total\nfrom .inner.deep import twice\n",
    "pkg/util.py": "LIMIT = 7\n\ndef clamp(n: int) -> int:\n    return min(n, LIMIT)\n",
    "pkg/fast.py": '''\
from __future__ import annotations

from . import util
from .util import LIMIT


class Box:
    def __init__(self, n: int) -> None:
        self.n = n

    def where(self) -> str:
        return str(type(self))


class Missing(Exception):
    pass


def total(xs: list[int]) -> int:
    if not xs:
        raise Missing("nothing")
    return sum([util.clamp(x) for x in xs]) + LIMIT
''',
    "pkg/inner/__init__.py": "",
    "pkg/inner/deep.py": "from ..util import clamp\n\ndef twice(n: int) -> int:\n"
    "    return 2 * clamp(n)\n",
}
USE = """
import pkg
print(pkg.total([1, 20]), pkg.twice(50), pkg.Box(3).where(), pkg.Box, pkg.Missing)
try:
    pkg.total([])
except pkg.Missing as error:
    print(repr(error))
print(type(pkg.total).__name__, type(pkg.twice).__name__)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def used(project: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", USE], cwd=project / "src", capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def build(project: Path, name: str) -> None:
    out = f"src/{name[:-2]}abi3.so"
    done = rpython(project, "build", "--module", "-O0", f"src/{name}", "-o", out)
    assert (done.returncode, done.stderr) == (0, "")


def test_relative_imports(project: Path) -> None:
    *plain, functions = used(project)
    assert functions == "function function"
    build(project, "pkg/inner/deep.py")
    build(project, "pkg/util.py")
    build(project, "pkg/fast.py")  # what it imports is native code now
    *native, functions = used(project)
    assert native == plain
    assert functions == "builtin_function_or_method builtin_function_or_method"


def test_refusals(project: Path) -> None:
    done = rpython(project, "build", "--module", "src/pkg/__init__.py")
    assert done.returncode == 1
    assert "src/pkg/__init__.py cannot be an extension module" in done.stderr
    (project / "src/pkg/more.py").write_text(
        "from .fast import Box\n\nclass More(Box):\n    pass\n"
    )
    done = rpython(project, "build", "--module", "src/pkg/more.py")
    assert done.returncode == 1
    assert "class More is derived from Box of module pkg.fast" in done.stderr


def test_where_a_module_is_imported_from(project: Path) -> None:
    source = project / "src"
    assert module_place(source / "pkg/inner/deep.py") == (source, "pkg.inner.deep")
    assert module_place(source / "alone.py") == (source, "alone")
