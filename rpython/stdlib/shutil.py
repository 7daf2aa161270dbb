"""``shutil``: what its source does by descriptors of directories, or by ``sendfile``."""

from __future__ import annotations

import os
import shutil
from typing import Any, NamedTuple

from rpython.rlib.rpath import StrPath
from rpython.stdlib import _copying
from rpython.stdlib._registry import per_arguments, replace_each, replaces
from rpython.stdlib._removing import remove_tree

replace_each({
    getattr(shutil, name): getattr(_copying, name)
    for name in ("copyfile", "copymode", "copystat", "copy", "copy2", "copytree", "move")
})  # fmt: skip


@replaces(shutil.rmtree)
def rmtree(path: StrPath, ignore_errors: bool = False) -> None:
    try:
        if os.path.islink(path):
            raise OSError("Cannot call rmtree on a symbolic link")
        remove_tree(path, ignore_errors, False)
    except OSError:
        if not ignore_errors:
            raise


class DiskUsage(NamedTuple):
    total: int
    used: int
    free: int


DiskUsage.__name__, DiskUsage.__module__ = "usage", "shutil"


@replaces(shutil.disk_usage)
@per_arguments
def disk_usage(path: Any) -> DiskUsage:
    found = os.statvfs(path)
    used = (found.f_blocks - found.f_bfree) * found.f_frsize
    return DiskUsage(found.f_blocks * found.f_frsize, used, found.f_bavail * found.f_frsize)
