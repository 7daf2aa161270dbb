"""Calls of Python's callables by native code: ``backend_c/runtime/rpy_module_callable.c``."""

from __future__ import annotations

from typing import Any, NoReturn

from rpython.lltypesystem.foreign.external import Glue, llexternal
from rpython.lltypesystem.lltype import Bool, GcStruct, Ptr, Signed, Void, free, malloc, nullptr
from rpython.rtyper.ll.ll_extension import NUMBERS, REFS
from rpython.rtyper.ll.ll_marshal import (
    READER,
    WORDS,
    WRITER,
    ll_reader,
    ll_writer_copy,
    ll_writer_length,
)

SAVED = GcStruct(
    "saved_call",
    ("refs", Ptr(REFS)), ("count", Signed), ("slots", Ptr(NUMBERS)), ("begun", Bool),
    ("reader", Ptr(READER)), ("writer", Ptr(WRITER)),
)  # fmt: skip
"""What an extension module knows of the call of native code that calls Python."""


def _only_native(*args: Any) -> NoReturn:
    raise NotImplementedError("only extension modules call Python")


_PRELUDE = """\
extern long *rpm_python(long kind, long number, const long *arguments);
extern void rpm_python_done(long *outcome);
extern void rpm_forget_object(long number);
extern long rpm_ticket(void);
"""


def _glue(text: str) -> Glue:
    return Glue(_PRELUDE, text, portable=True)


c_python = llexternal(
    "rpx_python", [Signed, Signed, Ptr(WORDS)], Ptr(WORDS), _only_native,
    glue=_glue(
        "long *rpx_python(long kind, long number, long *arguments)\n"
        "{\n    return rpm_python(kind, number, arguments);\n}\n"
    ),
)  # fmt: skip
"""It is a piece of C of the program's own: such may call back (``operations.memory``)."""
c_done = llexternal("rpm_python_done", [Ptr(WORDS)], Void, _only_native)
c_forget = llexternal("rpm_forget_object", [Signed], Void, _only_native)
c_ticket = llexternal("rpm_ticket", [], Signed, _only_native)


def ll_python(state: Any, kind: int, number: int, writer: Any) -> Any:
    """Do operation ``kind`` with object ``number`` of Python and the arguments in ``writer``: the
    words of the outcome.  Meanwhile Python may call native code."""
    words = malloc(WORDS, ll_writer_length(writer) + 1, flavor="raw")
    ll_writer_copy(writer, words)
    saved = ll_save(state)
    outcome = c_python(kind, number, words)
    ll_restore(state, saved)
    free(words, flavor="raw")
    return outcome


def ll_save(state: Any) -> Any:
    """Put away what is known of the running call; none runs then."""
    saved = malloc(SAVED)
    saved.refs, saved.count, saved.slots = state.refs, state.count, state.slots
    saved.begun, saved.reader, saved.writer = state.begun, state.reader, state.writer
    state.refs = nullptr(REFS)
    state.count = 0
    state.slots = nullptr(NUMBERS)
    state.begun = False
    state.reader = nullptr(READER)
    state.writer = nullptr(WRITER)
    return saved


def ll_restore(state: Any, saved: Any) -> None:
    state.refs, state.count, state.slots = saved.refs, saved.count, saved.slots
    state.begun, state.reader, state.writer = saved.begun, saved.reader, saved.writer


def ll_raised(outcome: Any) -> bool:
    """Has Python raised an exception?"""
    return outcome[0] != 0


def ll_outcome(outcome: Any) -> Any:
    """A reader of what is behind the first word."""
    reader = ll_reader(outcome)
    reader.position = 1
    return reader


def ll_done(outcome: Any) -> None:
    c_done(outcome)


def ll_forget(number: int) -> None:
    """Native code has no longer the object of Python with this number; a negative one is Python's
    anyway."""
    if number > 0:
        c_forget(number)


def ll_ticket() -> int:
    """The number of the object of a class of Python whose ``__init__`` of native code begins."""
    return c_ticket()


def ll_class_number(vtable: Any) -> int:
    return vtable.subclassrange_min
