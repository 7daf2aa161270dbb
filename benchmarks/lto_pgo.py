"""What --lto and --pgo bring: the examples richards and lisp against plain -O2.

Run from the repository: ``python -m benchmarks.lto_pgo``.  The least user time of several
runs counts; the builds take turns, so that a busy machine disturbs all alike.
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, build_native

LISP = """
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (count n) (if (= n 0) '() (cons n (count (- n 1)))))
(define (repeat n) (if (= n 0) 0 (+ (fib 15) (length (map (lambda (x) (* x x)) (count 300)))
                                    (repeat (- n 1)))))
(write (repeat {n}))
"""
RUNS = 7
TRAINING, MEASURED = 3, 400
BUILDS: dict[str, tuple[str, ...]] = {
    "-O2": (), "--lto": ("--lto",), "--pgo": ("--pgo",), "--lto --pgo": ("--lto", "--pgo"),
}  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        for n in (TRAINING, MEASURED):
            (folder / f"{n}.lisp").write_text(LISP.format(n=n))
        programs = {
            "richards": ([str(TRAINING)], [str(5 * MEASURED)]),
            "lisp": ([folder / f"{TRAINING}.lisp"], [folder / f"{MEASURED}.lisp"]),
        }
        for name, (training, measured) in programs.items():
            measure(name, folder, " ".join(map(str, training)), measured)


def measure(name: str, folder: Path, training: str, measured: list[str | Path]) -> None:
    """Build the example in every way, run all builds, print seconds and ratios."""
    executables: dict[str, Path] = {}
    built: dict[str, float] = {}
    for number, (label, options) in enumerate(BUILDS.items()):
        executable = executables[label] = folder / f"{name}{number}"
        more = [each for option in options for each in
                ([option, training] if option == "--pgo" else [option])]  # fmt: skip
        built[label] = build_native(ROOT / "examples" / f"{name}.py", executable, *more)
    best = dict.fromkeys(BUILDS, float("inf"))
    for _ in range(RUNS):
        for label, executable in executables.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([executable, *measured], stdout=subprocess.DEVNULL, check=True)
            took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            best[label] = min(best[label], took)
    print(name)
    for label, seconds in best.items():
        ratio = seconds / best["-O2"]
        print(f"  {label:<12} {seconds:6.2f} s  {ratio:5.2f}   built in {built[label]:5.1f} s")


if __name__ == "__main__":
    main()
