"""The transfer rule for ``open``: a call of the function of ``rpython.rlib._files`` for the mode,
which is known at translation time like everything about the encoding."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from annotator.context import OpContext
from annotator.model import (
    K_BOOL,
    K_INT,
    K_STR,
    SomeObject,
)
from annotator.registry import FUNCTIONS
from annotator.rules_calls import CallArguments, call
from annotator.rules_strings import DECODE_ERRORS, INTEGER, codec_of, require_kind
from rpython.rlib import _files, _textfiles
from rpython.rlib._textfiles import ANY_END, ONE_END, UNIVERSAL
from translator.ir.hlops import CallShape

PARAMETERS = ("file", "mode", "buffering", "encoding", "errors", "newline", "closefd", "opener")
_CODEC_NAMES = {"utf8": "utf-8", "latin1": "latin-1", "ascii": "ascii"}
_NEWLINES = {
    None: (UNIVERSAL, "\n"), "": (ANY_END, "\n"), "\n": (ONE_END, "\n"),
    "\r": (ONE_END, "\r"), "\r\n": (ONE_END, "\r\n"),
}  # fmt: skip
_FLAGS = {
    "r": 0, "w": os.O_CREAT | os.O_TRUNC, "x": os.O_CREAT | os.O_EXCL,
    "a": os.O_CREAT | os.O_APPEND,
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


def open_call(args_s: Mapping[str, SomeObject]) -> OpenCall:
    """The call that stands for ``open`` of these arguments.  Raises BadOpen."""
    mode = _constant(args_s, "mode", "r")
    action = [c for c in "rwax" if isinstance(mode, str) and c in mode]
    if not isinstance(mode, str) or set(mode) - set("rwax+bt") or len(set(mode)) < len(mode):
        raise BadOpen(f"invalid mode: {mode!r}")
    if len(action) != 1 or ("b" in mode and "t" in mode):
        raise BadOpen(f"invalid mode: {mode!r}")
    access = os.O_RDWR if "+" in mode else os.O_RDONLY if "r" in mode else os.O_WRONLY
    s_file = args_s.get("file")
    by_number = s_file is not None and bool(s_file.kinds & K_INT)
    buffering = Given("buffering") if "buffering" in args_s else -1
    closefd = Given("closefd") if "closefd" in args_s else True
    start = (Given("file"), access | _FLAGS[action[0]])
    if _constant(args_s, "opener", None) is not None:
        raise BadOpen("opener= is not supported")
    encoding, errors, newline = (
        _constant(args_s, name, None) for name in ("encoding", "errors", "newline")
    )
    if "b" in mode:
        for name in ("encoding", "errors", "newline"):
            if _constant(args_s, name, None) is not None:
                raise BadOpen(f"binary mode doesn't take an {name} argument")
        shown = action[0] + "b" + ("+" if "+" in mode else "")
        function = _files.open_binary_fd if by_number else _files.open_binary
        return OpenCall(function, (*start, shown, buffering, closefd))
    s_buffering = args_s.get("buffering")
    if s_buffering is not None and s_buffering.is_constant() and s_buffering.value == 0:
        raise BadOpen("can't have unbuffered text I/O")
    codec = codec_of("utf-8" if encoding is None else encoding)
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
    return OpenCall(opener, (*start, mode, buffering, *text, closefd))


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
    require_kind(ctx, given["file"], K_STR | INTEGER, "a str or an int")
    if given["file"].kinds & K_STR and given["file"].kinds & INTEGER:
        raise ctx.error("the file is given as a str here and as an int there")
    for name in ("buffering", "closefd"):
        if name in given:
            require_kind(ctx, given[name], K_INT | K_BOOL, "an int")
    try:
        planned = open_call(given)
    except BadOpen as error:
        raise ctx.error(str(error)) from None
    values = tuple(
        given[part.name] if isinstance(part, Given) else ctx.constant(part)
        for part in planned.arguments
    )
    arguments = CallArguments(CallShape(len(values)), values, (None,) * len(values))
    return call(ctx, ctx.constant(planned.function), arguments)
