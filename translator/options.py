"""Options of a translation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """``passes``: the pipeline over low-level graphs, see ``translator.opt.runner``.
    ``verify``: check every graph after every stage and pass.  ``optimise``: the C
    compiler's flag.  ``debug``: debugging information in native code.  ``gc``: the collector
    of native code (``backend_c.gc.COLLECTORS``).  ``sanitize``: what native code checks while
    it runs (``backend_c.options.SANITIZERS``)."""

    passes: str = "default"
    verify: bool = True
    optimise: str = "-O2"
    debug: bool = False
    gc: str = "generational"
    sanitize: tuple[str, ...] = ()
