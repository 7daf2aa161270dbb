"""What threads are made of, in translated programs: see ``rtyper.builtins.threads``.  Under CPython
programs have CPython's own threads, and nobody calls these.

All of the library runs without being interrupted by another thread, except where it calls
``wait`` or ``poll`` or what the program gave it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn


def _only_translated() -> NoReturn:
    raise NotImplementedError("only translated programs call this")


def start(
    run: Callable[[int], None], failed: Callable[[int], None], done: Callable[[int], None],
    number: int, daemon: bool,
) -> int:  # fmt: skip
    """Start a thread, which gets the number (more than 0): it calls ``run(number)``, then
    ``failed(number)`` if that raised, then ``done(number)``.  Its identity; negative when there
    cannot be one."""
    _only_translated()


def number() -> int:
    """The number of the running thread; 0: the main thread."""
    _only_translated()


def identity() -> int:
    """What ``threading.get_ident`` gives."""
    _only_translated()


def native_identity() -> int:
    """What ``threading.get_native_id`` gives."""
    _only_translated()


def wait(place: int, seconds: float) -> None:
    """Until another thread calls ``wake(place)``, so many seconds at most unless that is
    negative.  It may come back earlier."""
    _only_translated()


def wake(place: int) -> None:
    """Wake the one that has waited longest at that place, if there is one."""
    _only_translated()


def poll() -> None:
    """A safe point: others may run, KeyboardInterrupt may be raised."""
    _only_translated()


def set_stack_size(size: int) -> int:
    """How much stack threads get that are started from now on, 0: what the system gives; what
    that was before."""
    _only_translated()


def forks() -> int:
    """How often the process is the child of a fork of the program."""
    _only_translated()


def label(function: Callable[..., object]) -> str:
    """The name of the function, as a thread's default name ends in it."""
    _only_translated()
