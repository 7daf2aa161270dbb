"""The transfer rule for ``open``: a call of the function of ``rpython.rlib._files`` or
``rpython.rlib._textfiles`` for the mode.  Whether the file is of text or of bytes is known at
translation time; the rest may be found out when the program runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from rpython.annotator.builtins.openmodes import is_mode
from rpython.annotator.context import OpContext
from rpython.annotator.conversions import AS_PATH
from rpython.annotator.lattice.model import K_BOOL, K_INT, K_NONE, K_STR, SomeObject, SomeString
from rpython.annotator.rules.calls import CallArguments, call
from rpython.annotator.rules.codecs import DECODE_ERRORS, codec_of
from rpython.annotator.rules.registry import FUNCTIONS
from rpython.annotator.rules.strings import INTEGER, require_kind
from rpython.rlib import _files, _textfiles
from rpython.rlib._textdecoding import ANY_END, ONE_END, UNIVERSAL
from rpython.translator.ir.hlops import CallShape

PARAMETERS = ("file", "mode", "buffering", "encoding", "errors", "newline", "closefd", "opener")
_CODEC_NAMES = {"utf8": "utf-8", "latin1": "latin-1", "ascii": "ascii"}
_NEWLINES = {
    None: (UNIVERSAL, "\n"), "": (ANY_END, "\n"), "\n": (ONE_END, "\n"),
    "\r": (ONE_END, "\r"), "\r\n": (ONE_END, "\r\n"),
}  # fmt: skip


class Given(NamedTuple):
    """An argument of the program's call, passed on."""

    name: str


class OpenCall(NamedTuple):
    """What is called: arguments are constants or ``Given``."""

    function: Any
    arguments: tuple[Any, ...]


class BadOpen(Exception):
    """The call is not supported; the text says why."""

    def __init__(self, text: str, hint: str = "") -> None:
        Exception.__init__(self, text)
        self.hint = hint


def open_call(args_s: Mapping[str, SomeObject]) -> OpenCall:
    """The call that stands for ``open`` of these arguments.  Raises BadOpen."""
    modes = _modes(args_s.get("mode"))
    s_file = args_s.get("file")
    by_number = s_file is not None and bool(s_file.kinds & K_INT)
    if _constant(args_s, "opener", None) is not None:
        raise BadOpen("opener= is not supported")
    if "b" in next(iter(modes)):
        return _open_bytes(args_s, modes, by_number)
    names = ("encoding", "errors", "newline")
    s_buffering = args_s.get("buffering")
    if s_buffering is not None and s_buffering.is_constant() and s_buffering.value == 0:
        raise BadOpen("can't have unbuffered text I/O")
    for name in names:
        if name in args_s and args_s[name].kinds & ~(K_STR | K_NONE):
            raise BadOpen(f"the {name} of open() must be a str, not {args_s[name].describe()}")
    known = all(name not in args_s or args_s[name].is_constant() for name in names)
    if len(modes) > 1 or not known:
        given = [_given(args_s, name, None) for name in names]
        opener: Any = _textfiles.open_any_fd if by_number else _textfiles.open_any
        return OpenCall(
            opener,
            (
                Given("file"), _given(args_s, "mode", "r"), _given(args_s, "buffering", -1),
                *given, _given(args_s, "closefd", True),
            ),
        )  # fmt: skip
    (mode,) = modes
    encoding, errors, newline = (_constant(args_s, name, None) for name in names)
    codec = codec_of("utf-8" if encoding in (None, "locale") else encoding)
    if codec is None:
        raise BadOpen("the encoding must be 'utf-8', 'latin-1' or 'ascii'")
    errors = "strict" if errors is None else errors
    if errors not in DECODE_ERRORS:
        raise BadOpen(f"errors= must be one of {', '.join(map(repr, DECODE_ERRORS))}")
    if newline not in _NEWLINES:
        raise BadOpen(f"illegal newline value: {newline!r}")
    shown = "UTF-8" if encoding is None else encoding
    text = (shown, _CODEC_NAMES[codec], errors, *_NEWLINES[newline])
    opener = _textfiles.open_text_fd if by_number else _textfiles.open_text
    start = (Given("file"), _files.flags_of(mode), mode, _given(args_s, "buffering", -1))
    return OpenCall(opener, (*start, *text, _given(args_s, "closefd", True)))


def _open_bytes(
    args_s: Mapping[str, SomeObject], modes: frozenset[str], by_number: bool
) -> OpenCall:
    for name in ("encoding", "errors", "newline"):
        if _constant(args_s, name, None) is not None:
            raise BadOpen(f"binary mode doesn't take an {name} argument")
    rest = (_given(args_s, "buffering", -1), _given(args_s, "closefd", True))
    if len(modes) > 1:
        opener: Any = _files.open_bytes_fd if by_number else _files.open_bytes
        return OpenCall(opener, (Given("file"), Given("mode"), *rest))
    (mode,) = modes
    opener = _files.open_binary_fd if by_number else _files.open_binary
    return OpenCall(opener, (Given("file"), _files.flags_of(mode), _files.shown_mode(mode), *rest))


def _modes(s_mode: SomeObject | None) -> frozenset[str]:
    """What the mode may be: all of it text, or all of it bytes."""
    if s_mode is None:
        return frozenset("r")
    if s_mode.is_constant():
        if not isinstance(s_mode.value, str) or not is_mode(s_mode.value):
            raise BadOpen(f"invalid mode: {s_mode.value!r}")
        return frozenset([s_mode.value])
    modes = s_mode.modes if isinstance(s_mode, SomeString) else None
    if modes is None:
        raise BadOpen(
            "the mode of open() is not known at translation time",
            "a file is of text or of bytes: pass a constant, or a variable that is set to "
            "constants only",
        )
    if len({"b" in mode for mode in modes}) > 1:
        shown = ", ".join(map(repr, sorted(modes)))
        raise BadOpen(
            f"the mode of open() is one for text or one for bytes: {shown}",
            "call open() in two places",
        )
    return modes


def _given(args_s: Mapping[str, SomeObject], name: str, default: Any) -> Any:
    return Given(name) if name in args_s else default


def _constant(args_s: Mapping[str, SomeObject], name: str, default: Any) -> Any:
    s = args_s.get(name)
    if s is None:
        return default
    if not s.is_constant():
        raise BadOpen(f"the {name} of open() must be a constant")
    return s.value


@FUNCTIONS.register(open, os.fdopen)
def builtin_open(ctx: OpContext, *args_s: SomeObject, **keywords: SomeObject) -> SomeObject:
    given = dict(zip(PARAMETERS, args_s))
    given.update((name[2:], s) for name, s in keywords.items())
    if "fd" in given:
        given["file"] = given.pop("fd")
    if len(args_s) > len(PARAMETERS) or set(given) - set(PARAMETERS) or "file" not in given:
        raise ctx.error("open() called with arguments that it does not take")
    require_kind(ctx, given["file"], K_STR | INTEGER, "a str, a path or an int", AS_PATH)
    if given["file"].kinds & K_STR and given["file"].kinds & INTEGER:
        raise ctx.error("the file is given as a str here and as an int there")
    for name in ("buffering", "closefd"):
        if name in given:
            require_kind(ctx, given[name], K_INT | K_BOOL, "an int")
    try:
        planned = open_call(given)
    except BadOpen as error:
        raise ctx.error(str(error), hint=error.hint) from None
    values = tuple(
        given[part.name] if isinstance(part, Given) else ctx.constant(part)
        for part in planned.arguments
    )
    arguments = CallArguments(CallShape(len(values)), values, (None,) * len(values))
    return call(ctx, ctx.constant(planned.function), arguments)
