"""The attributes of built-in exceptions, ``e.args``, ``e.errno``, ...: a table for the annotator
and the rtyper."""

from __future__ import annotations

import errno
from enum import Enum
from typing import Any

REPR = "__rpython_repr__"
"""The attribute with the part of ``repr`` that comes after the class's name."""

CODEC_ERRORS = (UnicodeDecodeError, UnicodeEncodeError)
HOMES: dict[str, type[BaseException] | tuple[type[BaseException], ...]] = {
    "args": BaseException, "__cause__": BaseException, "__context__": BaseException,
    "__suppress_context__": BaseException,
    "errno": OSError, "strerror": OSError, "filename": OSError, "filename2": OSError,
    "value": StopIteration, "code": SystemExit, REPR: BaseException,
    "start": CODEC_ERRORS, "end": CODEC_ERRORS, "reason": CODEC_ERRORS, "encoding": CODEC_ERRORS,
}  # fmt: skip
"""The attributes, and the built-in classes that have them."""

CODEC_ARGUMENTS = ("encoding", "object", "start", "end", "reason")
"""What those are made with."""

DEFAULTED = frozenset(
    {"__cause__", "__context__", "__suppress_context__", "value", "code", REPR}
)
"""Those that are None (or False) unless something sets them."""

SET_LATER = frozenset({"__cause__", "__context__", "__suppress_context__"})
"""Those that change after the exception was made."""

OF_CODECS = ("start", "end", "reason", "encoding")
"""Those that the codecs set."""

WITHOUT_MESSAGE = (KeyboardInterrupt, MemoryError, StopIteration)
"""What built-in operations raise without arguments."""

Place = int | tuple[int, ...] | None
"""The argument, or the arguments, that an attribute has; or None."""


def is_fact(cls: type, name: str) -> bool:
    """Is it one of these attributes of exceptions of that class?"""
    home = HOMES.get(name)
    return home is not None and issubclass(cls, home)


def home_of(cls: type, name: str) -> type:
    """The built-in class that gives exceptions of class ``cls`` the attribute."""
    homes = HOMES[name]
    candidates = homes if isinstance(homes, tuple) else (homes,)
    return next(home for home in candidates if issubclass(cls, home))


def places(cls: type, count: int, named: bool = True) -> dict[str, Place]:
    """Where the attributes of an exception that is initialised with ``count`` arguments come
    from.  ``named``: the third argument of an OSError, if there is one, is a file's name rather
    than None."""
    shown = count
    result: dict[str, Place] = {}
    if issubclass(cls, OSError):
        full = 2 <= count <= 5
        result["errno"] = 0 if full else None
        result["strerror"] = 1 if full else None
        result["filename"] = 2 if full and count > 2 and named else None
        result["filename2"] = 4 if full and count > 4 and named else None
        shown = 2 if full and named else count
    if issubclass(cls, StopIteration):
        result["value"] = 0 if count else None
    if issubclass(cls, SystemExit):
        result["code"] = None if count == 0 else 0 if count == 1 else tuple(range(count))
    if issubclass(cls, CODEC_ERRORS) and count == len(CODEC_ARGUMENTS):
        result.update(encoding=0, start=2, end=3, reason=4)
    result["args"] = tuple(range(shown))
    return result


def calls_builtin_init(cls: type) -> bool:
    """Does making an instance lead to the ``__init__`` of the built-in class, as far as the
    names in the program's tell?"""
    for base in cls.__mro__:
        init = base.__dict__.get("__init__")
        if init is None:
            continue
        if base.__module__ == "builtins":
            return True
        code = getattr(init, "__code__", None)
        if code is not None and "__init__" not in code.co_names:
            return False
    return True


def _os_error_classes() -> dict[int, type[OSError]]:
    """What ``OSError(number, ...)`` makes, by number."""
    classes = {number: type(OSError(number, "")) for number in errno.errorcode}
    return {number: cls for number, cls in classes.items() if cls is not OSError}


OS_ERROR_CLASSES = _os_error_classes()


def places_when_made(
    cls: type, count: int, own_init: bool, named: bool = True
) -> dict[str, Place]:
    """The same for what ``cls(...)`` sets before a program's own ``__init__`` runs."""
    if not own_init:
        return places(cls, count, named)
    if issubclass(cls, OSError) and not calls_builtin_init(cls):
        return places(cls, 0)
    return {} if calls_builtin_init(cls) else {"args": tuple(range(count))}


def host_values(x: BaseException) -> dict[str, Any]:
    """The attributes of a host exception."""
    values = {
        name: getattr(x, name) for name, home in HOMES.items()
        if name != REPR and isinstance(x, home)
    }  # fmt: skip
    shown = f"({', '.join(map(repr, x.args))})" if has_fixed_text(x) else None
    return {**values, REPR: shown}


def has_fixed_text(x: BaseException) -> bool:
    """Will the arguments of a host exception never have another text?"""
    return all(map(_has_fixed_text, x.args))


def _has_fixed_text(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_has_fixed_text, value))
    return type(value) in (int, float, bool, str, bytes, type(None)) or isinstance(value, Enum)
