"""Options of a translation."""

from __future__ import annotations

from typing import Literal

from rpython.translator.ir.records import dataclass

Boxing = Literal["refuse", "warn", "allow"]
Ints = Literal["64", "big"]
LateErrors = Literal["refuse", "late"]


@dataclass(frozen=True, slots=True)
class Options:
    """``passes``: the pipeline over low-level graphs, see ``translator.opt.runner``.
    ``verify``: check every graph after every stage and pass.  ``optimise``: the C
    compiler's flag.  ``debug``: debugging information in native code.  ``gc``: the collector
    of native code (``backend_c.gc.COLLECTORS``).  ``sanitize``: what native code checks while
    it runs (``backend_c.options.SANITIZERS``).  ``boxing``: may values of several kinds be in one
    place, in boxes?  "warn": they may, and it is said where; None: not in programs with RPython's
    ``target(driver, args)``.  ``ints``: do ints have 64 bits, or as many as they need?
    ``errors``: what becomes of an operation that raises an exception whatever its operands are?
    It is refused, or raises it when the program runs; None: in the program's own files it is
    refused, in others late (``annotator.late``)."""

    passes: str = "default"
    verify: bool = True
    optimise: str = "-O2"
    debug: bool = False
    gc: str = "generational"
    sanitize: tuple[str, ...] = ()
    boxing: Boxing | None = None
    ints: Ints = "64"
    errors: LateErrors | None = None

    @property
    def meaning(self) -> tuple[Boxing | None, Ints, LateErrors | None]:
        """The options that decide what a program means (``annotator.refining.refined``)."""
        return self.boxing, self.ints, self.errors

