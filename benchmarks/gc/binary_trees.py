"""Binary trees against C++ with new and delete, and with an arena: the time of each, the ratio.

    python -m benchmarks.gc.binary_trees [DEPTH]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, best_seconds, build_native, report

PROGRAMS = ROOT / "benchmarks" / "programs"
RUNS = 5


def main(arguments: list[str]) -> None:
    """Measure at the given depth (default 18)."""
    depth = arguments[0] if arguments else "18"
    with tempfile.TemporaryDirectory() as directory:
        native = Path(directory) / "binary_trees"
        build_native(PROGRAMS / "binary_trees.py", native)
        ours = best_seconds([native, depth], subprocess.DEVNULL, RUNS)
        for name, flags in (("C++ with new and delete", []), ("C++ with an arena", ["-DARENA"])):
            executable = Path(directory) / "cpp"
            source = PROGRAMS / "binary_trees.cpp"
            subprocess.run(["g++", "-O2", *flags, "-o", executable, source], check=True)
            theirs = best_seconds([executable, depth], subprocess.DEVNULL, RUNS)
            report("rpython3", ours, name, theirs)
        subprocess.run(
            [native, depth], env={**os.environ, "RPYTHON_GC_STATS": "1"},
            stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
