"""What ``rpython check`` said the last time, which it says again while nothing has changed.

    rpython check app.py       5,000 lines: seconds
    rpython check app.py       a tenth of a second

Kept is all that the command has written, and its exit status, under the command line, the folder,
the environment, the host and the files of the toolchain; beside it stands what was read while it
ran, the program's modules and whatever they open while they are imported, with the hash of what
was in it, and what was in the folders that were searched.  A command that wrote files, or started
processes, is not kept, nor is one during which a file changed.  What a program asks for in another
way while it is imported, such as the time, is not looked at again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from importlib.machinery import FileFinder
from types import TracebackType
from typing import Any

from rpython.translator.ir.diskcache import DiskCache, cache_directory
from rpython.translator.ir.sourcefiles import content_hash, source_files

_LIMIT = 16 << 20
"""How many bytes all reports take together."""
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder of the toolchain."""
_PASSING = {"PYTHONHASHSEED", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES"}
"""What is in the environment that no report depends on."""
_EFFECTS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.")
"""Events, by their beginning, of which nobody knows what they depend on."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class KeptReport:
    """That of one command line.  As a context it keeps what the command writes meanwhile."""

    def __init__(self, words: list[str]) -> None:
        environment = sorted(item for item in os.environ.items() if item[0] not in _PASSING)
        terminal = sys.stdout.isatty(), sys.stderr.isatty()
        toolchain = [*source_files(_ROOT, ("__pycache__",), (".py", ".md"))]
        known = words, os.getcwd(), sys.version, sys.executable, environment, terminal, toolchain
        self._name = hashlib.sha256(repr(known).encode()).hexdigest()
        self._cache = DiskCache(cache_directory("reports"), _LIMIT)
        self._written: list[tuple[bool, str]] = []
        self._seen = _Seen()
        self._began = time.time()
        self._streams = sys.stdout, sys.stderr

    def replay(self) -> int | None:
        """Write what the command wrote, if nothing has changed; its exit status."""
        data = self._cache.read(self._name)
        if data is None:
            return None
        kept = json.loads(data)
        if any(_listing(folder) != names for folder, names in kept["folders"].items()):
            return None
        if any(content_hash(path) != digest for path, digest in kept["files"].items()):
            return None
        for is_error, text in kept["written"]:
            (sys.stderr if is_error else sys.stdout).write(text)
        status: int = kept["status"]
        return status

    def __enter__(self) -> KeptReport:
        sys.addaudithook(self._seen)
        sys.stdout = _Recorder(sys.stdout, False, self._written, self._seen)
        sys.stderr = _Recorder(sys.stderr, True, self._written, self._seen)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._seen.looks = False
        sys.stdout, sys.stderr = self._streams

    def keep(self, status: int) -> None:
        """Keep what was written, if all is known that it depends on."""
        files = self._seen.files | set(_module_files())
        paths = [path for path in sorted(files) if not _is_toolchains(path)]
        if self._seen.effects or any(map(self._is_changed, paths)):
            return
        folders = self._seen.folders | {
            finder.path for finder in sys.path_importer_cache.values()
            if isinstance(finder, FileFinder)
        }  # fmt: skip
        kept = {
            "status": status, "written": self._written,
            "files": {path: content_hash(path) for path in paths},
            "folders": {
                path: _listing(path) for path in sorted(folders) if not _is_toolchains(path)
            },
        }  # fmt: skip
        self._cache.write(self._name, json.dumps(kept).encode())

    def _is_changed(self, path: str) -> bool:
        """Was the file written since the command began?"""
        try:
            return os.stat(path).st_mtime >= self._began
        except OSError:
            return False


class _Seen:
    """The hook for Python's audit events: what is read, and whether there is more to it."""

    def __init__(self) -> None:
        self.looks = True
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.effects = False

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.looks:
            return
        if event == "open":
            path, _, flags = arguments
            if not isinstance(path, int):
                self._open(os.path.abspath(os.fsdecode(path)), flags)
        elif event in ("os.listdir", "os.scandir"):
            if not isinstance(arguments[0], int):
                self.folders.add(os.path.abspath(os.fsdecode(arguments[0] or ".")))
        elif event.startswith(_EFFECTS):
            self.effects = True

    def _open(self, path: str, flags: int) -> None:
        if path.endswith(".pyc") or ".pyc." in path:
            return  # made of what is in the source; the other is the name until all is written
        if not flags & _WRITING:
            self.files.add(path)
        elif not _is_toolchains(path):
            self.effects = True


class _Recorder:
    """A stream of text that remembers what is written to it."""

    def __init__(
        self, stream: Any, is_error: bool, written: list[tuple[bool, str]], seen: _Seen
    ) -> None:
        self._stream = stream
        self._is_error = is_error
        self._written = written
        self._seen = seen

    def write(self, text: str) -> int:
        """As of the stream."""
        self._written.append((self._is_error, text))
        count: int = self._stream.write(text)
        return count

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "writelines", "detach", "reconfigure"):
            self._seen.effects = True  # that is not remembered
        return getattr(self._stream, name)


def _module_files() -> list[str]:
    """The source files of all modules, but for those of the host."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    standard = os.path.dirname(os.__file__) + os.sep
    return [
        os.path.abspath(file) for file in files
        if file and (not file.startswith(standard) or "-packages" in file)
    ]  # fmt: skip


def _is_toolchains(path: str) -> bool:
    """Is the file one of the toolchain, which the name of the report says, or in its caches?"""
    return path.startswith((_ROOT + os.sep, str(cache_directory())))


def _listing(path: str) -> str:
    """The hash of the names in a folder; '' when there is none."""
    try:
        names = sorted(name for name in os.listdir(path) if name != "__pycache__")
    except OSError:
        return ""
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()
