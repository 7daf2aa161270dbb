"""What all arguments of ``argparse`` have, and the classes that those of one parser share with its
subparsers: of what it gives, and of what it is declared to have."""

from __future__ import annotations

import argparse
from typing import Any

from rpython.stdlib._registry import at_translation, refused, replaces

NO_VALUE, ONE, OPTIONAL, ANY, SOME, EXACTLY, COMMAND = range(7)
"""How many texts an argument takes; a command takes all that follow."""


class Unset:
    """In place of a default that is not given."""


UNSET = Unset()


class ArgumentProblem(Exception):
    """What is wrong with what the user wrote; ``str()`` has the name of the argument in front."""


@replaces(argparse.Namespace)
class Namespace:
    """Those of each parser are of a class of their own."""

    _rpython_shows_dict_ = True

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in vars(self).items() if name.isidentifier()]
        others = {name: value for name, value in vars(self).items() if not name.isidentifier()}
        if others:
            shown.append(f"**{others!r}")
        return "Namespace(" + ", ".join(shown) + ")"

    def __contains__(self, key: str) -> bool:
        return key in vars(self)

    @refused("comparing a Namespace is not supported: compare its attributes one by one")
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


class Declared:
    """What is declared of an argument, but for what depends on the kind of its value."""

    names: tuple[str, ...] = ()
    dest = ""
    takes = ONE
    count = 1
    """Where it takes exactly so many."""
    required = False
    action = "store"
    metavars: tuple[str, ...] = ()
    """Empty without a ``metavar``."""
    type_name = ""

    def __init__(self, help: str | None) -> None:
        self.help = "" if help is None else help
        self.choices_shown: list[str] = []
        self.choices_said: list[str] = []
        self.has_choices = False
        self.listed: list[Declared] = []
        """What is listed below it."""

    def name(self) -> str:
        """As in messages."""
        if self.names:
            return "/".join(self.names)
        if self.metavars:
            return self.metavars[0]
        return self.dest if self.dest else "{" + ",".join(self.choices_shown) + "}"

    def problem(self, message: str) -> ArgumentProblem:
        return ArgumentProblem(f"argument {self.name()}: {message}")

    def default_text(self) -> str:
        return "None"

    def is_suppressed(self) -> bool:
        """Has it no default, not even None?"""
        return False


class Argument(Declared):
    """What a parser does with an argument."""

    gives = True
    """An attribute; ``--help`` does not."""
    reading_gave_default = False
    """Was what the texts stand for the default itself?"""

    def has_late_default(self) -> bool:
        """Is the default a text, which is converted if nothing else is given?"""
        return False

    def set_default(self, namespace: Any) -> None:
        """Unless it is late."""

    def set_late_default(self, namespace: Any) -> None:
        pass

    def would_convert(self, namespace: Any) -> bool:
        """Is its attribute the late default, and would that become something else?"""
        return False

    def read(self, texts: list[str]) -> None:
        """The argument is there, with these texts.  Raises ArgumentProblem."""

    def store(self, namespace: Any, owner: dict[str, int]) -> list[str]:
        """Give the attribute what was read; what a parser of a command leaves over.  ``owner``: by
        name of an attribute, the number of the argument whose default it has."""
        return []

    def copy(self, source: Any, target: Any) -> list[str]:
        """Copy what it gives an attribute, if that is there; the names of such attributes."""
        return []

    def copy_below(self, source: Any, target: Any) -> list[str]:
        """The same for what the parsers of a command have found."""
        return []


class Default:
    """What ``set_defaults`` says of an attribute."""

    dest = ""

    def set(self, namespace: Any) -> None:
        pass

    def replace(self, argument: Argument) -> None:
        """It is the default of the argument, if that has the same attribute."""

    def copy(self, source: Any, target: Any) -> list[str]:
        return []


OTHER = -1
"""In place of the number of an argument whose default an attribute has: it has no default."""
FROM_COMMAND = -2
"""The same: what the parser of a command found."""


class Family:
    """The classes that a parser and its subparsers share."""

    def __init__(self) -> None:
        names = ("_Namespace", "_Argument", "_Default")
        bases = (Namespace, Argument, Default)
        self.space, self.argument, self.default = (
            type(name, (base,), {}) for name, base in zip(names, bases)
        )
        self.space.__module__, self.space.__name__ = "argparse", "Namespace"
        self._by_dest: dict[str, type] = {}
        self._made: dict[Any, Any] = {}

    def with_dest(self, dest: str) -> type:
        """What the classes of all arguments extend that give this attribute."""
        if dest not in self._by_dest:
            self._by_dest[dest] = type("_Argument", (self.argument,), {"dest": dest})
        return self._by_dest[dest]

    def once(self, key: Any, make: Any) -> Any:
        """``make(*key[1:])``, the same whenever it is asked for."""
        if key not in self._made:
            self._made[key] = make(self, *key[1:])
        return self._made[key]


def family(parser: type) -> Family:
    """That of a class of parsers."""
    if "_rpython_family_" not in vars(parser):
        parser._rpython_family_ = Family()  # type: ignore[attr-defined]
    found: Family = parser._rpython_family_  # type: ignore[attr-defined]
    return found


@at_translation("parser")
def namespace_class(parser: type) -> type:
    """That of what the parser gives."""
    return family(parser).space
