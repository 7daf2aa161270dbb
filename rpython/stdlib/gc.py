"""``gc``: whether programs want collections."""

from __future__ import annotations

import gc

from rpython.stdlib._registry import replaces


class _Collecting:
    """What the program says of collections, which happen when they have to."""

    def __init__(self) -> None:
        self.enabled = True


_COLLECTING = _Collecting()


@replaces(gc.enable)
def enable() -> None:
    _COLLECTING.enabled = True


@replaces(gc.disable)
def disable() -> None:
    _COLLECTING.enabled = False


@replaces(gc.isenabled)
def isenabled() -> bool:
    return _COLLECTING.enabled
