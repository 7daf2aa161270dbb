"""The example programs: imported, run under CPython, and built natively.

An example is compared three ways: its source run by CPython, its native build, and one
of its functions under `rpython.interpret`.
"""

import fcntl
import importlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.support.commandline import rpython_in

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
RUN_SECONDS = 120


@dataclass(frozen=True)
class Outcome:
    """What a program did."""

    status: int
    output: bytes
    errors: str


def run(
    command: list[str | Path], data: bytes = b"", environment: dict[str, str] | None = None
) -> Outcome:
    """Run a command from the repository's root with `data` as standard input."""
    done = subprocess.run(
        [str(part) for part in command],
        input=data, capture_output=True, cwd=ROOT, timeout=RUN_SECONDS, check=False,
        env=environment,
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


def load_example(name: str) -> ModuleType:
    """The module examples/NAME.py, which may import others beside it."""
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    module = importlib.import_module(name)
    return module


def build_example(name: str, directory: Path) -> Path:
    """The native build of examples/NAME.py: see `build_program`."""
    return build_program(EXAMPLES / f"{name}.py", directory)


def build_program(source: Path, directory: Path) -> Path:
    """The native build of a program, with the sanitizers that RPYTHON_CASES_SANITIZE names, the
    collector that RPYTHON_CASES_GC names, and RPYTHON_CASES_OPTIMISE or -O1, which compiles in
    two thirds of the time of -O2.

    `directory` is shared by the test processes; the first that asks builds, the others
    wait for it.
    """
    executable = directory / source.stem
    with open(directory / f"{source.stem}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not executable.exists():
            sanitizers = os.environ.get("RPYTHON_CASES_SANITIZE")
            more = [os.environ.get("RPYTHON_CASES_OPTIMISE", "-O1")]
            if sanitizers:
                more.append(f"--sanitize={sanitizers}")
            if collector := os.environ.get("RPYTHON_CASES_GC"):
                more.append(f"--gc={collector}")
            done = rpython_in(ROOT, "build", source, "-o", executable, *more)
            assert done.returncode == 0, done.stdout + done.stderr
    return executable
