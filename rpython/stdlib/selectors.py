"""``selectors``: what waits by ``epoll`` in CPython does it by ``poll``.

In which order the ready ones come is open for both.
"""

from __future__ import annotations

import errno
import os
import selectors
import stat
from typing import Any

from rpython.stdlib._registry import replaces


@replaces(selectors._BaseSelectorImpl._fileobj_lookup)  # type: ignore[attr-defined]
def _fileobj_lookup(self: Any, fileobj: Any) -> int:
    """CPython looks for ints, too, by ``is``, but a negative one is never registered."""
    try:
        return selectors._fileobj_to_fd(fileobj)  # type: ignore[attr-defined, no-any-return]
    except ValueError:
        for key in self._fd_to_key.values():
            known = key.fileobj
            if not isinstance(known, int) and not isinstance(fileobj, int) and known is fileobj:
                return key.fd  # type: ignore[no-any-return]
        raise


@replaces(selectors.EpollSelector)
class EpollSelector(selectors.PollSelector):
    """``DefaultSelector``, without ``fileno()``."""

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        mode = os.fstat(key.fd).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # always ready, so that epoll refuses them
            super().unregister(fileobj)
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        return key
