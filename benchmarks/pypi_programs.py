"""RPython programs of others, from PyPI: downloaded, ported by ``rpython port``, translated, run.

Run from the repository: ``python -m benchmarks.pypi_programs``.  Each program says the same
natively as under CPython, but for times.  ``rsdl`` needs the headers of SDL 1.2 (Debian's
``libsdl1.2-dev``).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT

GOALS = "rpython/translator/goal"
BLIT = '''
from rpython.rlib.rarithmetic import r_uint
from rpython.rtyper.lltypesystem import lltype
from rsdl import RSDL, RSDL_helper


def surface(size):
    red, green, blue = r_uint(0xFF), r_uint(0xFF00), r_uint(0xFF0000)
    return RSDL.CreateRGBSurface(0, size, size, 32, red, green, blue, r_uint(0))


def entry_point(argv):
    """Two squares, half transparent, one over the other, on black."""
    below, square = surface(300), surface(50)
    red = RSDL.MapRGB(square.c_format, 255, 0, 0)
    RSDL.FillRect(square, lltype.nullptr(RSDL.Rect), red)
    RSDL.SetAlpha(square, RSDL.SRCALPHA, 128)
    RSDL_helper.blit_complete_surface(square, below, 10, 10)
    RSDL_helper.blit_complete_surface(square, below, 20, 20)
    for at in (0, 10, 20):
        colour = RSDL_helper.get_pixel(below, at, at)
        print(RSDL_helper.get_rgb(colour, below.c_format))
    return 0


def target(driver, args):
    return entry_point, None
'''


@dataclass(frozen=True)
class Program:
    """``files``: what of the distribution's archive is taken, flat or, with ``package``, as a
    package.  ``edits``: what ``rpython port`` leaves to a person, pattern and replacement.
    ``main``: a target of ours, where the distribution is a library."""

    distribution: str
    target: str
    files: tuple[str, ...]
    args: tuple[str, ...] = ()
    edits: tuple[tuple[str, str], ...] = ()
    package: str = ""
    main: str = ""


BESIDE = (("from rpython.translator.goal import", "import"),)
PROGRAMS = (
    Program("rpython==0.2.1", "targetgcbench", (f"{GOALS}/targetgcbench.py", f"{GOALS}/gcbench.py"),
            edits=(*BESIDE, ("kMaxTreeDepth += .*", "kMaxTreeDepth = 8"))),
    Program("rpython==0.2.1", "targetsha1sum", (f"{GOALS}/targetsha1sum.py",), ("README.md",)),
    Program("rpython==0.2.1", "targetreadlines", (f"{GOALS}/targetreadlines.py",),
            ("RPython", "README.md")),
    Program("rpython==0.2.1", "targettestdicts", (f"{GOALS}/targettestdicts.py",), ("d", "1000")),
    Program("rsdl==0.4.2", "blit",
            tuple(f"rsdl/{n}.py" for n in ("__init__", "RSDL", "RSDL_helper", "constants", "eci")),
            package="rsdl", main=BLIT),
)  # fmt: skip
CPYTHON = "import sys, {0} as t; sys.exit(t.target(None, [])[0](['{0}', *sys.argv[1:]]))"


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        for distribution in dict.fromkeys(p.distribution for p in PROGRAMS):
            download(distribution, Path(directory))
        for program in PROGRAMS:
            folder = Path(directory) / program.target
            seconds = build(program, folder)
            host = output([sys.executable, "-c", CPYTHON.format(program.target)], program, folder)
            native = output([folder / "out"], program, folder)
            agrees = "the same as CPython" if host == native else f"DIFFERS:\n{host}\n{native}"
            print(f"{program.distribution:<16} {program.target:<22} {seconds} {agrees}", flush=True)


def download(distribution: str, directory: Path) -> None:
    """The source archive of a distribution.  Not by pip itself: it would run the setup script,
    which is Python 2."""
    options = run([sys.executable, "-m", "pip", "download", "--help"])
    found = re.search(r"--index-url <url> .*? \(default (\S+)\)", " ".join(options.split()))
    assert found is not None
    name, _, number = distribution.partition("==")
    form = {"Accept": "application/vnd.pypi.simple.v1+json"}
    request = urllib.request.Request(f"{found[1]}/{name}/", headers=form)
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = {file["filename"]: file["url"] for file in json.load(answer)["files"]}
    archive = f"{name}-{number}.tar.gz"
    with urllib.request.urlopen(files[archive], timeout=60) as answer:
        (directory / archive).write_bytes(answer.read())


def build(program: Program, folder: Path) -> str:
    """Port and translate; what the command says of how long that took."""
    place = folder / program.package
    place.mkdir(parents=True)
    version = program.distribution.replace("==", "-")
    with tarfile.open(folder.parent / f"{version}.tar.gz") as packed:
        for name in program.files:
            member = packed.extractfile(f"{version}/{name}")
            assert member is not None
            (place / Path(name).name).write_bytes(member.read())
    files = sorted(place.glob("*.py"))
    run([sys.executable, "-m", "rpython", "port", *files])
    for file in files:
        text = file.read_text()
        for pattern, replacement in program.edits:
            text = re.sub(pattern, replacement, text)
        file.write_text(text)
    target = folder / f"{program.target}.py"
    if program.main:
        target.write_text(program.main)
    command = ["rpython", "build", str(target), "-o", str(folder / "out")]
    return run([sys.executable, "-m", *command]).rpartition(": ")[2].strip()


def output(command: Sequence[str | Path], program: Program, folder: Path) -> str:
    """What it prints, without times."""
    text = run([*command, *program.args], str(folder))
    return re.sub(r"\d+\.\d+(e-?\d+)?", "TIME", text)


def run(command: Sequence[str | Path], path: str = "") -> str:
    paths = f"{path}:{ROOT}"
    done = subprocess.run(
        command, cwd=ROOT, env={"PYTHONPATH": paths, "PATH": "/usr/bin:/bin"}, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
