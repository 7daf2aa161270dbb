"""What is distributed: the sdist, a wheel made of it, and that installed in a fresh environment."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = "def entry_point(argv):\n    print('hello from', argv[1])\n    return 0\n"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git says what belongs to the tree"),
]


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the sdist of what git knows, and a wheel that was made of the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run("git", "clone", "-q", ROOT, folder / "tree", cwd=folder)
    run(sys.executable, "-m", "venv", "make", cwd=folder)
    run(folder / "make/bin/pip", "install", "-q", "setuptools", cwd=folder)
    make = "import setuptools.build_meta as b; b.build_sdist('../sdist')"
    (folder / "sdist").mkdir()
    run(folder / "make/bin/python", "-c", make, cwd=folder / "tree")
    (sdist,) = (folder / "sdist").iterdir()
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", "wheel", sdist, cwd=folder)
    return folder


def names_in(archive: Path) -> set[str]:
    if archive.suffix == ".whl":
        return set(zipfile.ZipFile(archive).namelist())
    with tarfile.open(archive) as tar:
        return {name.partition("/")[2] for name in tar.getnames()}


def test_sdist(folder: Path) -> None:
    (sdist,) = (folder / "sdist").iterdir()
    names = names_in(sdist)
    tracked = run("git", "ls-files", "docs", "examples", cwd=folder / "tree").splitlines()
    assert {*tracked, "README.md", "CHANGELOG.md", "LICENSE", "mkdocs.yml"} <= names


def test_wheel(folder: Path) -> None:
    """Nothing but ``rpython`` is put beside other packages, and all of that."""
    (wheel,) = (folder / "wheel").iterdir()
    names = names_in(wheel)
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.startswith("rpython3-")} == {"rpython"}
    assert any(name.endswith("/share/man/man1/rpython.1") for name in names)
    for link in ("annotator", "backend_c", "lltypesystem", "rtyper", "translator"):
        tracked = run("git", "ls-files", link, cwd=folder / "tree").splitlines()
        assert {f"rpython/{name}" for name in tracked} <= names
    tracked = run("git", "ls-files", "rpython/*.*", cwd=folder / "tree").splitlines()
    assert set(tracked) <= names


def test_installed(folder: Path) -> None:
    (wheel,) = (folder / "wheel").iterdir()
    (folder / "hello.py").write_text(PROGRAM)
    run(sys.executable, "-m", "venv", "fresh", cwd=folder)
    tools = folder / "fresh" / "bin"
    run(tools / "pip", "install", "-q", wheel, cwd=folder)
    assert run(tools / "rpython", "--version", cwd=folder).startswith("rpython3 ")
    assert (
        run(tools / "rpython", "run", "hello.py", "a wheel", cwd=folder) == "hello from a wheel\n"
    )
    assert "R0501" in run(tools / "rpython", "explain", "R0501", cwd=folder)
    assert (folder / "fresh/share/man/man1/rpython.1").is_file()
    installed = run(tools / "python", "-m", "pip", "list", "--format=freeze", cwd=folder)
    assert "rpython3==" in installed


def test_a_package_with_a_native_module(folder: Path) -> None:
    """As its author would make it: the wheel of what ``rpython new --module`` makes."""
    (wheel,) = (folder / "wheel").iterdir()
    run(sys.executable, "-m", "venv", "author", cwd=folder)
    tools = folder / "author" / "bin"
    run(tools / "pip", "install", "-q", wheel, "setuptools", "wheel", "pytest", cwd=folder)
    run(tools / "rpython", "new", "--module", "pack", cwd=folder)
    make = ("pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", "made", "./pack")
    run(tools / make[0], *make[1:], cwd=folder)
    (made,) = (folder / "made").iterdir()
    assert made.name == "pack-0.1.0-cp311-abi3-linux_x86_64.whl"
    assert {"pack/words.abi3.so", "pack/words.py", "pack/words.pyi"} <= names_in(made)
    run(tools / "pip", "install", "-q", made, cwd=folder)
    assert "4 passed" in run(tools / "python", "-m", "pytest", "-q", "pack/tests", cwd=folder)


TYPED = """
import rpython

def double(n: int) -> int:
    return 2 * n

native = rpython.compile(double)
text: str = rpython.show(double)
wrong: int = rpython.show(double)
"""


def test_type_checkers_see_the_types(folder: Path) -> None:
    pytest.importorskip("mypy")
    (wheel,) = (folder / "wheel").iterdir()
    run(sys.executable, "-m", "venv", "typed", cwd=folder)
    run(folder / "typed/bin/pip", "install", "-q", "--no-deps", wheel, cwd=folder)
    (folder / "typed.py").write_text(TYPED)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "mypy"]
    command += ["--python-executable", "typed/bin/python", "typed.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if line.startswith("typed.py")]
    assert len(errors) == 1, done.stdout
    assert 'has type "str"' in errors[0]
