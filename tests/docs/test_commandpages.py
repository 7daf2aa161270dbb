"""``docs/commands.md`` and ``docs/rpython.1`` say what the parsers say, and so does ``--help``."""

import re
import shlex
import shutil
import subprocess

import pytest
from commandsdoc import MANUAL, PAGE, VARIABLES, manual, page
from docexamples import DOCS

from rpython.translator.commandline.cli import parse
from rpython.translator.commandline.commandmodel import COMMANDS, STATUSES, Command, commands
from tests.support.commandline import rpython_in

AGAIN = "run python -m tests.docs.commandsdoc"
ALL = list(commands())


def test_page() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(ALL), AGAIN


def test_manual() -> None:
    assert MANUAL.read_text(encoding="utf-8") == manual(ALL), AGAIN


@pytest.mark.parametrize(
    "command", [["groff", "-ww", "-man", "-Tutf8"], ["mandoc", "-Tlint", "-Werror"]]
)
def test_manual_without_warnings(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run([*command, MANUAL], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert not done.stderr


@pytest.mark.parametrize("command", ALL, ids=COMMANDS)
def test_examples(command: Command) -> None:
    """Each is a command line that the parser understands."""
    for line, _ in command.examples:
        words = shlex.split(re.sub(" > .*", "", line))
        assert words[:2] == ["rpython", command.name]
        parse(words[1:])


@pytest.mark.parametrize("command", ALL, ids=COMMANDS)
def test_help(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        parse([command.name, "--help"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    for line, _ in command.examples:
        assert f"  {line}\n" in text or f"  {line}  " in text
    for status in command.statuses:
        assert re.search(rf"^  {status}  ", text, re.MULTILINE)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert all(argument.help for argument in command.arguments)


@pytest.mark.parametrize(
    ("words", "status"),
    [("check tests/docs/docexamples.py", 1), ("check --no-such-option examples/tour.py", 2)],
)
def test_statuses(words: str, status: int) -> None:
    assert rpython_in(DOCS.parent, *words.split()).returncode == status
    assert str(status) in STATUSES
    assert {"0", "130"} <= set(STATUSES) and "CC" in VARIABLES
