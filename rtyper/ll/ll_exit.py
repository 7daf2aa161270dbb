"""The exit status that SystemExit stands for."""

from __future__ import annotations

from rpython.lltypesystem.lltype import _ptr
from rpython.rtyper.ll.ll_io import ll_write_text, ll_written
from rpython.rtyper.ll.ll_str import prebuilt_str

EXIT_WITH_TEXT = -(1 << 63)
"""The exit code that stands for: print the message, exit with status 1."""
NEWLINE = prebuilt_str("\n")


def ll_exit_status(code: int, message: _ptr, stderr: _ptr) -> int:
    """The exit status of SystemExit; one made with a text prints that."""
    if code != EXIT_WITH_TEXT:
        return code
    if message:
        ll_write_text(stderr, message)
    ll_write_text(stderr, NEWLINE)
    ll_written(stderr, NEWLINE)
    return 1
