"""Trees of directories that are removed (``shutil``, ``tempfile``)."""

from __future__ import annotations

import errno
import os


def remove_tree(path: str, ignore_errors: bool, force: bool) -> None:
    """Remove a directory with all that is in it.

    Args:
        ignore_errors: go on behind an error.
        force: let the owner write first, where permissions are missing.
    Raises OSError.
    """
    for name in _names(path, ignore_errors, force):
        inner = os.path.join(path, name)
        if os.path.isdir(inner) and not os.path.islink(inner):
            remove_tree(inner, ignore_errors, force)
        else:
            _remove(inner, False, ignore_errors, force)
    _remove(path, True, ignore_errors, force)


def _names(path: str, ignore_errors: bool, force: bool) -> list[str]:
    try:
        try:
            return os.listdir(path)
        except PermissionError:
            if not force:
                raise
            os.chmod(path, 0o700)
            return os.listdir(path)
    except OSError as error:
        if ignore_errors or (force and error.errno == errno.ENOENT):
            return []
        raise


def _remove(path: str, is_directory: bool, ignore_errors: bool, force: bool) -> None:
    remove = os.rmdir if is_directory else os.unlink
    try:
        try:
            remove(path)
        except PermissionError:
            if not force:
                raise
            os.chmod(os.path.dirname(path), 0o700)
            remove(path)
    except OSError as error:
        if not (ignore_errors or (force and error.errno == errno.ENOENT)):
            raise
