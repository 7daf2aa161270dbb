"""Files read and write while other threads run: a file does one thing at a time."""

from __future__ import annotations

import os

from rpython.rlib._locks import Line


class OneAtATime:
    """A file that may be in the middle of something, waiting for the system."""

    _mixin_ = True

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.busy = False
        self._line = Line()

    def wait_for_others(self) -> None:
        """Wait until no other thread is in the middle of something."""
        while self.busy:
            self._line.wait(-1.0)

    def _read_some(self, size: int) -> bytes:
        """``os.read``"""
        self.busy = True
        try:
            return os.read(self._fd, size)
        finally:
            self._end()

    def _write_some(self, data: bytes) -> int:
        """``os.write``"""
        self.busy = True
        try:
            return os.write(self._fd, data)
        finally:
            self._end()

    def _end(self) -> None:
        self.busy = False
        self._line.wake_all()
