"""``rpython.jitimport``: modules that are built when they are imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commandline import own_cache

USE = """
from rpython import jitimport
jitimport.install("pkg.fast", options=["-O0"])
import pkg.fast, pkg.plain
print(pkg.fast.twice(4), type(pkg.fast.twice).__name__, type(pkg.plain.same).__name__)
print(pkg.fast.__name__, pkg.fast.Box(3))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text("")
    (tmp_path / "pkg/plain.py").write_text("def same(n: int) -> int:\n    return n\n")
    (tmp_path / "pkg/fast.py").write_text(
        "from .plain import same\n\n\ndef twice(n: int) -> int:\n    return 2 * same(n)\n\n\n"
        "class Box:\n    def __init__(self, n: int) -> None:\n        self.n = n\n\n"
        "    def __str__(self) -> str:\n        return f\"box of {self.n}\"\n"
    )
    return tmp_path


def use(folder: Path, code: str = USE, **environment: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", code],
        cwd=folder, env={**own_cache(folder), **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout, done.stderr


def kept(folder: Path) -> dict[Path, int]:
    run = folder / "cache/rpython3/run"
    return {path: path.stat().st_mtime_ns for path in run.rglob("*.so")}


def test_it_is_built_once_and_again_after_a_change(folder: Path) -> None:
    native = "8 builtin_function_or_method function\npkg.fast box of 3\n"
    assert use(folder) == (native, "")
    built = kept(folder)
    assert len(built) == 1
    assert use(folder) == (native, "")
    assert kept(folder) == built
    (folder / "pkg/plain.py").write_text("def same(n: int) -> int:\n    return n + 1\n")
    assert use(folder)[0].startswith("10 builtin_function_or_method")
    assert kept(folder).keys() == built.keys() and kept(folder) != built


def test_what_is_refused(folder: Path) -> None:
    source = folder / "pkg/fast.py"
    source.write_text(source.read_text().replace("2 * same(n)", "n + str(n)"))
    out, errors = use(folder)
    assert not out
    assert "ImportError: pkg.fast cannot be native code\n" in errors
    assert "pkg/fast.py:5:12: in twice: type error[R0501]" in errors


def test_without_a_compiler(folder: Path) -> None:
    out, errors = use(folder, CC="no-such-compiler")
    assert out == "8 function function\npkg.fast box of 3\n"
    assert "no-such-compiler: pkg.fast runs as plain Python" in errors


def test_a_module_that_is_imported_already(folder: Path) -> None:
    _, errors = use(folder, USE.replace("from rpython", "import pkg.fast\nfrom rpython"))
    assert "ValueError: module pkg.fast has been imported already" in errors
