"""Shared libraries that are opened while the program runs.

    with rffi.scoped_str2charp("libm.so.6") as name:
        library = dlopen(name)
    cos = rffi.cast(lltype.Ptr(lltype.FuncType([rffi.DOUBLE], rffi.DOUBLE)), dlsym(library, "cos"))
    cos(0.0)
    dlclose(library)

What C's dynamic linker does; it is trusted about the types that its functions are cast to.
"""

from __future__ import annotations

import os
from typing import Any

from rpython.lltypesystem import rffi

RTLD_LAZY, RTLD_NOW, RTLD_LOCAL, RTLD_GLOBAL = (
    os.RTLD_LAZY, os.RTLD_NOW, os.RTLD_LOCAL, os.RTLD_GLOBAL
)  # fmt: skip

DLLHANDLE = rffi.VOIDP

_dlopen: Any = rffi.llexternal("dlopen", [rffi.CCHARP, rffi.INT], rffi.VOIDP)
_dlsym: Any = rffi.llexternal("dlsym", [rffi.VOIDP, rffi.CCHARP], rffi.VOIDP)
_dlclose: Any = rffi.llexternal("dlclose", [rffi.VOIDP], rffi.INT)
_dlerror: Any = rffi.llexternal("dlerror", [], rffi.CCHARP)


class DLOpenError(Exception):
    """Why a library cannot be opened, in ``msg``."""

    def __init__(self, msg: str) -> None:
        self.msg = msg

    def __str__(self) -> str:
        return self.msg


def dlerror() -> str:
    """What was wrong with the last call; "" when nothing was."""
    text = _dlerror()
    return rffi.charp2str(text) if text else ""


def dlopen(name: Any, mode: int = -1) -> Any:
    """The library with that file name, a ``CCHARP``; null: the program itself.  ``mode``: some of
    ``RTLD_...``.  Raises DLOpenError."""
    if mode == -1:
        mode = RTLD_LAZY
    elif mode & (RTLD_LAZY | RTLD_NOW) == 0:
        mode |= RTLD_NOW
    dlerror()  # forgets what was wrong before
    handle = _dlopen(name, mode)
    if not handle:
        raise DLOpenError(dlerror())
    return handle


def dlsym(libhandle: Any, name: str) -> Any:
    """The address of a function or variable of the library.  Raises KeyError."""
    with rffi.scoped_str2charp(name) as text:
        found = _dlsym(libhandle, text)
    if not found:
        raise KeyError(name)
    return found


def dlclose(handle: Any) -> int:
    """Close the library; 0 when that succeeded."""
    return int(_dlclose(handle))
