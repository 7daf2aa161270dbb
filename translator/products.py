"""What ``rpython build`` can make of a target module."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from rpython.backend_c.build import (
    BuildResult,
    build_executable,
    build_library,
    generate_executable,
    generate_shared,
    replacing,
)
from rpython.backend_c.library import Library, library_name
from rpython.backend_c.modulebuild import build_module
from rpython.backend_c.modules import Sources
from rpython.backend_c.options import BuildOptions
from rpython.backend_c.outputs import require_replaceable
from rpython.lltypesystem.program import Program
from rpython.translator.driver import Translation
from rpython.translator.executable import executable_translation
from rpython.translator.extension.exports import module_path
from rpython.translator.extension.program import extension_translation
from rpython.translator.extension.stubs import stub
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.records import dataclass
from rpython.translator.library import LibraryTranslation
from rpython.translator.options import Options
from rpython.translator.target import target_of


@dataclass(frozen=True)
class Product:
    """``translation``: to be run up to its program, with which ``build`` makes the file.
    ``generate``: what makes its C files, which ``build`` takes, too; None: ``build`` alone can."""

    translation: Translation
    build: Callable[[Program, BuildOptions, Sources | None], BuildResult]
    generate: Callable[[Program, BuildOptions], Sources] | None = None


def output_path(path: Path) -> Path:
    """``path``; raises TranslationError when that is somebody's source, or no file."""
    require_replaceable(path)
    if path.suffix == ".py" and path.exists():
        raise TranslationError(
            f"the output {path} is a Python file that exists", hint="give it another name: -o OUT"
        )
    return path


def executable(
    module: ModuleType, out: Path | None, options: Options, args: Sequence[str] = ()
) -> Product:
    """The executable ``out``; None: the name that the target gives.  ``args``: what the target is
    given."""
    target = target_of(module, args, options)
    for note in target.notes:
        print(f"rpython: {note}", file=sys.stderr)
    path = output_path(out or Path(target.exe_name))
    return Product(
        executable_translation(target.entry, target.options),
        lambda program, how, sources: build_executable(program, path, how, sources),
        generate_executable,
    )


def shared_library(module: ModuleType, out: Path | None, options: Options) -> Product:
    """A library of the functions that are decorated with ``@rpython.entrypoint``; ``out``
    None: ``libNAME.so``."""
    path = output_path(out or Path(f"lib{module.__name__}.so"))
    made = LibraryTranslation(module, options)
    return Product(
        made.translation,
        lambda program, how, sources: build_library(
            Library(library_name(path), program, made.functions()), path, how, sources
        ),
        generate_shared,
    )


def extension_module(
    module: ModuleType, out: Path | None, options: Options, with_stub: bool = False
) -> Product:
    """The extension module ``out``, or one in that directory; None: beside the source.
    ``with_stub``: and a type stub beside it."""
    source = Path(str(module.__file__))
    path = module_path(source, out)
    require_replaceable(path)
    translation = extension_translation(module, options)

    def build(program: Program, how: BuildOptions, sources: Sources | None) -> BuildResult:
        beside = {f"{source.stem}.pyi": stub(translation, module)} if with_stub else {}
        with replacing(path.parent, beside):
            return build_module(program, translation.extension(), path, how)

    return Product(translation, build)
