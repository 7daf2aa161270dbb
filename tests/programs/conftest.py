"""Ways to run an example program."""

import sys
from pathlib import Path

import pytest
from programs import EXAMPLES, build_example


@pytest.fixture(scope="session")
def shared_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of this test run, the same one for all processes of pytest-xdist."""
    base = tmp_path_factory.getbasetemp()
    if base.name.startswith("popen-"):
        base = base.parent
    directory = base / "native"
    directory.mkdir(exist_ok=True)
    return directory


@pytest.fixture(params=["cpython", "native"])
def command(request: pytest.FixtureRequest, shared_directory: Path) -> list[str | Path]:
    """How to start the example that the test module names in EXAMPLE."""
    name = request.module.EXAMPLE
    if request.param == "cpython":
        return [sys.executable, EXAMPLES / f"{name}.py"]
    return [build_example(name, shared_directory)]
