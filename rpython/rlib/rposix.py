"""RPython's ``rlib.rposix``: errno across calls of C functions."""

from __future__ import annotations

from lltypesystem.rffi import get_saved_errno, set_saved_errno

__all__ = ["get_saved_errno", "set_saved_errno"]
