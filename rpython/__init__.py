"""RPython for today's Python 3.

``interpret``, ``interpret_raises``, ``compile``, ``native``, ``show``, ``graph_of``, ``annotate``,
``translation_of``, ``cdef``, ``entrypoint``, ``nogil``, ``overridable``: see their docstrings.
They are loaded at first use, so that restricted programs, which import ``rpython.rlib``, start fast
under CPython.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rpython.oldpaths import install
from rpython.translator.ir.hostgc import not_collecting

if TYPE_CHECKING:  # what type checkers see, who do not run __getattr__
    from rpython.lltypesystem.foreign.cdef import cdef as cdef
    from rpython.rlib.entrypoint import entrypoint as entrypoint
    from rpython.rlib.nogil import nogil as nogil
    from rpython.rlib.overridable import overridable as overridable
    from rpython.translator.api import annotate as annotate
    from rpython.translator.api import interpret as interpret
    from rpython.translator.api import interpret_raises as interpret_raises
    from rpython.translator.api import translation_of as translation_of
    from rpython.translator.ir.errors import TranslationError as TranslationError
    from rpython.translator.native import native as native
    from rpython.translator.nativecall import compile as compile
    from rpython.translator.showing import graph_of as graph_of
    from rpython.translator.showing import show as show

_HOMES = {
    "interpret": "rpython.translator.api",
    "interpret_raises": "rpython.translator.api",
    "show": "rpython.translator.showing",
    "graph_of": "rpython.translator.showing",
    "annotate": "rpython.translator.api",
    "translation_of": "rpython.translator.api",
    "compile": "rpython.translator.nativecall",
    "native": "rpython.translator.native",
    "TranslationError": "rpython.translator.ir.errors",
    "cdef": "rpython.lltypesystem.foreign.cdef",
    "entrypoint": "rpython.rlib.entrypoint",
    "nogil": "rpython.rlib.nogil",
    "overridable": "rpython.rlib.overridable",
}

__all__ = list(_HOMES)

install()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rpython' has no attribute {name!r}")
    with not_collecting():
        return getattr(importlib.import_module(_HOMES[name]), name)
