"""External functions: C functions as low-level function pointers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rpython.lltypesystem.primitives import Char, LowLevelType
from rpython.lltypesystem.simulated.memory import _ptr, functionptr, malloc
from rpython.lltypesystem.types import Array, FuncType, Ptr
from rpython.translator.ir.records import dataclass

CCHARARRAY = Array(Char, hints={"nolength": True})
CCHARP = Ptr(CCHARARRAY)
"""``char *``: raw characters without a length."""


@dataclass(frozen=True)
class Linking:
    """How to compile and link against a C library: names for ``-l``, directories; C files to be
    compiled with it; other arguments for the compiler and the linker."""

    libraries: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    library_dirs: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    compile_extra: tuple[str, ...] = ()
    link_extra: tuple[str, ...] = ()


@dataclass(frozen=True)
class Glue:
    """C code that defines an external: the definition ``text``, in a file that starts with
    ``prelude``, which all functions of one library share.  ``portable``: it knows nothing of this
    machine's C headers."""

    prelude: str
    text: str
    linking: Linking = Linking()
    portable: bool = False


def llexternal(
    c_name: str,
    argtypes: Sequence[LowLevelType],
    result: LowLevelType,
    callable: Callable[..., Any],
    includes: Sequence[str] = (),
    glue: Glue | None = None,
    interpreted: bool = False,
    blocking: bool = False,
) -> _ptr:
    """A pointer to the C function ``c_name``.

    ``callable`` is its meaning in the LLInterpreter: it takes and returns low-level
    values.  ``includes``: headers that declare it.  ``glue``: C code that defines it.
    ``interpreted``: ``callable`` takes the LLInterpreter first.  ``blocking``: other threads of
    the program run meanwhile.  An external never raises.
    """
    return functionptr(
        FuncType(argtypes, result),
        c_name,
        external="C",
        c_name=c_name,
        includes=tuple(includes),
        glue=glue,
        interpreted=interpreted,
        blocking=blocking,
        _callable=callable,
    )


def make_charp(data: bytes) -> _ptr:
    """A raw zero-terminated copy of ``data``, to be released with ``lltype.free``."""
    p = malloc(CCHARARRAY, len(data) + 1, flavor="raw")
    p._obj.items[:] = data.decode("latin-1") + "\0"
    return p


def read_charp(p: _ptr, size: int | None = None) -> bytes:
    """``size`` characters at ``p``, or those up to the first zero."""
    items = p._container().items
    chars = items[: items.index("\0") if size is None else size]
    return "".join(chars).encode("latin-1")
