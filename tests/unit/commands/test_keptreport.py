"""``rpython check`` says again what it said, while nothing has changed that it depends on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import os
from parts import size

WORDS = open(os.path.join(os.path.dirname(__file__), "words.txt")).read().split()

def entry_point(argv):
    return size(argv) + len(WORDS)
"""
FILES = {
    "app.py": PROGRAM,
    "parts.py": "def size(items):\n    return len(items)\n",
    "words.txt": "a b",
    "none.txt": "",
}
_LOADED = "rpython.annotator.annotator"
"""What a process loads that finds nothing kept."""


class Folder:
    """A folder with a program, and caches of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path / "program"
        self.path.mkdir()
        self._caches = str(path / "caches")
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        """A file that was written long before the next command."""
        (self.path / name).write_text(text)
        os.utime(self.path / name, (1, 1))

    def check(self, *words: str, **environment: str) -> tuple[str, bool, int]:
        """What the command prints, whether it was kept, and the exit status."""
        command = [sys.executable, "-X", "importtime", "-m", "rpython", "check", "app.py", *words]
        inherited = {name: text for name, text in os.environ.items() if "PYTEST" not in name}
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=self.path,
            env={**inherited, "XDG_CACHE_HOME": self._caches, **environment},
        )  # fmt: skip
        told = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
        return done.stdout + "\n".join(told), _LOADED not in done.stderr, done.returncode


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    found = Folder(tmp_path)
    assert found.check() == ("app.py: 4 functions, no type errors\n", False, 0)
    assert found.check() == ("app.py: 4 functions, no type errors\n", True, 0)
    return found


def test_is_kept_whatever_else_changes(folder: Folder) -> None:
    folder.write("none.txt", "nobody reads this")
    os.utime(folder.path / "parts.py", (2, 2))
    assert folder.check()[1]


@pytest.mark.parametrize("name", ["app.py", "parts.py", "words.txt"])
def test_is_made_again_when_a_file_changes(folder: Folder, name: str) -> None:
    folder.write(name, FILES[name] + "\n\n")
    assert not folder.check()[1]
    assert folder.check()[1]


def test_is_made_again_when_there_is_another_module(folder: Folder) -> None:
    folder.write("textwrap.py", "")
    assert not folder.check()[1]


def test_is_made_again_for_other_words_or_another_environment(folder: Folder) -> None:
    assert not folder.check("--int=big")[1]
    assert not folder.check(WORDS="3")[1]
    assert folder.check()[1]


def test_errors_are_kept(folder: Folder) -> None:
    folder.write("parts.py", "def size(items):\n    return items.size\n")
    told, kept, status = folder.check()
    assert "R0401" in told and (kept, status) == (False, 1)
    assert folder.check() == (told, True, 1)


def test_what_writes_files_is_not_kept(folder: Folder) -> None:
    folder.write("parts.py", "open('log', 'w').close()\n" + FILES["parts.py"])
    assert not folder.check()[1]
    assert not folder.check()[1]
