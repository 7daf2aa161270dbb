"""Which version of the toolchain is installed."""

from __future__ import annotations

import importlib
from typing import Any


def version() -> str:
    """As the installed package says.  Loaded when it is asked for, which takes a moment."""
    metadata: Any = importlib.import_module("importlib.metadata")
    found: str = metadata.version("rpython3")
    return found
