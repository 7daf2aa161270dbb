"""A package of PyPI with its own tests, as plain Python and with modules compiled by us.

    python -m benchmarks.package [--keep FOLDER]

Takes cobs 1.2.2 (Consistent Overhead Byte Stuffing, by Craig McQueen), whose two modules of pure
Python have no type hints: they get them (``EDITS``), pyproject.toml gets the table of rpython3, and
its modules in C are left out. Both wheels are built by pip and installed; the package's own tests,
unchanged, must pass on both. What is measured is the best of several runs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "cobs==1.2.2"
MODULES = ("src/cobs/cobs/_cobs_py.py", "src/cobs/cobsr/_cobsr_py.py")
TESTS = ("cobs.cobs.test", "cobs.cobsr.test")

BUFFER = "from typing_extensions import Buffer\n\n\nclass DecodeError"
EDITS = [
    *((module, old, new) for module in MODULES for old, new in (
        ("\nclass DecodeError", "\n" + BUFFER),
        ("def encode(in_bytes):", "def encode(in_bytes: Buffer) -> bytes:"),
        ("def decode(in_bytes):", "def decode(in_bytes: Buffer) -> bytes:"),
    )),
    ("src/cobs/cobs/__init__.py", "DecodeError.__module__ = 'cobs.cobs'\n", ""),
    ("src/cobs/cobsr/__init__.py", "DecodeError.__module__ = 'cobs.cobsr'\n", ""),
    ("setup.py", "    ext_modules=[", "    ext_modules=[] and ["),
]  # fmt: skip
"""File, text, and what it becomes: types of the parameters, and no names of classes changed from
outside."""
TABLE = f"\n[tool.rpython3]\nmodules = {list(MODULES)!r}\n"

CALLS = """
import random, timeit
from cobs import cobs, cobsr
random.seed(1)
small, large = random.randbytes(64), random.randbytes(100_000)
for name, module in (("cobs", cobs), ("cobsr", cobsr)):
    for data in (small, large):
        for code, value in (("encode", data), ("decode", module.encode(data))):
            timer = timeit.Timer(lambda: getattr(module, code)(value))
            number = timer.autorange()[0]
            print(f"{name}.{code} of {len(data)}", min(timer.repeat(5, number)) / number, sep=",")
"""


def run(*command: str | Path, where: Path, lib: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT if lib is None else lib)}
    done = subprocess.run(
        list(map(str, command)), cwd=where, env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout + done.stderr


def sources(folder: Path) -> Path:
    """The package's sources with the edits."""
    pip = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:")
    run(*pip, "--no-build-isolation", PACKAGE, where=folder)
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder / "sdist")
    (made,) = (folder / "sdist").iterdir()
    for name, old, new in EDITS:
        text = (made / name).read_text(encoding="utf-8")
        if old not in text:
            raise SystemExit(f"{name} has no {old!r}")
        (made / name).write_text(text.replace(old, new), encoding="utf-8")
    return made


def installed(source: Path, folder: Path, native: bool) -> Path:
    """Where the wheel of the package is installed."""
    name = "native" if native else "plain"
    tree, lib = folder / f"{name}-source", folder / name
    shutil.copytree(source, tree)
    if native:
        with (tree / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(TABLE)
    pip = (sys.executable, "-m", "pip")
    run(*pip, "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tree, tree, where=folder)
    (wheel,) = tree.glob("*.whl")
    run(*pip, "install", "-q", "--no-deps", "--target", lib, wheel, where=folder)
    print(f"{name}: {wheel.name}, {wheel.stat().st_size} bytes")
    return lib


def measured(lib: Path, folder: Path) -> dict[str, float]:
    lines = run(sys.executable, "-c", CALLS, where=folder, lib=lib).splitlines()
    return {name: float(seconds) for name, _, seconds in (line.partition(",") for line in lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="leave the sources and the wheels there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        source = sources(folder)
        libs = [installed(source, folder, native) for native in (False, True)]
        for lib in libs:
            said = run(sys.executable, "-m", "unittest", *TESTS, where=folder, lib=lib)
            print(f"{lib.name}: {' '.join(said.split()[-6:])}")
        plain, native = (measured(lib, folder) for lib in libs)
    for name, seconds in plain.items():
        ratio = seconds / native[name]
        print(f"{name:24}{seconds * 1e6:10.2f} us{native[name] * 1e6:10.2f} us{ratio:8.1f}x")


if __name__ == "__main__":
    main()
