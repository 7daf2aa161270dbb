"""Modules that programs import, whatever the toolchain itself has loaded under their names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commandline import fresh_rpython, own_cache

SHADOWING = {
    "ast.py": "class Node:\n    value = 3\n",
    "platform.py": "def name():\n    return 'mine'\n",
    "translator.py": "def translate(n):\n    return n + 1\n",
    "uuid.py": "from platform import name\n",
}
"""Modules that have the names of some that the toolchain has loaded, and of some that it will."""

USES_SHADOWING = """
import translator
import uuid
from rpython.rlib.jit import promote


def entry_point(argv):
    import ast
    import platform

    print(ast.Node.value, platform.name(), uuid.name(), translator.translate(promote(4)))
    return 0


if __name__ == "__main__":
    entry_point([])
"""


@pytest.mark.parametrize("name", ["main", "inspect", "sys"])
def test_program_with_modules_named_like_loaded_ones(tmp_path, name):
    """They are the program's, and nobody else's.  A file called ``sys.py`` is not ``sys``."""
    for file, text in SHADOWING.items():
        (tmp_path / file).write_text(text)
    (tmp_path / f"{name}.py").write_text(USES_SHADOWING)
    done = rpython_command(tmp_path, "build", f"{name}.py", "-o", "out")
    assert done.returncode == 0, done.stderr
    native = subprocess.run([tmp_path / "out"], capture_output=True, text=True, check=False)
    assert native.stdout == "3 mine mine 5\n"
    done = rpython_command(tmp_path, "show", f"{name}.py", "entry_point")
    assert done.returncode == 0, done.stderr


def rpython_command(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """The installed command, for which ``folder`` is not where modules are looked for."""
    command = Path(sys.executable).with_name("rpython")
    environment = own_cache(folder)
    return subprocess.run(
        [command, *args], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_modules_of_a_folder_that_the_program_adds(tmp_path):
    """``tqdm`` is one that the toolchain has loaded; ``json``, the program has before."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "tqdm.py").write_text("VALUE = 3\n")
    (tmp_path / "lib" / "json.py").write_text("VALUE = 4\n")
    (tmp_path / "main.py").write_text(
        "import json\nimport os\nimport sys\n"
        "sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lib'))\n"
        "import tqdm\nimport json as again\n\n"
        "HAS_DUMPS = hasattr(again, 'dumps')\n\n"
        "def entry_point(argv):\n    return tqdm.VALUE + HAS_DUMPS\n"
    )
    assert rpython_command(tmp_path, "run", "main.py").returncode == 4


@pytest.mark.parametrize("name", ["ast", "main"])
def test_run_looks_at_changes_within_a_second(tmp_path, name):
    """CPython would take the one that it has compiled, which has the same size and second; the
    toolchain has loaded an ``ast`` of its own, besides."""
    (tmp_path / "ast.py").write_text("STATUS = 3\n")
    (tmp_path / "main.py").write_text(
        "import ast\n\ndef entry_point(argv):\n    return ast.STATUS + 0\n"
    )
    changed, second = tmp_path / f"{name}.py", 10**18
    os.utime(changed, ns=(second, second))
    assert rpython_command(tmp_path, "run", "main.py").returncode == 3
    changed.write_text(changed.read_text().replace(" 3", " 4").replace(" 0", " 1"))
    os.utime(changed, ns=(second, second + 1))
    assert rpython_command(tmp_path, "run", "main.py").returncode == 4


DOES_WITHOUT = """
try:
    from rpython.rlib.rposix import fork
except ImportError:
    fork = None
try:
    from rpython.rlib import rnothing
except ImportError:
    rnothing = None
try:
    import rpython.memory.gc
except ImportError:
    pass


def entry_point(argv):
    return 0
"""


def test_a_missing_name_never_selects_a_fallback_in_silence(tmp_path):
    (tmp_path / "without.py").write_text(DOES_WITHOUT)
    done = fresh_rpython(tmp_path, "check", "without.py")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "rpython: the program goes on without rpython.rlib.rposix.fork: use os.fork"
        " (docs/rpython.md)",
        "rpython: the program goes on without rpython.rlib.rnothing: docs/rpython.md lists what"
        " is here",
        "rpython: the program goes on without rpython.memory: use --gc=NAME of rpython build"
        " (docs/rpython.md)",
    ]


def test_missing_name_of_rpython_says_what_to_use(tmp_path):
    (tmp_path / "fails.py").write_text("from rpython.rlib.rposix import fork\n")
    done = fresh_rpython(tmp_path, "check", "fails.py")
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: there is no rpython.rlib.rposix.fork: use os.fork (docs/rpython.md)"
    )
    assert "translator" not in done.stderr


def test_import_in_a_function_that_raises(tmp_path):
    (tmp_path / "broken.py").write_text("x = 1 // 0\n")
    (tmp_path / "imports.py").write_text("def entry_point(argv):\n    import broken\n")
    done = fresh_rpython(tmp_path, "check", "imports.py")
    assert done.returncode == 1
    shown = [line for line in done.stderr.splitlines() if set(line) - set(" ~^")]
    assert shown == [
        f"{tmp_path}/imports.py:2:5: in entry_point: unsupported[R0102]: the import"
        " raises ZeroDivisionError",
        "    import broken",
        "  Traceback (most recent call last):",
        f'    File "{tmp_path}/broken.py", line 1, in <module>',
        "      x = 1 // 0",
        "  ZeroDivisionError: integer division or modulo by zero",
    ]
