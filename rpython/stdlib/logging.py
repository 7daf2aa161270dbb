"""``logging``: loggers and handlers, and what configures them.

There is a function for each place where a program logs, so that the format is known there, and the
place.  A message is put together with its arguments when some handler wants its level.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from rpython.rlib import _tracebacks
from rpython.stdlib import _logrecords
from rpython.stdlib._logrecords import ExcInfo, Filterer, Formatter, LogRecord, level_number
from rpython.stdlib._registry import (
    Refused,
    at_translation,
    converts,
    extensible,
    per_arguments,
    per_call,
    per_values,
    place_of_call,
    replaces,
)

# -- handlers -----------------------------------------------------------------------------------


@replaces(logging.Handler)
@extensible
class Handler(Filterer):
    name: str | None = None

    _rpython_final_ = ("close", "flush")
    """CPython calls them when the program ends, where handlers of ours have nothing left to do."""

    def __init__(self, level: Any = logging.NOTSET) -> None:
        Filterer.__init__(self)
        self.level = level_number(level)
        self.formatter: Formatter | None = None

    @per_arguments
    def setLevel(self, level: Any) -> None:
        self.level = level_number(level)

    def setFormatter(self, fmt: Formatter | None) -> None:
        self.formatter = fmt

    def format(self, record: LogRecord) -> str:
        return (_DEFAULT_FORMATTER if self.formatter is None else self.formatter).format(record)

    def handle(self, record: LogRecord) -> bool:
        passed = self.filter(record)
        if passed:
            self.emit(record)
        return passed

    def emit(self, record: LogRecord) -> None:
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def createLock(self) -> None:
        """One thread runs at a time."""

    def acquire(self) -> None:
        pass

    def release(self) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def __repr__(self) -> str:
        return f"<{type(self).__name__} ({_logrecords.level_name(self.level)})>"


_DEFAULT_FORMATTER = Formatter()


@replaces(logging.NullHandler)
@extensible
class NullHandler(Handler):
    def handle(self, record: LogRecord) -> bool:
        return False

    def emit(self, record: LogRecord) -> None:
        pass


@replaces(logging.StreamHandler)
@extensible
class StreamHandler(Handler):
    terminator = "\n"

    @per_arguments
    def __init__(self, stream: Any = None) -> None:
        Handler.__init__(self)
        self.stream = sys.stderr if stream is None else stream

    def flush(self) -> None:
        self.stream.flush()

    def emit(self, record: LogRecord) -> None:
        self.stream.write(self.format(record) + self.terminator)
        self.flush()


@replaces(logging.FileHandler)
@extensible
class FileHandler(Handler):
    """No StreamHandler: files are not what other streams are."""

    terminator = "\n"

    @per_arguments
    def __init__(
        self, filename: Any, mode: str = "a", encoding: str | None = None, delay: bool = False,
        errors: str | None = None,
    ) -> None:  # fmt: skip
        Handler.__init__(self)
        self.baseFilename = os.path.abspath(filename)
        self.mode = mode
        self._file: Any = None
        self._encoding = encoding
        self._errors = errors
        if not delay:
            self._open()

    def _open(self) -> None:
        if self.mode == "a":
            self._file = open(  # noqa: SIM115
                self.baseFilename, "a", encoding=self._encoding, errors=self._errors
            )
        elif self.mode == "w":
            self._file = open(  # noqa: SIM115
                self.baseFilename, "w", encoding=self._encoding, errors=self._errors
            )
        else:
            raise NotImplementedError(f"a FileHandler of mode {self.mode!r}")

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def emit(self, record: LogRecord) -> None:
        if self._file is None:
            self._open()
        self._file.write(self.format(record) + self.terminator)
        self.flush()


def _like_host(made: Handler, x: Any) -> Handler:
    """The handler with what one of the host has."""
    made.level = x.level
    made.formatter = x.formatter
    made.name = x.name
    if x.filters:
        raise Refused("a handler with filters that are added when the module is imported")
    return made


@converts(logging.NullHandler)
def null_handler_for(x: Any) -> Handler:
    return _like_host(NullHandler(), x)


@converts(logging.StreamHandler)
def stream_handler_for(x: Any) -> Handler:
    return _like_host(StreamHandler(x.stream), x)


@converts(logging.FileHandler)
def file_handler_for(x: Any) -> Handler:
    raise Refused("a FileHandler that is made when the module is imported: make it in a function")


# -- loggers ------------------------------------------------------------------------------------


class Manager:
    """What all loggers have in common."""

    def __init__(self, loggers: dict[str, Any], disable: int) -> None:
        self.loggers = loggers
        self.disable = disable


@replaces(logging.Logger)
class Logger(Filterer):
    manager: Any = logging.Logger.manager

    def __init__(self, name: str, level: Any = logging.NOTSET) -> None:
        Filterer.__init__(self)
        self.name = name
        self.level = level_number(level)
        self.parent: Any = None
        self.propagate = True
        self.handlers: list[Any] = []
        self.disabled = False

    @per_arguments
    def setLevel(self, level: Any) -> None:
        self.level = level_number(level)

    def getEffectiveLevel(self) -> int:
        logger: Any = self
        while logger is not None:
            if logger.level:
                return int(logger.level)
            logger = logger.parent
        return logging.NOTSET

    def isEnabledFor(self, level: int) -> bool:
        if self.disabled or _manager().disable >= level:
            return False
        return level >= self.getEffectiveLevel()

    def getChild(self, suffix: str) -> Logger:
        return getLogger(suffix if self.parent is None else f"{self.name}.{suffix}")

    def addHandler(self, hdlr: Handler) -> None:
        if not any(hdlr is handler for handler in self.handlers):
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr: Handler) -> None:
        self.handlers = [handler for handler in self.handlers if handler is not hdlr]

    def hasHandlers(self) -> bool:
        logger: Any = self
        while logger is not None:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    @per_call
    def debug(self, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
        if self.isEnabledFor(logging.DEBUG):
            _log(self, logging.DEBUG, place_of_call(), msg, args, exc_info, extra)

    @per_call
    def info(self, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
        if self.isEnabledFor(logging.INFO):
            _log(self, logging.INFO, place_of_call(), msg, args, exc_info, extra)

    @per_call
    def warning(self, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
        if self.isEnabledFor(logging.WARNING):
            _log(self, logging.WARNING, place_of_call(), msg, args, exc_info, extra)

    @per_call
    def error(self, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
        if self.isEnabledFor(logging.ERROR):
            _log(self, logging.ERROR, place_of_call(), msg, args, exc_info, extra)

    @per_call
    def exception(self, msg: Any, *args: Any, exc_info: Any = True, extra: Any = None) -> None:
        if self.isEnabledFor(logging.ERROR):
            _log(self, logging.ERROR, place_of_call(), msg, args, exc_info, extra)

    @per_call
    def critical(self, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
        if self.isEnabledFor(logging.CRITICAL):
            _log(self, logging.CRITICAL, place_of_call(), msg, args, exc_info, extra)

    fatal = critical

    @per_call
    def log(
        self, level: int, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None
    ) -> None:
        if self.isEnabledFor(level):
            _log(self, level, place_of_call(), msg, args, exc_info, extra)

    def handle(self, record: LogRecord) -> None:
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record: LogRecord) -> None:
        found = False
        logger: Any = self
        while logger is not None:
            for handler in logger.handlers:
                found = True
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if not found and record.levelno >= logging.WARNING:
            sys.stderr.write(record.getMessage() + "\n")

    def __repr__(self) -> str:
        kind = "RootLogger" if self.parent is None else "Logger"
        return f"<{kind} {self.name} ({_logrecords.level_name(self.getEffectiveLevel())})>"


@per_values
def _log(
    logger: Logger, level: int, place: tuple[str, int, str], msg: Any, args: Any, exc_info: Any,
    extra: Any,
) -> None:  # fmt: skip
    if not _is_wanted(logger, level):
        return
    text = None if len(args) == 0 else _formatted(msg, args)
    known = {name: str(value) for name, value in extra.items()} if extra is not None else _NONE
    logger.handle(LogRecord(logger.name, level, place, str(msg), text, _info(exc_info), known))


_NONE: dict[str, str] = {}


def _is_wanted(logger: Any, level: int) -> bool:
    """Is there a handler that takes records of this level?"""
    found = False
    while logger is not None:
        for handler in logger.handlers:
            found = True
            if level >= handler.level:
                return True
        logger = logger.parent if logger.propagate else None
    return not found and level >= logging.WARNING


@per_values
def _formatted(msg: Any, args: Any) -> str:
    if len(args) == 1 and isinstance(args[0], dict):
        return str(_filler(msg)(args[0]))
    else:
        return str(msg % args)


@at_translation("msg", what="the message of a record with a dict")
def _filler(msg: str) -> Any:
    """What puts the values of a dict into the message."""

    @per_values
    def fill(values: Any) -> Any:
        return msg % values

    return fill


@per_arguments
def _info(exc_info: Any) -> ExcInfo | None:
    if exc_info is None:
        return None
    if isinstance(exc_info, BaseException):
        text = _tracebacks.text_of(exc_info)
    elif exc_info:
        text = _tracebacks.handled_text()
    else:
        return None
    return ExcInfo(text.removesuffix("\n"))


@converts(logging.Manager)
def manager_for(x: Any) -> Manager:
    loggers = {n: k for n, k in x.loggerDict.items() if not isinstance(k, logging.PlaceHolder)}
    return Manager(loggers, x.disable)


@converts(logging.Logger, logging.RootLogger)
def logger_for(x: Any) -> Logger:
    if x.filters:
        raise Refused("a logger with filters that are added when the module is imported")
    made = Logger(x.name, x.level)
    made.parent, made.propagate, made.disabled = x.parent, bool(x.propagate), bool(x.disabled)
    made.handlers = list(x.handlers)
    return made


def _manager() -> Manager:
    manager: Any = logging.root.manager
    return manager  # type: ignore[no-any-return]


def _root() -> Logger:
    root: Any = logging.root
    return root  # type: ignore[no-any-return]


@replaces(logging.getLogger)
def getLogger(name: str | None = None) -> Logger:
    root = _root()
    if not name or name == "root":
        return root
    loggers = _manager().loggers
    if name in loggers:
        known: Logger = loggers[name]
        return known
    made = Logger(name)
    made.parent = root
    for other in loggers.values():
        if name.startswith(other.name + ".") and len(other.name) > len(_name_below(made.parent)):
            made.parent = other
    for other in loggers.values():
        below = other.name.startswith(name + ".")
        if below and len(_name_below(other.parent)) < len(name):
            other.parent = made
    loggers[name] = made
    return made


def _name_below(logger: Logger) -> str:
    """Its name, '' of the root."""
    return "" if logger.parent is None else logger.name


# -- functions ----------------------------------------------------------------------------------


def _with_handler() -> Logger:
    root = _root()
    if not root.handlers:
        basicConfig()
    return root


@replaces(logging.debug)
@per_call
def debug(msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(logging.DEBUG):
        _log(root, logging.DEBUG, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.info)
@per_call
def info(msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(logging.INFO):
        _log(root, logging.INFO, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.warning)
@per_call
def warning(msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(logging.WARNING):
        _log(root, logging.WARNING, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.error)
@per_call
def error(msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(logging.ERROR):
        _log(root, logging.ERROR, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.exception)
@per_call
def exception(msg: Any, *args: Any, exc_info: Any = True, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(logging.ERROR):
        _log(root, logging.ERROR, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.critical)
@per_call
def critical(msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(logging.CRITICAL):
        _log(root, logging.CRITICAL, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.log)
@per_call
def log(level: int, msg: Any, *args: Any, exc_info: Any = None, extra: Any = None) -> None:
    root = _with_handler()
    if root.isEnabledFor(level):
        _log(root, level, place_of_call(), msg, args, exc_info, extra)


@replaces(logging.disable)
@per_arguments
def disable(level: Any = logging.CRITICAL) -> None:
    _manager().disable = level_number(level)


@replaces(logging.getLevelName)
@per_arguments
def getLevelName(level: Any) -> Any:
    if isinstance(level, str):
        return _logrecords.level_of(level)
    return _logrecords.level_name(level)


@replaces(logging.addLevelName)
def addLevelName(level: int, levelName: str) -> None:
    _logrecords.LEVEL_NAMES[level] = levelName


@replaces(logging.basicConfig)
@per_arguments
def basicConfig(
    *, filename: Any = None, filemode: str = "a", format: str | None = None,
    datefmt: str | None = None, style: str = "%", level: Any = None, stream: Any = None,
    handlers: Any = None, force: bool = False, encoding: str | None = None,
    errors: str | None = "backslashreplace",
) -> None:  # fmt: skip
    root = _root()
    if force:
        for handler in root.handlers:
            handler.close()
        root.handlers = []
    if root.handlers:
        return
    if filename is not None and stream is not None:
        raise ValueError("'stream' and 'filename' should not be specified together")
    if handlers is not None:
        if filename is not None or stream is not None:
            raise ValueError(
                "'stream' or 'filename' should not be specified together with 'handlers'"
            )
        formatter = Formatter(_basic_format(format, style), datefmt, style)
        for handler in handlers:
            if handler.formatter is None:
                handler.setFormatter(formatter)
            root.addHandler(handler)
    else:
        made: Handler
        if filename is not None:
            made = FileHandler(filename, filemode, encoding, False, errors)
        else:
            made = StreamHandler(stream)
        made.setFormatter(Formatter(_basic_format(format, style), datefmt, style))
        root.addHandler(made)
    if level is not None:
        root.setLevel(level)


def _basic_format(format: str | None, style: str) -> str:
    if format is not None:
        return format
    if style == "{":
        return "{levelname}:{name}:{message}"
    return "${levelname}:${name}:${message}" if style == "$" else logging.BASIC_FORMAT


@replaces(logging.shutdown)
def shutdown() -> None:
    """What is written is flushed at once."""
