"""The standard streams among host objects."""

from __future__ import annotations

import io
import sys
from typing import Any, NamedTuple


class StandardStream(NamedTuple):
    fd: int
    binary: bool
    """``sys.stdout.buffer`` rather than ``sys.stdout``."""


def standard_stream(x: Any) -> StandardStream | None:
    """Which standard stream a host object is; None for everything else.

    Besides the streams of the moment, those that the process started with count:
    ``from sys import stdout`` may have been done before something replaced them.
    """
    if not isinstance(x, io.IOBase):
        return None
    current = ((sys.stdin, sys.__stdin__), (sys.stdout, sys.__stdout__),
               (sys.stderr, sys.__stderr__))  # fmt: skip
    for fd, streams in enumerate(current):
        for stream in streams:
            if x is stream:
                return StandardStream(fd, False)
            if stream is not None and x is getattr(stream, "buffer", None):
                return StandardStream(fd, True)
    return None
