"""From a low-level program to a file that runs: what the driver calls.

    result = build_executable(program, "fib", BuildOptions())
    result = build_shared(program, None, BuildOptions())     # result.path: lib....so

The generated C stays readable in a numbered directory per build, of which the newest few
are kept.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import py

from backend_c.compiler import CompileJob, Compiler
from backend_c.functions import LineDirectives
from backend_c.gc import COLLECTORS, Collector
from backend_c.interface import executable_interface, shared_interface
from backend_c.modules import Sources, SourceWriter
from lltypesystem.external import Linking
from lltypesystem.program import Program
from translator.ir.model import FunctionGraph

RUNTIME = Path(__file__).parent / "runtime"

Progress = Callable[[int, int], None]


def _default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "rpython3" / "objects"


def _default_directory() -> Path:
    return Path(tempfile.gettempdir()) / f"rpython3-{os.getuid()}"


@dataclass(frozen=True)
class BuildOptions:
    """How to build.

    ``optimise``: the optimisation flag.  ``debug``: with debugging information.
    ``line_directives``: relate the C code to the Python source (with ``debug``, every
    single statement).  ``unit_size``: about how many operations make one C file.
    ``jobs``: C compilers at once (None: one per processor).  ``directory``: where the
    numbered directories of each program go, of which the last ``keep`` before a new one are kept;
    ``cache``: where object files go.  ``gc``: the name of a collector
    (``backend_c.gc.COLLECTORS``).
    """

    optimise: str = "-O2"
    debug: bool = False
    line_directives: bool = True
    cflags: tuple[str, ...] = ()
    ldflags: tuple[str, ...] = ()
    unit_size: int = 4000
    jobs: int | None = None
    directory: Path = field(default_factory=_default_directory)
    keep: int = 3
    cache: Path = field(default_factory=_default_cache)
    gc: str = "none"

    @property
    def collector(self) -> Collector:
        return COLLECTORS[self.gc]


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


# What the meaning of the generated code relies on: wrapping arithmetic, casts between
# pointer types, floats rounded after every operation.
_MEANING = ("-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off", "-fno-math-errno")
_COMMON = (
    "-std=gnu11", "-pipe", "-w", "-fno-asynchronous-unwind-tables",
    "-fno-sanitize=undefined",  # zig cc has it on
)  # fmt: skip
# GCC's limits of -O3, of which the rest costs more than it brings: functions that test for
# exceptions are larger than the C programs -O2 is tuned for.
_INLINING = ("--param=inline-min-speedup=15", "--param=max-inline-insns-auto=30")
_EXECUTABLE = ("-fno-pie",)
_SHARED = ("-fPIC", "-fvisibility=hidden", "-fno-semantic-interposition")


def _library_flags(linking: Linking) -> list[str]:
    places = [f"-L{place}" for place in linking.library_dirs]
    places += [f"-Wl,-rpath,{place}" for place in linking.library_dirs]
    return [*places, *(f"-l{name}" for name in linking.libraries)]


def _directives(options: BuildOptions) -> LineDirectives:
    if not options.line_directives:
        return LineDirectives.NONE
    return LineDirectives.EXACT if options.debug else LineDirectives.CHANGES


def generate_executable(program: Program, options: BuildOptions) -> Sources:
    """The C sources of an executable, without compiling them."""
    return SourceWriter(
        program, executable_interface, options.unit_size, _directives(options), options.collector
    ).sources()


def generate_shared(program: Program, options: BuildOptions) -> Sources:
    """The C sources of a shared library, without compiling them."""
    return SourceWriter(
        program, shared_interface, options.unit_size, _directives(options), options.collector
    ).sources()


def function_source(program: Program, graph: FunctionGraph) -> str:
    """The text of the C function of one graph, for people.  Raises KeyError."""
    collector = BuildOptions().collector
    writer = SourceWriter(program, shared_interface, 1, LineDirectives.NONE, collector)
    return writer.function_text(graph)


def build_executable(
    program: Program,
    out: str | os.PathLike[str],
    options: BuildOptions | None = None,
    progress: Progress | None = None,
) -> BuildResult:
    """Make the executable ``out``; an older one is replaced only on success.

    The program starts at its export ``rpy_entry_point``, else at its entry (in both cases
    ``() -> Signed``, the exit status); ``rpy_flush`` and ``rpy_exception_text`` are called
    when exported.  ``progress(done, total)`` is called after each C file.
    Raises BuildError.
    """
    options = options or BuildOptions()
    started = time.perf_counter()
    sources = generate_executable(program, options)
    builder = _Build(sources, options, Path(out).stem, "rpy_main.c", started)
    return builder.run(
        Path(out), _EXECUTABLE, ["-no-pie", "-Wl,--as-needed", "-lm", "-lpthread"], progress
    )


def build_shared(
    program: Program,
    out: str | os.PathLike[str] | None = None,
    options: BuildOptions | None = None,
    progress: Progress | None = None,
) -> BuildResult:
    """Make a shared library with the program's exports and the functions of
    ``runtime/rpy_shared.h``; ``out`` None: in the build directory.  Raises BuildError."""
    options = options or BuildOptions()
    started = time.perf_counter()
    sources = generate_shared(program, options)
    name = Path(out).stem if out is not None else program.entry.name
    builder = _Build(sources, options, name, "rpy_shared.c", started)
    path = Path(out) if out is not None else builder.directory / f"lib{builder.name}.so"
    flags = ["-shared", "-Wl,--as-needed", "-lm", "-lpthread"]
    return builder.run(path, _SHARED, flags, progress)


class _Build:
    """One build: its directory with the C files in it, then compiling and linking."""

    def __init__(
        self, sources: Sources, options: BuildOptions, name: str, main: str, started: float
    ) -> None:
        self.sources = sources
        self.options = options
        self.name = "".join(c if c.isalnum() else "_" for c in name) or "program"
        collector = options.collector.header.removesuffix(".h") + ".c"
        self.runtime = ["rpy_core.c", collector, main]
        for header in sources.headers:
            implementation = header.removesuffix(".h") + ".c"
            if implementation not in self.runtime and (RUNTIME / implementation).exists():
                self.runtime.append(implementation)
        self.seconds: dict[str, float] = {"generate": time.perf_counter() - started}
        builds = options.directory / self.name  # a new number is found by listing what is there
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
        for filename, text in sources.files.items():
            (self.directory / filename).write_text(text, encoding="utf-8")

    def run(
        self,
        out: Path,
        flags: tuple[str, ...],
        ldflags: list[str],
        progress: Progress | None,
    ) -> BuildResult:
        options = self.options
        started = time.perf_counter()
        compiler = Compiler(options.cache, options.jobs)
        debug = ("-g",) if options.debug else ()
        all_flags = (
            *_COMMON, options.optimise, *_INLINING, *debug, *_MEANING, *flags, *options.cflags,
        )  # fmt: skip
        files = [self.directory / name for name in self.sources.files if name.endswith(".c")]
        # The runtime does not include what is generated: its objects serve every program.
        linking = self.sources.linking
        given = dict.fromkeys(Path(place) for each in linking for place in each.include_dirs)
        jobs = [CompileJob(path, all_flags, (self.directory, RUNTIME, *given)) for path in files]
        jobs += [CompileJob(RUNTIME / name, all_flags, (RUNTIME,)) for name in self.runtime]
        objects = compiler.compile(jobs, progress)
        compiled = time.perf_counter()
        libraries = [flag for each in linking for flag in _library_flags(each)]
        libraries += options.collector.ldflags
        compiler.link(objects, [*options.ldflags, *ldflags, *dict.fromkeys(libraries)], out)
        if out.parent != self.directory:
            # nobody needs the directory any more: the next builds may rotate it away
            (self.directory / ".lock").unlink(missing_ok=True)
        self.seconds["compile"] = compiled - started
        self.seconds["link"] = time.perf_counter() - compiled
        return BuildResult(
            out, self.directory, len(objects), compiler.compiled, dict(self.seconds)
        )
