"""The command ``rpython`` as users start it: the toolchain in a process that hashes text as
translated programs do.

CPython hashes text with a key that is random in every process.  A program may keep hashes that it
takes while it is imported, which are those of the toolchain's process, so the process is started
again with PYTHONHASHSEED=0; see ``rpython.rlib._hashes``.  Sets that the program iterates over
while it is imported come in the same order each time then, too.
"""

from __future__ import annotations

import importlib
import os
import sys


def main() -> int:
    """Run the command line; the result is the exit status."""
    if sys.flags.hash_randomization and not sys.flags.ignore_environment:
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
    # loaded now, because the process that was started first needs nothing of it
    status: int = importlib.import_module("translator.cli").main()
    return status


if __name__ == "__main__":
    sys.exit(main())
