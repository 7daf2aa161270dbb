"""The C files of programs, kept on disk: who builds a program again that has not changed need not
optimise, lower and print it.

The name of a file is the hash of all that its content depends on: the program as the rtyper has
made it (``fingerprint``), the options, the whole toolchain.  The program has been annotated and
typed until then, so what its import did, and what is wrong with it, is known as ever.
"""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import replace
from pathlib import Path

from rpython.backend_c.modules import Sources
from rpython.backend_c.options import BuildOptions
from rpython.rtyper.helperfiles import UNREADABLE, toolchain
from rpython.translator.fingerprint import fingerprint
from rpython.translator.ir.diskcache import DiskCache, cache_directory
from rpython.translator.products import Product

_LIMIT = 64 << 20
"""Bytes of C files to keep."""


class KeptSources:
    """Where the C files of a program are kept; ``name``: None where it has none."""

    def __init__(self, name: str | None) -> None:
        self._cache = DiskCache(cache_directory("sources"), _LIMIT)
        self._name = name

    @classmethod
    def of(cls, product: Product, options: BuildOptions) -> KeptSources:
        """Those of a product that is built with these options.  Raises TranslationError."""
        return cls(_name_of(product, options))

    def read(self) -> Sources | None:
        """The files; None: they are not there."""
        data = None if self._name is None else self._cache.read(self._name)
        if data is None or self._name is None:
            return None
        try:
            sources = pickle.loads(data)
        except UNREADABLE:
            sources = None
        if not isinstance(sources, Sources):
            self._cache.drop(self._name)
            return None
        return sources

    def write(self, sources: Sources) -> None:
        """Keep them."""
        if self._name is not None:
            self._cache.write(self._name, pickle.dumps(sources))


def _name_of(product: Product, options: BuildOptions) -> str | None:
    made_by = toolchain(whole=True)
    if made_by is None or product.generate is None:
        return None
    known = fingerprint(product.translation.rtype())
    if known is None:
        return None
    translation = product.translation
    nowhere = Path()  # where files are does not matter, nor how many are compiled at once
    how = repr(replace(options, directory=nowhere, cache=nowhere, jobs=None, keep=0))
    passes = (repr(translation.options), translation.more_passes)
    text = repr((made_by, known, passes, how, product.generate.__name__))
    return hashlib.sha256(text.encode()).hexdigest()[:40]
