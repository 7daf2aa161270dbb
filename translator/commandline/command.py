"""The command ``rpython`` as users start it, before the toolchain is loaded.

CPython hashes text with a key that is random in every process.  A program may keep hashes that it
takes while it is imported, which are those of the toolchain's process, so the process is started
again with PYTHONHASHSEED=0; see ``rpython.rlib._hashes``.  Sets that the program iterates over
while it is imported come in the same order each time then, too.

Loading the toolchain takes a moment, in which Ctrl-C ends it as quietly as later.  While Python
starts again it waits.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys

from rpython.translator.ir.hostgc import not_collecting

INTERRUPTED = "interrupted"
INTERRUPTED_STATUS = 130
"""What is said, and the exit status, after Ctrl-C."""


def flush_output() -> None:
    """Write what is printed so far."""
    if sys.stdout is not None:  # it is None where the caller has closed it
        sys.stdout.flush()


def _run() -> int:
    # loaded now, because the process that was started first needs nothing of it
    with not_collecting():
        cli = importlib.import_module("rpython.translator.commandline.cli")
    status: int = cli.main()
    return status


def _check() -> int:
    """Say what was said the last time, if nothing has changed.  What waits for changes or stops in
    a debugger (options may be abbreviated) is done each time, and so is what is timed."""
    waits = any(word.startswith(("--w", "--p")) for word in sys.argv)
    if waits or "PYPYLOG" in os.environ or not (sys.stdout and sys.stderr):
        return _run()
    keptreport = importlib.import_module("rpython.translator.commandline.keptreport")
    report = keptreport.KeptReport(sys.orig_argv)
    if (known := report.replay()) is not None:
        flush_output()
        return int(known)
    with report:
        status = _run()
    report.keep(status)
    return status


def main() -> int:
    """Load the toolchain and run the command line; the result is the exit status."""
    try:
        if sys.flags.hash_randomization and not sys.flags.ignore_environment:
            environment = {**os.environ, "PYTHONHASHSEED": "0"}
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        status = _check() if sys.argv[1:2] == ["check"] else _run()
        gc.freeze()  # the process ends: its memory need not be looked through for garbage
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return INTERRUPTED_STATUS
    return status


if __name__ == "__main__":
    sys.exit(main())
