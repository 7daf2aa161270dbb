"""What ``logging`` knows of a call, and how that becomes text: records, formatters and filters."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from rpython.stdlib._registry import converts, extensible, per_arguments, replaces

STARTED = time.time()

LEVEL_NAMES = dict(logging._levelToName)
"""Those that ``addLevelName`` adds come to it."""


class ExcInfo:
    """In place of a tuple of an exception with its traceback: the text of it."""

    def __init__(self, text: str) -> None:
        self.text = text


@replaces(logging.LogRecord)
class LogRecord:
    """``message``: the one with its arguments; None where it has none."""

    def __init__(
        self, name: str, level: int, place: tuple[str, int, str], msg: str,
        message: str | None, exc_info: ExcInfo | None, extra: dict[str, str],
    ) -> None:  # fmt: skip
        self.name = name
        self.levelno = level
        self.levelname = level_name(level)
        self.pathname, self.lineno, self.funcName = place
        self.msg = self._template = msg
        self._message = message
        self.exc_info = exc_info
        self.exc_text: str | None = None
        self._extra = extra
        self.created = time.time()
        self.msecs = int((self.created - int(self.created)) * 1000) + 0.0
        self.relativeCreated = (self.created - STARTED) * 1000
        self.message = self.asctime = ""

    @property
    def filename(self) -> str:
        return os.path.basename(self.pathname)

    @property
    def module(self) -> str:
        return os.path.splitext(os.path.basename(self.pathname))[0]

    @property
    def process(self) -> int:
        return os.getpid()

    @property
    def thread(self) -> int:
        return threading.get_ident()

    @property
    def threadName(self) -> str:
        return threading.current_thread().name

    def getMessage(self) -> str:
        if self._message is None:
            return self.msg
        if self.msg != self._template:
            raise NotImplementedError("another msg for a LogRecord with arguments")
        return self._message

    def __repr__(self) -> str:
        where = f"{self.pathname}, {self.lineno}"
        return f'<LogRecord: {self.name}, {self.levelno}, {where}, "{self.msg}">'


def level_name(level: int) -> str:
    return LEVEL_NAMES.get(level, f"Level {level}")


def level_of(name: str) -> int:
    """Raises ValueError."""
    for level, known in LEVEL_NAMES.items():
        if known == name:
            return level
    if name == "WARN":
        return logging.WARNING
    if name == "FATAL":
        return logging.CRITICAL
    raise ValueError(f"Unknown level: {name!r}")


@per_arguments
def level_number(level: Any) -> int:
    """Of a number or a name."""
    if isinstance(level, str):
        return level_of(level)
    return int(level)


# -- formats ------------------------------------------------------------------------------------

_TEXTS = (
    "name", "levelname", "pathname", "filename", "module", "funcName", "message", "asctime",
    "threadName", "processName",
)  # fmt: skip
_INTS = ("levelno", "lineno", "process", "thread")
_FLOATS = ("created", "msecs", "relativeCreated")
_WITHOUT_PLACE = "a LogRecord of a call whose place is not known"


def _text(record: LogRecord, name: str) -> str:
    if name == "message":
        return record.message
    if name == "asctime":
        return record.asctime
    if name == "levelname":
        return record.levelname
    if name == "name":
        return record.name
    if name == "threadName":
        return record.threadName
    if name == "processName":
        return "MainProcess"
    if not record.lineno:
        raise NotImplementedError(_WITHOUT_PLACE)
    if name == "pathname":
        return record.pathname
    if name == "filename":
        return record.filename
    return record.module if name == "module" else record.funcName


def _int(record: LogRecord, name: str) -> int:
    if name == "levelno":
        return record.levelno
    if name == "process":
        return record.process
    if name == "thread":
        return record.thread
    if not record.lineno:
        raise NotImplementedError(_WITHOUT_PLACE)
    return record.lineno


def _float(record: LogRecord, name: str) -> float:
    if name == "created":
        return record.created
    return record.msecs if name == "msecs" else record.relativeCreated


class Piece:
    """A text, and the field behind it, if any."""

    def __init__(self, before: str, name: str = "", spec: str = "", kind: str = "") -> None:
        self.before = before
        self.name = name
        self.kind = kind
        """``d``, ``f``, ``s`` or ``r``."""
        self.sign = ""
        self.fill, self.align, self.width, self.precision = " ", "", 0, -1
        self._read(spec)

    def _read(self, spec: str) -> None:
        """``[[fill]align][sign][0][width][.precision]``"""
        at = 0
        if len(spec) > 1 and spec[1] in "<>^=":
            self.fill, self.align = spec[0], spec[1]
            at = 2
        elif spec and spec[0] in "<>^=":
            self.align = spec[0]
            at = 1
        if at < len(spec) and spec[at] in "+ ":
            self.sign = spec[at]
            at += 1
        if at < len(spec) and spec[at] == "0" and not self.align:
            self.fill, self.align = "0", "="
            at += 1
        width, dot, precision = spec[at:].partition(".")
        self.width = int(width) if width else 0
        if dot:
            self.precision = int(precision)

    def text(self, record: LogRecord) -> str:
        if not self.name:
            return self.before
        sign = ""
        if self.kind == "d" or self.kind == "f":
            body = self._digits(record)
            if body[0] == "-":
                sign, body = "-", body[1:]
            else:
                sign = self.sign
        else:
            body = self._words(record)
            if self.precision >= 0:
                body = body[: self.precision]
        missing = self.width - len(sign) - len(body)
        align = self.align or ">"
        if missing <= 0:
            return self.before + sign + body
        if align == "=":
            return self.before + sign + self.fill * missing + body
        if align == "<":
            return self.before + sign + body + self.fill * missing
        left = missing // 2 if align == "^" else missing
        return self.before + self.fill * left + sign + body + self.fill * (missing - left)

    def _digits(self, record: LogRecord) -> str:
        if self.kind == "f":
            return f"{self._number(record):.{6 if self.precision < 0 else self.precision}f}"
        if self.name in _INTS:
            return str(_int(record, self.name))
        return str(int(self._number(record)))

    def _number(self, record: LogRecord) -> float:
        if self.name in _FLOATS:
            return _float(record, self.name)
        if self.name in _INTS:
            return float(_int(record, self.name))
        if self.name in _TEXTS:
            raise TypeError(f"%{self.kind} format: a real number is required, not str")
        return float(self._added(record))

    def _words(self, record: LogRecord) -> str:
        if self.name in _INTS:
            return str(_int(record, self.name))
        if self.name in _FLOATS:
            return str(_float(record, self.name))
        if self.name not in _TEXTS:
            if self.kind == "r":
                raise NotImplementedError("%r of what is in extra")
            return self._added(record)
        text = _text(record, self.name)
        return repr(text) if self.kind == "r" else text

    def _added(self, record: LogRecord) -> str:
        if self.name not in record._extra:
            raise ValueError(f"Formatting field not found in record: {self.name!r}")
        return record._extra[self.name]


def pieces_of(fmt: str, style: str) -> list[Piece]:
    """Raises ValueError, NotImplementedError."""
    if style == "{":
        return _of_braces(fmt)
    return _of_dollars(fmt) if style == "$" else _of_percents(fmt)


def _of_percents(fmt: str) -> list[Piece]:
    pieces: list[Piece] = []
    before = ""
    at = 0
    while at < len(fmt):
        if fmt[at] != "%":
            before += fmt[at]
            at += 1
        elif fmt.startswith("%%", at):
            before += "%"
            at += 2
        elif fmt.startswith("%(", at):
            end = fmt.index(")", at)
            name = fmt[at + 2 : end]
            at = end + 1
            start = at
            while at < len(fmt) and fmt[at] in "-+ 0123456789.":
                at += 1
            kind = fmt[at : at + 1]
            if kind not in ("s", "d", "i", "f", "r"):
                raise NotImplementedError(f"the format {fmt!r}")
            flags = fmt[start:at].lstrip("-+ 0")
            given = fmt[start : at - len(flags)]
            sign = "+" if "+" in given else " " if " " in given else ""
            align = "<" if "-" in given else ">"
            if "0" in given and align == ">" and kind not in ("s", "r"):
                align = "0="
            pieces.append(Piece(before, name, align + sign + flags, "d" if kind == "i" else kind))
            before = ""
            at += 1
        else:
            raise ValueError(f"Invalid format {fmt!r} for '%' style")
    pieces.append(Piece(before))
    return pieces


def _of_braces(fmt: str) -> list[Piece]:
    pieces: list[Piece] = []
    before = ""
    at = 0
    while at < len(fmt):
        if fmt.startswith("{{", at) or fmt.startswith("}}", at):
            before += fmt[at]
            at += 2
        elif fmt[at] == "{":
            end = fmt.index("}", at)
            field, _, spec = fmt[at + 1 : end].partition(":")
            name, _, conversion = field.partition("!")
            kind = "r" if conversion == "r" else "s"
            if spec and spec[-1] in "sdf":
                kind, spec = spec[-1], spec[:-1]
            if not spec or (spec[0] not in "<>^=" and spec[1:2] not in ("<", ">", "^", "=")):
                if kind == "s" and name not in _INTS and name not in _FLOATS:
                    spec = "<" + spec
                elif kind == "s" and name in _INTS:
                    kind = "d"
            pieces.append(Piece(before, name, spec, kind))
            before = ""
            at = end + 1
        else:
            before += fmt[at]
            at += 1
    pieces.append(Piece(before))
    return pieces


def _of_dollars(fmt: str) -> list[Piece]:
    pieces: list[Piece] = []
    before = ""
    at = 0
    while at < len(fmt):
        if fmt.startswith("$$", at):
            before += "$"
            at += 2
        elif fmt[at] == "$":
            if fmt.startswith("${", at):
                end = fmt.index("}", at)
                name = fmt[at + 2 : end]
                at = end + 1
            else:
                end = at + 1
                while end < len(fmt) and (fmt[end].isalnum() or fmt[end] == "_"):
                    end += 1
                name = fmt[at + 1 : end]
                at = end
            pieces.append(Piece(before, name, "", "s"))
            before = ""
        else:
            before += fmt[at]
            at += 1
    pieces.append(Piece(before))
    return pieces


_DEFAULT_FORMATS = {"%": "%(message)s", "{": "{message}", "$": "${message}"}


@replaces(logging.Formatter)
@extensible
class Formatter:
    default_time_format = "%Y-%m-%d %H:%M:%S"

    def __init__(
        self, fmt: str | None = None, datefmt: str | None = None, style: str = "%",
        validate: bool = True,
    ) -> None:  # fmt: skip
        if style not in _DEFAULT_FORMATS:
            raise ValueError("Style must be one of: " + ",".join(_DEFAULT_FORMATS))
        self._fmt = fmt or _DEFAULT_FORMATS[style]
        self.datefmt = datefmt
        self._pieces = pieces_of(self._fmt, style)
        if validate and not any(piece.name for piece in self._pieces):
            if style == "%":
                raise ValueError(f"Invalid format {self._fmt!r} for '%' style")
            raise ValueError("invalid format: no fields")

    def usesTime(self) -> bool:
        return any(piece.name == "asctime" for piece in self._pieces)

    def formatTime(self, record: LogRecord, datefmt: str | None = None) -> str:
        at = time.localtime(record.created)
        if datefmt:
            return time.strftime(datefmt, at)
        return f"{time.strftime(self.default_time_format, at)},{int(record.msecs):03d}"

    def formatException(self, ei: ExcInfo) -> str:
        return ei.text

    def formatMessage(self, record: LogRecord) -> str:
        return "".join([piece.text(record) for piece in self._pieces])

    def format(self, record: LogRecord) -> str:
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info is not None and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            text = text if text.endswith("\n") else text + "\n"
            text += record.exc_text
        return text


@converts(logging.Formatter)
def formatter_for(x: Any) -> Formatter:
    style = {"PercentStyle": "%", "StrFormatStyle": "{"}.get(type(x._style).__name__, "$")
    return Formatter(x._fmt, x.datefmt, style, False)


@replaces(logging.Filter)
@extensible
class Filter:
    def __init__(self, name: str = "") -> None:
        self.name = name

    def filter(self, record: LogRecord) -> bool:
        return not self.name or f"{record.name}.".startswith(f"{self.name}.")


@converts(logging.Filter)
def filter_for(x: Any) -> Filter:
    return Filter(x.name)


class Filterer:
    """What loggers and handlers have."""

    def __init__(self) -> None:
        self._filters: list[Callable[[LogRecord], bool]] = []

    @per_arguments
    def addFilter(self, filter: Any) -> None:
        if isinstance(filter, Filter):
            self._filters.append(lambda record: bool(filter.filter(record)))
        else:
            self._filters.append(lambda record: bool(filter(record)))

    def filter(self, record: LogRecord) -> bool:
        return all(passes(record) for passes in self._filters)
