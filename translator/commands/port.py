"""``rpython port FILE.py...``: make RPython of Python 2 that of Python 3."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rpython.translator.port.command import port_files, write

EXAMPLES = (
    ("rpython port --diff *.py", "what would change"),
    ("rpython port *.py", "changes the files, and lists what was decided"),
)
STATUSES = {"1": "a file stays as it was, because it is no Python or was ported before"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE.py", help="all files of one program"
    )
    parser.add_argument(
        "--diff", action="store_true", help="print what would change, write nothing"
    )


def run(options: argparse.Namespace) -> int:
    """Status 1 when a file stays as it was because it is no Python or was ported before."""
    files = port_files(options.files)
    for file in files:
        if options.diff:
            print(file.diff(), end="")
        elif file.after != file.before:
            write(file)
        for decision in file.decisions:
            print(f"{file.path}:{decision.line}: {decision.text}")
        if file.error:
            print(file.error, file=sys.stderr)
    return int(any(file.error for file in files))
