"""Regular expressions for ``rsre_core``, compiled at import."""

from __future__ import annotations

from rpython.rlib.rsre.rsre_compile import CompiledPattern


def get_code(regexp: str | bytes, flags: int = 0) -> CompiledPattern:
    """The compiled form of a regular expression of ``re``.  Raises ``re.error``."""
    return CompiledPattern(regexp, int(flags))
