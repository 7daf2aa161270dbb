"""What programs have in place of the standard streams."""

from __future__ import annotations

import io
import sys
from typing import Any

from rpython.rlib import _standard


def standard_stream(x: Any) -> Any:
    """What the program has for ``sys.stdin`` and the like, None for anything else.

    Besides the streams of the moment, those that the process started with count:
    ``from sys import stdout`` may have been done before something replaced them.
    """
    if x is None:
        return None
    if x is sys.stdout or x is sys.__stdout__:
        return _standard.STDOUT
    if x is sys.stderr or x is sys.__stderr__:
        return _standard.STDERR
    if x is sys.stdin or x is sys.__stdin__:
        return _standard.STDIN
    if isinstance(x, io.BufferedIOBase):
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if x is getattr(stream, "buffer", None):
                return standard_stream(stream).buffer
    return None
