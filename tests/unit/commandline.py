"""Running the command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def rpython(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.run(
        [sys.executable, "-m", "rpython.translator.cli", *args],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
