"""Pages that are followed like the tutorial, in a folder where ``examples/`` is."""

from pathlib import Path

import pytest
from docexamples import DOCS
from sessions import follow, wrong

PAGES = ("architecture.md", "coming-from.md")


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    folder = tmp_path / Path(name).stem
    folder.mkdir()
    (folder / "examples").symlink_to(DOCS.parent / "examples")
    rewrite = request.config.getoption("--rewrite")
    done = follow(DOCS / name, folder, rewrite)
    assert rewrite or not wrong(done)
    assert done
