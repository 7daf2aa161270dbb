"""What ``configparser`` makes of references in values, without its regular expressions."""

from __future__ import annotations

import configparser
from typing import Any

from rpython.stdlib._inierrors import (
    MAX_DEPTH,
    InterpolationDepthError,
    InterpolationMissingOptionError,
    InterpolationSyntaxError,
)
from rpython.stdlib._registry import replaces


class Values:
    """The values that options have: of the call, of the section, or else the defaults."""

    def __init__(
        self, given: dict[str, str | None], section: dict[str, str | None],
        defaults: dict[str, str | None],
    ) -> None:  # fmt: skip
        self._given = given
        self._section = section
        self._defaults = defaults

    def __contains__(self, option: str) -> bool:
        return option in self._given or option in self._section or option in self._defaults

    def __getitem__(self, option: str) -> str | None:
        if option in self._given:
            return self._given[option]
        return self._section[option] if option in self._section else self._defaults[option]


def _end_of_reference(text: str, start: int, close: str) -> int:
    """Where the name that begins there ends; -1 if it does not, or is empty."""
    end = text.find(close[0], start)
    return end if end > start and text.startswith(close, end) else -1


def _check(value: str, mark: str, opens: str, close: str) -> None:
    """Raises ValueError where a value has the mark in vain."""
    text = value.replace(mark + mark, "")
    kept = ""
    at = 0
    while True:
        start = text.find(opens, at)
        if start < 0:
            break
        end = _end_of_reference(text, start + 2, close)
        if end < 0:
            kept += text[at : start + 1]
            at = start + 1
        else:
            kept += text[at:start]
            at = end + len(close)
    kept += text[at:]
    if mark in kept:
        where = kept.find(mark)
        raise ValueError(f"invalid interpolation syntax in {value!r} at position {where}")


@replaces(configparser.Interpolation)
class Interpolation:
    """Values are what they are."""

    nothing: str | None = None
    """What ``items`` gives for an option without a value."""

    def before_get(
        self, parser: Any, section: str, option: str, value: str, defaults: Values
    ) -> str:
        return value

    def before_set(self, parser: Any, section: str, option: str, value: str) -> str:
        return value


class _Found:
    """The value that a reference is to, and what references in it are about."""

    def __init__(self, option: str, section: str, value: str, values: Values) -> None:
        self.option = option
        self.section = section
        self.value = value
        self.values = values


class _References(Interpolation):
    """There are references in values."""

    nothing = ""
    mark = opens = close = ""

    def before_get(
        self, parser: Any, section: str, option: str, value: str, defaults: Values
    ) -> str:
        pieces: list[str] = []
        self._add(parser, pieces, _Found(option, section, value, defaults), 1)
        return "".join(pieces)

    def before_set(self, parser: Any, section: str, option: str, value: str) -> str:
        _check(value, self.mark, self.opens, self.close)
        return value

    def _add(self, parser: Any, pieces: list[str], of: _Found, depth: int) -> None:
        rest = of.value
        raw = parser.raw_value(of.section, of.option, rest)
        if depth > MAX_DEPTH:
            raise InterpolationDepthError(of.option, of.section, raw)
        while rest:
            start = rest.find(self.mark)
            if start < 0:
                pieces.append(rest)
                return
            pieces.append(rest[:start])
            rest = rest[start:]
            if rest.startswith(self.mark, 1):
                pieces.append(self.mark)
                rest = rest[2:]
                continue
            if not rest.startswith(self.opens):
                bracket = self.opens[1]
                problem = f"{self.mark!r} must be followed by {self.mark!r} or {bracket!r}, found: "
                raise _syntax_error(of, problem + repr(rest))
            end = _end_of_reference(rest, 2, self.close)
            if end < 0:
                raise _syntax_error(of, f"bad interpolation variable reference {rest!r}")
            reference = rest[2:end]
            rest = rest[end + len(self.close) :]
            found = self._look_up(parser, of, raw, reference, rest)
            if self.mark in found.value:
                self._add(parser, pieces, found, depth + 1)
            else:
                pieces.append(found.value)

    def _look_up(self, parser: Any, of: _Found, raw: str, reference: str, rest: str) -> _Found:
        """``raw``: the value that has the reference, ``rest``: what is behind that."""
        raise NotImplementedError


def _syntax_error(of: _Found, problem: str) -> InterpolationSyntaxError:
    return InterpolationSyntaxError(of.option, of.section, problem)


def _missing(of: _Found, raw: str, name: str) -> InterpolationMissingOptionError:
    return InterpolationMissingOptionError(of.option, of.section, raw, name)


def _text_in(values: Values, name: str) -> str:
    value = values[name]
    if value is None:
        raise TypeError("argument of type 'NoneType' is not iterable")
    return value


@replaces(configparser.BasicInterpolation)
class BasicInterpolation(_References):
    """``%(name)s`` is another value of the section."""

    mark, opens, close = "%", "%(", ")s"

    def _look_up(self, parser: Any, of: _Found, raw: str, reference: str, rest: str) -> _Found:
        name = parser.optionxform(reference)
        if name not in of.values:
            raise _missing(of, raw, name)
        return _Found(of.option, of.section, _text_in(of.values, name), of.values)


@replaces(configparser.ExtendedInterpolation)
class ExtendedInterpolation(_References):
    """``${name}`` is another value of the section, ``${section:name}`` one of another."""

    mark, opens, close = "$", "${", "}"

    def _look_up(self, parser: Any, of: _Found, raw: str, reference: str, rest: str) -> _Found:
        path = reference.split(":")
        if len(path) > 2:
            raise _syntax_error(of, f"More than one ':' found: {rest!r}")
        name = parser.optionxform(path[-1])
        section = of.section if len(path) == 1 else path[0]
        inner = parser.values_of(section)
        values = of.values if len(path) == 1 else inner
        if values is None or name not in values:
            raise _missing(of, raw, reference)
        return _Found(name, section, _text_in(values, name), inner)
