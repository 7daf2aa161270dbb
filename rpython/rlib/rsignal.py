"""Signals: each sets a flag, and the program asks which flags are set.

    pypysig_setflag(SIGINT)
    ...
    if pypysig_poll() == SIGINT:
        raise KeyboardInterrupt

The functions here are what they do under CPython; translated programs have their own
(``rtyper.builtins.signal``).
"""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from types import FrameType

NSIG = signal.NSIG
SIG_DFL = int(signal.SIG_DFL)
SIG_IGN = int(signal.SIG_IGN)

signal_names = sorted(each.name for each in signal.Signals)
"""``SIGABRT`` ...: each is a name of this module too."""
signal_values = {int(each): each.name for each in signal.Signals}
globals().update({each.name: int(each) for each in signal.Signals})

SIGALRM = int(signal.SIGALRM)
SIGHUP = int(signal.SIGHUP)
SIGINT = int(signal.SIGINT)
SIGKILL = int(signal.SIGKILL)
SIGSTOP = int(signal.SIGSTOP)
SIGTERM = int(signal.SIGTERM)
SIGUSR1 = int(signal.SIGUSR1)
SIGUSR2 = int(signal.SIGUSR2)


class _Flags:
    """The signals that came, under CPython."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()

    def set(self, number: int, frame: FrameType | None) -> None:
        self.numbers.add(number)


_FLAGS = _Flags()


def pypysig_ignore(signum: int) -> None:
    """Let the signal do nothing."""
    _install(signum, signal.SIG_IGN)


def pypysig_default(signum: int) -> None:
    """Let it do what the system has it do."""
    _install(signum, signal.SIG_DFL)


def pypysig_setflag(signum: int) -> None:
    """Let it set its flag."""
    _install(signum, _FLAGS.set)


def _install(number: int, handler: object) -> None:
    with suppress(OSError, ValueError):  # no signal, or one that cannot be changed: as in C
        signal.signal(number, handler)  # type: ignore[arg-type]


def pypysig_poll() -> int:
    """The least signal whose flag is set, which is cleared; -1 if there is none."""
    if not _FLAGS.numbers:
        return -1
    number = min(_FLAGS.numbers)
    _FLAGS.numbers.discard(number)
    return number


def c_alarm(seconds: int) -> int:
    """Let SIGALRM come in so many seconds, never if 0; what was left of the last time."""
    return signal.alarm(seconds)


def c_pause() -> None:
    """Wait for a signal."""
    signal.pause()


def use_default(number: int) -> None:
    """``signal.signal(number, SIG_DFL)``."""
    _check(number)
    pypysig_default(number)


def use_nothing(number: int) -> None:
    """``signal.signal(number, SIG_IGN)``."""
    _check(number)
    pypysig_ignore(number)


def _check(number: int) -> None:
    if threading.current_thread() is not threading.main_thread():
        raise ValueError("signal only works in main thread of the main interpreter")
    if number < 1 or number >= NSIG:
        raise ValueError("signal number out of range")
    if number in (SIGKILL, SIGSTOP):
        raise OSError(22, "Invalid argument")
