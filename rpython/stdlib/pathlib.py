"""``pathlib``: paths of POSIX.

CPython's source makes its objects by ``__new__`` of one class as instances of another.  Here the
classes are one chain, and calling ``PurePath`` and ``Path`` calls a function.
"""

from __future__ import annotations

import errno
import os
import pathlib as host
import stat
import sys
from collections.abc import Iterator
from typing import Any

from rpython.rlib.rpath import rjoin
from rpython.stdlib import _paths
from rpython.stdlib._registry import converts, per_arguments, per_values, replace_each

_ORDERED_BY_TEXT = host.PurePosixPath("/a") < host.PurePosixPath("!a")
"""Is the root of a path less than any name?"""

_LOOPS_RAISE = sys.version_info < (3, 13)
"""Does ``resolve`` raise RuntimeError for links that lead to themselves?"""


def _end_of_error(path: str, other: str) -> str:
    """How the host ends the message of ``relative_to``."""
    try:
        host.PurePosixPath(path).relative_to(other)
    except ValueError as error:
        return str(error).partition(" of ")[2]
    raise AssertionError


_OR_ROOT = _end_of_error("a", "b").removeprefix("'b'")
_SHOWN_HERE = "." if _end_of_error("/a", "").startswith("'.'") else ""
"""How the message shows the empty path."""


@per_arguments
def _text_of(argument: Any) -> str:
    """Of a part of a path.  Raises TypeError."""
    return argument if isinstance(argument, str) else os.fspath(argument)


@per_arguments
def _joined(first: str, others: Any) -> str:
    text = first
    for other in others:
        text = rjoin(text, _text_of(other))
    return text


class PurePath:
    """A text that is a path: its root, and names."""

    __slots__ = ("_names", "_root", "_text")

    @per_arguments
    def __init__(self, *args: Any) -> None:
        text = _joined("", args)
        self._root = _paths.root_of(text)
        self._names = _paths.names_of(text)
        self._text = _paths.text_of(self._root, self._names)

    def __str__(self) -> str:
        return self._text

    def __fspath__(self) -> str:
        return self._text

    def __bytes__(self) -> bytes:
        return os.fsencode(self._text)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._text!r})"

    def as_posix(self) -> str:
        return self._text

    def as_uri(self) -> str:
        if not self._root:
            raise ValueError("relative path can't be expressed as a file URI")
        return "file://" + _paths.quoted(os.fsencode(self._text))

    # -- comparisons ------------------------------------------------------------------------------

    def __hash__(self) -> int:
        return hash(self._text)

    @per_arguments
    def __eq__(self, other: Any) -> Any:
        return self._text == other._text if isinstance(other, PurePath) else NotImplemented

    @per_arguments
    def __lt__(self, other: Any) -> Any:
        return _order(self, other) < 0 if isinstance(other, PurePath) else NotImplemented

    @per_arguments
    def __le__(self, other: Any) -> Any:
        return _order(self, other) <= 0 if isinstance(other, PurePath) else NotImplemented

    @per_arguments
    def __gt__(self, other: Any) -> Any:
        return _order(self, other) > 0 if isinstance(other, PurePath) else NotImplemented

    @per_arguments
    def __ge__(self, other: Any) -> Any:
        return _order(self, other) >= 0 if isinstance(other, PurePath) else NotImplemented

    # -- parts ------------------------------------------------------------------------------------

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(_paths.parts_of(self._root, self._names))

    @property
    def drive(self) -> str:
        return ""

    @property
    def root(self) -> str:
        return self._root

    @property
    def anchor(self) -> str:
        return self._root

    @property
    def name(self) -> str:
        return self._names[-1] if self._names else ""

    @property
    def suffix(self) -> str:
        name = self.name
        return name[_paths.suffix_start(name) :]

    @property
    def suffixes(self) -> list[str]:
        return _paths.suffixes_of(self.name)

    @property
    def stem(self) -> str:
        name = self.name
        return name[: _paths.suffix_start(name)]

    @property
    @per_arguments
    def parent(self) -> Any:
        if self._root and not self._names:
            return self
        return type(self)(_paths.text_of(self._root, self._names[:-1]))

    @property
    @per_arguments
    def parents(self) -> Any:
        return _Parents(self) if isinstance(self, Path) else _PureParents(self)

    def is_absolute(self) -> bool:
        return self._root != ""

    def is_reserved(self) -> bool:
        return False

    @per_arguments
    def is_relative_to(self, *other: Any) -> bool:
        try:
            _rest(self, other)
        except ValueError:
            return False
        return True

    def match(self, path_pattern: str) -> bool:
        return _paths.matches(self._root, self._names, path_pattern)

    # -- other paths ------------------------------------------------------------------------------

    @per_arguments
    def __truediv__(self, key: Any) -> Any:
        if isinstance(key, str) or isinstance(key, os.PathLike):  # noqa: SIM101
            return type(self)(self._text, key)
        return NotImplemented

    @per_arguments
    def __rtruediv__(self, key: Any) -> Any:
        if isinstance(key, str) or isinstance(key, os.PathLike):  # noqa: SIM101
            return type(self)(key, self._text)
        return NotImplemented

    @per_arguments
    def joinpath(self, *args: Any) -> Any:
        return type(self)(_joined(self._text, args))

    @per_arguments
    def with_name(self, name: str) -> Any:
        if not self._names:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return type(self)(_paths.text_of(self._root, [*self._names[:-1], name]))

    @per_arguments
    def with_stem(self, stem: str) -> Any:
        return self.with_name(stem + self.suffix)

    @per_arguments
    def with_suffix(self, suffix: str) -> Any:
        if "/" in suffix or (suffix and not suffix.startswith(".")) or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        if not self._names:
            raise ValueError(f"{self!r} has an empty name")
        return type(self)(_paths.text_of(self._root, [*self._names[:-1], self.stem + suffix]))

    @per_arguments
    def relative_to(self, *other: Any) -> Any:
        return type(self)(_paths.text_of("", _rest(self, other)))


class PurePosixPath(PurePath):
    """What ``PurePath()`` makes."""

    __slots__ = ()


def _order(a: PurePath, b: PurePath) -> int:
    if _ORDERED_BY_TEXT:
        return _paths.order(a._text.split("/"), b._text.split("/"))
    return _paths.order(_paths.parts_of(a._root, a._names), _paths.parts_of(b._root, b._names))


@per_arguments
def _rest(path: PurePath, other: Any) -> list[str]:
    """The names of a path behind those of another.  Raises ValueError, TypeError."""
    if not other:
        raise TypeError("need at least one argument")
    start = PurePosixPath(*other)
    count = len(start._names)
    if start._root != path._root or start._names != path._names[:count]:
        shown = _SHOWN_HERE if start._text == "." else start._text
        raise ValueError(f"{path._text!r} is not in the subpath of {shown!r}{_OR_ROOT}")
    return path._names[count:]


def _parents_class() -> Any:
    """What is above paths of one class."""

    class _PathParents:
        """The directories above a path, the nearest first."""

        def __init__(self, path: Any) -> None:
            self._path = path

        def __len__(self) -> int:
            return len(self._path._names)

        def __getitem__(self, idx: int) -> Any:
            count = len(self)
            if not -count <= idx < count:
                raise IndexError(idx)
            if idx < 0:
                idx += count
            path = self._path
            return type(path)(_paths.text_of(path._root, path._names[: -idx - 1]))

        def __iter__(self) -> Iterator[Any]:
            for i in range(len(self)):
                yield self[i]

        def __repr__(self) -> str:
            return f"<{type(self._path).__name__}.parents>"

    _PathParents.__module__ = "pathlib"
    _PathParents.__qualname__ = "_PathParents"
    return _PathParents


_PureParents, _Parents = _parents_class(), _parents_class()


class Path(PurePosixPath):
    """A path of a file that there may be."""

    __slots__ = ()

    @classmethod
    def cwd(cls) -> PosixPath:
        return PosixPath(os.getcwd())

    @classmethod
    def home(cls) -> PosixPath:
        return PosixPath(os.path.expanduser("~"))

    def expanduser(self) -> PosixPath:
        if self._root or not self._names or not self._names[0].startswith("~"):
            return PosixPath(self._text)
        return PosixPath(os.path.expanduser(self._text))

    def absolute(self) -> PosixPath:
        if self._root:
            return PosixPath(self._text)
        return PosixPath(os.getcwd(), self._text)

    def resolve(self, strict: bool = False) -> PosixPath:
        try:
            text = os.path.realpath(self._text, strict=strict)
            if _LOOPS_RAISE and not strict:
                _paths.raise_loop(text)
        except OSError as error:
            if error.errno == errno.ELOOP and _LOOPS_RAISE:
                raise RuntimeError(f"Symlink loop from {error.filename!r}") from None
            raise
        return PosixPath(text)

    def readlink(self) -> PosixPath:
        return PosixPath(os.readlink(self._text))

    # -- what there is ----------------------------------------------------------------------------

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(self._text, follow_symlinks=follow_symlinks)

    def lstat(self) -> os.stat_result:
        return os.lstat(self._text)

    def exists(self) -> bool:
        return _paths.mode_of(self._text) != 0

    def is_dir(self) -> bool:
        return _paths.is_directory(self._text)

    def is_file(self) -> bool:
        return _paths.is_kind(self._text, stat.S_IFREG)

    def is_symlink(self) -> bool:
        return _paths.is_kind(self._text, stat.S_IFLNK, False)

    def is_fifo(self) -> bool:
        return _paths.is_kind(self._text, stat.S_IFIFO)

    def is_socket(self) -> bool:
        return _paths.is_kind(self._text, stat.S_IFSOCK)

    def is_block_device(self) -> bool:
        return _paths.is_kind(self._text, stat.S_IFBLK)

    def is_char_device(self) -> bool:
        return _paths.is_kind(self._text, stat.S_IFCHR)

    def is_mount(self) -> bool:
        return os.path.ismount(self._text)

    @per_arguments
    def samefile(self, other_path: Any) -> bool:
        return os.path.samefile(self._text, _text_of(other_path))

    def iterdir(self) -> Iterator[PosixPath]:
        for name in os.listdir(self._text):
            yield PosixPath(self._text, name)

    def glob(self, pattern: str) -> Iterator[PosixPath]:
        for text in _paths.glob(self._text, pattern, False):
            yield PosixPath(text)

    def rglob(self, pattern: str) -> Iterator[PosixPath]:
        for text in _paths.glob(self._text, pattern, True):
            yield PosixPath(text)

    # -- what is in it ----------------------------------------------------------------------------

    @per_values
    def open(
        self, mode: Any = "r", buffering: int = -1, encoding: Any = None, errors: Any = None,
        newline: Any = None,
    ) -> Any:  # fmt: skip
        return open(self._text, mode, buffering, encoding, errors, newline)

    def read_bytes(self) -> bytes:
        with open(self._text, "rb") as file:
            return file.read()

    @per_values
    def read_text(self, encoding: Any = None, errors: Any = None) -> str:
        with open(self._text, encoding=encoding, errors=errors) as file:
            return file.read()

    def write_bytes(self, data: bytes) -> int:
        with open(self._text, "wb") as file:
            return file.write(data)

    @per_values
    def write_text(
        self, data: Any, encoding: Any = None, errors: Any = None, newline: Any = None
    ) -> int:
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with open(self._text, "w", encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    # -- changes ----------------------------------------------------------------------------------

    def touch(self, mode: int = 0o666, exist_ok: bool = True) -> None:
        if exist_ok:
            try:
                os.utime(self._text)
            except OSError:
                pass
            else:
                return
        flags = os.O_CREAT | os.O_WRONLY
        os.close(os.open(self._text, flags if exist_ok else flags | os.O_EXCL, mode))

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        try:
            os.mkdir(self._text, mode)
        except FileNotFoundError:
            if not parents or not self._names:
                raise
            self.parent.mkdir(parents=True, exist_ok=True)
            self.mkdir(mode, exist_ok=exist_ok)
        except OSError:
            if not exist_ok or not self.is_dir():
                raise

    def chmod(self, mode: int) -> None:
        os.chmod(self._text, mode)

    def unlink(self, missing_ok: bool = False) -> None:
        try:
            os.unlink(self._text)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def rmdir(self) -> None:
        os.rmdir(self._text)

    @per_arguments
    def rename(self, target: Any) -> PosixPath:
        os.rename(self._text, _text_of(target))
        return PosixPath(target)

    @per_arguments
    def replace(self, target: Any) -> PosixPath:
        os.replace(self._text, _text_of(target))
        return PosixPath(target)

    @per_arguments
    def symlink_to(self, target: Any, target_is_directory: bool = False) -> None:
        os.symlink(_text_of(target), self._text)

    @per_arguments
    def hardlink_to(self, target: Any) -> None:
        os.link(_text_of(target), self._text)


class PosixPath(Path):
    """What ``Path()`` makes."""

    __slots__ = ()


@per_arguments
def _make_pure_path(*args: Any) -> PurePosixPath:
    return PurePosixPath(*args)


@per_arguments
def _make_path(*args: Any) -> PosixPath:
    return PosixPath(*args)


PurePath._rpython_maker_ = _make_pure_path  # type: ignore[attr-defined]
Path._rpython_maker_ = _make_path  # type: ignore[attr-defined]
replace_each({
    host.PurePath: PurePath, host.PurePosixPath: PurePosixPath, host.Path: Path,
    host.PosixPath: PosixPath,
})  # fmt: skip


@converts(host.PurePosixPath)
def _pure_path_for(x: Any) -> PurePosixPath:
    return PurePosixPath(str(x))


@converts(host.PosixPath)
def _path_for(x: Any) -> PosixPath:
    return PosixPath(str(x))
