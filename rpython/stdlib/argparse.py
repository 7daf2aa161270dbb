"""``argparse``: parsers of command lines, whose formatter of help and registry of actions by name
C Python looks up by text.  What a parser is declared to have is in ``_arguments``, what it says in
``_usage``."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from rpython.stdlib._arguments import declare
from rpython.stdlib._declared import (
    ANY,
    COMMAND,
    EXACTLY,
    FROM_COMMAND,
    NO_VALUE,
    ONE,
    OPTIONAL,
    OTHER,
    SOME,
    UNSET,
    ArgumentProblem,
    Declared,
    Unset,
    namespace_class,
)
from rpython.stdlib._registry import per_arguments, per_site, per_values, replaces
from rpython.stdlib._subparsers import (
    Section,
    defaults_of,
    group_class,
    subparsers_class,
)
from rpython.stdlib._usage import Formatter, formatter_kind
from rpython.stdlib._usagelines import Exclusive


def _parses_like_the_first() -> tuple[bool, bool]:
    """Does a host take positional arguments that match nothing in front of an option, and does it
    refuse ``-vx`` where there is no ``-x``?  What later versions do differently."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("-v", action="store_true")
    parser.add_argument("a")
    parser.add_argument("b", nargs="?")
    eager = bool(parser.parse_known_args(["1", "-v", "2"])[1])
    try:
        parser.parse_known_args(["-vx", "1"])
    except argparse.ArgumentError:
        return eager, True
    return eager, False


_argument: Any = declare
_defaults: Any = defaults_of
"""As they are called: the first with what is not known at translation first."""

_EAGER, _REFUSES_TAIL = _parses_like_the_first()


class _Found:
    """How a text of the command line may be read as an option."""

    def __init__(self, number: int, name: str, value: str | None) -> None:
        self.number = number
        """-1 if there is no such option."""
        self.name = name
        self.value = value


class _Run:
    """The state of one ``parse_args``."""

    def __init__(self, texts: list[str], waiting: list[int]) -> None:
        self.texts = texts
        self.pattern = ""
        """``O`` for an option, ``A`` for another text, ``-`` for ``--``."""
        self.options: dict[int, _Found] = {}
        self.waiting = waiting
        """Positional arguments."""
        self.seen: set[int] = set()
        self.present: set[int] = set()
        """Those that got something else than their defaults."""
        self.extras: list[str] = []
        self.left_over: list[str] = []
        """By the parsers of commands."""
        self.owner: dict[str, int] = {}
        """By name of an attribute: the argument whose default it has."""


def _reach(argument: Declared, pattern: str, start: int) -> tuple[int, int]:
    """Where what the argument takes from there may end: from and to; (-1, -1) if nowhere."""
    stop = start
    taken: list[int] = []
    others = "A" if argument.names else "A-"
    while stop < len(pattern) and pattern[stop] in others:
        stop += 1
        if pattern[stop - 1] == "A":
            taken.append(stop)
    takes = argument.takes
    if takes == NO_VALUE:
        return start, start
    if takes == ANY:
        return start, stop
    if takes == SOME:
        return (taken[0], stop) if taken else (-1, -1)
    if takes == COMMAND:
        return (taken[0], len(pattern)) if taken else (-1, -1)
    count = argument.count if takes == EXACTLY else 1
    if len(taken) < count and takes != OPTIONAL:
        return -1, -1
    end = start if len(taken) < count else taken[count - 1]
    first = start if takes == OPTIONAL else end
    if len(taken) < count:
        end = stop
    while end < stop and pattern[end] == "-":
        end += 1
    return first, end


@replaces(argparse.ArgumentParser)
@per_site()
class ArgumentParser:
    """Those of each place have arguments, and attributes of what they give, of their own."""

    def __init__(
        self, prog: str | None = None, usage: str | None = None, description: str | None = None,
        epilog: str | None = None, parents: Any = (), *,
        formatter_class: Any = argparse.HelpFormatter, add_help: bool = True,
        allow_abbrev: bool = True,
    ) -> None:  # fmt: skip
        self.prog = os.path.basename(sys.argv[0]) if prog is None else prog
        self.usage = usage
        self.description = description
        self.epilog = epilog
        self.allow_abbrev = allow_abbrev
        self._kind = formatter_kind(formatter_class)
        self._arguments: list[Any] = []
        self._by_name: dict[str, int] = {}
        self._sections = [Section("positional arguments", None), Section("options", None)]
        self._exclusives: list[Exclusive] = []
        self._defaults: list[Any] = []
        self._version: str | None = None
        self._negative_options = False
        self._has_commands = False
        if add_help:
            self._add(
                _argument(
                    None, None, None, "show this help message and exit", __class__, "help",  # type: ignore[name-defined]
                    None, None, None, "help", None, True, True, False, "-h", "--help",
                ), -1, -1,
            )  # fmt: skip
        for parent in parents:
            self._adopt(parent)

    @per_values
    def add_argument(
        self, *names: str, action: str = "store", nargs: Any = None, const: Any = None,
        default: Any = UNSET, type: Any = None, choices: Any = None, required: Any = None,
        help: str | None = None, metavar: Any = None, dest: Any = None,
        version: str | None = None,
    ) -> None:  # fmt: skip
        self._declare(
            -1, -1, False, action, nargs, const, default, type, choices, required, help, metavar,
            dest, version, *names,
        )  # fmt: skip

    @per_values
    def _declare(
        self, section: int, group: int, exclusive: bool, action: str, nargs: Any, const: Any,
        default: Any, type: Any, choices: Any, required: Any, help: str | None, metavar: Any,
        dest: Any, version: str | None, *names: str,
    ) -> None:  # fmt: skip
        if action == "version":
            self._version = version
            if help is None:
                help = "show program's version number and exit"
        argument = _argument(
            default, const, choices, help, __class__, action, nargs, required, metavar, dest, type,  # type: ignore[name-defined]
            isinstance(default, Unset), choices is None, exclusive, *names,
        )  # fmt: skip
        if isinstance(default, Unset):
            for known in self._defaults:
                known.replace(argument)
        if exclusive and argument.required:
            raise ValueError("mutually exclusive arguments must be optional")
        self._add(argument, section, group)

    def add_argument_group(self, title: str | None = None, description: str | None = None) -> Any:
        section = self._add_section(title, description)
        return group_class(__class__, False)(self, section, -1)  # type: ignore[name-defined]

    def _add_section(self, title: str | None, description: str | None) -> int:
        self._sections.append(Section(title, description))
        return len(self._sections) - 1

    def add_mutually_exclusive_group(self, *, required: bool = False) -> Any:
        return self._add_exclusive(-1, required)

    def _add_exclusive(self, section: int, required: bool) -> Any:
        self._exclusives.append(Exclusive(required))
        number = len(self._exclusives) - 1
        return group_class(__class__, True)(self, section, number)  # type: ignore[name-defined]

    @per_values
    def add_subparsers(
        self, *, title: Any = UNSET, description: Any = UNSET, prog: str | None = None,
        dest: str | None = None, required: bool = False, help: str | None = None,
        metavar: str | None = None,
    ) -> Any:  # fmt: skip
        if self._has_commands:
            raise NotImplementedError("add_subparsers() of a parser that has some")
        self._has_commands = True
        section = 0
        if not isinstance(title, Unset) or not isinstance(description, Unset):
            section = self._add_section(
                "subcommands" if isinstance(title, Unset) else title,
                None if isinstance(description, Unset) else description,
            )
        if prog is None:
            formatter = self._formatter()
            formatter.leave_out_options()
            prefix = formatter.whole([formatter.usage(self.usage, "")]).strip()
        else:
            prefix = prog
        made = subparsers_class(__class__, dest, required, metavar)(self, prefix, help)  # type: ignore[name-defined]
        self._add(made, section, -1)
        return made

    def set_defaults(self, **values: Any) -> None:
        for default in _defaults(__class__, **values):  # type: ignore[name-defined]
            self._keep_default(default)
            for argument in self._arguments:
                default.replace(argument)

    def _keep_default(self, default: Any) -> None:
        for i in range(len(self._defaults)):
            if self._defaults[i].dest == default.dest:
                self._defaults[i] = default
                return
        self._defaults.append(default)

    @per_arguments
    def _adopt(self, parent: Any) -> None:
        """Have all the arguments and defaults of another parser, too."""
        titles: list[str | None] = []
        for section in self._sections:
            if section.title in titles:
                raise ValueError(f"cannot merge actions - two groups are named {section.title!r}")
            titles.append(section.title)
        places = [-1] * len(parent._arguments)
        for section in parent._sections:
            if section.title in titles:
                place = titles.index(section.title)
            else:
                place = self._add_section(section.title, section.description)
                titles.append(section.title)
            for number in section.numbers:
                places[number] = place
        groups = [-1] * len(parent._arguments)
        for group in parent._exclusives:
            self._exclusives.append(Exclusive(group.required))
            for number in group.numbers:
                groups[number] = len(self._exclusives) - 1
                places[number] = -1
        for number, argument in enumerate(parent._arguments):
            self._add(argument, places[number], groups[number])
        for default in parent._defaults:
            self._keep_default(default)
        if parent._version is not None:
            self._version = parent._version

    def _add(self, argument: Any, section: int, group: int) -> None:
        """Raises argparse.ArgumentError."""
        taken = [name for name in argument.names if name in self._by_name]
        if taken:
            several = "s" if len(taken) > 1 else ""
            raise ArgumentProblem(
                f"argument {argument.name()}: conflicting option string{several}: "
                + ", ".join(taken)
            )
        number = len(self._arguments)
        self._arguments.append(argument)
        for name in argument.names:
            self._by_name[name] = number
            if _is_negative_number(name):
                self._negative_options = True
        if section < 0:
            section = 1 if argument.names else 0
        self._sections[section].numbers.append(number)
        if group >= 0:
            self._exclusives[group].numbers.append(number)

    # -- parsing ---------------------------------------------------------------------------------

    @per_arguments
    def parse_args(self, args: Any = None) -> Any:
        namespace, extras = self.parse_known_args(args)
        if extras:
            self.error("unrecognized arguments: " + " ".join(extras))
        return namespace

    @per_arguments
    def parse_known_args(self, args: Any = None) -> Any:
        namespace = namespace_class(__class__)()  # type: ignore[name-defined]
        texts = sys.argv[1:] if args is None else list(args)
        return namespace, self._parse(namespace, texts)

    def _parse(self, namespace: Any, texts: list[str]) -> list[str]:
        """What is left over of the texts."""
        numbers = range(len(self._arguments))
        run = _Run(texts, [i for i in numbers if not self._arguments[i].names])
        for i in numbers:
            argument = self._arguments[i]
            if argument.gives and argument.dest not in run.owner and not argument.is_suppressed():
                run.owner[argument.dest] = i
                argument.set_default(namespace)
        for default in self._defaults:
            if default.dest not in run.owner:
                run.owner[default.dest] = OTHER
                default.set(namespace)
        try:
            self._read(run)
            self._take_all(run, namespace)
            missing: list[str] = []
            for i in numbers:
                argument = self._arguments[i]
                if i in run.seen:
                    continue
                if argument.required:
                    missing.append(argument.name())
                elif argument.has_late_default():
                    self._set_late_default(run, namespace, i)
        except ArgumentProblem as problem:
            self.error(str(problem))
        if missing:
            self.error("the following arguments are required: " + ", ".join(missing))
        for group in self._exclusives:
            if group.required and not [i for i in group.numbers if i in run.present]:
                shown = [self._arguments[i] for i in group.numbers]
                names = [a.name() for a in shown if a.help != argparse.SUPPRESS]
                self.error(f"one of the arguments {' '.join(names)} is required")
        return run.extras + run.left_over

    def _set_late_default(self, run: _Run, namespace: Any, number: int) -> None:
        argument = self._arguments[number]
        owner = run.owner[argument.dest]
        if owner == number:
            argument.set_late_default(namespace)
        elif owner == FROM_COMMAND and argument.would_convert(namespace):
            raise NotImplementedError("the default of an argument as a value of a command's")

    def _copy_attributes(self, source: Any, target: Any) -> list[str]:
        """From what the parser found to what the parser found of which it is a part."""
        copied = [dest for argument in self._arguments for dest in argument.copy(source, target)]
        copied += [dest for default in self._defaults for dest in default.copy(source, target)]
        copied += [dest for a in self._arguments for dest in a.copy_below(source, target)]
        return copied

    def _read(self, run: _Run) -> None:
        """Which of the texts are options?"""
        pattern: list[str] = []
        for i, text in enumerate(run.texts):
            if "-" in pattern:
                if text == "--":
                    raise NotImplementedError("a command line with '--' twice")
                pattern.append("A")
                continue
            if text == "--":
                pattern.append("-")
                continue
            found = self._option(text)
            if found is not None:
                run.options[i] = found
            pattern.append("A" if found is None else "O")
        run.pattern = "".join(pattern)

    def _option(self, text: str) -> _Found | None:
        """None for what is no option."""
        if not text.startswith("-"):
            return None
        if text in self._by_name:
            return _Found(self._by_name[text], text, None)
        if len(text) == 1:
            return None
        name, equals, value = text.partition("=")
        if equals and name in self._by_name:
            return _Found(self._by_name[name], name, value)
        readings = self._readings(text, name, value if equals else None)
        if len(readings) > 1:
            names = ", ".join([reading.name for reading in readings])
            self.error(f"ambiguous option: {text} could match {names}")
        if len(readings) == 1:
            return readings[0]
        if _is_negative_number(text) and not self._negative_options:
            return None
        return None if " " in text else _Found(-1, text, None)

    def _readings(self, text: str, prefix: str, value: str | None) -> list[_Found]:
        """What a text may be short for, or made of."""
        found: list[_Found] = []
        if text.startswith("--"):
            if self.allow_abbrev:
                for name, number in self._by_name.items():
                    if name.startswith(prefix):
                        found.append(_Found(number, name, value))
            return found
        for name, number in self._by_name.items():
            if name == text[:2]:
                found.append(_Found(number, name, text[2:]))
            elif name.startswith(text):
                found.append(_Found(number, name, None))
        return found

    def _take_all(self, run: _Run, namespace: Any) -> None:
        """Positional arguments and options in turn."""
        at, last = 0, max(run.options) if run.options else -1
        while at <= last:
            option = run.pattern.index("O", at)
            if at != option:
                stop = self._take_positionals(run, namespace, at)
                if stop > at:
                    at = stop
                    continue
            if at not in run.options:
                run.extras.extend(run.texts[at:option])
                at = option
            at = self._take_option(run, namespace, at)
        at = self._take_positionals(run, namespace, at)
        run.extras.extend(run.texts[at:])

    def _take(self, run: _Run, namespace: Any, number: int, texts: list[str]) -> None:
        argument = self._arguments[number]
        run.seen.add(number)
        argument.read(texts)
        if not argument.reading_gave_default:
            self._check_alone(run, number)
        if argument.action == "help":
            self.print_help()
            self.exit()
        if argument.action == "version":
            self._print_version()
        run.left_over.extend(argument.store(namespace, run.owner))

    def _check_alone(self, run: _Run, number: int) -> None:
        """Is there none of those that exclude it?  Raises ArgumentProblem."""
        run.present.add(number)
        for group in self._exclusives:
            if number not in group.numbers:
                continue
            for other in group.numbers:
                if other != number and other in run.present:
                    name = self._arguments[other].name()
                    raise self._arguments[number].problem(f"not allowed with argument {name}")

    def _take_positionals(self, run: _Run, namespace: Any, at: int) -> int:
        """As many as match the texts from there; gives where these end."""
        ends: list[int] = []
        for count in range(len(run.waiting), 0, -1):
            if self._match(run.waiting[:count], run.pattern, at, ends):
                break
        if not _EAGER and ends and run.pattern[ends[-1] : ends[-1] + 1] == "O":
            while ends and ends[-1] == (ends[-2] if len(ends) > 1 else at):
                ends.pop()
        for number, end in zip(run.waiting[: len(ends)], ends[:]):
            texts = run.texts[at:end]
            if self._arguments[number].takes != COMMAND:
                texts = [text for text in texts if text != "--"]
            self._take(run, namespace, number, texts)
            at = end
        del run.waiting[: len(ends)]
        return at

    def _match(self, numbers: list[int], pattern: str, at: int, ends: list[int]) -> bool:
        """Do all of these match?  Then where each ends, each as far as the others allow."""
        if not numbers:
            return True
        first, end = _reach(self._arguments[numbers[0]], pattern, at)
        while end >= first and first >= 0:
            ends.append(end)
            if self._match(numbers[1:], pattern, end, ends):
                return True
            ends.pop()
            end -= 1
        return False

    def _take_option(self, run: _Run, namespace: Any, at: int) -> int:
        """Gives where its values end."""
        found = run.options[at]
        number, name, value = found.number, found.name, found.value
        if number < 0:
            run.extras.append(run.texts[at])
            return at + 1
        flags: list[int] = []
        while value is not None:
            argument = self._arguments[number]
            if argument.takes != NO_VALUE:
                self._take_flags(run, namespace, flags)
                if argument.takes == EXACTLY and argument.count != 1:
                    self._refuse_count(argument)
                if value == "--":
                    raise NotImplementedError("the value '--' of an option")
                self._take(run, namespace, number, [value])
                return at + 1
            ignored = argument.problem(f"ignored explicit argument {value!r}")
            given = not flags and run.texts[at].startswith(name + "=")
            if name.startswith("--") or value == "" or (given and not _REFUSES_TAIL):
                raise ignored
            name = "-" + value[0]
            if not _REFUSES_TAIL and (value[0] == "-" or "=" in value):
                raise NotImplementedError("'-' or '=' behind an option of one letter")
            if name not in self._by_name:
                if _REFUSES_TAIL:
                    raise ignored
                flags.append(number)
                run.extras.append("-" + value)
                self._take_flags(run, namespace, flags)
                return at + 1
            flags.append(number)
            number = self._by_name[name]
            value = value[1:] if len(value) > 1 else None
        argument = self._arguments[number]
        _, end = _reach(argument, run.pattern, at + 1)
        if end < 0:
            self._refuse_count(argument)
        self._take_flags(run, namespace, flags)
        self._take(run, namespace, number, run.texts[at + 1 : end])
        return end

    def _take_flags(self, run: _Run, namespace: Any, flags: list[int]) -> None:
        for number in flags:
            self._take(run, namespace, number, [])

    def _refuse_count(self, argument: Any) -> None:
        """Raises ArgumentProblem."""
        if argument.takes == ONE:
            raise argument.problem("expected one argument")
        if argument.takes == SOME:
            raise argument.problem("expected at least one argument")
        several = "" if argument.count == 1 else "s"
        raise argument.problem(f"expected {argument.count} argument{several}")

    # -- what it says ----------------------------------------------------------------------------

    def _formatter(self) -> Formatter:
        return Formatter(self.prog, list(self._arguments), self._exclusives, self._kind)

    def format_usage(self) -> str:
        formatter = self._formatter()
        return formatter.whole([formatter.usage(self.usage)])

    def format_help(self) -> str:
        formatter = self._formatter()
        pieces = [formatter.usage(self.usage), formatter.text(self.description, 0)]
        for section in self._sections:
            pieces.append(formatter.section(section.title, section.description, section.numbers))
        pieces.append(formatter.text(self.epilog, 0))
        return formatter.whole(pieces)

    @per_arguments
    def print_usage(self, file: Any = None) -> None:
        if file is None:
            sys.stdout.write(self.format_usage())
        else:
            file.write(self.format_usage())

    @per_arguments
    def print_help(self, file: Any = None) -> None:
        if file is None:
            sys.stdout.write(self.format_help())
        else:
            file.write(self.format_help())

    def _print_version(self) -> None:
        if self._version is None:
            raise AttributeError("'ArgumentParser' object has no attribute 'version'")
        formatter = self._formatter()
        sys.stdout.write(formatter.whole([formatter.text(self._version, 0)]))
        self.exit()

    def exit(self, status: int = 0, message: str | None = None) -> None:
        if message:
            sys.stderr.write(message)
        sys.exit(status)

    def error(self, message: str) -> None:
        sys.stderr.write(self.format_usage())
        self.exit(2, f"{self.prog}: error: {message}\n")


def _is_negative_number(text: str) -> bool:
    """Does it match ``-\\d+$|-\\d*\\.\\d+$``?"""
    whole, dot, part = text[1:].partition(".")
    if not text.startswith("-") or (dot and not part.isdecimal()):
        return False
    return whole.isdecimal() or (bool(dot) and whole == "")
