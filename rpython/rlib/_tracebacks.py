"""Tracebacks as text, which the runtime knows (``backend_c/runtime/rpy_report.c``)."""

from __future__ import annotations

import traceback


class _Host:
    """The last text that was asked for, untranslated."""

    data = b""


def report_handled() -> int:
    """Have the text of the exception that is being handled; how many bytes it has, -1 where it is
    not known."""
    return _have(traceback.format_exc())


def report_of(error: BaseException) -> int:
    """The same of an exception."""
    return _have("".join(traceback.format_exception(error)))


def report_byte(index: int) -> int:
    """One of the bytes of the last text."""
    return _Host.data[index]


def _have(text: str) -> int:
    _Host.data = text.encode("utf-8", "backslashreplace")
    return len(_Host.data)


def handled_text() -> str:
    """What ``traceback.format_exc()`` gives."""
    return _text(report_handled())


def text_of(error: BaseException) -> str:
    """What is printed of an uncaught exception."""
    return _text(report_of(error))


def _text(length: int) -> str:
    if length < 0:
        raise NotImplementedError("the traceback is not known (any more)")
    data = bytearray(length)
    for i in range(length):
        data[i] = report_byte(i)
    return data.decode("utf-8", "backslashreplace")
