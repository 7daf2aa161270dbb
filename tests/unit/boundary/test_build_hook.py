"""Native modules in wheels: ``rpython.build``, which setuptools finds by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commandline import own_cache, rpython

setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed")

from rpython import build  # noqa: E402

SETUP = "import setuptools, sys; setuptools.setup(script_args=sys.argv[1:])"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    done = rpython(tmp_path, "new", "--module", "pack")
    assert done.returncode == 0
    assert "made pack with pyproject.toml, src/pack/__init__.py" in done.stdout
    monkeypatch.chdir(tmp_path / "pack")
    return tmp_path / "pack"


def setup(project: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SETUP, *words],
        cwd=project, env={**own_cache(project.parent), **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def run_tests(project: Path, where: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=project, env={**own_cache(project.parent), "PYTHONPATH": str(where)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout


def test_the_package_of_new(project: Path) -> None:
    """It is built with its stub, and its tests pass for both; in place there is no stub."""
    assert "2 passed, 2 skipped" in run_tests(project, project / "src")
    setup(project, "build", "--build-lib", "lib")
    assert sorted(path.name for path in (project / "lib/pack").iterdir()) == [
        "__init__.py", "py.typed", "words.abi3.so", "words.py", "words.pyi",
    ]  # fmt: skip
    stub = (project / "lib/pack/words.pyi").read_text()
    assert "def most_common(self, n: int=...) -> list[tuple[str, int]]: ..." in stub
    assert "4 passed" in run_tests(project, project / "lib")
    setup(project, "build_ext", "--inplace")
    assert (project / "src/pack/words.abi3.so").is_file()
    assert not (project / "src/pack/words.pyi").exists()


def test_without_a_compiler_it_is_plain_python(project: Path) -> None:
    said = setup(project, "build", "--build-lib", "lib", CC="no-such-compiler")
    warning = "there is no C compiler no-such-compiler: src/pack/words.py will run as plain Python"
    assert said.count(warning) == 1
    assert not list((project / "lib").rglob("*.so"))
    assert "2 passed, 2 skipped" in run_tests(project, project / "lib")


def test_errors_of_a_module_are_those_of_the_build(project: Path) -> None:
    with (project / "src/pack/words.py").open("a") as file:
        file.write('\n\ndef wrong(n: int) -> int:\n    return n + "x"\n')
    with pytest.raises(AssertionError) as info:
        setup(project, "build", "--build-lib", "lib")
    said = str(info.value)
    assert "error: rpython3: pack.words:" in said
    assert "in wrong: type error[R0501]: unsupported operands for +: int and str" in said


def test_setup_py(project: Path) -> None:
    modules = build.rpythonize(["src/pack/words.py"], abi3=False, options=["-O0"])
    assert [(each.name, each.py_limited_api) for each in modules] == [("pack.words", False)]
    distribution = setuptools.Distribution({"ext_modules": modules})
    assert [each.name for each in distribution.ext_modules] == ["pack.words"]
    assert "bdist_wheel" not in distribution.command_options
    assert issubclass(distribution.get_command_class("build_ext"), build._Builder)


def test_wheels_are_for_all_versions(project: Path) -> None:
    distribution = setuptools.Distribution()
    assert [each.name for each in distribution.ext_modules] == ["pack.words"]
    assert distribution.command_options["bdist_wheel"]["py_limited_api"][1] == "cp311"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('modules = "words.py"', r"\[tool.rpython3\] has modules = 'words.py'; known are modules"),
        ("module = []", r"\[tool.rpython3\] has module = \[\]; known are modules \(list\), abi3"),
        ('modules = ["nowhere.py"]', "there is no file nowhere.py"),
    ],
)
def test_mistakes_in_the_table(project: Path, table: str, said: str) -> None:
    file = project / "pyproject.toml"
    head, _, _ = file.read_text().partition("[tool.rpython3]")
    file.write_text(f"{head}[tool.rpython3]\n{table}\n")
    with pytest.raises(Exception, match=said):
        setuptools.Distribution()


def test_other_projects_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not setuptools.Distribution().ext_modules
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1"\n')
    assert not setuptools.Distribution().ext_modules
