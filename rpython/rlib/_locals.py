"""``threading.local``: an object of which each thread has other attributes.

The attributes are those of a ``Storage``, of which there is one for each thread that uses the
object (``annotator.overlay.threads`` has the classes).
"""

from __future__ import annotations

from rpython.rlib import _threadcalls
from rpython.rlib._threading import _THREADS


class Storage:
    """The attributes of one object in one thread."""


class _Keys:
    def __init__(self) -> None:
        self.last = 0


_KEYS = _Keys()


class Local:
    """``threading.local``"""

    _local_key = 0
    _local_main: Storage | None = None

    def __init__(self) -> None:
        """Nothing: subclasses may have attributes from the start."""


def find(local: Local) -> Storage | None:
    """The running thread's storage, if it has one already."""
    number = _threadcalls.number()
    if number == 0:
        return local._local_main
    return _THREADS.running[number].storages.get(local._local_key)


def keep(local: Local, storage: Storage) -> None:
    """That is the running thread's from now on."""
    number = _threadcalls.number()
    if number == 0:
        local._local_main = storage
        return
    if local._local_key == 0:
        _KEYS.last += 1
        local._local_key = _KEYS.last
    _THREADS.running[number].storages[local._local_key] = storage
