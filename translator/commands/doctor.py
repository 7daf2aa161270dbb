"""``rpython doctor``: is there everything that the commands need?

What is looked for is printed with what was found; what is missing with what to do about it::

    ok       C compiler            cc (Debian 12.2.0-14) 12.2.0
    missing  Python.h              for rpython build --module: install python3-dev
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from rpython.backend_c.compiler import find_compiler
from rpython.translator.ir.diskcache import cache_directory, size_of
from rpython.translator.ir.errors import TranslationError
from rpython.translator.version import version


class Finding(NamedTuple):
    """``found``: what there is, or what to do where it is missing.  ``needed``: does anything fail
    without it?"""

    what: str
    is_there: bool
    found: str
    needed: bool = True


EXAMPLES = (("rpython doctor", "a line for each thing that is looked for"),)
STATUSES = {"1": "something is missing that the commands need"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: nothing."""


def run(options: argparse.Namespace) -> int:
    """Print what there is; the status is 1 if something is missing that is needed."""
    status = 0
    for found in findings():
        mark = "ok" if found.is_there else "missing"
        print(f"{mark:8} {found.what:15} {found.found}", flush=True)
        if found.needed and not found.is_there:
            status = 1
    return status


def findings() -> Iterator[Finding]:
    """What is looked for, in order."""
    folder = Path(__file__).resolve().parents[2]
    yield Finding("rpython3", True, f"{version()}, in {folder}")
    yield _python()
    yield Finding("cffi", True, importlib.metadata.version("cffi"))
    yield _tried("C compiler", _compiler)
    yield _headers()
    yield _tried("cache", _cache)
    yield _tried("test build", _test_build)


def _python() -> Finding:
    supported = (3, 11) <= sys.version_info[:2] <= (3, 13)
    known = "" if supported else ": programs are read by its bytecode; use 3.11, 3.12 or 3.13"
    found = f"{platform.python_implementation()} {platform.python_version()}{known}"
    return Finding("Python", supported, found)


def _headers() -> Finding:
    header = Path(sysconfig.get_path("include"), "Python.h")
    if header.is_file():
        return Finding("Python.h", True, str(header))
    return Finding("Python.h", False, "for rpython build --module: install python3-dev", False)


def _tried(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, look())
    except TranslationError as error:
        hint = f": {error.hint}" if error.hint else ""
        return Finding(what, False, f"{error.message}{hint}")
    except OSError as error:
        return Finding(what, False, f"{error.filename}: {error.strerror}")


def _compiler() -> str:
    command = [*find_compiler(), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return said.stdout.partition("\n")[0] or " ".join(command)


def _cache() -> str:
    folder = cache_directory()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass
    return f"{folder}, {size_of(folder) / (1 << 20):.1f} MB"


_HELLO = """
def entry_point(argv):
    print("hello from", argv[1])
    return 0
"""


def _test_build() -> str:
    """Build a program and run it."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "hello.py").write_text(_HELLO)
        build = [sys.executable, "-m", "rpython", "build", "hello.py", "-o", "hello"]
        for command in (build, ["./hello", "native code"]):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise TranslationError(f"{command[-1]} fails: {done.stderr.strip()}")
    if done.stdout != "hello from native code\n":
        raise TranslationError(f"a program printed {done.stdout!r}")
    return f"a program built and run in {time.perf_counter() - started:.1f} s"
