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
    "interpret": "rpython.translator.api",
    "interpret_raises": "rpython.translator.api",
    "show": "rpython.translator.api",
    "graph_of": "rpython.translator.api",
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
    return getattr(importlib.import_module(_HOMES[name]), name)
