"""The command ``rpython`` before the toolchain is loaded: that takes a moment, in which Ctrl-C ends
it as quietly as later."""

from __future__ import annotations

import importlib
import sys

INTERRUPTED = "interrupted"
INTERRUPTED_STATUS = 130
"""What is said, and the exit status, after Ctrl-C."""


def main() -> int:
    """Load the toolchain and run the command line; the result is the exit status."""
    try:
        status: int = importlib.import_module("translator.cli").main()
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return INTERRUPTED_STATUS
    return status
