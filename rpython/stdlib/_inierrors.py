"""The exceptions of ``configparser``: what they say is not what their ``args`` are, which CPython's
source assigns."""

from __future__ import annotations

import configparser as host
from typing import Any

from rpython.stdlib._registry import replaces

MAX_DEPTH = host.MAX_INTERPOLATION_DEPTH


@replaces(host.Error)
class Error(Exception):
    """Each class sets the message and its ``args``."""

    message: str

    def __repr__(self) -> str:
        return self.message

    def __str__(self) -> str:
        return self.message


@replaces(host.NoSectionError)
class NoSectionError(Error):
    def __init__(self, section: Any) -> None:
        Exception.__init__(self, section)
        self.message = f"No section: {section!r}"
        self.section = section


def _place(source: Any, lineno: int | None) -> str:
    line = "" if lineno is None else f" [line {lineno:2d}]"
    return f"While reading from {source!r}{line}: "


@replaces(host.DuplicateSectionError)
class DuplicateSectionError(Error):
    def __init__(self, section: str, source: Any = None, lineno: int | None = None) -> None:
        Exception.__init__(self, section, source, lineno)
        start = "Section " if source is None else _place(source, lineno) + "section "
        self.message = f"{start}{section!r} already exists"
        self.section = section
        self.source = source
        self.lineno = lineno


@replaces(host.DuplicateOptionError)
class DuplicateOptionError(Error):
    def __init__(
        self, section: str, option: str, source: Any = None, lineno: int | None = None
    ) -> None:
        Exception.__init__(self, section, option, source, lineno)
        start = "Option " if source is None else _place(source, lineno) + "option "
        self.message = f"{start}{option!r} in section {section!r} already exists"
        self.section = section
        self.option = option
        self.source = source
        self.lineno = lineno


@replaces(host.NoOptionError)
class NoOptionError(Error):
    def __init__(self, option: Any, section: Any) -> None:
        Exception.__init__(self, option, section)
        self.message = f"No option {option!r} in section: {section!r}"
        self.option = option
        self.section = section


@replaces(host.InterpolationError)
class InterpolationError(Error):
    option: str
    section: str


@replaces(host.InterpolationMissingOptionError)
class InterpolationMissingOptionError(InterpolationError):
    def __init__(self, option: str, section: str, rawval: str, reference: str) -> None:
        Exception.__init__(self, option, section, rawval, reference)
        self.message = (
            f"Bad value substitution: option {option!r} in section {section!r} contains an "
            f"interpolation key {reference!r} which is not a valid option name. "
            f"Raw value: {rawval!r}"
        )
        self.option = option
        self.section = section
        self.reference = reference


@replaces(host.InterpolationSyntaxError)
class InterpolationSyntaxError(InterpolationError):
    def __init__(self, option: str, section: str, msg: str) -> None:
        Exception.__init__(self, option, section, msg)
        self.message = msg
        self.option = option
        self.section = section


@replaces(host.InterpolationDepthError)
class InterpolationDepthError(InterpolationError):
    def __init__(self, option: str, section: str, rawval: str) -> None:
        Exception.__init__(self, option, section, rawval)
        self.message = (
            f"Recursion limit exceeded in value substitution: option {option!r} in section "
            f"{section!r} contains an interpolation key which cannot be substituted in "
            f"{MAX_DEPTH} steps. Raw value: {rawval!r}"
        )
        self.option = option
        self.section = section


@replaces(host.ParsingError)
class ParsingError(Error):
    """``errors``: numbers of lines, and what they are."""

    def __init__(self, source: Any) -> None:
        Exception.__init__(self, source)
        self.message = f"Source contains parsing errors: {source!r}"
        self.source = source
        self.errors: list[tuple[int, str]] = []

    def append(self, lineno: int, line: str) -> None:
        self.errors.append((lineno, line))
        self.message += f"\n\t[line {lineno:2d}]: {line}"


@replaces(host.MissingSectionHeaderError)
class MissingSectionHeaderError(ParsingError):
    def __init__(self, filename: Any, lineno: int, line: str) -> None:
        Exception.__init__(self, filename, lineno, line)
        self.message = (
            f"File contains no section headers.\nfile: {filename!r}, line: {lineno}\n{line!r}"
        )
        self.source = filename
        self.errors = []
        self.lineno = lineno
        self.line = line
