"""Exceptions of translated code as host exceptions.

A translated exception keeps its class and its message, the text that ``str`` gives.  The
host classes whose ``str`` is computed from several values get those values back from the
message, so that ``str`` gives the same text again.
"""

from __future__ import annotations

import ast
import re
from typing import Any

_PATH = r"('.*?'|\".*?\")"
_OS_ERROR = re.compile(rf"\[Errno (\d+)\] (.*?)(?:: {_PATH}(?: -> {_PATH})?)?", re.DOTALL)
_DECODE_BYTE = re.compile(r"'(.+?)' codec can't decode byte 0x(..) in position (\d+): (.*)")
_DECODE_BYTES = re.compile(r"'(.+?)' codec can't decode bytes in position (\d+)-(\d+): (.*)")
_ENCODE_CHAR = re.compile(
    r"'(.+?)' codec can't encode character ('.+?') in position (\d+): (.*)"
)
_ENCODE_CHARS = re.compile(r"'(.+?)' codec can't encode characters in position (\d+)-(\d+): (.*)")


def host_error(cls: type[BaseException], message: str | None) -> BaseException:
    """A new instance of ``cls`` with ``str(instance) == message`` (None: made without
    arguments), without running an ``__init__`` of the program."""
    error: BaseException
    if message is None:
        error = cls.__new__(cls)
        error.args = ()
        return error
    for arguments in _arguments(cls, message):
        error = cls.__new__(cls, *arguments)
        error.args = arguments
        if cls.__module__ == "builtins":
            error.__init__(*arguments)  # type: ignore[misc]
        if type(error) is cls and str(error) == message:
            return error
    error = cls.__new__(cls)
    error.args = (message,)
    return error


def set_attribute(error: BaseException, name: str, value: Any) -> None:
    """Set an attribute; not to None where it is None already, which shows in the text of an
    OSError."""
    if value is not None or getattr(error, name, error) is not None:
        setattr(error, name, value)


def _arguments(cls: type[BaseException], message: str) -> list[tuple[Any, ...]]:
    """What the class may have been called with to have that message."""
    if issubclass(cls, UnicodeDecodeError):
        return _decode_arguments(message)
    if issubclass(cls, UnicodeEncodeError):
        return _encode_arguments(message)
    if issubclass(cls, OSError):
        match = _OS_ERROR.fullmatch(message)
        if match is not None:
            number, text, path, other = match.groups()
            shown: tuple[Any, ...] = () if path is None else (ast.literal_eval(path),)
            if other is not None:
                shown = (*shown, None, ast.literal_eval(other))
            return [(int(number), text, *shown)]
    if cls is SystemExit or cls.__str__ is KeyError.__str__:
        try:
            return [(ast.literal_eval(message),), (_Shown(message),)]
        except (ValueError, SyntaxError):
            return [(_Shown(message),)]
    return []


class _Shown:
    """Stands for an argument of which only ``repr`` is known."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _decode_arguments(message: str) -> list[tuple[Any, ...]]:
    match = _DECODE_BYTE.fullmatch(message)
    if match is not None:
        codec, byte, start, reason = match.groups()
        data = bytes(int(start)) + bytes.fromhex(byte)
        return [(codec, data, int(start), int(start) + 1, reason)]
    match = _DECODE_BYTES.fullmatch(message)
    if match is not None:
        codec, start, last, reason = match.groups()
        return [(codec, bytes(int(last) + 1), int(start), int(last) + 1, reason)]
    return []


def _encode_arguments(message: str) -> list[tuple[Any, ...]]:
    match = _ENCODE_CHAR.fullmatch(message)
    if match is not None:
        codec, char, start, reason = match.groups()
        text = "?" * int(start) + ast.literal_eval(char)
        return [(codec, text, int(start), int(start) + 1, reason)]
    match = _ENCODE_CHARS.fullmatch(message)
    if match is not None:
        codec, start, last, reason = match.groups()
        return [(codec, "?" * (int(last) + 1), int(start), int(last) + 1, reason)]
    return []
