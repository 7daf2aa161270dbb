"""``configparser``: CPython's source makes getters by name when it runs, and has values as lists of
lines until all is read.  The exceptions are from there."""

from __future__ import annotations

import configparser as host
import io
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rpython.stdlib._declared import UNSET, Unset
from rpython.stdlib._inierrors import (
    DuplicateOptionError,
    DuplicateSectionError,
    MissingSectionHeaderError,
    NoOptionError,
    NoSectionError,
    ParsingError,
)
from rpython.stdlib._inifiles import (
    NO_SECTION,
    OPTION_TWICE,
    SECTION_TWICE,
    WRONG,
    Options,
    Reader,
)
from rpython.stdlib._interpolation import BasicInterpolation, Interpolation, Values
from rpython.stdlib._registry import per_arguments, per_values, replaces

_STATES = host.ConfigParser.BOOLEAN_STATES


def _lower(optionstr: str) -> str:
    return optionstr.lower()


@replaces(host.RawConfigParser)
class RawConfigParser:
    """Sections with values, and those that all sections have if they say nothing else."""

    @per_arguments
    def __init__(
        self, defaults: Any = None, *, allow_no_value: bool = False,
        delimiters: Iterable[str] = ("=", ":"), comment_prefixes: Any = ("#", ";"),
        inline_comment_prefixes: Any = None, strict: bool = True,
        empty_lines_in_values: bool = True, default_section: str = host.DEFAULTSECT,
        interpolation: Any = UNSET,
    ) -> None:  # fmt: skip
        self._optionxform: Callable[[str], str] = _lower
        self._sections: dict[str, dict[str, str | None]] = {}
        self._defaults: dict[str, str | None] = {}
        self._syntax = Options(
            list(delimiters), list(comment_prefixes or ()), list(inline_comment_prefixes or ()),
            allow_no_value, strict, empty_lines_in_values,
        )  # fmt: skip
        self.default_section = default_section
        self._proxies = {default_section: SectionProxy(self, default_section)}
        self._interpolation: Interpolation = Interpolation()
        if defaults is not None:
            self._read_defaults(defaults)
        if isinstance(interpolation, Unset):
            self._interpolation = self._own_interpolation()
        elif interpolation is not None:
            self._interpolation = interpolation

    def _own_interpolation(self) -> Interpolation:
        return Interpolation()

    @per_arguments
    def _read_defaults(self, defaults: Any) -> None:
        for key, value in defaults.items():
            self.set(self.default_section, key, value)

    @property
    def optionxform(self) -> Callable[[str], str]:
        return self._optionxform

    @optionxform.setter
    def optionxform(self, function: Callable[[str], str]) -> None:
        self._optionxform = function

    # -- sections ---------------------------------------------------------------------------------

    def defaults(self) -> dict[str, str | None]:
        return self._defaults

    def sections(self) -> list[str]:
        return list(self._sections)

    def add_section(self, section: str) -> None:
        if section == self.default_section:
            raise ValueError(f"Invalid section name: {section!r}")
        if section in self._sections:
            raise DuplicateSectionError(section)
        self._make(section)

    def _make(self, section: str) -> dict[str, str | None]:
        made: dict[str, str | None] = {}
        self._sections[section] = made
        self._proxies[section] = SectionProxy(self, section)
        return made

    def has_section(self, section: str) -> bool:
        return section in self._sections

    def options(self, section: str) -> list[str]:
        if section not in self._sections:
            raise NoSectionError(section)
        return list({**self._sections[section], **self._defaults})

    def remove_section(self, section: str) -> bool:
        if section not in self._sections:
            return False
        del self._sections[section]
        del self._proxies[section]
        return True

    def _options_of(self, section: str | None) -> dict[str, str | None]:
        """Raises NoSectionError."""
        if not section or section == self.default_section:
            return self._defaults
        if section not in self._sections:
            raise NoSectionError(section)
        return self._sections[section]

    def values_of(self, section: str) -> Values | None:
        """None if there is no such section."""
        if section in self._sections:
            return Values({}, self._sections[section], self._defaults)
        return Values({}, {}, self._defaults) if section == self.default_section else None

    # -- values -----------------------------------------------------------------------------------

    @per_arguments
    def _values(self, section: str, given: Any) -> Values:
        """Raises NoSectionError."""
        options: dict[str, str | None] = {}
        if section in self._sections:
            options = self._sections[section]
        elif section != self.default_section:
            raise NoSectionError(section)
        texts: dict[str, str | None] = {}
        if given is not None:
            for key, value in given.items():
                texts[self.optionxform(key)] = None if value is None else str(value)
        return Values(texts, options, self._defaults)

    @per_arguments
    def get(
        self, section: str, option: str, *, raw: bool = False, vars: Any = None,
        fallback: Any = UNSET,
    ) -> Any:  # fmt: skip
        if isinstance(fallback, Unset):
            return self._value(section, option, raw, self._values(section, vars))
        try:
            values = self._values(section, vars)
        except NoSectionError:
            return fallback
        if self.optionxform(option) not in values:
            return fallback
        return self._value(section, option, raw, values)

    def _value(self, section: str, option: str, raw: bool, values: Values) -> str | None:
        """Raises NoOptionError."""
        name = self.optionxform(option)
        if name not in values:
            raise NoOptionError(name, section)
        value = values[name]
        if raw or value is None:
            return value
        return self._interpolation.before_get(self, section, name, value, values)

    def raw_value(self, section: str, option: str, fallback: str) -> str:
        """As it is; the other if there is none."""
        values = self.values_of(section)
        name = self.optionxform(option)
        value = values[name] if values is not None and name in values else None
        return fallback if value is None else value

    @per_arguments
    def _converted(
        self, section: str, option: str, convert: Any, raw: bool, vars: Any, fallback: Any
    ) -> Any:
        if isinstance(fallback, Unset):
            return convert(self.get(section, option, raw=raw, vars=vars))
        try:
            return convert(self.get(section, option, raw=raw, vars=vars))
        except (NoSectionError, NoOptionError):
            return fallback

    @per_arguments
    def getint(
        self, section: str, option: str, *, raw: bool = False, vars: Any = None,
        fallback: Any = UNSET,
    ) -> Any:  # fmt: skip
        return self._converted(section, option, _int, raw, vars, fallback)

    @per_arguments
    def getfloat(
        self, section: str, option: str, *, raw: bool = False, vars: Any = None,
        fallback: Any = UNSET,
    ) -> Any:  # fmt: skip
        return self._converted(section, option, _float, raw, vars, fallback)

    @per_arguments
    def getboolean(
        self, section: str, option: str, *, raw: bool = False, vars: Any = None,
        fallback: Any = UNSET,
    ) -> Any:  # fmt: skip
        return self._converted(section, option, _boolean, raw, vars, fallback)

    @per_arguments
    def items(self, section: Any = UNSET, raw: bool = False, vars: Any = None) -> Any:
        if isinstance(section, Unset):
            return [(name, self[name]) for name in self]
        values = self._values(section, vars)
        names = list({**self._defaults, **self._sections.get(section, {})})
        return [(name, self._value_for(section, name, raw, values)) for name in names]

    def _value_for(self, section: str, name: str, raw: bool, values: Values) -> str | None:
        value = values[name]
        if raw:
            return value
        if value is None:
            return self._interpolation.nothing
        return self._interpolation.before_get(self, section, name, value, values)

    def has_option(self, section: str | None, option: str) -> bool:
        name = self.optionxform(option)
        if not section or section == self.default_section:
            return name in self._defaults
        if section not in self._sections:
            return False
        return name in self._sections[section] or name in self._defaults

    @per_arguments
    def set(self, section: str | None, option: str, value: Any = None) -> None:
        if value is not None and not isinstance(value, str):
            raise NotImplementedError("a RawConfigParser with a value that is not a str")
        self._set(section, option, value)

    def _set(self, section: str | None, option: str, value: str | None) -> None:
        if value:
            value = self._interpolation.before_set(self, section or "", option, value)
        self._options_of(section)[self.optionxform(option)] = value

    def remove_option(self, section: str | None, option: str) -> bool:
        options = self._options_of(section)
        name = self.optionxform(option)
        if name not in options:
            return False
        del options[name]
        return True

    # -- as a mapping -----------------------------------------------------------------------------

    def __getitem__(self, key: str) -> SectionProxy:
        if key not in self._proxies:
            raise KeyError(key)
        return self._proxies[key]

    @per_arguments
    def __setitem__(self, key: str, value: Any) -> None:
        if isinstance(value, SectionProxy) and key in self and self[key] is value:
            return
        found = dict(value.items())
        if key == self.default_section:
            self._defaults.clear()
        elif key in self._sections:
            self._sections[key].clear()
        self.read_dict({key: found})

    def __delitem__(self, key: str) -> None:
        if key == self.default_section:
            raise ValueError("Cannot remove the default section.")
        if not self.remove_section(key):
            raise KeyError(key)

    def __contains__(self, key: str) -> bool:
        return key == self.default_section or key in self._sections

    def __len__(self) -> int:
        return len(self._sections) + 1

    def __iter__(self) -> Iterator[str]:
        yield self.default_section
        yield from self._sections

    def keys(self) -> list[str]:
        return list(self)

    def values(self) -> list[SectionProxy]:
        return [self[name] for name in self]

    # -- reading ----------------------------------------------------------------------------------

    @per_values
    def read(self, filenames: Any, encoding: Any = None) -> list[str]:
        if isinstance(filenames, str) or isinstance(filenames, os.PathLike):  # noqa: SIM101
            return [os.fspath(filenames)] if self._read_file(filenames, encoding) else []
        return [os.fspath(name) for name in filenames if self._read_file(name, encoding)]

    @per_values
    def _read_file(self, filename: Any, encoding: Any) -> bool:
        """Was it there?"""
        try:
            with open(filename, encoding=encoding) as lines:
                self._read(lines, filename)
        except OSError:
            return False
        return True

    @per_arguments
    def read_file(self, f: Any, source: Any = None) -> None:
        if source is not None:
            self._read(f, source)
        elif isinstance(f, list | tuple | io.StringIO):
            self._read(f, "<???>")
        else:
            self._read(f, f.name)

    def read_string(self, string: str, source: str = "<string>") -> None:
        self._read(io.StringIO(string), source)

    @per_arguments
    def read_dict(self, dictionary: Any, source: str = "<dict>") -> None:
        sections: set[str] = set()
        for given, keys in dictionary.items():
            section = str(given)
            if section in sections and self._syntax.strict:
                self.add_section(section)  # raises
            if section not in self:
                self.add_section(section)
            sections.add(section)
            names: set[str] = set()
            for key, value in keys.items():
                name = self.optionxform(str(key))
                if name in names and self._syntax.strict:
                    raise DuplicateOptionError(section, name, source)
                names.add(name)
                self.set(section, name, None if value is None else str(value))

    @per_arguments
    def _read(self, lines: Any, source: Any) -> None:
        """Raises Error."""
        reader = Reader(self, self._syntax)
        problem: ParsingError | None = None
        for number, line in enumerate(lines, 1):
            found = reader.take(line)
            if found == NO_SECTION:
                raise MissingSectionHeaderError(source, number, line)
            if found == SECTION_TWICE:
                reader.end_value()
                raise DuplicateSectionError(reader.section, source, number)
            if found == OPTION_TWICE:
                raise DuplicateOptionError(reader.section, reader.option, source, number)
            if found == WRONG:
                if problem is None:
                    problem = ParsingError(source)
                problem.append(number, repr(line))
        reader.end_value()
        if problem is not None:
            raise problem

    # -- writing ----------------------------------------------------------------------------------

    @per_arguments
    def write(self, fp: Any, space_around_delimiters: bool = True) -> None:
        delimiter = self._syntax.delimiters[0]
        if space_around_delimiters:
            delimiter = f" {delimiter} "
        if self._defaults:
            fp.write(self._written(self.default_section, self._defaults, delimiter))
        for section in self._sections:
            fp.write(self._written(section, self._sections[section], delimiter))

    def _written(self, section: str, options: dict[str, str | None], delimiter: str) -> str:
        lines = [f"[{section}]\n"]
        for name, value in options.items():
            text = ""
            if value is not None or not self._syntax.allow_no_value:
                text = delimiter + str(value).replace("\n", "\n\t")
            lines.append(f"{name}{text}\n")
        return "".join(lines) + "\n"


@per_arguments
def _int(value: Any) -> int:
    return int(value)


def _float(value: str) -> float:
    return float(value)


def _boolean(value: str) -> bool:
    if value.lower() not in _STATES:
        raise ValueError(f"Not a boolean: {value}")
    return _STATES[value.lower()]


@replaces(host.ConfigParser)
class ConfigParser(RawConfigParser):
    """One with references in values, which are strs."""

    def _own_interpolation(self) -> Interpolation:
        return BasicInterpolation()

    @per_arguments
    def set(self, section: str | None, option: str, value: Any = None) -> None:
        if not isinstance(value, str) and (value or not self._syntax.allow_no_value):
            raise TypeError("option values must be strings")
        if value is None or isinstance(value, str):
            self._set(section, option, value)

    @per_arguments
    def _read_defaults(self, defaults: Any) -> None:
        self.read_dict({self.default_section: defaults})


@replaces(host.SectionProxy)
class SectionProxy:
    """A section of a parser."""

    def __init__(self, parser: RawConfigParser, name: str) -> None:
        self._parser = parser
        self._name = name

    @property
    def parser(self) -> RawConfigParser:
        return self._parser

    @property
    def name(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<Section: {self._name}>"

    def __getitem__(self, key: str) -> str | None:
        if not self._parser.has_option(self._name, key):
            raise KeyError(key)
        found: str | None = self._parser.get(self._name, key)
        return found

    @per_arguments
    def __setitem__(self, key: str, value: Any) -> None:
        self._parser.set(self._name, key, value)

    def __delitem__(self, key: str) -> None:
        if not (
            self._parser.has_option(self._name, key) and self._parser.remove_option(self._name, key)
        ):
            raise KeyError(key)

    def __contains__(self, key: str) -> bool:
        return self._parser.has_option(self._name, key)

    def _options(self) -> list[str]:
        if self._name == self._parser.default_section:
            return list(self._parser.defaults())
        return self._parser.options(self._name)

    def __len__(self) -> int:
        return len(self._options())

    def __iter__(self) -> Iterator[str]:
        return iter(self._options())

    def keys(self) -> list[str]:
        return self._options()

    def values(self) -> list[str | None]:
        return [self[name] for name in self._options()]

    def items(self) -> list[tuple[str, str | None]]:
        return [(name, self[name]) for name in self._options()]

    @per_arguments
    def get(self, option: str, fallback: Any = None, *, raw: bool = False, vars: Any = None) -> Any:
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback)

    @per_arguments
    def getint(
        self, option: str, fallback: Any = None, *, raw: bool = False, vars: Any = None
    ) -> Any:
        return self._parser.getint(self._name, option, raw=raw, vars=vars, fallback=fallback)

    @per_arguments
    def getfloat(
        self, option: str, fallback: Any = None, *, raw: bool = False, vars: Any = None
    ) -> Any:
        return self._parser.getfloat(self._name, option, raw=raw, vars=vars, fallback=fallback)

    @per_arguments
    def getboolean(
        self, option: str, fallback: Any = None, *, raw: bool = False, vars: Any = None
    ) -> Any:
        return self._parser.getboolean(self._name, option, raw=raw, vars=vars, fallback=fallback)
