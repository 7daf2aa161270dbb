"""The native build of examples/gunzip.py against `gzip -d`, on a generated file.

Run from the repository: ``python -m benchmarks.gunzip_speed [MEGABYTES]`` (default 64).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, best_seconds, build_native, report

RUNS = 5


def generate(path: Path, size: int) -> None:
    """At least `size` bytes: Python sources in random order, and a little noise."""
    source = random.Random(7)
    pieces = [file.read_bytes() for file in sorted(Path(os.__file__).parent.glob("*.py"))]
    with open(path, "wb") as file:
        while file.tell() < size:
            file.write(source.choice(pieces))
            if source.random() < 0.02:
                file.write(source.randbytes(100_000))


def main() -> None:
    size = int(sys.argv[1]) * 1_000_000 if len(sys.argv) > 1 else 64_000_000
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory, "data")
        compressed = Path(directory, "data.gz")
        native = Path(directory, "gunzip")
        generate(data, size)
        with open(compressed, "wb") as file:
            subprocess.run(["gzip", "-c", data], stdout=file, check=True)
        build_native(ROOT / "examples" / "gunzip.py", native)

        with open(os.devnull, "wb") as nowhere:
            ours = best_seconds([native, compressed], nowhere, RUNS)
            theirs = best_seconds(["gzip", "-dc", compressed], nowhere, RUNS)
        unpacked = subprocess.run([native, compressed], stdout=subprocess.PIPE, check=True)
        assert unpacked.stdout == data.read_bytes()
        megabytes = data.stat().st_size / 1e6
        print(f"{megabytes:.0f} MB from {compressed.stat().st_size / 1e6:.0f} MB")
    report(
        f"examples/gunzip.py native, {megabytes / ours:.0f} MB/s", ours,
        f"gzip -d, {megabytes / theirs:.0f} MB/s", theirs,
    )  # fmt: skip


if __name__ == "__main__":
    main()
