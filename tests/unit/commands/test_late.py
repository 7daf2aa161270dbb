"""In whose code an operation is that no value supports decides whether the program is refused."""

import subprocess
import sys
from pathlib import Path

import pytest

from rpython.translator.commandline.cli import main

WRONG = "def wrong(x):\n    return x.read()\n"
MAIN = "def entry_point(argv):\n    return len({}(argv[0])) if len(argv) > 5 else 0\n"


def program(folder: Path, place: str, text: str = WRONG) -> Path:
    """A program whose main file imports ``wrong`` from a module at ``place``."""
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    target = folder / "app" / "prog.py"
    target.parent.mkdir(exist_ok=True)
    head = f"import sys\nsys.path.insert(0, {str(path.parent)!r})\n"
    head += f"from {path.stem} import wrong\n"
    target.write_text(head + MAIN.format("wrong"))
    return target


def check(target: Path, *words: str) -> tuple[int, str]:
    """What ``rpython check`` says, in a process of its own: it imports the modules."""
    command = [sys.executable, "-m", "rpython", "check", *words, str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("place", ["other/late_a.py", "app/venv/lib/site-packages/late_b.py"])
def test_code_of_others_raises_late(tmp_path: Path, place: str) -> None:
    status, said = check(program(tmp_path, place))
    assert status == 0
    assert "warning[R1110]: if the program comes here, it raises AttributeError" in said


@pytest.mark.parametrize("place", ["app/late_c.py", "app/parts/late_d.py"])
def test_own_code_is_refused(tmp_path: Path, place: str) -> None:
    status, said = check(program(tmp_path, place))
    assert status == 1
    assert "error[R0401]: str has no attribute 'read'" in said
    assert said.endswith(
        "rpython: --errors=late lets the program run into the AttributeError, as CPython does\n"
    )


def test_switch_decides_about_all_code(tmp_path: Path) -> None:
    assert check(program(tmp_path, "app/late_e.py"), "--errors=late")[0] == 0
    status, said = check(program(tmp_path, "other/late_f.py"), "--errors=refuse")
    assert status == 1
    assert "--errors=late" not in said


def test_module_says_it_of_itself(tmp_path: Path) -> None:
    text = f'__rpython_errors__ = "late"\n{WRONG}'
    assert check(program(tmp_path, "app/late_g.py", text))[0] == 0
    refusing = text.replace("late", "refuse")
    assert check(program(tmp_path, "other/late_h.py", refusing))[0] == 1


def test_targets_of_rpython_are_refused(tmp_path: Path) -> None:
    target = program(tmp_path, "other/late_i.py")
    target.write_text(target.read_text() + "def target(driver, args):\n    return entry_point\n")
    assert check(target)[0] == 1
    assert check(target, "--errors=late")[0] == 0


def test_package_of_the_target_is_its_own(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    (package / "inner").mkdir(parents=True)
    for folder in (package, package / "inner"):
        (folder / "__init__.py").write_text("")
    (package / "parts.py").write_text(WRONG)
    target = package / "inner" / "late_prog.py"
    head = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom pack.parts import wrong\n"
    target.write_text(head + MAIN.format("wrong"))
    assert main(["check", str(target)]) == 1
