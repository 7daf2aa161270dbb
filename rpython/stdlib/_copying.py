"""What ``shutil`` copies and moves."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable
from typing import Any

from rpython.stdlib._registry import per_arguments
from rpython.stdlib._removing import remove_tree

_ROOM = 64 * 1024


def _same_file(a: str, b: str) -> bool:
    return os.path.exists(a) and os.path.exists(b) and os.path.samefile(a, b)


def copy_contents(source: str, target: str, follow_symlinks: bool) -> None:
    if _same_file(source, target):
        raise shutil.SameFileError(f"{source!r} and {target!r} are the same file")
    if not follow_symlinks and os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    for path in (source, target):
        if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
            raise shutil.SpecialFileError(f"`{path}` is a named pipe")
    with open(source, "rb") as reader:
        try:
            with open(target, "wb") as writer:
                while True:
                    piece = reader.read(_ROOM)
                    if not piece:
                        break
                    writer.write(piece)
        except IsADirectoryError as error:
            if os.path.exists(target):
                raise
            raise FileNotFoundError(
                errno.ENOENT, f"Directory does not exist: {target}"
            ) from error


def _copy_mode(source: str, target: str) -> None:
    os.chmod(target, stat.S_IMODE(os.stat(source).st_mode))


def _copy_facts(source: str, target: str) -> None:
    """The times, too."""
    facts = os.stat(source)
    os.utime(target, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    os.chmod(target, stat.S_IMODE(facts.st_mode))


@per_arguments
def copyfile(src: Any, dst: Any, *, follow_symlinks: bool = True) -> Any:
    copy_contents(os.fspath(src), os.fspath(dst), follow_symlinks)
    return dst


@per_arguments
def copymode(src: Any, dst: Any) -> None:
    _copy_mode(os.fspath(src), os.fspath(dst))


@per_arguments
def copystat(src: Any, dst: Any) -> None:
    _copy_facts(os.fspath(src), os.fspath(dst))


def _into(source: str, target: str) -> str:
    """Where it goes: a file in the target, if that is a directory."""
    return os.path.join(target, os.path.basename(source)) if os.path.isdir(target) else target


@per_arguments
def copy(src: Any, dst: Any) -> str:
    source = os.fspath(src)
    target = _into(source, os.fspath(dst))
    copy_contents(source, target, True)
    _copy_mode(source, target)
    return target


@per_arguments
def copy2(src: Any, dst: Any) -> str:
    source = os.fspath(src)
    target = _into(source, os.fspath(dst))
    _copy_file_and_facts(source, target)
    return target


def _copy_file_and_facts(source: str, target: str) -> None:
    copy_contents(source, target, True)
    _copy_facts(source, target)


def _copy_file_and_mode(source: str, target: str) -> None:
    copy_contents(source, target, True)
    _copy_mode(source, target)


@per_arguments
def copytree(
    src: Any, dst: Any, symlinks: bool = False, ignore: Any = None, copy_function: Any = None,
    ignore_dangling_symlinks: bool = False, dirs_exist_ok: bool = False,
) -> Any:  # fmt: skip
    errors: list[tuple[str, str, str]] = []
    source, target = os.fspath(src), os.fspath(dst)
    how = _Tree(symlinks, ignore_dangling_symlinks, dirs_exist_ok)
    _copy_tree(source, target, how, ignore, _copier(copy_function), errors)
    if errors:
        raise shutil.Error(errors)
    return dst


@per_arguments
def _copier(function: Any) -> Callable[[str, str], object]:
    if function is None:
        return _copy_file_and_facts
    else:
        return lambda source, target: function(source, target)


class _Tree:
    def __init__(self, symlinks: bool, ignore_dangling: bool, exist_ok: bool) -> None:
        self.symlinks, self.ignore_dangling, self.exist_ok = symlinks, ignore_dangling, exist_ok


@per_arguments
def _copy_tree(
    source: str, target: str, how: _Tree, ignore: Any, copy: Callable[[str, str], object],
    errors: list[tuple[str, str, str]],
) -> None:  # fmt: skip
    names = os.listdir(source)
    ignored = _ignored(ignore, source, names)
    os.makedirs(target, exist_ok=how.exist_ok)
    for name in names:
        if name in ignored:
            continue
        path, new = os.path.join(source, name), os.path.join(target, name)
        try:
            if os.path.islink(path) and how.symlinks:
                os.symlink(os.readlink(path), new)
            elif os.path.islink(path) and not os.path.exists(path) and how.ignore_dangling:
                continue
            elif os.path.isdir(path):
                _copy_tree(path, new, how, ignore, copy, errors)
            else:
                copy(path, new)
        except OSError as error:
            errors.append((path, new, str(error)))
    try:
        _copy_facts(source, target)
    except OSError as error:
        errors.append((source, target, str(error)))


@per_arguments
def _ignored(ignore: Any, directory: str, names: list[str]) -> set[str]:
    if ignore is None:
        return set()
    return set(ignore(directory, names))


@per_arguments
def move(src: Any, dst: Any) -> str:
    return _moved(os.fspath(src), os.fspath(dst))


def _moved(source: str, target: str) -> str:
    real = target
    if os.path.isdir(target):
        if _same_file(source, target):
            os.rename(source, target)
            return target
        real = os.path.join(target, os.path.basename(source.rstrip("/")))
        if os.path.exists(real):
            raise shutil.Error(f"Destination path '{real}' already exists")
    try:
        os.rename(source, real)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_by_copy(source, real)
    return real


def _move_by_copy(source: str, target: str) -> None:
    """To another file system."""
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        os.unlink(source)
    elif os.path.isdir(source):
        errors: list[tuple[str, str, str]] = []
        _copy_tree(source, target, _Tree(True, False, False), None, _copy_file_and_facts, errors)
        if errors:
            raise shutil.Error(errors)
        remove_tree(source, False, False)
    else:
        _copy_file_and_facts(source, target)
        os.unlink(source)
