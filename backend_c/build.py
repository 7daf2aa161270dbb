"""From a low-level program to a file that runs: what the driver calls.

    result = build_executable(program, "fib", BuildOptions())
    result = build_shared(program, None, BuildOptions())     # result.path: lib....so

The generated C stays readable in a numbered directory per build, of which the newest few
are kept, and of those of all programs no more than there is room for.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import py

from rpython.backend_c.compiler import CompileJob, Compiler, writing
from rpython.backend_c.functions import SourceLine
from rpython.backend_c.interface import executable_interface, shared_interface
from rpython.backend_c.library import EXPORTS_FILE, LIBRARY_FILE, Library, header_path, package_file
from rpython.backend_c.modules import Interface, Sources, SourceWriter, is_glue
from rpython.backend_c.options import (
    EXECUTABLE,
    SHARED,
    BuildOptions,
    Product,
    compile_flags,
    link_flags,
)
from rpython.backend_c.outputs import put_in_place, require_replaceable
from rpython.backend_c.profile import profiled_objects
from rpython.lltypesystem.foreign.csources import linker_flags
from rpython.lltypesystem.program import Program
from rpython.translator.ir.diskcache import prune
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.lower.runner import lower

RUNTIME = Path(__file__).parent / "runtime"
_ALWAYS = (
    "rpy_core.c", "rpy_traceback.c", "rpy_report.c", "rpy_break.c", "rpy_os.c", "rpy_gil.c",
    "rpy_log.c",
)  # fmt: skip
"""What every program is linked with."""

_BUILDS_LIMIT = 512 << 20
"""Bytes of numbered directories to keep."""


@dataclass(frozen=True)
class BuildResult:
    """``path``: the executable or library; ``directory``: the C files it was made from;
    ``units``: how many files the build has, ``compiled``: how many of them were compiled
    now; ``seconds`` by step."""

    path: Path
    directory: Path
    units: int
    compiled: int
    seconds: dict[str, float]

    def release(self) -> None:
        """Nobody needs the directory any more: the next builds may rotate it away."""
        (self.directory / ".lock").unlink(missing_ok=True)


def generate_executable(program: Program, options: BuildOptions) -> Sources:
    """The C sources of an executable, without compiling them."""
    return _writer(program, executable_interface, options).sources()


def generate_shared(program: Program, options: BuildOptions) -> Sources:
    """The C sources of a shared library, without compiling them."""
    return _writer(program, shared_interface, options).sources()


def _writer(program: Program, interface: Interface, options: BuildOptions) -> SourceWriter:
    collector = options.collector
    lowered = lower(program, collector.passes, verified=options.verify, observer=options.observer)
    return SourceWriter(lowered, interface, options.unit_size, options.directives, collector)


def function_source(program: Program, graph: FunctionGraph) -> str:
    """The text of the C function of one graph, for people.  Raises KeyError."""
    options = BuildOptions(gc="none", line_directives=False)  # the least around the function
    return _writer(program, shared_interface, options).function_text(graph)


def function_sources(
    program: Program, options: BuildOptions
) -> dict[FunctionGraph, list[SourceLine]]:
    """The C functions of an executable, by the optimised graphs that they are made of."""
    return _writer(program, executable_interface, options).function_lines()


def build_executable(
    program: Program,
    out: str | os.PathLike[str],
    options: BuildOptions | None = None,
    sources: Sources | None = None,
) -> BuildResult:
    """Make the executable ``out``; an older one is replaced only on success.  ``sources``: what
    ``generate_executable`` has made of the program.

    The program starts at its export ``rpy_entry_point``, else at its entry (in both cases
    ``() -> Signed``, the exit status); ``rpy_flush`` and ``rpy_exception_text`` are called
    when exported.  Raises BuildError.
    """
    options = options or BuildOptions()
    started = time.perf_counter()
    sources = sources or generate_executable(program, options)
    builder = Build(sources, options, Path(out).stem, "rpy_main.c", started)
    return builder.run(Path(out), EXECUTABLE, gdb_script(Path(out), options))


def build_shared(
    program: Program,
    out: str | os.PathLike[str] | None = None,
    options: BuildOptions | None = None,
) -> BuildResult:
    """Make a shared library with the program's exports and the functions of
    ``runtime/rpy_shared.h``; ``out`` None: in the build directory.  Raises BuildError."""
    options = options or BuildOptions()
    started = time.perf_counter()
    sources = generate_shared(program, options)
    name = Path(out).stem if out is not None else program.entry.name
    builder = Build(sources, options, name, "rpy_shared.c", started)
    path = Path(out) if out is not None else builder.directory / f"lib{builder.name}.so"
    return builder.run(path, SHARED)


def build_library(
    library: Library,
    out: str | os.PathLike[str],
    options: BuildOptions | None = None,
    sources: Sources | None = None,
) -> BuildResult:
    """Make the shared library ``out`` for C programs, and beside it its header and what pkg-config
    reads.  ``sources``: what ``generate_shared`` has made of its program.  Raises BuildError."""
    options = options or BuildOptions()
    started = time.perf_counter()
    sources = sources or generate_shared(library.program, options)
    path = Path(out)
    header = header_path(path)
    sources.files[header.name] = library.header()
    sources.files[LIBRARY_FILE] = library.code(header.name)
    sources.files[EXPORTS_FILE] = library.exports()
    builder = Build(sources, options, path.stem, "rpy_library.c", started)
    product = SHARED.linked_with(f"-Wl,--version-script={builder.directory / EXPORTS_FILE}")
    beside = {header.name: library.header(), **package_file(path), **gdb_script(path, options)}
    return builder.run(path, product, beside)


def gdb_script(out: Path, options: BuildOptions) -> dict[str, str]:
    """The script that gdb loads for ``out``, by the name that it looks for."""
    if not options.debug:
        return {}
    return {f"{out.name}-gdb.py": (RUNTIME / "rpy_gdb.py").read_text(encoding="utf-8")}


class Build:
    """One build: its directory with the C files in it, then compiling and linking."""

    def __init__(
        self, sources: Sources, options: BuildOptions, name: str, main: str, started: float
    ) -> None:
        self.sources = sources
        self.options = options
        self.name = "".join(c if c.isalnum() else "_" for c in name) or "program"
        collector = options.collector.header.removesuffix(".h") + ".c"
        self.runtime = [*_ALWAYS, collector, main]
        if options.places is not None:
            self.runtime.append("rpy_sampler.c")
        for header in sources.headers:
            implementation = header.removesuffix(".h") + ".c"
            if implementation not in self.runtime and (RUNTIME / implementation).exists():
                self.runtime.append(implementation)
        self.seconds: dict[str, float] = {"generate": time.perf_counter() - started}
        builds = options.directory / self.name  # a new number is found by listing what is there
        with writing(builds):
            builds.mkdir(parents=True, exist_ok=True)
            self.directory = Path(
                str(
                    py.path.local.make_numbered_dir(
                        rootdir=py.path.local(str(builds)),
                        prefix="build-",
                        keep=options.keep,
                    )
                )
            )
            prune(options.directory, _BUILDS_LIMIT, "*/build-*", frozenset([self.directory]))
            for filename, text in sources.files.items():
                (self.directory / filename).write_text(text, encoding="utf-8")

    def _refuse_foreign_c(self) -> None:
        """Raises BuildError for programs that know this machine's C headers."""
        if self.options.target and not self.sources.portable:
            raise BuildError(
                "a program that calls C functions (cdef, rffi) cannot be built for another machine:"
                " what C's headers say was asked on this one",
                hint="build it on that machine",
            )

    def run(
        self,
        out: Path,
        product: Product,
        beside: Mapping[str, str] | None = None,
    ) -> BuildResult:
        """Make ``out`` and the files ``beside`` it, which are given by name and text."""
        self._refuse_foreign_c()
        options = self.options
        started = time.perf_counter()
        compiler = Compiler(options.cache, options.jobs, options.target)
        flags = compile_flags(options, product)
        files = [self.directory / name for name in self.sources.files if name.endswith(".c")]
        # The runtime does not include what is generated: its objects serve every program.
        linking = self.sources.linking
        given = dict.fromkeys(Path(place) for each in linking for place in each.include_dirs)
        extra = dict.fromkeys(flag for each in linking for flag in each.compile_extra)
        jobs = [
            CompileJob(
                path, (*flags, *(extra if is_glue(path.name) else ())),
                (self.directory, RUNTIME, *given), options.lineless and not is_glue(path.name),
            )
            for path in files
        ]  # fmt: skip
        foreign = dict.fromkeys(Path(path) for each in linking for path in each.sources)
        jobs += [CompileJob(path, (*flags, *extra), (path.parent, *given)) for path in foreign]
        jobs += [CompileJob(RUNTIME / name, flags, (RUNTIME,)) for name in self.runtime]
        libraries = [flag for each in linking for flag in linker_flags(each)]
        libraries += options.collector.ldflags
        to_link = [*link_flags(options, product), *dict.fromkeys(libraries)]
        if options.profile is not None:
            objects = profiled_objects(
                compiler, jobs, to_link, options.profile, self.directory / "profile", out.name
            )
        else:
            objects = compiler.compile(jobs, options.progress)
        compiled = time.perf_counter()
        with replacing(out.parent, beside or {}):  # the last thing that can fail
            compiler.link(objects, to_link, out)
        self.seconds["compile"] = compiled - started
        self.seconds["link"] = time.perf_counter() - compiled
        result = BuildResult(
            out, self.directory, len(objects), compiler.compiled, dict(self.seconds)
        )
        if out.parent != self.directory:
            result.release()
        return result


@contextlib.contextmanager
def replacing(folder: Path, texts: Mapping[str, str]) -> Iterator[None]:
    """Write files in ``folder``, by name and text, when what is done meanwhile succeeds; before
    that they are as they were."""
    with contextlib.ExitStack() as stack:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            scratch = stack.enter_context(
                tempfile.TemporaryDirectory(dir=folder, prefix=".rpython-")
            )
        for name, text in texts.items():
            require_replaceable(folder / name)
            (Path(scratch) / name).write_text(text, encoding="utf-8")
        yield
        for name in texts:
            put_in_place(Path(scratch) / name, folder / name)
