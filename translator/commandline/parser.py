"""The parser of a command, which says of an option that it does not know what may be meant."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rpython.translator.ir.errors import TranslationError, did_you_mean


class Respelled(str):
    """An option in our words.  ``written``: as it stands on the command line."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, ours: str, written: str) -> Respelled:
        self = super().__new__(cls, ours)
        self.written = written
        return self


class CommandLineError(TranslationError):
    """The command line is not understood; nothing has been read yet."""


class CommandParser(argparse.ArgumentParser):
    """``owners``: an option -> the commands that have it."""

    def __init__(self, *, owners: Callable[[str], Sequence[str]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.owners = owners

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """What the words say; the process ends where one of them is not understood."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return options

    def refuse(self, words: Sequence[str]) -> None:
        """End the process, saying what the words are not, and what they may be."""
        written = [word.written if isinstance(word, Respelled) else word for word in words]
        about = "; ".join(filter(None, dict.fromkeys(self._about(word) for word in words)))
        self.error(f"unrecognized arguments: {' '.join(written)}" + (about and f" ({about})"))

    def _about(self, word: str) -> str:
        """Which commands have the option, or which option of this one is written alike."""
        name = word.partition("=")[0] if word.startswith("--") else word[:2]
        if not name.startswith("-"):
            return ""
        if owners := self.owners(name):
            return f"{name} is an option of rpython {', '.join(owners)}"
        return did_you_mean(name, list(self._long_options()))

    def _long_options(self) -> Iterator[str]:
        for action in self._actions:  # there is no other way
            yield from (flag for flag in action.option_strings if flag.startswith("--"))
