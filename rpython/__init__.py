"""RPython for today's Python 3.

``interpret``, ``interpret_raises``, ``compile``, ``show``, ``graph_of``, ``annotate``,
``translation_of``, ``cdef``, ``entrypoint``: see their docstrings.  They are loaded at first
use, so that restricted programs, which import ``rpython.rlib``, start fast under CPython.
"""

from __future__ import annotations

import importlib
from typing import Any

from rpython.oldpaths import install

_HOMES = {
    "interpret": "translator.interactive",
    "interpret_raises": "translator.interactive",
    "show": "translator.interactive",
    "graph_of": "translator.interactive",
    "annotate": "translator.interactive",
    "translation_of": "translator.interactive",
    "compile": "translator.nativecall",
    "TranslationError": "translator.ir.errors",
    "cdef": "lltypesystem.cdef",
    "entrypoint": "rpython.rlib.entrypoint",
}

__all__ = list(_HOMES)

install()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rpython' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
