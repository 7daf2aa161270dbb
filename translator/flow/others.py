"""Which modules are not part of a program, but of what it is written with."""

from __future__ import annotations

import sys
import sysconfig

from rpython.translator.ir.origin import is_ours

_STANDARD = sys.stdlib_module_names - {"__main__"}
_LIBRARY = sysconfig.get_path("stdlib")
"""Where the files of those packages are; the program may have a ``queue.py`` of its own."""


def is_others(name: object) -> bool:
    """Is the module of that name one of the library's or of the toolchain's?"""
    package = str(name).partition(".")[0]
    if is_ours(package):
        return True
    if package not in _STANDARD:
        return False
    filename = getattr(sys.modules.get(package), "__file__", None)
    return filename is None or filename.startswith(_LIBRARY)
