"""The example of ``docs/modules.md``, built by the command and imported."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docexamples import DOCS

from tests.support.commandline import rpython_in

PAGE = (DOCS / "modules.md").read_text()
SOURCE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
SESSION = re.findall(r"\$ python\n(.*?)```", PAGE, re.DOTALL)[0]
BOX = """
class Box:
    def __init__(self, xs: list[int]) -> None:
        self.xs = xs
"""


def build(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return rpython_in(folder, "build", "-O0", "--module", *args)


def run(session: str) -> None:
    test = doctest.DocTestParser().get_doctest(session, {}, "modules.md", None, 0)
    runner = doctest.DocTestRunner()
    assert runner.run(test).failed == 0


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fast.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "fast", raising=False)
    run(SESSION)  # as Python
    monkeypatch.delitem(sys.modules, "fast")
    done = build(tmp_path, "fast.py", "-o", str(tmp_path / "fast.abi3.so"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{tmp_path}/fast.abi3.so: built in")
    run(SESSION)
    assert sys.modules["fast"].__file__ == str(tmp_path / "fast.abi3.so")
    monkeypatch.delitem(sys.modules, "fast")


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "box.py").write_text(BOX)
    done = build(tmp_path, "box.py")
    assert done.returncode == 1
    shown = " ".join(re.findall(r"\n    (Box.__init__.*?)\n\n", PAGE, re.DOTALL)[0].split())
    message, hint = shown.split(" hint: ")
    assert message in done.stderr
    assert hint in done.stderr
    done = build(tmp_path, "box.py", "-o", "other.so")
    assert "Python would not import other.so as box" in done.stderr
