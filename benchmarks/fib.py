"""Native `fib(38)` against C compiled with -O2.

Run from the repository: ``python -m benchmarks.fib [N]``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, best_seconds, build_c, build_native, report

RUNS = 5


def main() -> None:
    n = sys.argv[1] if len(sys.argv) > 1 else "38"
    programs = ROOT / "benchmarks" / "programs"
    with tempfile.TemporaryDirectory() as directory:
        native = Path(directory, "native")
        c = Path(directory, "c")
        build_native(programs / "fib.py", native)
        build_c(programs / "fib.c", c)
        assert subprocess.check_output([native, n]) == subprocess.check_output([c, n])
        ours = best_seconds([native, n], subprocess.DEVNULL, RUNS)
        theirs = best_seconds([c, n], subprocess.DEVNULL, RUNS)
    report(f"fib({n}) native", ours, f"fib({n}) C -O2", theirs)


if __name__ == "__main__":
    main()
