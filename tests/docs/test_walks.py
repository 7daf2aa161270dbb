"""The walks of ``docs/contributing.md``, made in a copy of the tree and run there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from changes import Change, changes_of
from docexamples import DOCS

ROOT = DOCS.parent
COPIED = (
    ".ci", "annotator", "backend_c", "docs", "lltypesystem", "rpython", "rtyper", "tests",
    "translator",
)  # fmt: skip
WALKS = 8

_SECTION = re.compile(r"^## Eight walks$(.*?)^## ", re.MULTILINE | re.DOTALL)
PRETEND = '''"""Gives small ints an instruction of their own, as the walk says of 3.15."""

import dis

from rpython.translator.flow import decode, decode_common

_instructions = dis.get_instructions


def instructions(code):
    for ins in _instructions(code):
        if ins.opname == "LOAD_CONST" and type(ins.argval) is int and 0 <= ins.argval < 256:
            ins = ins._replace(opname="LOAD_TINY_INT", arg=ins.argval)
        yield ins


decode_common.dis.get_instructions = instructions
decode.decode.__defaults__ = ((3, 15),)
'''


def changes() -> list[Change]:
    """Those of all walks, in their order."""
    section = _SECTION.search((DOCS / "contributing.md").read_text())
    assert section is not None
    assert section[1].count("\n### ") == WALKS
    return changes_of(section[1])


def copy_tree(tree: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, symlinks=True)
    shutil.copy(ROOT / "setup.cfg", tree)


def use_decoder_of_host(tree: Path) -> None:
    """The walk begins with the newest decoder; the test with that of the CPython which runs it."""
    path = tree / "translator/flow/decode_315.py"
    version = "".join(map(str, sys.version_info[:2]))
    path.write_text(path.read_text().replace("decode_314", f"decode_{version}"))
    (tree / "pretend.py").write_text(PRETEND)


def pytest_in(tree: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
    environment = {**os.environ, "PYTHONPATH": str(tree), "RPYTHON_UNTRIED": "1"}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the changes of all walks."""
    tree = tmp_path_factory.mktemp("walks")
    copy_tree(tree)
    for change in changes():
        change.make(tree)
    use_decoder_of_host(tree)
    return tree


def test_walks(tree: Path) -> None:
    """Their tests, run by a CPython that pretends to be newer."""
    tests = [change.path for change in changes() if change.path.startswith("tests/")]
    corpus = "tests/unit/flow/test_flow_corpus.py::test_graphs"
    done = pytest_in(tree, "-p", "pretend", *tests, corpus)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_laws(tree: Path) -> None:
    """The walk says that they run its operation without being told."""
    done = pytest_in(tree, "tests/laws/test_ops_in_c.py", "-k", "int_count_ones")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_every_walk_has_a_test() -> None:
    page = (DOCS / "contributing.md").read_text()
    section = _SECTION.search(page)
    assert section is not None
    for walk in section[1].split("\n### ")[1:]:
        assert "`tests/" in walk, walk.partition("\n")[0]


def test_line_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    with pytest.raises(AssertionError, match="has 0 lines"):
        Change("a.py", "after", "y = 1", "z = 1\n").make(tmp_path)
