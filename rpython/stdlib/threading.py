"""``threading`` and ``_thread``: locks, and what is asked about threads."""

from __future__ import annotations

import _thread
import threading
from typing import Any

from rpython.rlib import _locks, _threading
from rpython.stdlib._registry import replace_each

LOCKS: dict[Any, Any] = {
    _thread.LockType: _locks.Lock, _thread.RLock: _locks.RLock,
    threading.Condition: _locks.Condition, threading.Event: _locks.Event,
    threading.Semaphore: _locks.Semaphore, threading.BoundedSemaphore: _locks.BoundedSemaphore,
}  # fmt: skip
"""Classes of objects that a program may start with."""

replace_each({
    **LOCKS,
    **{
        getattr(threading.Thread, name): getattr(_threading.Thread, name)
        for name in ("__init__", "run", "start", "join", "is_alive")
    },
    threading.current_thread: _threading.current_thread,
    threading.main_thread: _threading.main_thread,
    threading.active_count: _threading.active_count,
    threading.enumerate: _threading.enumerate_threads,
    threading.get_ident: _threading.get_ident,
    threading.get_native_id: _threading.get_native_id,
    threading.stack_size: _threading.stack_size,
})  # fmt: skip
for _make in {threading.Lock, _thread.allocate_lock} - {_thread.LockType}:
    replace_each({_make: _locks.Lock})
if threading.RLock is not _thread.RLock:
    replace_each({threading.RLock: _locks.RLock})
