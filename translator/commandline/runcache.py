"""``rpython run`` and ``rpython.jitimport``: is what was built earlier still good?

Beside each executable or module lies a record of the source files that went into it, the
toolchain's own included, with the hash of their contents.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rpython.translator.ir.diskcache import cache_directory
from rpython.translator.ir.sourcefiles import content_hash


class RunCache:
    """The cached executable, or module, of one target with one set of build options; ``name``: what
    the file has to be called, if that matters."""

    def __init__(self, target: Path, options: Sequence[str], name: str = "") -> None:
        self.target = target.resolve()
        key = "\0".join([str(self.target), sys.version, *options])
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        folder = cache_directory("run")
        self.executable = folder / f"{target.stem}-{digest}" / name
        self.record_file = folder / f"{target.stem}-{digest}.json"

    def is_fresh(self) -> bool:
        """Does the executable exist, and are all its source files as they were?"""
        try:
            recorded = json.loads(self.record_file.read_text())
        except (OSError, ValueError):
            return False
        if not self.executable.exists():
            return False
        return all(content_hash(name) == digest for name, digest in recorded.items())

    def record(self) -> None:
        """Remember the source files of every module that is loaded now."""
        files = {str(self.target)}
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None)
            if name and not name.startswith((sys.base_prefix, "<")):
                files.add(name)
        runtime = Path(sys.modules["rpython.backend_c.build"].__file__ or "").parent / "runtime"
        files.update(map(str, sorted(runtime.iterdir())))
        hashes = {name: content_hash(name) for name in sorted(files)}
        temporary = self.record_file.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(hashes, indent=0))
        temporary.replace(self.record_file)
