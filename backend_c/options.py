"""What a build can be asked for, and the flags of the C compiler that follow from it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from rpython.backend_c.gc import COLLECTORS, DEFAULT_COLLECTOR, Collector
from rpython.backend_c.linedirectives import CHANGES, EXACT, NONE, LineDirectives, NumberedPlaces
from rpython.translator.ir.diskcache import cache_directory
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.observing import NOBODY, Observer

SANITIZERS = ("address", "undefined")


def default_directory() -> Path:
    """Where the C files of builds go."""
    return Path(tempfile.gettempdir()) / f"rpython3-{os.getuid()}"


@dataclass(frozen=True)
class BuildOptions:
    """How to build.

    ``optimise``: the optimisation flag.  ``debug``: with debugging information and, beside an
    executable or library, a script for gdb.  ``line_directives``: relate the C code to the
    Python source (with ``debug``, every single statement).  ``unit_size``: about how many
    operations make one C file.  ``jobs``: C compilers at once (None: one per processor).
    ``directory``: where the numbered directories of each program go, of which the last ``keep``
    before a new one are kept; ``cache``: where object files go.  ``gc``: the name of a collector
    (``backend_c.gc.COLLECTORS``).  ``sanitize``: some of ``SANITIZERS``, whose checks the
    program makes while it runs.  ``lto``: optimise across C files when linking.  ``profile``: a
    command that exercises the program, which is then built a second time with what that showed
    (``backend_c.profile``).  ``verify``: check every graph after every pass that lowers it;
    ``observer``: is told what these do.  ``progress(done, total)``: is called after each C file.
    ``target``: the machine to
    build for, as ``zig`` names it, '' for this one (``backend_c.compiler``).  ``places``: the
    program can be sampled (``runtime/rpy_sampler.c``), and what an address of it belongs to is
    kept there.
    """

    optimise: str = "-O2"
    debug: bool = False
    line_directives: bool = True
    cflags: tuple[str, ...] = ()
    ldflags: tuple[str, ...] = ()
    unit_size: int = 1000
    jobs: int | None = None
    directory: Path = field(default_factory=default_directory)
    keep: int = 3
    cache: Path = field(default_factory=lambda: cache_directory("objects"))
    gc: str = DEFAULT_COLLECTOR
    sanitize: tuple[str, ...] = ()
    lto: bool = False
    profile: str | None = None
    target: str = ""
    places: NumberedPlaces | None = field(default=None, repr=False)
    verify: bool = True
    observer: Observer = field(default=NOBODY, repr=False)
    progress: Callable[[int, int], None] | None = field(default=None, repr=False)

    @property
    def collector(self) -> Collector:
        return COLLECTORS[self.gc]

    @property
    def lineless(self) -> bool:
        """Is nothing made of the lines that the C files name?"""
        asked = self.debug or self.sanitize or self.lto or self.cflags or self.places is not None
        return not asked

    @property
    def directives(self) -> LineDirectives:
        if self.places is not None:
            return self.places
        if not self.line_directives:
            return NONE
        return EXACT if self.debug else CHANGES


@dataclass(frozen=True)
class Product:
    """A kind of file to build: the compiler's and the linker's flags for it."""

    cflags: tuple[str, ...]
    ldflags: tuple[str, ...]

    def linked_with(self, *flags: str) -> Product:
        """The same with more flags for the linker."""
        return Product(self.cflags, (*flags, *self.ldflags))


_LIBRARIES = ("-Wl,--as-needed", "-lm", "-lpthread")
EXECUTABLE = Product(("-fno-pie",), ("-no-pie", *_LIBRARIES))
# Thread-local variables of libraries are found by calls, not by descriptors (-mtls-dialect=gnu2):
# before glibc 2.40 the first use of one overwrites vector registers that GCC takes for preserved.
# What a library calls of its own is its own, whatever the process has under that name.
SHARED = Product(
    ("-fPIC", "-fvisibility=hidden", "-fno-semantic-interposition"),
    ("-shared", "-Wl,-Bsymbolic", *_LIBRARIES),
)

# What the meaning of the generated code relies on: casts between pointer types, floats rounded
# after every operation, C's char as on x86.  Not wrapping arithmetic: what wraps is unsigned in C.
# A C compiler that knows the functions of the mathematical library gives results of its own, more
# exact ones than the library's, for constants, and multiplies for pow(x, 2.0): CPython calls it.
_INEXACT = """
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 hypot lgamma log
    log10 log1p log2 pow sin sinh tan tanh tgamma
""".split()
_MEANING = (
    "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-fsigned-char",
    *(f"-fno-builtin-{name}" for name in _INEXACT),
)  # fmt: skip
_COMMON = ("-std=gnu11", "-pipe", "-w", "-fno-asynchronous-unwind-tables")
# GCC's limits of -O3, of which the rest costs more than it brings: functions that test for
# exceptions are larger than the C programs -O2 is tuned for.
_INLINING = ("--param=inline-min-speedup=15", "--param=max-inline-insns-auto=30")
_FLAGS_OF_OPEN = ("O_DIRECTORY", "O_NOFOLLOW", "O_DIRECT")


def compile_flags(options: BuildOptions, product: Product) -> tuple[str, ...]:
    """The flags that every C file of a build is compiled with."""
    flags = [*_COMMON, options.optimise, *_INLINING]
    if options.debug:
        flags += ["-g", "-fno-eliminate-unused-debug-types"]
    flags += [*_MEANING, *product.cflags, *_shared_flags(options)]
    if options.sanitize:
        flags += ["-fno-omit-frame-pointer"]
    if options.places is not None:
        flags += ["-g", "-fno-omit-frame-pointer", "-fno-shrink-wrap", "-DRPY_SAMPLED"]
    if options.target:
        # the program has the numbers of this machine, which not all machines share
        flags += [f"-DRPY_HOST_{name}={getattr(os, name)}" for name in _FLAGS_OF_OPEN]
    return (*flags, *options.cflags)


def link_flags(options: BuildOptions, product: Product) -> list[str]:
    """The flags of the linker, those of libraries that the program names excepted."""
    level = [options.optimise] if options.lto else []
    return [*options.ldflags, *level, *_shared_flags(options), *product.ldflags]


def _shared_flags(options: BuildOptions) -> list[str]:
    """What both the compiler and the linker have to be told."""
    flags = ["-fno-sanitize=undefined"]  # zig cc has it on
    if options.sanitize:
        # whatever is wrong ends the program
        flags += [f"-fsanitize={','.join(options.sanitize)}", "-fno-sanitize-recover=all"]
    return [*flags, "-flto"] if options.lto else flags
