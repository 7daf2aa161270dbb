"""Programs of others, driven by those of `real`: which of them translate as they are.

    python -m tests.programs.reals [NAME...]    a line for each, and all errors of those refused
    python -m tests.programs.reals --rewrite    write what happens into real/TABLE.md

The first line of a driver names the distributions that it needs, or a module of the standard
library.  They are installed by pip into RPYTHON_REAL, or else beside the system's temporary files;
nothing of them is in the repository.  A driver is our own text, and calls what people call.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.programs.naturals import difference
from tests.programs.programs import ROOT, run
from tests.unit.commandline import rpython_in

REAL = ROOT / "tests" / "programs" / "real"
TABLE = REAL / "TABLE.md"
DEFAULT_PLACE = Path(tempfile.gettempdir()) / "rpython-real"
PLACE = Path(os.environ.get("RPYTHON_REAL", DEFAULT_PLACE))
WORKS = "unmodified"
ROW = re.compile(r"\| (\w+) \| (.*?) \| (.*) \|")


def names() -> list[str]:
    return sorted(path.stem for path in REAL.glob("*.py"))


def subject(name: str) -> tuple[list[str], str]:
    """The distributions that a driver needs, and what it says of itself."""
    text = ast.get_docstring(ast.parse((REAL / f"{name}.py").read_text())) or ""
    needs, _, about = text.partition(": ")
    return [word for word in needs.split() if "==" in word], about


def libraries(distributions: list[str]) -> Iterator[Path]:
    """A folder for each distribution, with its Python source; pip installs what is missing."""
    for distribution in distributions:
        folder = PLACE / distribution
        if not folder.exists():
            command = ["pip", "install", "-q", "--no-deps", "--no-compile", "--target", folder]
            # A wheel may have C in place of the Python that the source has.
            name = distribution.partition("==")[0]
            subprocess.run(
                [sys.executable, "-m", *command, "--no-binary", name, distribution], check=True
            )
        yield folder


def errors(name: str, environment: dict[str, str]) -> str:
    """Everything that `rpython check` says of the program: nothing where it refuses nothing."""
    words = ["check", "--max-errors", "100", f"{name}.py"]
    done = rpython_in(REAL, *words, environment=environment)
    return done.stderr if done.returncode else ""
