"""What inlining is worth: the workloads built with the inliner and without it.

    python -m benchmarks.inlining [--runs 4] [NAME ...]

Prints for each workload the seconds (the least of interleaved runs) and, where valgrind is
installed, the instructions (callgrind) of both builds, and how long the builds took.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, best_seconds, build_native, instructions

PROGRAM = ROOT / "benchmarks" / "programs" / "workloads.py"
PASSES = {"without": "uninlined", "with": "default"}
SIZES = {
    "fib": (32, 22),
    "schedule": (4_000_000, 50_000),
    "matrix": (260, 60),
    "words": (60_000, 1000),
    "vectors": (10_000_000, 50_000),
    "parse": (200_000, 2000),
    "trees": (150, 3),
    "machine": (15_000_000, 200_000),
    "dicts": (4_000_000, 50_000),
}
"""How large each workload is when it is timed, and when its instructions are counted."""


def main() -> None:
    """Build and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SIZES)} (default: all)")
    parser.add_argument("--runs", type=int, default=4)
    options = parser.parse_args()
    counted = shutil.which("valgrind") is not None
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for how, passes in PASSES.items():
            took = build_native(PROGRAM, directory / how, "--passes", passes)
            print(f"built {how} inlining in {took:.1f} s")
        for workload in options.names or SIZES:
            timed, small = SIZES[workload]
            best = dict.fromkeys(PASSES, float("inf"))
            for _ in range(options.runs):
                for how in PASSES:
                    command = [directory / how, workload, str(timed)]
                    best[how] = min(best[how], best_seconds(command, subprocess.DEVNULL, 1))
            text = "  ".join(f"{how} {seconds:.3f} s" for how, seconds in best.items())
            text += f"  {best['with'] / best['without']:.2f}"
            if counted:
                counts = [
                    instructions([directory / how, workload, str(small)], directory)
                    for how in PASSES
                ]
                text += f"  instructions {counts[0]:,} {counts[1]:,}  {counts[1] / counts[0]:.2f}"
            print(f"{workload:<10}{text}", flush=True)


if __name__ == "__main__":
    main()
