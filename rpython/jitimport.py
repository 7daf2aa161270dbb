"""Modules that become native code when they are imported.

    from rpython import jitimport
    jitimport.install("pkg.fast", "words")

    import pkg.fast                 built, unless it was, with the same source, before

Only the modules that are named are built; what they use of others is compiled with them, as by
``rpython build --module``.  What is built is kept in the user's cache, and built again when any
source of it has changed.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from rpython.backend_c.headers import extension_suffix, missing_tools
from rpython.translator.commandline.runcache import RunCache

_MAIN = "rpython.translator.commandline.jitbuild"


def install(*names: str, options: Sequence[str] = ()) -> None:
    """Make native code of these modules when they are imported from now on.

    ``names``: whole names, ``package.module``.  ``options``: of ``rpython build``, as ``["-O3"]``.
    Importing a module that is refused raises ImportError; where there is no C compiler there is a
    warning, and the source is imported.  Raises ValueError for a module that is imported already.
    """
    for name in names:
        if name in sys.modules:
            raise ValueError(f"module {name} has been imported already")
    sys.meta_path.insert(0, _Finder(frozenset(names), tuple(options)))


class _Finder(MetaPathFinder):
    def __init__(self, names: frozenset[str], options: tuple[str, ...]) -> None:
        self._names = names
        self._options = options

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """That of native code, for the modules that are named."""
        if fullname not in self._names:
            return None
        found = PathFinder.find_spec(fullname, path, target)
        if found is None or found.origin is None or not found.origin.endswith(".py"):
            return None
        missing = missing_tools()
        if missing:
            warnings.warn(f"{missing}: {fullname} runs as plain Python", stacklevel=2)
            return None
        built = self._built(Path(found.origin), fullname)
        loader = ExtensionFileLoader(fullname, str(built))
        return spec_from_file_location(fullname, built, loader=loader)

    def _built(self, source: Path, name: str) -> Path:
        cache = module_cache(source, self._options)
        if not cache.is_fresh():
            command = [sys.executable, "-m", _MAIN, *self._options, str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ImportError(f"{name} cannot be native code\n{done.stderr}", name=name)
        return cache.executable


def module_cache(source: Path, options: Sequence[str]) -> RunCache:
    """Where the module that is made of a source is kept."""
    return RunCache(source, ("module", *options), source.stem + extension_suffix())
