"""Tracebacks of exceptions that a program raises while it is imported, without the toolchain's
frames."""

from __future__ import annotations

import traceback
from types import TracebackType

from rpython.translator.ir.home import Home, home_of_file

_SILENT = (Home.TOOLCHAIN, Home.OVERLAY)
"""Whose entries say nothing about the program."""


def program_traceback(error: BaseException) -> str:
    """The traceback of ``error`` as CPython prints it, without the entries of the
    toolchain and of importlib; several lines, no final newline."""
    each: BaseException | None = error
    seen: set[int] = set()
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.__traceback__ = _without_ours(each.__traceback__)
        if each.__context__ is not None and _is_ours(each.__context__):
            each.__context__ = None
        each = each.__cause__ or each.__context__
    return "".join(traceback.format_exception(error)).rstrip()


def _is_ours(error: BaseException) -> bool:
    """Was the toolchain handling this error when it called the program?"""
    trace = error.__traceback__
    return trace is not None and _without_ours(trace) is None


def _without_ours(trace: TracebackType | None) -> TracebackType | None:
    entries = []
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if not (home_of_file(filename) in _SILENT or filename.startswith("<frozen importlib")):
            entries.append(trace)
        trace = trace.tb_next
    kept = None
    for entry in reversed(entries):
        kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept
