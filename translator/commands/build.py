"""``rpython build TARGET.py``: make a native executable, a library or a module."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType

from rpython.backend_c.build import BuildResult
from rpython.backend_c.compiler import writing
from rpython.backend_c.linedirectives import NumberedPlaces
from rpython.backend_c.outputs import require_replaceable
from rpython.backend_c.profile import shell_line
from rpython.lltypesystem.text import print_lowlevel
from rpython.translator.commandline.buildflags import (
    add_build_options,
    add_product_options,
    build_options,
    translation_options,
)
from rpython.translator.commandline.parser import CommandParser
from rpython.translator.commandline.progress import Progress
from rpython.translator.commandline.runcache import RunCache
from rpython.translator.commands.targetwords import add_target, parse_with_target
from rpython.translator.driver import Translation
from rpython.translator.imports import ProgramImports, module_imports, program_imports
from rpython.translator.ir.errors import TranslationError
from rpython.translator.ir.home import home_of_file
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.keptsources import KeptSources
from rpython.translator.opt.callgraph import call_graph
from rpython.translator.opt.fuel import Fuel, find_wrong_rewrite
from rpython.translator.opt.observing import NOBODY, Observer, Observers
from rpython.translator.options import Options
from rpython.translator.products import Product, executable, extension_module, shared_library
from rpython.translator.target import import_target, load_from_package, load_module, load_program
from rpython.translator.view.checks import CheckReport
from rpython.translator.warnings.advice import advice, unmet_requests

EXAMPLES = (
    ("rpython build prog.py", "an executable, prog-c"),
    ("rpython build -O3 --lto prog.py -o prog", "an executable, prog, for which C takes its time"),
    ("rpython build --shared words.py", "libwords.so for C, and words.h"),
    ("rpython build --module fast.py", "what `import fast` finds from then on"),
    ("rpython build prog.py --level 3", "the program that target(driver, ['--level', '3']) gives"),
)
STATUSES: dict[str, str] = {}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    add_target(parser)
    parser.add_argument(
        "-o", "--output", type=Path,
        help="what to make (default: driver.exe_name, or TARGET-c; libTARGET.so; a module:"
        " beside TARGET.py)",
    )  # fmt: skip
    add_build_options(parser)
    add_product_options(parser)


def parse(parser: CommandParser, words: list[str]) -> argparse.Namespace:
    """What the words say."""
    options = parse_with_target(parser, words)
    if options.stub and not options.module:
        parser.error("--stub goes with --module")
    if options.arguments and (options.shared or options.module):
        parser.refuse(options.arguments)
    return options


def run(options: argparse.Namespace) -> int:
    """Build, and say what was made.  Raises TranslationError and OSError."""
    if options.bisect_passes is not None:
        return _bisect(options)
    if options.output is not None and not options.output.parent.is_dir():
        raise TranslationError(f"there is no folder {options.output.parent}", hint="make it first")
    started = time.perf_counter()
    result = build_target(options, options.output, _imports(options))
    seconds = time.perf_counter() - started
    print(f"{result.path}: built in {seconds:.1f} s")
    if options.verbose:
        print(f"  C files: {result.directory} ({result.compiled} of {result.units} compiled)")
    return 0


def _bisect(options: argparse.Namespace) -> int:
    """Say which rewrite breaks the program."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) if options.module else Path(folder, "program")

        def works(fuel: Fuel) -> bool:
            result = build_target(options, out, _imports(options), fuel)
            line = shell_line(options.bisect_passes, result.path)
            good = subprocess.run(line, shell=True, capture_output=True).returncode == 0
            print(f"{'succeeds' if good else 'fails'} with {fuel.used} rewrites", flush=True)
            return good

        print(find_wrong_rewrite(works))
    return 0


def build_target(
    options: argparse.Namespace, out: Path | None, imports: ProgramImports,
    fuel: Fuel | None = None, places: NumberedPlaces | None = None,
) -> BuildResult:  # fmt: skip
    """Translate a target and make ``out`` of it; None: the name that it gives.  ``fuel``: how many
    rewrites passes may do; ``places``: where to keep what a program to be sampled consists of."""
    with Progress(5) as progress:
        with imports:
            progress.begin("import")
            seconds = {"import": -time.perf_counter()}
            module = import_target(options.target, _loader(options))
            product = _product(options)(module, out, translation_options(options))
            seconds["import"] += time.perf_counter()
            translation = product.translation
            translation.fuel = fuel
            progress.begin("annotate")
            translation.annotate()
            functions = f"{len(translation.annotator.graphs)} functions"
            progress.begin("rtype", functions)
            translation.rtype()
            for text in advice(translation):
                progress.write(text)
            checks = CheckReport() if options.report in ("checks", "source") else None
            if checks is not None:
                checks.typed(call_graph(translation.rtype()).graphs)
            how = replace(
                build_options(options, translation.options), places=places, progress=progress.part
            )
            watching = (options.report, options.dump, places, fuel)
            is_plain = all(each is None for each in watching)
            kept = KeptSources.of(product, how) if is_plain else None
            sources = None if kept is None else kept.read()
            if sources is None:
                progress.begin("optimise", functions)
                observers = _optimise(options, translation, checks, progress)
                how = replace(how, observer=Observers(observers))
        progress.begin("compile")
        program = translation.rtype()
        if kept is not None and sources is None and product.generate is not None:
            seconds["generate"] = -time.perf_counter()
            sources = product.generate(program, how)
            seconds["generate"] += time.perf_counter()
            if not any(unmet_requests(translation.remarks)):  # which are told each time
                kept.write(sources)
        result = product.build(program, how, sources)
        if checks is not None:
            for line in checks.source() if options.report == "source" else checks.lines():
                progress.write(line)
    seconds.update(translation.seconds)
    seconds.update({**result.seconds, **seconds})
    if options.verbose:
        print(f"{options.target}: {functions}", file=sys.stderr)
        for stage, took in seconds.items():
            print(f"  {stage:<10} {took * 1000:8.1f} ms", file=sys.stderr)
    return result


def _optimise(
    options: argparse.Namespace, translation: Translation, checks: CheckReport | None,
    progress: Progress,
) -> list[Observer]:  # fmt: skip
    """Optimise a program, and say what is to be said of that; who watches what comes next."""
    observers: list[Observer] = [] if options.dump is None else [_Dump(options.dump)]
    program = translation.optimise(Observers(observers) if observers else NOBODY)
    for warning in unmet_requests(translation.remarks):
        progress.write(warning.render())
    if checks is not None:
        checks.optimised(call_graph(program).graphs, translation.remarks)
        observers.append(_Barriers(checks))
    if options.report == "inlining":
        for remark in dict.fromkeys(translation.remarks):
            of_program = remark.span.line > 0 and home_of_file(remark.span.filename).is_program
            if options.verbose or of_program:
                progress.write(str(remark))
    return observers


def build_kept(
    options: argparse.Namespace, cache: RunCache, imports: ProgramImports,
    places: NumberedPlaces | None = None,
) -> None:  # fmt: skip
    """Make what a cache is to keep, and note what it was made of."""
    build_target(options, cache.executable, imports, places=places)
    with imports:
        cache.record()


def _imports(options: argparse.Namespace) -> ProgramImports:
    """Those of a module may be relative to its package."""
    return (module_imports if options.module else program_imports)(options.target)


def _loader(options: argparse.Namespace) -> Callable[[Path], ModuleType]:
    if options.module:
        return load_from_package
    return load_module if options.shared else load_program


def _product(options: argparse.Namespace) -> Callable[[ModuleType, Path | None, Options], Product]:
    """What makes what was asked for."""
    if options.module:
        return partial(extension_module, with_stub=options.stub)
    return shared_library if options.shared else partial(executable, args=options.arguments)


class _Barriers(Observer):
    """Shows a report the graphs with barriers besides."""

    def __init__(self, report: CheckReport) -> None:
        self._report = report

    def ran(
        self, pass_name: str, graphs: Sequence[FunctionGraph], changed: Sequence[FunctionGraph]
    ) -> None:
        if pass_name == "insert_write_barriers":
            self._report.lowered(graphs)


class _Dump(Observer):
    """Writes the graphs after each pass to a file per pass."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)

    def ran(
        self, pass_name: str, graphs: Sequence[FunctionGraph], changed: Sequence[FunctionGraph]
    ) -> None:
        self._number += 1
        path = self._folder / f"{self._number:02}-{pass_name}.txt"
        require_replaceable(path)
        with writing(path):
            path.write_text("\n".join(map(print_lowlevel, graphs)))
