"""cffi's functions on C values and memory.

``cffi.FFI()`` brings a parser of C declarations, which takes longer to load than most of the
toolchain.  Who only casts, reads memory or asks for sizes does it with the compiled part, which
knows the types of C itself and those that others have parsed.
"""

from __future__ import annotations

from typing import Any

import _cffi_backend

ffi = _cffi_backend.FFI()


def pointer_to(T: Any) -> Any:
    """The C type of pointers to values of the C type ``T``."""
    return _cffi_backend.new_pointer_type(T)


def c_function(name: str, cdecl: str) -> Any:
    """The C library's function of that name; ``cdecl``: the type of
    pointers to it."""
    library: Any = _cffi_backend.load_library(None)
    return library.load_function(ffi.typeof(cdecl), name)
