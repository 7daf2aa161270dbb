"""Target modules: loading one and finding its entry point."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rpython.config.translationoption import (
    COLLECTORS,
    REFUSED,
    get_combined_translation_config,
)
from rpython.translator.imports import FromSource, is_replaceable, module_place
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.ir.tracebacks import program_traceback
from rpython.translator.mainblock import run_as_main
from rpython.translator.options import Options
from rpython.translator.target_hints import import_hint


class TargetDriver:
    """What RPython hands to ``target(driver, args)``; ``exe_name`` may be assigned, and may
    contain ``%(backend)s``; ``config.translation`` has RPython's options, to be read and set."""

    def __init__(self, exe_name: str, options: Options) -> None:
        self.exe_name = exe_name
        who = "default" if options.gc == Options().gc else "cmdline"
        self.config = get_combined_translation_config(translating=True)
        self.config.translation.setoption("gc", COLLECTORS[options.gc][0], who)

    def options(self, options: Options) -> Options:
        """The same options, but for what the target has set.  Raises TranslationError when it
        asks for something that is not here."""
        settings = self.config.translation
        for name, (value, instead) in REFUSED.items():
            if getattr(settings, name) != value:
                raise TranslationError(
                    f"the target sets translation.{name} to {getattr(settings, name)!r}",
                    hint=instead,
                )
        gc = next(ours for ours, names in COLLECTORS.items() if settings.gc in names)
        return replace(options, gc=gc)


@dataclass(frozen=True)
class Target:
    """The entry point of a program, what its executable is called, and how it is translated.
    ``notes``: what the target asks for in vain."""

    entry: FunctionType
    exe_name: str
    options: Options
    notes: tuple[str, ...]


def load_module(path: Path) -> ModuleType:
    """Import a file as a module named after it, its folder first on the path.  Raises
    TranslationError when there is no such file; errors of the module pass through."""
    if not path.is_file():
        raise TranslationError(f"there is no file {path}")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    loader = FromSource(path.stem, str(path.absolute())) if path.suffix == ".py" else None
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    if spec is None or spec.loader is None:
        raise TranslationError(f"{path} is not a Python source file")
    module = importlib.util.module_from_spec(spec)
    if is_replaceable(path.stem):
        sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def load_program(path: Path) -> ModuleType:
    """Import the file of a program: as ``__main__`` where that is where it says what to do, else
    as a module named after it.  Raises TranslationError when there is no such file; errors of the
    program pass through."""
    if path.is_file() and path.suffix == ".py":
        folder = str(path.resolve().parent)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        module = run_as_main(path)
        if module is not None:
            return module
    return load_module(path)


def load_from_package(path: Path) -> ModuleType:
    """Import a file under the name that it has in its package, after that; one that is in none as
    a module of its own.  Raises TranslationError when there is no such file."""
    if not path.is_file():
        raise TranslationError(f"there is no file {path}")
    folder, name = module_place(path)
    if name == path.stem:
        return load_module(path)
    if path.stem == "__init__":
        raise TranslationError(
            f"{path} cannot be an extension module",
            hint="put what is to be native in a module of the package, and import it here",
        )
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def import_target(path: Path, load: Callable[[Path], ModuleType] = load_program) -> ModuleType:
    """The same for the command line: what the module raises becomes a TranslationError that shows
    its own part of the traceback."""
    try:
        return load(path)
    except TranslationError:
        raise
    except (Exception, SystemExit) as error:  # whatever a module may do
        message = f"{path} cannot be imported\n{program_traceback(error)}"
        raise TranslationError(message, hint=import_hint(path, error)) from None


def target_of(
    module: ModuleType, args: Sequence[str] = (), options: Options | None = None
) -> Target:
    """What a target module says: its ``entry_point(argv) -> int``, or what RPython's
    ``target(driver, args)`` returns.  Raises TranslationError."""
    options = options or Options()
    entry: Any = getattr(module, "entry_point", None)
    target = getattr(module, "target", None)
    driver = TargetDriver(f"{Path(str(module.__file__)).stem}-%(backend)s", options)
    if isinstance(target, FunctionType):
        entry = _target_result(module, target, driver, args)
    elif args:
        raise _untaken(f"{module.__file__} has no target(driver, args) to take", args)
    if entry is None:
        raise TranslationError(
            f"{module.__file__} defines no entry point",
            hint="say what the program does below: if __name__ == '__main__': at the end of the "
            "file, in entry_point(argv) -> int, or let target(driver, args) return that",
        )
    settings = driver.config.translation
    notes = ("the target sets translation.jit, but there is no JIT",) if settings.jit else ()
    exe_name = settings.output or driver.exe_name.replace("%(backend)s", "c")
    if isinstance(target, FunctionType):
        boxing, errors = options.boxing or "refuse", options.errors or "refuse"
        options = replace(options, boxing=boxing, errors=errors)
    return Target(_entry_function(module, entry), exe_name, driver.options(options), notes)


def _untaken(what: str, args: Sequence[str]) -> TranslationError:
    return TranslationError(f"{what} {' '.join(args)}", hint="rpython build --help")


def _target_result(
    module: ModuleType, target: FunctionType, driver: TargetDriver, args: Sequence[str]
) -> Any:
    """The entry point that ``target(driver, args)`` returns, which may take less, or the
    configuration, too."""
    signature = inspect.signature(target)
    everything = (driver, list(args), driver.config)
    given = next((everything[:n] for n in (2, 3, 1, 0) if _takes(signature, everything[:n])), None)
    if given is None:
        raise TranslationError(
            f"target{signature} of {module.__file__} cannot be called",
            hint="the toolchain calls target(driver, args)",
        )
    if len(given) < 2 and args:
        raise _untaken(f"target{signature} of {module.__file__} does not take", args)
    try:
        result = target(*given)
    except TranslationError:
        raise
    except (Exception, SystemExit) as error:  # whatever a module may do
        raise TranslationError(
            f"target() of {module.__file__} fails\n{program_traceback(error)}"
        ) from None
    if not isinstance(result, tuple):
        return result
    if len(result) > 1 and result[1] is not None:
        raise TranslationError(
            f"target() of {module.__file__} gives argument types, {result[1]!r}",
            hint="return entry_point, None for an executable; the functions of a library are"
            " decorated with @rpython.entrypoint: rpython build --shared",
        )
    return result[0] if result else None


def _takes(signature: inspect.Signature, given: tuple[Any, ...]) -> bool:
    try:
        signature.bind(*given)
    except TypeError:
        return False
    return True


def _entry_function(module: ModuleType, entry: Any) -> FunctionType:
    """The entry point as a function: a bound method, a partial or an object that can be called is
    called by one that belongs to the module.  Raises TranslationError."""
    if isinstance(entry, FunctionType):
        code = entry.__code__
        stars = (code.co_flags & flag for flag in (inspect.CO_VARARGS, inspect.CO_VARKEYWORDS))
        count = code.co_argcount + code.co_kwonlyargcount + sum(map(bool, stars))
        if count != 1:
            raise TranslationError(
                f"the entry point {entry.__name__}() has {count} parameters, but a program gets "
                "one argument, the list of words of its command line",
                Span(code.co_filename, code.co_firstlineno, function=entry.__name__),
                hint=f"write: def {entry.__name__}(argv):",
            )
        return entry
    if isinstance(entry, type) or not callable(entry):
        what = f"the class {entry.__name__}" if isinstance(entry, type) else repr(entry)
        raise TranslationError(
            f"the entry point of {module.__file__} is {what}",
            hint="it has to be a function entry_point(argv) -> int",
        )

    def entry_point(argv: list[str]) -> Any:
        return entry(argv)

    code, closure = entry_point.__code__, entry_point.__closure__
    function = FunctionType(code, vars(module), "entry_point", None, closure)
    function.__module__ = module.__name__
    return function


def entry_point_of(module: ModuleType, args: Sequence[str] = ()) -> FunctionType:
    """The entry point of a target module.  Raises TranslationError."""
    return target_of(module, args).entry


def function_of(module: ModuleType, name: str) -> FunctionType | None:
    """A function or method of the module by its qualified name, None when there is none."""
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, FunctionType) else None
