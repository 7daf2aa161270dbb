"""What numbering values and proving checks away are worth, in instructions.

    python -m benchmarks.checks [NAME ...]

Builds the kernels with the passes and without them, and prints for each the instructions
(callgrind) of the builds.  Needs valgrind.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, build_native, instructions
from rpython.translator.opt.runner import DEFAULT

PROGRAM = ROOT / "benchmarks" / "programs" / "kernels.py"


def _without(*names: str) -> str:
    return ",".join(name for name in DEFAULT.split(",") if name not in names)


PASSES = {
    "without": _without("number_values", "remove_checks"),
    "numbered": _without("remove_checks"),
    "with": DEFAULT,
}
SIZES = {
    "fib": 20, "sieve": 100_000, "flat": 60, "rows": 60, "spectral": 100, "fannkuch": 7,
    "insertion": 600, "hashed": 100_000,
}  # fmt: skip


def main() -> None:
    """Build and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(SIZES)} (default: all)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for how, passes in PASSES.items():
            build_native(PROGRAM, directory / how, "--passes", passes)
        nothing = {how: instructions([directory / how, "none", "0"], directory) for how in PASSES}
        for kernel in options.names or SIZES:
            counts = {
                how: instructions([directory / how, kernel, str(SIZES[kernel])], directory)
                - nothing[how]
                for how in PASSES
            }
            text = "  ".join(f"{how} {count:>12,}" for how, count in counts.items())
            print(f"{kernel:<10}{text}  {counts['with'] / counts['without']:.2f}", flush=True)


if __name__ == "__main__":
    main()
