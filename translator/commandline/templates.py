"""What ``rpython new`` makes: the files of a project by their names, in which ``{name}`` stands for
that of the program or package."""

from __future__ import annotations

PROGRAM = {
    "{name}.py": '''\
"""{name}: how often is each word in the texts?

    rpython run {name}.py "to be or not to be"
"""

import sys


def count_words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {{}}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def entry_point(argv: list[str]) -> int:
    if len(argv) < 2:
        print("usage:", argv[0], "TEXT...")
        return 2
    for word, count in sorted(count_words(" ".join(argv[1:])).items()):
        print(count, word)
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
''',
    "test_{name}.py": '''\
"""The same functions, as Python runs them and as they are translated."""

import rpython
from {name} import count_words

TEXT = "to be or not to be"


def test_in_python() -> None:
    assert count_words(TEXT) == {{"to": 2, "be": 2, "or": 1, "not": 1}}


def test_translated() -> None:
    assert rpython.interpret(count_words, [TEXT]) == count_words(TEXT)
''',
}
PROGRAM_STEPS = ('rpython run {name}.py "to be or not to be"', "rpython build {name}.py", "pytest")

MODULE = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=64", "rpython3"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "0.1.0"
requires-python = ">=3.11"

[tool.setuptools.package-data]
{name} = ["py.typed"]

[tool.rpython3]
modules = ["src/{name}/words.py"]
""",
    "src/{name}/__init__.py": '''\
"""{name}: how often is each word in a text?"""

from .words import Counter

__all__ = ["Counter"]
''',
    "src/{name}/py.typed": "",
    "src/{name}/words.py": '''\
"""Counting words: native code where it is built, Python where not."""

from __future__ import annotations


class Counter:
    """How often each word was there."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {{}}

    def add(self, text: str) -> None:
        """Count the words of a text."""
        for word in text.split():
            self._counts[word] = self._counts.get(word, 0) + 1

    def most_common(self, n: int = 10) -> list[tuple[str, int]]:
        """The ``n`` words that were there most often, and how often."""
        rows = [(-count, word) for word, count in self._counts.items()]
        return [(word, -count) for count, word in sorted(rows)[:n]]
''',
    "tests/test_{name}.py": '''\
"""The same tests for the Python source and for native code."""

from __future__ import annotations

import importlib.util
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import {name}.words as installed
import pytest

SOURCE = Path(installed.__file__).with_name("words.py")


def from_source() -> ModuleType:
    loader = SourceFileLoader("{name}.source_of_words", str(SOURCE))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(params=["python", "native"])
def words(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "python":
        return from_source()
    if Path(installed.__file__) == SOURCE:
        pytest.skip("it is not built: pip install -e .")
    return installed


def test_most_common(words: ModuleType) -> None:
    counter = words.Counter()
    counter.add("to be or not to be")
    assert counter.most_common(3) == [("be", 2), ("to", 2), ("not", 1)]
    counter.add("not yet")
    assert counter.most_common(1) == [("be", 2)]


def test_nothing(words: ModuleType) -> None:
    assert words.Counter().most_common() == []
''',
}
MODULE_STEPS = ("pip install -e .", "pytest", "pip wheel .")
