"""``warnings``: filters, and where warnings are given, which is known of calls of ``warn``: a
warning that blames a caller (``stacklevel``) may be ignored, recorded or raised, not printed."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

from rpython.stdlib._registry import (
    at_translation,
    per_call,
    per_values,
    place_of_call,
    replaces,
)


class Filter:
    """``matches``: the text; None where any will do."""

    def __init__(
        self, action: str, matches: Callable[[str], bool] | None, category: type[Warning],
        lineno: int,
    ) -> None:  # fmt: skip
        if action not in ("default", "error", "ignore", "always", "module", "once"):
            raise AssertionError(f"invalid action: {action!r}")
        self.action, self.matches, self.category, self.lineno = action, matches, category, lineno

    def is_for(self, text: str, category: type[Warning], lineno: int) -> bool:
        if self.matches is not None and not self.matches(text):
            return False
        if not issubclass(category, self.category):
            return False
        if not self.lineno:
            return True
        _require_place(lineno)
        return self.lineno == lineno


def _require_place(lineno: int) -> None:
    if not lineno:
        raise NotImplementedError("the place of a warning with a stacklevel")


@at_translation("pattern", what="the pattern of a message")
def _matcher(pattern: str) -> Any:
    def matches(text: str) -> bool:
        return re.match(pattern, text, re.IGNORECASE) is not None

    return matches


@at_translation("")
def _filters_of_host() -> list[Filter]:
    """Those that there are when the program starts, but for those of ``__main__``."""
    found = []
    host: Any = warnings.filters
    for action, message, category, module, lineno in host:
        if module is None:
            pattern = getattr(message, "pattern", message)
            found.append(Filter(action, pattern and _matcher(pattern), category, lineno))
    return found


class _State:
    def __init__(self) -> None:
        self.changed: list[Filter] | None = None
        """None as long as they are those of the start."""
        self.seen: dict[str, None] = {}
        self.once: dict[str, None] = {}
        self.record: list[WarningMessage] | None = None


_STATE = _State()


def _filters() -> list[Filter]:
    found: list[Filter] = _filters_of_host() if _STATE.changed is None else _STATE.changed
    return found


def _set_filters(filters: list[Filter]) -> None:
    _STATE.changed = filters
    _STATE.seen = {}


def _add(new: Filter, append: bool) -> None:
    _set_filters([*_filters(), new] if append else [new, *_filters()])


@replaces(warnings.simplefilter)
def simplefilter(
    action: str, category: type[Warning] = Warning, lineno: int = 0, append: bool = False
) -> None:
    _add(Filter(action, None, category, lineno), append)


@replaces(warnings.filterwarnings)
@per_values
def filterwarnings(
    action: str, message: str = "", category: Any = Warning, *, lineno: int = 0,
    append: bool = False,
) -> None:  # fmt: skip
    if message == "":
        _add(Filter(action, None, category, lineno), append)
    else:
        _add(Filter(action, _matcher(message), category, lineno), append)


@replaces(warnings.resetwarnings)
def resetwarnings() -> None:
    _set_filters([])


@replaces(warnings.WarningMessage)
class WarningMessage:
    def __init__(
        self, message: Warning, category: type[Warning], filename: str, lineno: int
    ) -> None:
        self.message, self.category = message, category
        self._filename, self._lineno = filename, lineno

    @property
    def filename(self) -> str:
        _require_place(self._lineno)
        return self._filename

    @property
    def lineno(self) -> int:
        _require_place(self._lineno)
        return self._lineno


@replaces(warnings.warn)
@per_call
def warn(message: Any, category: Any = None, stacklevel: int = 1) -> None:
    filename, lineno, _ = place_of_call()
    if stacklevel > 1:
        filename, lineno = "", 0
    if isinstance(message, Warning):
        _warn(message, type(message), filename, lineno)
    elif category is None:
        _warn(UserWarning(message), UserWarning, filename, lineno)
    else:
        _warn(category(message), category, filename, lineno)


def _warn(warning: Warning, category: type[Warning], filename: str, lineno: int) -> None:
    text = str(warning)
    action = "default"
    for each in _filters():
        if each.is_for(text, category, lineno):
            action = each.action
            break
    if action == "ignore":
        return
    if action == "error":
        raise warning
    key = f"{category.__name__}:{text}"
    if action == "once":
        if key in _STATE.once:
            return
        _STATE.once[key] = None
    elif action != "always":
        if action == "default":
            _require_place(lineno)
        place = f"{filename}:{lineno}:{key}" if action == "default" else f"{filename}:{key}"
        if place in _STATE.seen:
            return
        _STATE.seen[place] = None
    shown = WarningMessage(warning, category, filename, lineno)
    if _STATE.record is not None:
        _STATE.record.append(shown)
    else:
        sys.stderr.write(_text(shown, text))


def _text(shown: WarningMessage, text: str) -> str:
    start = f"{shown.filename}:{shown.lineno}: {shown.category.__name__}: {text}\n"
    line = _source_line(shown.filename, shown.lineno).strip()
    return f"{start}  {line}\n" if line else start


def _source_line(filename: str, lineno: int) -> str:
    try:
        with open(filename) as file:
            lines = file.readlines()
    except OSError:
        return ""
    return lines[lineno - 1] if lineno <= len(lines) else ""


# -- for a while --------------------------------------------------------------------------------


class _Caught:
    def __init__(self, action: str | None) -> None:
        self._action = action
        self._saved: list[Filter] | None = None
        self._record: list[WarningMessage] | None = None

    def _begin(self) -> None:
        self._saved, self._record = _STATE.changed, _STATE.record
        _STATE.seen = {}
        if self._action is not None:
            simplefilter(self._action)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        _STATE.changed, _STATE.record = self._saved, self._record
        _STATE.seen = {}


class _Unrecorded(_Caught):
    def __enter__(self) -> None:
        self._begin()


class _Recorded(_Caught):
    def __enter__(self) -> list[WarningMessage]:
        self._begin()
        made: list[WarningMessage] = []
        _STATE.record = made
        return made


@per_values
def make_catcher(*, record: bool = False, action: str | None = None) -> Any:
    """``warnings.catch_warnings(...)``"""
    if record:
        return _Recorded(action)
    else:
        return _Unrecorded(action)


make_catcher.__name__ = "catch_warnings"


@replaces(warnings.catch_warnings)
class catch_warnings:
    """Of another class, by whether it records."""

    _rpython_maker_ = make_catcher
