"""Names of the C library's functions, which a shared library must not export: it would replace
them, for itself and for the process that loads it."""

from __future__ import annotations

import ctypes

_LIBRARIES = ("libc.so.6", "libm.so.6", "libc.so", "libc.dylib")
"""Of the machines that we know; those that are not there are left out."""


def is_c_library_name(name: str) -> bool:
    """Does the C library of this machine define a function or a variable with the name?"""
    for library in _LIBRARIES:
        try:
            found = ctypes.CDLL(library)
        except OSError:
            continue
        if hasattr(found, name):
            return True
    return False
