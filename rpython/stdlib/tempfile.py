"""``tempfile``: files and directories of random names, which go when nobody needs them."""

from __future__ import annotations

import errno
import os
import sys
import tempfile

from rpython.rlib.rpath import StrPath
from rpython.stdlib._registry import replaces
from rpython.stdlib._removing import remove_tree

_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_ATTEMPTS = tempfile.TMP_MAX
_ABSOLUTE = sys.version_info >= (3, 12)
"""Is the name of a directory made absolute?"""


class _Directory:
    """Where files go if nothing else is said; found when it is first asked for."""

    def __init__(self) -> None:
        self.name = ""


_DEFAULT = _Directory()


def _random_name() -> str:
    name = ""
    while len(name) < 8:
        for byte in os.urandom(8):
            if byte < 222 and len(name) < 8:  # a multiple of how many characters there are
                name += _CHARACTERS[byte % 37]
    return name


def _is_usable(directory: str) -> bool:
    for _ in range(100):
        path = os.path.join(directory, _random_name())
        try:
            fd = os.open(path, _FLAGS, 0o600)
        except FileExistsError:
            continue
        except OSError:
            return False
        try:
            os.write(fd, b"blat")
        except OSError:
            return False
        finally:
            os.close(fd)
            os.unlink(path)
        return True
    return False


@replaces(tempfile.gettempdir)
def gettempdir() -> str:
    if _DEFAULT.name == "":
        names: list[str] = []
        for variable in ("TMPDIR", "TEMP", "TMP"):
            value = os.getenv(variable)
            if value:
                names.append(value)
        names += ["/tmp", "/var/tmp", "/usr/tmp", os.getcwd()]
        usable = [name for name in map(os.path.abspath, names) if _is_usable(name)]
        if not usable:
            message = f"No usable temporary directory found in {names}"
            raise FileNotFoundError(errno.ENOENT, message)
        _DEFAULT.name = usable[0]
    return _DEFAULT.name


@replaces(tempfile.gettempprefix)
def gettempprefix() -> str:
    return tempfile.template


def _pattern(suffix: str | None, prefix: str | None, dir: str | None) -> tuple[str, str]:
    """What stands in front of the random part, and behind."""
    start = tempfile.template if prefix is None else prefix
    return os.path.join(gettempdir() if dir is None else dir, start), suffix or ""


@replaces(tempfile.mkstemp)
def mkstemp(
    suffix: str | None = None, prefix: str | None = None, dir: StrPath | None = None,
    text: bool = False,
) -> tuple[int, str]:  # fmt: skip
    start, end = _pattern(suffix, prefix, dir)
    for _ in range(_ATTEMPTS):
        path = os.path.abspath(start + _random_name() + end)
        try:
            return os.open(path, _FLAGS, 0o600), path
        except FileExistsError:
            pass
    raise FileExistsError(errno.EEXIST, "No usable temporary file name found")


@replaces(tempfile.mkdtemp)
def mkdtemp(
    suffix: str | None = None, prefix: str | None = None, dir: StrPath | None = None
) -> str:
    start, end = _pattern(suffix, prefix, dir)
    for _ in range(_ATTEMPTS):
        path = start + _random_name() + end
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            continue
        return os.path.abspath(path) if _ABSOLUTE else path
    raise FileExistsError(errno.EEXIST, "No usable temporary directory name found")


@replaces(tempfile.TemporaryDirectory)
class TemporaryDirectory:
    def __init__(
        self, suffix: str | None = None, prefix: str | None = None, dir: StrPath | None = None,
        ignore_cleanup_errors: bool = False,
    ) -> None:  # fmt: skip
        self.name = mkdtemp(suffix, prefix, dir)
        self._ignores = ignore_cleanup_errors
        self._is_removed = False

    def __repr__(self) -> str:
        return f"<TemporaryDirectory {self.name!r}>"

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.cleanup()

    def cleanup(self) -> None:
        if not self._is_removed or os.path.exists(self.name):
            self._is_removed = True
            remove_tree(self.name, self._ignores, True)

    def __del__(self) -> None:
        if not self._is_removed:
            self.cleanup()
