"""``rpython new NAME``: a program to begin with, and its tests.

    NAME/NAME.py            the program
    NAME/test_NAME.py       tests, for pytest
"""

from __future__ import annotations

import argparse
import keyword
from pathlib import Path

from rpython.translator.ir.errors import TranslationError

_PROGRAM = '''"""{name}: how often is each word in the texts?

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
'''

_TESTS = '''"""The same functions, as Python runs them and as they are translated."""

import rpython
from {name} import count_words

TEXT = "to be or not to be"


def test_in_python() -> None:
    assert count_words(TEXT) == {{"to": 2, "be": 2, "or": 1, "not": 1}}


def test_translated() -> None:
    assert rpython.interpret(count_words, [TEXT]) == count_words(TEXT)
'''


EXAMPLES = (("rpython new words", "makes words/words.py and words/test_words.py"),)
STATUSES: dict[str, str] = {}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("name", type=Path, metavar="NAME", help="a folder that is not there yet")


def parse(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    return parser.parse_args(words)


def run(options: argparse.Namespace) -> int:
    """Make the folder, and say what to do next.  Raises TranslationError and OSError."""
    folder: Path = options.name
    name = folder.name
    if not name.isidentifier() or keyword.iskeyword(name):
        raise TranslationError(
            f"{name!r} cannot be the name of a module", hint="use letters, digits and _"
        )
    folder.mkdir(parents=True)
    (folder / f"{name}.py").write_text(_PROGRAM.format(name=name))
    (folder / f"test_{name}.py").write_text(_TESTS.format(name=name))
    print(f"made {folder / name}.py and its tests; now try")
    print(f"    cd {folder}")
    for line in (
        f'rpython run {name}.py "to be or not to be"',
        f"rpython build {name}.py",
        "pytest",
    ):
        print(f"    {line}")
    return 0
