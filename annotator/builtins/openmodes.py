"""Modes of ``open()``."""

from __future__ import annotations


def is_mode(mode: str) -> bool:
    """Is that a mode of ``open()``?"""
    if len(mode) > 4 or set(mode) - set("rwax+bt") or len(set(mode)) < len(mode):
        return False
    actions = sum(c in mode for c in "rwax")
    return actions == 1 and not ("b" in mode and "t" in mode)
