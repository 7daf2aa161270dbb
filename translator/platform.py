"""The platform that programs are made for, under RPython's name."""

from __future__ import annotations

import sys

from rpython.lltypesystem.rffi_platform import CompilationError as CompilationError


class Platform:
    """``name``: what ``sys.platform`` says; ``so_ext``: how names of shared libraries end."""

    name = sys.platform
    so_ext = "so"
    exe_ext = ""


platform = host = Platform()


def is_host_build() -> bool:
    """Is the program made for the machine that the toolchain runs on?"""
    return True
