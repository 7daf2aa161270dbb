"""Options in groups, as targets written for RPython declare, read and set them.

    description = OptionDescription("app", "Options of the program", [
        BoolOption("fast", "leave out checks", default=False),
        OptionDescription("net", "Network", [IntOption("port", "where to listen", default=80)]),
    ])
    config = Config(description, fast=True)
    config.net.port = 8080
    config.set(port=8081)                 # a name is enough where only one option has it
    to_optparse(config).parse_args(["--no-fast"])
"""

from __future__ import annotations

import optparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

DEFAULT_OPTION_NAME: Any = object()
"""An option whose name on the command line is made of its path."""
SUPPRESS_USAGE = optparse.SUPPRESS_USAGE


class ConfigError(Exception):
    """An option cannot have that value."""


class ConflictConfigError(ConfigError):
    """An option cannot have that value, since another one requires a different one."""


class AmbigousOptionError(Exception):
    """Several options have that name."""


class NoMatchingOptionFound(AttributeError):
    """No option has that name."""


class Option:
    """One setting.  ``cmdline``: its spellings, separated by blanks; None: it has none."""

    metavar = "VALUE"

    def __init__(
        self, name: str, doc: str, default: Any = None, cmdline: Any = DEFAULT_OPTION_NAME
    ) -> None:
        self._name = name
        self.doc = doc
        self.default = default
        self.cmdline = cmdline

    def getdefault(self) -> Any:
        return self.default

    def validate(self, value: Any) -> bool:
        """Can this be its value?"""
        return value is None or self.accepts(value)

    def accepts(self, value: Any) -> bool:
        return True

    def converted(self, value: Any) -> Any:
        """The value as it is kept.  Raises ConfigError."""
        if not self.validate(value):
            raise ConfigError(f"invalid value {value!r} for option {self._name}")
        return value

    def consequences(self, value: Any) -> Iterator[tuple[str, Any, str]]:
        """(path, value, "required" or "suggested") of the options that this value decides."""
        yield from ()

    def add_optparse_option(
        self, names: list[str], parser: Any, store: Callable[[Any], None]
    ) -> None:
        """Make the parser understand the option."""

        def given(option: Any, spelling: str, text: str, parser: Any) -> None:
            try:
                store(self.parsed(text))
            except (ConfigError, ValueError) as error:
                raise optparse.OptionValueError(f"{spelling}: {error}") from None

        parser.add_option(
            *names, help=self.doc, action="callback", type="string", callback=given,
            metavar=self.metavar,
        )  # fmt: skip

    def parsed(self, text: str) -> Any:
        """The value that a text of the command line stands for."""
        return text


class BoolOption(Option):
    """True or False.  ``requires`` and ``suggests``: pairs of a path and a value, for True."""

    def __init__(
        self, name: str, doc: str, default: bool | None = None,
        requires: Sequence[tuple[str, Any]] | None = None,
        suggests: Sequence[tuple[str, Any]] | None = None,
        validator: Callable[[Any], None] | None = None,
        cmdline: Any = DEFAULT_OPTION_NAME, negation: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(name, doc, default, cmdline)
        self._requires = list(requires or ())
        self._suggests = list(suggests or ())
        self._validator = validator
        self.negation = negation

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool)

    def consequences(self, value: Any) -> Iterator[tuple[str, Any, str]]:
        if value:
            yield from ((path, wanted, "required") for path, wanted in self._requires)
            yield from ((path, wanted, "suggested") for path, wanted in self._suggests)

    def converted(self, value: Any) -> Any:
        kept = super().converted(value)
        if kept and self._validator is not None:
            self._validator(kept)
        return kept

    def add_optparse_option(
        self, names: list[str], parser: Any, store: Callable[[Any], None]
    ) -> None:
        def adder(value: bool) -> Callable[..., None]:
            return lambda *given: store(value)

        parser.add_option(*names, help=self.doc, action="callback", callback=adder(True))
        long = [name for name in names if name.startswith("--")]
        if self.negation and long:
            head, _, last = long[0].rpartition("-")
            negated = f"{head}-no-{last}" if head.strip("-") else f"--no-{last}"
            parser.add_option(
                negated, help=f"unset option set by {long[0]}", action="callback",
                callback=adder(False),
            )  # fmt: skip


class ChoiceOption(Option):
    """One of several texts.  ``requires`` and ``suggests``: by value, pairs of a path and a
    value."""

    def __init__(
        self, name: str, doc: str, values: Sequence[Any], default: Any = None,
        requires: Mapping[Any, Sequence[tuple[str, Any]]] | None = None,
        suggests: Mapping[Any, Sequence[tuple[str, Any]]] | None = None,
        cmdline: Any = DEFAULT_OPTION_NAME,
    ) -> None:  # fmt: skip
        super().__init__(name, doc, default, cmdline)
        self.values = list(values)
        self.metavar = "|".join(map(str, values))
        self._requires = dict(requires or {})
        self._suggests = dict(suggests or {})

    def accepts(self, value: Any) -> bool:
        return value in self.values

    def consequences(self, value: Any) -> Iterator[tuple[str, Any, str]]:
        for path, wanted in self._requires.get(value, ()):
            yield path, wanted, "required"
        for path, wanted in self._suggests.get(value, ()):
            yield path, wanted, "suggested"


class IntOption(Option):
    """A whole number."""

    metavar = "N"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, int)

    def parsed(self, text: str) -> int:
        return int(text)


class FloatOption(Option):
    """A number."""

    metavar = "X"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, int | float)

    def parsed(self, text: str) -> float:
        return float(text)


class StrOption(Option):
    """A text."""

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str)


class ArbitraryOption(Option):
    """Anything; not for the command line."""

    def __init__(
        self, name: str, doc: str, default: Any = None,
        defaultfactory: Callable[[], Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name, doc, default, None)
        self.defaultfactory = defaultfactory

    def getdefault(self) -> Any:
        return self.default if self.defaultfactory is None else self.defaultfactory()


class OptionDescription:
    """A group of options and groups."""

    def __init__(
        self, name: str, doc: str, children: Sequence[Option | OptionDescription],
        cmdline: Any = DEFAULT_OPTION_NAME,
    ) -> None:  # fmt: skip
        self._name = name
        self.doc = doc
        self._children = list(children)
        self.cmdline = cmdline

    def child(self, name: str) -> Option | OptionDescription | None:
        """The option or group of that name in this group."""
        return next((each for each in self._children if each._name == name), None)

    def getpaths(self, include_groups: bool = False) -> list[str]:
        """The paths of all options, ``group.option``."""
        paths = []
        for each in self._children:
            if isinstance(each, OptionDescription):
                paths += [each._name] if include_groups else []
                paths += [f"{each._name}.{path}" for path in each.getpaths(include_groups)]
            else:
                paths.append(each._name)
        return paths


class Config:
    """The values of the options of a group; an attribute for each option and group.

    An option has a value by default, since it was suggested, since another option requires it,
    or since somebody has set it.  ``overrides``: values by path.
    """

    def __init__(
        self, descr: OptionDescription, parent: Config | None = None, **overrides: Any
    ) -> None:
        self._cfgimpl_descr = descr
        self._cfgimpl_parent = parent
        self._cfgimpl_values: dict[str, Any] = {}
        self._cfgimpl_value_owners: dict[str, str] = {}
        for child in descr._children:
            self._cfgimpl_value_owners[child._name] = "default"
            if isinstance(child, OptionDescription):
                self._cfgimpl_values[child._name] = Config(child, self)
            else:
                self._cfgimpl_values[child._name] = child.getdefault()
        self.override(overrides)

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_cfgimpl_values", {})
        if name not in values:
            raise NoMatchingOptionFound(f"there is no option {name!r}")
        return values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_cfgimpl_"):
            self.__dict__[name] = value
        else:
            self.setoption(name, value, "user")

    def setoption(self, name: str, value: Any, who: str) -> None:
        """Give an option of this group a value.  Raises NoMatchingOptionFound, ConfigError."""
        option = self._cfgimpl_descr.child(name)
        if not isinstance(option, Option):
            raise NoMatchingOptionFound(f"there is no option {name!r}")
        kept = option.converted(value)
        if self._cfgimpl_value_owners[name] == "required" and self._cfgimpl_values[name] != kept:
            if who in ("default", "suggested"):
                return
            raise ConflictConfigError(
                f"cannot set {name} to {value!r}: {self._cfgimpl_values[name]!r} is required"
            )
        for path, wanted, how in option.consequences(kept):
            home, last = self._cfgimpl_toplevel()._cfgimpl_get_home_by_path(path)
            if how == "required":
                home.setoption(last, wanted, how)
            else:
                home.suggestoption(last, wanted)
        self._cfgimpl_values[name] = kept
        self._cfgimpl_value_owners[name] = who

    def suggestoption(self, name: str, value: Any) -> None:
        """Give an option a value unless somebody has."""
        if self._cfgimpl_value_owners.get(name, "default") in ("default", "suggested"):
            self.setoption(name, value, "suggested")

    def set(self, **values: Any) -> None:
        """Set options, each by the end of its path.  Raises AmbigousOptionError,
        NoMatchingOptionFound, ConfigError."""
        for path, value in values.items():
            home, name = self._cfgimpl_find(path)
            home.setoption(name, value, "user")

    def suggest(self, **values: Any) -> None:
        """Like ``set``, for options that nobody has set."""
        for path, value in values.items():
            home, name = self._cfgimpl_find(path)
            home.suggestoption(name, value)

    def override(self, overrides: Mapping[str, Any]) -> None:
        """Give options, by path, other values by default."""
        for path, value in overrides.items():
            home, name = self._cfgimpl_get_home_by_path(path)
            home.setoption(name, value, "default")

    def copy(self, as_default: bool = False, parent: Config | None = None) -> Config:
        """A Config with the same values; ``as_default``: as if nobody had set them."""
        result = Config(self._cfgimpl_descr, parent)
        for name, value in self._cfgimpl_values.items():
            if isinstance(value, Config):
                result._cfgimpl_values[name] = value.copy(as_default, result)
            else:
                owner = "default" if as_default else self._cfgimpl_value_owners[name]
                result._cfgimpl_values[name] = value
                result._cfgimpl_value_owners[name] = owner
        return result

    def getpaths(self, include_groups: bool = False) -> list[str]:
        """The paths of all options, ``group.option``."""
        return self._cfgimpl_descr.getpaths(include_groups)

    def _cfgimpl_toplevel(self) -> Config:
        config = self
        while config._cfgimpl_parent is not None:
            config = config._cfgimpl_parent
        return config

    def _cfgimpl_get_home_by_path(self, path: str) -> tuple[Config, str]:
        """The group that the option is in, and its name there."""
        *groups, name = path.split(".")
        home = self
        for group in groups:
            home = getattr(home, group)
        return home, name

    def _cfgimpl_find(self, end: str) -> tuple[Config, str]:
        paths = self.getpaths()
        found = [p for p in paths if p == end] or [p for p in paths if p.endswith(f".{end}")]
        if not found:
            raise NoMatchingOptionFound(f"there is no option {end!r}")
        if len(found) > 1:
            raise AmbigousOptionError(f"several options are called {end!r}: {', '.join(found)}")
        return self._cfgimpl_get_home_by_path(found[0])

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for name, value in self._cfgimpl_values.items():
            if not isinstance(value, Config):
                yield name, value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and make_dict(self) == make_dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self.getpaths()))

    def __str__(self) -> str:
        lines = [f"[{self._cfgimpl_descr._name}]"]
        for name, value in sorted(self._cfgimpl_values.items()):
            if isinstance(value, Config):
                lines += [f"    {line}" for line in str(value).splitlines()]
            else:
                lines.append(f"    {name} = {value}")
        return "\n".join(lines)


def make_dict(config: Config) -> dict[str, Any]:
    """The values of all options by path."""
    result = {}
    for path in config.getpaths():
        home, name = config._cfgimpl_get_home_by_path(path)
        result[path] = getattr(home, name)
    return result


def to_optparse(
    config: Config, useoptions: Sequence[str] | None = None, parser: Any = None,
    parserargs: Sequence[Any] = (), parserkwargs: Mapping[str, Any] | None = None,
) -> Any:  # fmt: skip
    """A parser of command lines that sets the options of ``config``.  ``useoptions``: the paths of
    those that it knows, ``group.*`` for all of a group; None: all."""
    if parser is None:
        parser = optparse.OptionParser(*parserargs, **dict(parserkwargs or {}))
    for path in config.getpaths():
        group = path.rpartition(".")[0]
        if useoptions is not None and path not in useoptions and f"{group}.*" not in useoptions:
            continue
        home, name = config._cfgimpl_get_home_by_path(path)
        option = home._cfgimpl_descr.child(name)
        assert isinstance(option, Option)
        if option.cmdline is DEFAULT_OPTION_NAME:
            names = ["--" + path.replace(".", "-")]
        else:
            names = (option.cmdline or "").split()
        if names:
            option.add_optparse_option(names, parser, _setter(home, name))
    return parser


def _setter(home: Config, name: str) -> Callable[[Any], None]:
    return lambda value: home.setoption(name, value, "cmdline")
