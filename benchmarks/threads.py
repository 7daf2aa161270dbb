"""What threads cost, natively and under CPython.

Run from the repository: ``python -m benchmarks.threads``.  The best of several runs counts; the two
take turns, so that a busy machine disturbs both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, build_native

PROGRAM = ROOT / "benchmarks" / "programs" / "handover.py"
RUNS = 7
TIMES = {"queues": 20000, "condition": 20000, "lock": 1000000, "contended": 400000, "start": 2000}


def microseconds(command: list[str | Path]) -> float:
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return float(done.stdout)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        native = Path(folder) / "handover"
        build_native(PROGRAM, native)
        print("microseconds  native  CPython")
        for what, times in TIMES.items():
            pairs = [
                (
                    microseconds([native, what, str(times)]),
                    microseconds([sys.executable, PROGRAM, what, str(times)]),
                )
                for _ in range(RUNS)
            ]
            ours, theirs = map(min, zip(*pairs))
            print(f"{what:<12} {ours:7.3f} {theirs:8.3f}")


if __name__ == "__main__":
    main()
