"""What a program's imports see while it is imported and translated.

                sys.path       sys.modules["ast"]
    within      /prog first    /prog/ast.py, not what the toolchain has loaded
    afterwards  as it was      the standard library's again, for the toolchain

CPython looks into the folder of a program first, so a file ``ast.py`` there is what ``import ast``
means.  Here the toolchain has loaded an ``ast`` long ago, and goes on importing modules when the
program has been loaded: neither is to get the other's.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import (
    SOURCE_SUFFIXES,
    BuiltinImporter,
    FileFinder,
    FrozenImporter,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

from rpython.absent import absent_text
from rpython.translator.ir.home import home_of_module

_STARTUP = frozenset(["__main__", "encodings", "rpython"])
"""Modules that nobody's folder replaces: CPython has loaded them before it looks there, or they are
what the program is translated with."""


def is_replaceable(name: str) -> bool:
    """Can a file beside the program be the top-level module ``name``, as under CPython?"""
    return (
        name not in _STARTUP
        and BuiltinImporter.find_spec(name) is None
        and FrozenImporter.find_spec(name) is None
    )


class ProgramImports:
    """A context, entered as often as necessary, in which imports are those of a program in
    ``folder``.  What of ``rpython`` the program imports in vain, and does without, is told on
    standard error: it has perhaps chosen a slower way of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder.resolve())
        self._missing: dict[str, bool] = {}  # the name -> has it been told?
        self._program: dict[str, ModuleType] = {}
        self._toolchain: dict[str, ModuleType] = {}
        self._path = [self.folder, *sys.path]
        self._searched: list[str] = []  # sys.path when the replaced modules were looked for
        self._toolchain_path: list[str] = []
        self._known: set[str] = set()  # what the program has asked for
        self._import: Any = None
        self._sources = _Sources(self.folder)

    def __enter__(self) -> ProgramImports:
        self._toolchain_path = sys.path[:]
        sys.path[:] = self._path
        sys.meta_path.insert(0, self._sources)
        self._put_aside()
        self._toolchain["__main__"] = sys.modules["__main__"]
        sys.modules.update(self._program)
        self._import = builtins.__import__
        builtins.__import__ = self._checked_import
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        builtins.__import__ = self._import
        sys.meta_path.remove(self._sources)
        self._path = sys.path[:]  # the program may have added to it
        sys.path[:] = self._toolchain_path
        self._program = _take([name for name in _top_level(sys.modules) if self._is_apart(name)])
        sys.modules.update(self._toolchain)
        self._toolchain = {}
        if error is None:
            self._tell_missing()

    def _tell_missing(self) -> None:
        for name, told in self._missing.items():
            if not told:
                self._missing[name] = True
                print(f"rpython: the program goes on without {absent_text(name)}", file=sys.stderr)

    def _put_aside(self) -> None:
        """Hide what the toolchain has loaded where ``sys.path`` has another module of that name,
        which the program has not asked for before."""
        self._searched = sys.path[:]
        names = [name for name in _top_level(sys.modules) if self._replaces(name)]
        self._toolchain.update(_take(names))

    def _replaces(self, name: str) -> bool:
        """Is the module that the toolchain has loaded another one than the program's?"""
        if not is_replaceable(name) or (name in self._known and name not in self._program):
            return False
        found = PathFinder.find_spec(name)
        if found is None or found.origin in (None, _file(sys.modules[name])):
            return False
        added = [place for place in sys.path if place not in self._toolchain_path]
        return str(found.origin).startswith(tuple(f"{place}{os.sep}" for place in added))

    def _is_apart(self, name: str) -> bool:
        """Would the toolchain find another module of this name?"""
        if name in self._toolchain:
            return True
        if not is_replaceable(name):
            return False
        found = PathFinder.find_spec(name)
        return found is not None and found.origin not in (None, _file(sys.modules[name]))

    def _checked_import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """``__import__``, which follows changes of ``sys.path`` and notes what ``rpython`` does not
        have."""
        if sys.path != self._searched:
            self._put_aside()
        self._known.add(name.partition(".")[0])
        try:
            module: ModuleType = self._import(name, globals, locals, fromlist, level)
        except ModuleNotFoundError as error:
            if not home_of_module(str(error.name)).is_ours:
                raise
            raise self._missed(str(error.name)) from None
        if level == 0 and home_of_module(name).is_ours:
            for wanted in fromlist or ():
                inside = f"{name}.{wanted}"
                if wanted != "*" and not hasattr(module, wanted) and inside not in sys.modules:
                    raise self._missed(inside)
        return module

    def _missed(self, name: str) -> ImportError:
        self._missing.setdefault(name, False)
        return ModuleNotFoundError(f"there is no {absent_text(name)}", name=name)


class FromSource(SourceFileLoader):
    """Compiles a module of the program each time.  CPython takes what it compiled before for a file
    that has the same size and was written in the same second: after a quick change an old one."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _Sources(MetaPathFinder):
    """Finds the source of a module in a folder, or below it, that has been built as an extension
    module, too: it is to be translated again."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._finders: dict[str, FileFinder] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The same as Python would, but for extension modules."""
        for place in sys.path if path is None else path:
            if place == self.folder or place.startswith(self.folder + os.sep):
                if place not in self._finders:  # it knows what is in the folder
                    loader = (FromSource, SOURCE_SUFFIXES)
                    self._finders[place] = FileFinder(place, loader)
                found = self._finders[place].find_spec(fullname)
                if found is not None and found.loader is not None:
                    return found
        return None


def program_imports(target: Path) -> ProgramImports:
    """The imports of the program whose main module is that file."""
    return ProgramImports(target.resolve().parent)


def module_imports(target: Path) -> ProgramImports:
    """Those of a module that is to be imported, perhaps from a package."""
    return ProgramImports(module_place(target)[0])


def module_place(path: Path) -> tuple[Path, str]:
    """The folder that has to be on ``sys.path`` for a module to be imported, and its whole name;
    the folders of packages have an ``__init__.py``."""
    folder, names = path.resolve().parent, [path.stem]
    while (folder / "__init__.py").exists():
        names.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(names)


def _top_level(names: Mapping[str, ModuleType]) -> list[str]:
    return [name for name in names if "." not in name]


def _file(module: ModuleType) -> str | None:
    return getattr(module, "__file__", None)


def _take(names: Collection[str]) -> dict[str, ModuleType]:
    """These modules and those in them, out of ``sys.modules``."""
    taken = [name for name in sys.modules if name.partition(".")[0] in names]
    return {name: sys.modules.pop(name) for name in taken}
