"""RPython for today's Python 3.

``interpret``, ``interpret_raises``, ``compile``, ``show``, ``graph_of``, ``annotate``,
``translation_of``, ``cdef``, ``entrypoint``: see their docstrings.  They are loaded at first
use, so that restricted programs, which import ``rpython.rlib``, start fast under CPython.
"""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rpython.oldpaths import install

_HOMES = {
    "interpret": "rpython.translator.api",
    "interpret_raises": "rpython.translator.api",
    "show": "rpython.translator.showing",
    "graph_of": "rpython.translator.showing",
    "annotate": "rpython.translator.api",
    "translation_of": "rpython.translator.api",
    "compile": "rpython.translator.nativecall",
    "TranslationError": "rpython.translator.ir.errors",
    "cdef": "rpython.lltypesystem.cdef",
    "entrypoint": "rpython.rlib.entrypoint",
}

__all__ = list(_HOMES)

install()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rpython' has no attribute {name!r}")
    with _not_collecting():
        return getattr(importlib.import_module(_HOMES[name]), name)


@contextmanager
def _not_collecting() -> Iterator[None]:
    """Modules stay: looking for garbage among what they are made of takes a sixth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
