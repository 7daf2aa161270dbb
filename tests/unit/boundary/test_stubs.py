"""``rpython build --module --stub``."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpython.translator.extension.program import extension_translation
from rpython.translator.extension.stubs import stub
from rpython.translator.target import load_module

SOURCE = '''\
"""Words and where they are."""

import dataclasses
from dataclasses import dataclass, field

SIZE = 3
NAME: str = "x"
_Row = list[int]
Table = list[_Row]


class Missing(Exception):
    """No such word."""


class _Base:
    def size(self):
        return len(self.items)


class Index(_Base):
    """The positions."""

    kind = "index"

    def __init__(self, text: str):
        self.positions = {}
        self.items = [1.5]
        self._hidden = 3
        for number, word in enumerate(text.split()):
            self.positions.setdefault(word, []).append(number)

    def find(self, word: str, limit: int = 10):
        if word not in self.positions:
            raise Missing(word)
        return self.positions[word][:limit]

    @property
    def first(self):
        return self.find("a")

    @staticmethod
    def make(n: int) -> "Index":
        return Index("a " * n)

    def _private(self, x: int):
        return x


@dataclass
class Point:
    x: int
    y: float = 0.5
    tags: list[str] = field(default_factory=list)


def rows(n: int) -> Table:
    return [[i] for i in range(n)]


def common(a: Index, b: Index, /, *, flag: bool = False):
    return {word for word in a.positions if word in b.positions}


def _helper(x):
    return x


def nothing(x: int | None = None):
    print(x)
'''

STUB = """\
from __future__ import annotations
import dataclasses
from dataclasses import dataclass, field
SIZE: int
NAME: str
_Row = list[int]
Table = list[_Row]

class Missing(Exception): ...

class _Base:

    def size(self) -> int: ...

class Index(_Base):
    positions: dict[str, list[int]]
    items: list[float]
    kind: str

    def __init__(self, text: str) -> None: ...

    def find(self, word: str, limit: int=...) -> list[int]: ...

    @property
    def first(self) -> list[int]: ...

    @staticmethod
    def make(n: int) -> 'Index': ...

@dataclass
class Point:
    x: int
    y: float = ...
    tags: list[str] = ...

def rows(n: int) -> Table: ...

def common(a: Index, b: Index, /, *, flag: bool=...) -> set[str]: ...

def nothing(x: int | None=...) -> None: ...
"""


HINTED = """\
from __future__ import annotations

def f(x: int) -> int:
    return x
"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [(SOURCE, STUB), (HINTED, HINTED.replace(":\n    return x", ": ..."))],
    ids=["plain", "hinted"],
)
def test_stub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, expected: str
) -> None:
    path = tmp_path / "stubbed.py"
    path.write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = load_module(path)
    assert stub(extension_translation(module), module) == expected
