"""The walk "Add a collector" of docs/contributing.md, made in a copy of the tree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("rpython", "annotator", "rtyper", "translator", "lltypesystem", "backend_c")
PROGRAM = """
def entry_point(argv):
    made = [[i] for i in range(1000)]
    print(len(made), made[-1][0])
    return 0
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the product's code."""
    for part in PARTS:
        shutil.copytree(
            ROOT / part, tmp_path / part, symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )  # fmt: skip
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name}: {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_add_a_collector(tree: Path) -> None:
    runtime = tree / "backend_c" / "runtime"
    for suffix in ("h", "c"):  # what it does
        text = (runtime / f"rpy_gc_none.{suffix}").read_text(encoding="utf-8")
        copy = text.replace("rpy_gc_none.h", "rpy_gc_never.h").replace("GC_NONE_H", "GC_NEVER_H")
        (runtime / f"rpy_gc_never.{suffix}").write_text(copy, encoding="utf-8")
    replace(  # its description
        tree / "backend_c" / "gc.py",
        '        Collector("none", "rpy_gc_none.h"),\n',
        '        Collector("none", "rpy_gc_none.h"),\n'
        '        Collector("never", "rpy_gc_never.h", ("lower_exceptions", "release_gil")),\n',
    )
    replace(  # what RPython calls it
        tree / "rpython" / "config" / "translationoption.py",
        '    "none": ("none",),\n',
        '    "none": ("none",),\n    "never": ("never",),\n',
    )
    (tree / "program.py").write_text(PROGRAM, encoding="utf-8")
    command = "import sys; from rpython.translator.cli import main; sys.exit(main(sys.argv[1:]))"
    build = [sys.executable, "-c", command, "build", "-O0", "--gc=never", "program.py", "-o", "out"]
    environment = {**os.environ, "PYTHONPATH": str(tree), "XDG_CACHE_HOME": str(tree / "cache")}
    subprocess.run(build, cwd=tree, env=environment, check=True, timeout=300)
    done = subprocess.run([tree / "out"], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "1000 999\n"
