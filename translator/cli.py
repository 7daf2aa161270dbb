"""The command ``rpython``.

    rpython build TARGET.py [-o OUT]          a native executable
    rpython build --shared TARGET.py          a library for C, with its header
    rpython build --module TARGET.py          a module for Python
    rpython run TARGET.py [ARGS...]           build if anything changed, then run
    rpython show TARGET.py FUNCTION --stage S the graph of one function as text
    rpython check TARGET.py                   infer types only
    rpython port FILE.py...                   make Python 2's RPython Python 3's
    rpython TARGET.py                         build, as RPython users type it
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

from tqdm import tqdm

from backend_c.build import BuildResult
from backend_c.compiler import writing
from backend_c.outputs import require_replaceable
from lltypesystem.text import print_lowlevel
from translator.advice import warnings_about
from translator.answers import open_answers
from translator.buildflags import (
    add_build_options,
    add_product_options,
    build_options,
    translation_options,
)
from translator.command import INTERRUPTED, INTERRUPTED_STATUS
from translator.driver import Translation
from translator.executable import executable_translation, target_translation
from translator.imports import ProgramImports, program_imports
from translator.interactive import STAGES, graph_of, show_graph
from translator.ir.errors import TranslationError
from translator.ir.model import FunctionGraph
from translator.ir.printer import print_graph
from translator.options import Options
from translator.port.command import port_files
from translator.port.command import write as write_ported
from translator.products import Product, executable, extension_module, shared_library
from translator.runcache import RunCache
from translator.spellings import our_arguments
from translator.target import entry_point_of, function_of, import_target

COMMANDS = ("build", "run", "show", "check", "port")


_COLLECT_AFTER = 50_000
"""New objects before Python's collector looks for cycles.  A translation makes graphs, which stay;
with the default of 700 it spends a tenth of its time looking at them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    gc.set_threshold(_COLLECT_AFTER)
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv and argv[0] not in (*COMMANDS, "-h", "--help"):
        argv.insert(0, "build")
    try:
        options = command_parser().parse_args([*argv[:1], *our_arguments(argv[1:])])
        status: int = options.command(options)
        _flush_output()
        return status
    except TranslationError as error:
        print(error.render(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        _leave_output()  # whoever read it has seen enough
        return 1
    except OSError as error:  # a disk that is full, a file that may not be written
        _leave_output()
        place = "" if error.filename is None else f"{error.filename}: "
        print(f"rpython: {place}{error.strerror or error}", file=sys.stderr)
        return 1


def _flush_output() -> None:
    if sys.stdout is not None:  # it is None where the caller has closed it
        sys.stdout.flush()


def _leave_output() -> None:
    """Write no more: what is left would be tried again, in vain, when Python ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command_parser() -> argparse.ArgumentParser:
    """What understands the command line; ``command`` of its result is what to call."""
    parser = argparse.ArgumentParser(
        prog="rpython", description="Translate restricted Python to native code."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    build = commands.add_parser("build", help="make a native executable or library")
    _add_target(build)
    build.add_argument(
        "-o", "--output", type=Path,
        help="what to make (default: driver.exe_name, or TARGET-c; libTARGET.so; a module:"
        " beside TARGET.py)",
    )  # fmt: skip
    add_build_options(build)
    add_product_options(build)
    build.set_defaults(command=build_command)

    run = commands.add_parser("run", help="build if anything changed, then run")
    _add_target(run)
    run.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the program")
    add_build_options(run)
    run.set_defaults(command=run_command)

    show = commands.add_parser("show", help="print the graph of one function")
    _add_target(show)
    show.add_argument("function", help="its name; methods as CLASS.METHOD")
    show.add_argument("--stage", choices=STAGES, default="lowlevel")
    show.set_defaults(command=show_command)

    check = commands.add_parser("check", help="infer types, translate nothing")
    _add_target(check)
    check.set_defaults(command=check_command)

    port = commands.add_parser("port", help="make RPython of Python 2 that of Python 3")
    port.add_argument(
        "files", nargs="+", type=Path, metavar="FILE.py", help="all files of one program"
    )
    port.add_argument("--diff", action="store_true", help="print what would change, write nothing")
    port.set_defaults(command=port_command)
    return parser


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", type=Path, metavar="TARGET.py")


# -- commands -----------------------------------------------------------------------------------


def build_command(options: argparse.Namespace) -> int:
    started = time.perf_counter()
    result = build_target(options, options.output, program_imports(options.target))
    seconds = time.perf_counter() - started
    print(f"{result.path}: built in {seconds:.1f} s")
    if options.verbose:
        print(f"  C files: {result.directory} ({result.compiled} of {result.units} compiled)")
    return 0


def run_command(options: argparse.Namespace) -> int:
    target: Path = options.target
    how = build_options(options, translation_options(options))
    cache = RunCache(target, (options.passes, repr(how)))
    if not cache.is_fresh():
        imports = program_imports(target)
        build_target(options, cache.executable, imports)
        with imports:
            cache.record()
    _flush_output()
    os.execv(cache.executable, [str(target), *options.args])


def build_target(
    options: argparse.Namespace, out: Path | None, imports: ProgramImports
) -> BuildResult:
    """Translate a target and make ``out`` of it; None: the name that it gives."""
    stages = tqdm(
        total=5, disable=not sys.stderr.isatty(), leave=False, bar_format="{desc:<12}{bar:30}",
        file=sys.stderr,
    )  # fmt: skip

    def begin(stage: str) -> None:
        stages.set_description_str(stage)
        stages.update()

    with stages:
        with imports:
            begin("import")
            seconds = {"import": -time.perf_counter()}
            module = import_target(options.target)
            product = _product(options)(module, out, translation_options(options))
            seconds["import"] += time.perf_counter()
            translation = product.translation
            begin("annotate")
            translation.annotate()
            begin("rtype")
            translation.rtype()
            _warn(translation)
            begin("optimise")
            program = translation.optimise(_dumper(options.dump))
        begin("compile")
        result = product.build(program, build_options(options, translation.options))
    seconds.update(translation.seconds)
    seconds.update(result.seconds)
    if options.verbose:
        graphs = len(translation.annotator.graphs)
        print(f"{options.target}: {graphs} functions", file=sys.stderr)
        for stage, took in seconds.items():
            print(f"  {stage:<10} {took * 1000:8.1f} ms", file=sys.stderr)
    return result


def _warn(translation: Translation) -> None:
    """Say what deserves a look, and which answers the program leaves open."""
    for warning in warnings_about(translation.annotator):
        tqdm.write(warning.render(), file=sys.stderr)
    for note in open_answers(translation.annotator, translation.options.gc):
        tqdm.write(f"rpython: {note}", file=sys.stderr)


def _product(options: argparse.Namespace) -> Callable[[ModuleType, Path | None, Options], Product]:
    """What makes what was asked for."""
    if options.module:
        return extension_module
    return shared_library if options.shared else executable


def _dumper(directory: Path | None) -> Callable[[str, Sequence[FunctionGraph]], None] | None:
    """Writes the graphs after each pass to a file per pass."""
    if directory is None:
        return None
    with writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
    counter = itertools.count(1)

    def dump(name: str, graphs: Sequence[FunctionGraph]) -> None:
        text = "\n".join(print_lowlevel(graph) for graph in graphs)
        path = directory / f"{next(counter):02}-{name}.txt"
        require_replaceable(path)
        with writing(path):
            path.write_text(text)

    return dump


def show_command(options: argparse.Namespace) -> int:
    with program_imports(options.target):
        module = import_target(options.target)
        function = function_of(module, options.function)
        if options.stage == "flow" and function is not None:
            text = print_graph(graph_of(function))
        else:
            translation = target_translation(module, function)
            text = show_graph(translation, options.function, options.stage)
    print(text, end="")
    return 0


def check_command(options: argparse.Namespace) -> int:
    with program_imports(options.target):
        entry = entry_point_of(import_target(options.target))
        translation = executable_translation(entry, Options())
        translation.annotate()
        _warn(translation)
    functions = sum(graph.checked for graph in translation.annotator.graphs)
    print(f"{options.target}: {functions} functions, no type errors")
    return 0


def port_command(options: argparse.Namespace) -> int:
    """Status 1 when a file stays as it was because it is no Python or was ported before."""
    files = port_files(options.files)
    for file in files:
        if options.diff:
            print(file.diff(), end="")
        elif file.after != file.before:
            write_ported(file)
        for decision in file.decisions:
            print(f"{file.path}:{decision.line}: {decision.text}")
        if file.error:
            print(file.error, file=sys.stderr)
    return int(any(file.error for file in files))


if __name__ == "__main__":
    sys.exit(main())
