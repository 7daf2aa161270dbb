"""Pages that a reader follows with a shell and an editor: what they show is what happens.

A page is followed in a folder of its own, from its first block to its last one. A block is

- a file, or a change of one, where the paragraph in front of it says so (``changes``);
- ``console``: commands behind ``$``, each with what it prints;
- ``python``: a script, which must not raise an exception.

``...`` stands for any text in what is printed, and a time for any time.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from changes import blocks

HOME = "/home/me"
"""Stands in pages for the folder that holds the folder of the page."""

_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_TIME = re.compile(r"\b\d+m\d+\.\d+s|\b\d+\.\d+ ?s\b")


@dataclass(frozen=True, slots=True)
class Done:
    """A command of a page, what the page says that it prints, and what it printed."""

    command: str
    wanted: str
    printed: str
    status: int

    def __str__(self) -> str:
        """As the page should have it."""
        return f"$ {self.command}\n{self.wanted if self.is_as_wanted else self.printed}"

    @property
    def is_as_wanted(self) -> bool:
        wanted, printed = (_TIME.sub("TIME", text) for text in (self.wanted, self.printed))
        return doctest.OutputChecker().check_output(wanted, printed, doctest.ELLIPSIS)


def follow(page: Path, folder: Path, rewrite: bool = False) -> list[Done]:
    """Do what the page says, in ``folder``.  ``rewrite``: put what commands print into the page.
    Raises AssertionError for blocks that are none of the above, and scripts that fail."""
    text = page.read_text(encoding="utf-8")
    done: list[Done] = []
    true = text
    for block in blocks(text):
        change = block.change
        if change is not None:
            change.make(folder)
        elif block.language == "console":
            commands = _run_commands(block.text, folder)
            place = len(true) - (len(text) - block.start)  # from the end: changes are in front
            shown = "".join(map(str, commands))
            true = true[:place] + shown + true[place + len(block.text) :]
            done += commands
        else:
            assert block.language == "python", f"{page.name}: what is this?\n{block.text}"
            (folder / "block.py").write_text(block.text)
            printed, status = _run("python block.py", folder)
            assert status == 0, f"{page.name}:\n{block.text}\n{printed}"
    if rewrite:
        page.write_text(true, encoding="utf-8")
    return done


def wrong(done: list[Done]) -> str:
    """What was printed otherwise than the page says."""
    return "\n".join(
        f"$ {one.command}\n{one.printed}--- the page has:\n{one.wanted}"
        for one in done
        if not one.is_as_wanted
    )


def _run_commands(block: str, folder: Path) -> list[Done]:
    result = []
    for command, wanted in _COMMAND.findall(block):
        printed, status = _run(command, folder)
        result.append(Done(command, wanted, printed, status))
    return result


def _run(command: str, folder: Path) -> tuple[str, int]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder, env={**os.environ, "PATH": path}, text=True, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    printed = ran.stdout.replace(str(folder.parent), HOME)
    return printed + ("\n" if printed and printed[-1] != "\n" else ""), ran.returncode
