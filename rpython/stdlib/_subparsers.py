"""Parsers of commands, groups of arguments and ``set_defaults`` of ``argparse``: classes that each
parser has of its own."""

from __future__ import annotations

from typing import Any

from rpython.rlib.unroll import unrolling_iterable
from rpython.stdlib._arguments import said
from rpython.stdlib._declared import (
    COMMAND,
    FROM_COMMAND,
    OTHER,
    UNSET,
    ArgumentProblem,
    Declared,
    Family,
    Unset,
    family,
)
from rpython.stdlib._registry import at_translation, per_values


class Listed(Declared):
    """A command, below the argument that takes it."""

    def __init__(self, name: str, aliases: list[str], help: str | None) -> None:
        Declared.__init__(self, help)
        self.metavars = (f"{name} ({', '.join(aliases)})" if aliases else name,)


@at_translation(
    "parser dest required metavar", what="dest, required and metavar of add_subparsers()"
)
def subparsers_class(parser: type, dest: str | None, required: bool, metavar: str | None) -> type:
    """Of what ``add_subparsers`` gives, an argument of the parser."""
    found: type = family(parser).once(("commands", dest or "", required, metavar), _subparsers)
    return found


def _subparsers(own: Family, attribute: str, is_required: bool, metavar: str | None) -> type:
    base: Any = own.with_dest(attribute)

    class Subparsers(base):  # type: ignore[misc]
        takes = COMMAND
        required = is_required
        metavars = () if metavar is None else (metavar,)
        gives = attribute != ""

        def __init__(self, parser: Any, prefix: str, help: str | None) -> None:
            base.__init__(self, help)
            self._parser = parser
            self._prefix = prefix
            self._parsers: dict[str, Any] = {}
            self._texts: list[str] = []
            self.default = None
            self.has_choices = True

        @per_values
        def add_parser(
            self, name: str, *, help: Any = UNSET, aliases: Any = (), prog: str | None = None,
            **settings: Any,
        ) -> Any:  # fmt: skip
            names = [name, *aliases]
            for i, word in enumerate(names):
                if word in self._parsers:
                    alias = " alias" if i else ""
                    raise ArgumentProblem(
                        f"argument {self.name()}: conflicting subparser{alias}: {word}"
                    )
            if not isinstance(help, Unset):
                self.listed.append(Listed(name, names[1:], help))
            whole = f"{self._prefix} {name}" if prog is None else prog
            parser = type(self._parser)(prog=whole, **settings)
            for word in names:
                self._parsers[word] = parser
                self.choices_shown.append(word)
                self.choices_said.append(said(word))
            return parser

        def set_default(self, namespace: Any) -> None:
            if attribute:
                setattr(namespace, attribute, self.default)

        def read(self, texts: list[str]) -> None:
            if texts[0] not in self._parsers:
                among = ", ".join(self.choices_said)
                raise self.problem(f"invalid choice: {texts[0]!r} (choose from {among})")
            self._texts = texts

        def store(self, namespace: Any, owner: dict[str, int]) -> list[str]:
            name = self._texts[0]
            if attribute:
                owner[attribute] = OTHER
                setattr(namespace, attribute, name)
            parser = self._parsers[name]
            extras: list[str]
            found, extras = parser.parse_known_args(self._texts[1:])
            for dest in parser._copy_attributes(found, namespace):
                owner[dest] = FROM_COMMAND
            return extras

        def copy(self, source: Any, target: Any) -> list[str]:
            copied: list[str] = []
            if attribute and hasattr(source, attribute):
                setattr(target, attribute, getattr(source, attribute))
                copied.append(attribute)
            return copied

        def copy_below(self, source: Any, target: Any) -> list[str]:
            copied: list[str] = []
            for parser in self._parsers.values():
                copied.extend(parser._copy_attributes(source, target))
            return copied

    return Subparsers


@at_translation("parser **values", "parser")
def defaults_of(parser: type, values: tuple[str, ...]) -> Any:
    """What makes the ``Default`` that each keyword argument is."""
    own = family(parser)
    classes = unrolling_iterable([(name, own.once(("default", name), _default)) for name in values])

    def defaults(**values: Any) -> list[Any]:
        made = []
        for name, cls in classes:
            made.append(cls(values[name]))
        return made

    return defaults


def _default(own: Family, attribute: str) -> type:
    base: Any = own.default
    with_dest = own.with_dest(attribute)

    class Default(base):  # type: ignore[misc]
        dest = attribute

        def __init__(self, value: Any) -> None:
            self.value = value

        def set(self, namespace: Any) -> None:
            setattr(namespace, attribute, self.value)

        def replace(self, argument: Any) -> None:
            if isinstance(argument, with_dest):
                argument.default = self.value  # type: ignore[attr-defined]

        def copy(self, source: Any, target: Any) -> list[str]:
            if not hasattr(source, attribute):
                return []
            setattr(target, attribute, getattr(source, attribute))
            return [attribute]

    return Default


class Section:
    """Arguments under one title."""

    def __init__(self, title: str | None, description: str | None) -> None:
        self.title = title
        self.description = description
        self.numbers: list[int] = []


@at_translation("parser exclusive")
def group_class(parser: type, exclusive: bool) -> type:
    """Of what adds arguments to one of the parser's sections, or to a mutually exclusive group."""
    found: type = family(parser).once(("group", exclusive), _group)
    return found


def _group(own: Family, exclusive: bool) -> type:
    class Group:
        def __init__(self, parser: Any, section: int, number: int) -> None:
            self._parser = parser
            self._section = section
            self._number = number
            """Of the exclusive ones, -1 for others."""

        @per_values
        def add_argument(
            self, *names: str, action: str = "store", nargs: Any = None, const: Any = None,
            default: Any = UNSET, type: Any = None, choices: Any = None,
            required: Any = None, help: str | None = None, metavar: Any = None,
            dest: Any = None, version: str | None = None,
        ) -> None:  # fmt: skip
            self._parser._declare(
                self._section, self._number, exclusive, action, nargs, const, default, type,
                choices, required, help, metavar, dest, version, *names,
            )  # fmt: skip

        def set_defaults(self, **values: Any) -> None:
            self._parser.set_defaults(**values)

        def add_mutually_exclusive_group(self, *, required: bool = False) -> Any:
            return self._parser._add_exclusive(self._section, required)

    if exclusive:
        del Group.add_mutually_exclusive_group
    return Group
