"""What all files have in common: opened ones, the standard streams, those in memory.

    TextStream                           ByteStream
        TextWrapper                          BinaryFile
            TextFile                         StandardBytes
            StandardOutput                   BytesIO
        StringIO

A variable that holds several of them holds a ``TextStream`` or a ``ByteStream``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

BYTES_LIKE = (bytes, bytearray)


def takes(**wanted: Any) -> Callable[[F], F]:
    """Decorator: calls that pass a parameter anything but that are refused where they are.  A
    type, several of them, or ``ItemsOf``."""

    def mark(func: F) -> F:
        func._rpython_takes_ = wanted  # type: ignore[attr-defined]
        return func

    return mark


class ItemsOf:
    """Any iterable of such items."""

    def __init__(self, of: Any) -> None:
        self.of = of


class Stream:
    """What ``for`` and ``with`` need; each kind of file has its own."""

    _mixin_ = True

    def __iter__(self) -> Any:
        raise NotImplementedError

    def __next__(self) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        raise NotImplementedError


class TextStream(Stream):
    """Any file of text."""


class ByteStream(Stream):
    """Any file of bytes."""


class TextWrapper(TextStream):
    """A file of text on top of one of bytes: ``io.TextIOWrapper``.  Calls of the class are calls
    of the function ``_rpython_maker_``."""


class Lines:
    """Methods that are the same for all files, written for the class that mixes this in."""

    _mixin_ = True

    readline: Any
    write: Any
    close: Any
    closed: Any

    def readlines(self, hint: int | None = -1) -> list[Any]:
        self._check_open()
        most = -1 if hint is None else hint
        lines: list[Any] = []
        size = 0
        while True:
            line = self.readline()
            if not line:
                return lines
            lines.append(line)
            size += len(line)
            if 0 < most < size:
                return lines

    def writelines(self, lines: Iterable[Any]) -> None:
        self._check_open()
        for line in lines:
            self.write(line)

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def _check_raw_open(self) -> None:
        """The same where CPython says it without the full stop."""
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def __iter__(self) -> Self:
        self._check_open()
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.close()
