"""Target modules: loading one and finding its entry point."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from translator.imports import is_replaceable
from translator.ir.errors import TranslationError
from translator.ir.tracebacks import program_traceback


class TargetDriver:
    """What RPython hands to ``target(driver, args)``; ``exe_name`` may be assigned, and may
    contain ``%(backend)s``."""

    def __init__(self, exe_name: str) -> None:
        self.exe_name = exe_name


@dataclass(frozen=True)
class Target:
    """The entry point of a program, and what its executable is called."""

    entry: FunctionType
    exe_name: str


def load_module(path: Path) -> ModuleType:
    """Import a file as a module named after it, its folder first on the path.  Raises
    TranslationError when there is no such file; errors of the module pass through."""
    if not path.is_file():
        raise TranslationError(f"there is no file {path}")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise TranslationError(f"{path} is not a Python source file")
    module = importlib.util.module_from_spec(spec)
    if is_replaceable(path.stem):
        sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def import_target(path: Path) -> ModuleType:
    """The same for the command line: what the module raises becomes a TranslationError that shows
    its own part of the traceback."""
    try:
        return load_module(path)
    except TranslationError:
        raise
    except (Exception, SystemExit) as error:  # whatever a module may do
        hint = ""
        if isinstance(error, SystemExit):
            hint = "put what the file does as a program below: if __name__ == '__main__':"
        raise TranslationError(
            f"{path} cannot be imported\n{program_traceback(error)}", hint=hint
        ) from None


def target_of(module: ModuleType, args: Sequence[str] = ()) -> Target:
    """What a target module says: its function ``entry_point(argv) -> int``, or what RPython's
    ``target(driver, args)`` returns.  Raises TranslationError."""
    entry: Any = getattr(module, "entry_point", None)
    target = getattr(module, "target", None)
    driver = TargetDriver(f"{module.__name__}-%(backend)s")
    if isinstance(target, FunctionType):
        entry = target(driver, list(args)) if target.__code__.co_argcount else target()
        if isinstance(entry, tuple):
            entry = entry[0]
    if not isinstance(entry, FunctionType):
        raise TranslationError(
            f"{module.__file__} defines no entry point",
            hint="define entry_point(argv) -> int, or target(driver, args) returning it",
        )
    return Target(entry, driver.exe_name.replace("%(backend)s", "c"))


def entry_point_of(module: ModuleType, args: Sequence[str] = ()) -> FunctionType:
    """The entry point of a target module.  Raises TranslationError."""
    return target_of(module, args).entry


def function_of(module: ModuleType, name: str) -> FunctionType | None:
    """A function or method of the module by its qualified name, None when there is none."""
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, FunctionType) else None
