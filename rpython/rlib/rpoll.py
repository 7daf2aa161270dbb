"""Waiting for several descriptors: ``poll`` and ``select``."""

from __future__ import annotations

import math

from rpython.rlib._sockets import POLLERR as POLLERR
from rpython.rlib._sockets import POLLHUP as POLLHUP
from rpython.rlib._sockets import POLLIN as POLLIN
from rpython.rlib._sockets import POLLNVAL as POLLNVAL
from rpython.rlib._sockets import POLLOUT as POLLOUT
from rpython.rlib._sockets import POLLPRI as POLLPRI
from rpython.rlib._sockets import error_text, poll_once

eventnames = ["POLLIN", "POLLPRI", "POLLOUT", "POLLERR", "POLLHUP", "POLLNVAL"]


class PollError(Exception):
    """``errno`` is the number of the error."""

    def __init__(self, errno: int) -> None:
        self.errno = errno

    def get_msg(self) -> str:
        return error_text(self.errno)


class SelectError(Exception):
    """``errno`` is the number of the error."""

    def __init__(self, errno: int) -> None:
        self.errno = errno

    def get_msg(self) -> str:
        return error_text(self.errno)


def poll(fddict: dict[int, int], timeout: int = -1) -> list[tuple[int, int]]:
    """(descriptor, events) of those for which there are events, of ``fddict``: the descriptors
    and the events that are waited for.  ``timeout``: milliseconds, negative for ever.  Raises
    PollError, for a signal, too."""
    try:
        found = poll_once(list(fddict.keys()), list(fddict.values()), timeout)
    except OSError as e:
        raise PollError(e.errno or 0) from None
    return [(fd, found[fd]) for fd in fddict if fd in found]


def select(
    inl: list[int], outl: list[int], excl: list[int], timeout: float = -1.0,
    handle_eintr: bool = False,
) -> tuple[list[int], list[int], list[int]]:  # fmt: skip
    """The descriptors that are ready to be read, written, or are in another way special.
    ``timeout``: seconds, negative for ever.  Raises SelectError, for a signal, too, unless
    ``handle_eintr``: then nothing is ready."""
    wanted: dict[int, int] = {}
    for fds, events in ((inl, POLLIN), (outl, POLLOUT), (excl, POLLPRI)):
        for fd in fds:
            wanted[fd] = wanted.get(fd, 0) | events
    milliseconds = -1 if timeout < 0 else math.ceil(timeout * 1000.0)
    try:
        found = poll_once(list(wanted.keys()), list(wanted.values()), milliseconds)
    except InterruptedError as e:
        if not handle_eintr:
            raise SelectError(e.errno or 0) from None
        found = {}
    except OSError as e:
        raise SelectError(e.errno or 0) from None
    return (
        [fd for fd in inl if found.get(fd, 0) & (POLLIN | POLLHUP | POLLERR)],
        [fd for fd in outl if found.get(fd, 0) & (POLLOUT | POLLERR)],
        [fd for fd in excl if found.get(fd, 0) & POLLPRI],
    )
