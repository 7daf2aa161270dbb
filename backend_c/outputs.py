"""Check where a build puts its files: there must be nothing, or a file that it may replace.

``os.replace`` puts a file in the place of a device, a pipe or a socket as readily, and everything
else that uses that one then writes into the file.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rpython.translator.ir.errors import BuildError

_KINDS = {
    stat.S_IFDIR: "a directory", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket",
}  # fmt: skip


def require_replaceable(path: Path) -> None:
    """Raises BuildError when there is something at ``path``, or where a link there leads, that is
    no regular file."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # nothing is there; or else writing says what is wrong
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something")
        raise BuildError(
            f"cannot write {path}: it is {kind}, not a file", hint="give it another name: -o OUT"
        )


def put_in_place(made: Path, out: Path) -> None:
    """Rename the finished file ``made`` to ``out``, where an older file may be.
    Raises BuildError, OSError."""
    require_replaceable(out)
    os.replace(made, out)
