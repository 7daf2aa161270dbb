"""Which C compiler made the program."""

from __future__ import annotations

from rpython.lltypesystem.foreign.cbuild import NO_INFO
from rpython.lltypesystem.rffi_platform import (
    DefinedConstantInteger,
    DefinedConstantString,
    configure_entries,
)
from rpython.rlib.objectmodel import specialize, we_are_translated


def get_compiler_info() -> str:
    """Its name and version, like ``GCC 12.2.0``; ``(untranslated)`` under CPython."""
    if we_are_translated():
        return _ask(0)
    return "(untranslated)"


@specialize.memo()
def _ask(question: int) -> str:
    """The C compiler is asked when the program is translated."""
    entries = {
        "version": DefinedConstantString("__VERSION__"),
        "clang": DefinedConstantInteger("__clang__"),
    }
    answers = configure_entries(entries, NO_INFO)
    if answers["version"] is None:
        return "C"
    # clang's text begins with its name
    return str(answers["version"]) if answers["clang"] else f"GCC {answers['version']}"
