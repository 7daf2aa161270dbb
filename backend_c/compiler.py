"""Running the C compiler: finding it, compiling files in parallel, reusing objects.

An object file is kept under a name that is the hash of everything it depends on: the
text of the unit and of all headers it could include, the flags, the compiler.  Results
are written under another name first and then renamed, so that whatever is interrupted
or fails leaves the previous result as it was.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import importlib.util
import os
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from rpython.backend_c.outputs import put_in_place
from rpython.backend_c.processes import Processes
from rpython.translator.ir.diskcache import prune
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.records import dataclass

_CACHE_LIMIT = 256 << 20
"""Bytes of object files to keep."""

TARGETS = tuple(
    f"{machine}-linux-{libc}"
    for machine in ("x86_64", "aarch64", "riscv64")
    for libc in ("gnu", "musl")
)
"""What can be built for: Linux on machines of 64 bits, the lowest byte first."""


def find_compiler(target: str = "") -> list[str]:
    """The command of the C compiler: $CC, else cc, else the ziglang package; for another
    machine (one of ``TARGETS``) always the last.

    Raises BuildError when there is none.
    """
    if target:
        return _cross_compiler(target)
    chosen = os.environ.get("CC", "").strip()
    if chosen:
        return shlex.split(chosen)
    if shutil.which("cc"):
        return ["cc"]
    if _has_zig():
        return [*_ZIG]
    raise BuildError(
        "no C compiler found",
        hint="install gcc or clang, set CC, or run: pip install ziglang",
    )


_ZIG = (sys.executable, "-m", "ziglang", "cc")


def _has_zig() -> bool:
    return importlib.util.find_spec("ziglang") is not None


def _cross_compiler(target: str) -> list[str]:
    if target not in TARGETS:
        raise BuildError(
            f"cannot build for {target!r}", hint=f"the targets are {', '.join(TARGETS)}"
        )
    if not _has_zig():
        raise BuildError(
            f"building for {target} needs the compiler of the ziglang package",
            hint="run: pip install ziglang",
        )
    return [*_ZIG, "-target", target]


def _identity(command: Sequence[str]) -> str:
    """What distinguishes this compiler from another of the same name."""
    program = shutil.which(command[0]) or command[0]
    try:
        status = os.stat(program)  # follows links to the real compiler
        stamp = f"{os.path.realpath(program)} {status.st_size} {status.st_mtime_ns}"
    except OSError:
        stamp = program
    if "ziglang" in command:
        metadata: Any = importlib.import_module("importlib.metadata")  # takes a moment to load
        stamp += f" {metadata.version('ziglang')}"
    return " ".join([stamp, *command[1:]])


_LINE_DIRECTIVE = re.compile(rb"^#line .*\n", re.MULTILINE)


@dataclass(frozen=True)
class CompileJob:
    """One C file to compile; ``flags`` do not include -I, -c and -o; ``include``:
    directories of headers, of which all ``*.h`` count as input.  ``lineless``: what ``#line``
    says in the file goes nowhere, as there is no debugging information, so that the object serves
    when lines have moved."""

    source: Path
    flags: tuple[str, ...]
    include: tuple[Path, ...] = ()
    lineless: bool = False

    def content(self) -> bytes:
        """What the object is made of."""
        text = self.source.read_bytes()
        return _LINE_DIRECTIVE.sub(b"", text) if self.lineless else text


def _header_state(command: Sequence[str], include: Sequence[Path]) -> hashlib._Hash:
    """The hash of what all jobs with these headers have in common."""
    state = hashlib.sha256(_identity(command).encode())
    for directory in include:
        for header in sorted(directory.glob("*.h")):
            state.update(b"\0" + header.name.encode() + b"\0" + header.read_bytes())
    return state


_EXHAUSTED = (
    *map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)),
    str(signal.strsignal(signal.SIGXFSZ)),
)
"""What the C compiler says among much else when it cannot write its output."""


@contextlib.contextmanager
def writing(path: Path, hint: str = "") -> Iterator[None]:
    """Where the system does not let files be written: raises BuildError."""
    try:
        yield
    except OSError as e:
        reason = e.strerror or os.strerror(e.errno or errno.EIO)
        raise BuildError(f"cannot write {path}: {reason}", hint=hint) from None


class Compiler:
    """A C compiler with a cache of objects.

    ``cache``: the directory of object files; ``jobs``: how many run at once; ``target``: the
    machine to compile for, '' for this one.  Raises BuildError when there is no compiler.
    """

    def __init__(self, cache: Path, jobs: int | None = None, target: str = "") -> None:
        self.command = find_compiler(target)
        self.cache = cache
        self.jobs = jobs or os.cpu_count() or 1
        self.compiled = 0
        """How many files were really compiled, not found in the cache."""
        self.processes = Processes()

    def is_gcc(self) -> bool:
        """Is it GCC, and no other compiler with the same command line?"""
        try:
            _, version = self.processes.run([*self.command, "--version"])
        except OSError:
            return False
        return "Free Software Foundation" in version

    def compile(
        self,
        jobs: Sequence[CompileJob],
        on_done: Callable[[int, int], None] | None = None,
    ) -> list[Path]:
        """Compile all jobs, as many at once as there are processors.

        ``on_done(done, total)`` is called after each.  Returns the object files.
        Raises BuildError with the compiler's output.
        """
        with writing(self.cache, "set XDG_CACHE_HOME to a directory for object files"):
            self.cache.mkdir(parents=True, exist_ok=True)
        states = {job.include: _header_state(self.command, job.include) for job in jobs}
        objects = [self._object_path(job, states[job.include].copy()) for job in jobs]
        todo = [(job, path) for job, path in zip(jobs, objects) if not path.exists()]
        for path in objects:
            with contextlib.suppress(FileNotFoundError):
                os.utime(path)  # so that pruning drops what is no longer used
        done = len(jobs) - len(todo)
        with self._pool() as pool:
            pending = {pool.submit(self._compile, job, path) for job, path in todo}
            while pending:
                finished, pending = wait(pending, return_when=FIRST_EXCEPTION, timeout=0.05)
                for future in finished:
                    future.result()
                    done += 1
                    if on_done is not None:
                        on_done(done, len(jobs))
        self.compiled += len(todo)
        if todo:
            prune(self.cache, _CACHE_LIMIT, "*.o", frozenset(objects))
        return objects

    def _object_path(self, job: CompileJob, state: hashlib._Hash) -> Path:
        state.update("\0".join(job.flags).encode() + b"\0" + job.content())
        return self.cache / f"{job.source.stem}-{state.hexdigest()[:32]}.o"

    def _compile(self, job: CompileJob, path: Path) -> None:
        includes = [f"-I{directory}" for directory in job.include]
        self._run(["-c", *job.flags, *includes, str(job.source)], path, f"compiling {job.source}")

    def link(self, objects: Sequence[Path], flags: Sequence[str], out: Path) -> None:
        """Link the objects into ``out``.  Raises BuildError with the linker's output."""
        with writing(out):
            out.parent.mkdir(parents=True, exist_ok=True)
            self._run([*map(str, objects), *flags], out, f"linking {out}")

    def compile_in(
        self, folder: Path, jobs: Sequence[CompileJob], flags: Sequence[str]
    ) -> list[Path]:
        """Compile all jobs with some more flags, each to its name in ``folder``, which is also
        where the compiler works; nothing is reused.  Returns the object files.
        Raises BuildError with the compiler's output."""
        with self._pool() as pool:
            done = [pool.submit(self._compile_in, folder, job, flags) for job in jobs]
            objects = [future.result() for future in done]
        self.compiled += len(jobs)
        return objects

    def _compile_in(self, folder: Path, job: CompileJob, flags: Sequence[str]) -> Path:
        path = folder / f"{job.source.stem}.o"
        includes = [f"-I{directory}" for directory in job.include]
        arguments = ["-c", *job.flags, *flags, *includes, str(job.source), "-o", path.name]
        self._command(arguments, f"compiling {job.source}", folder)
        return path

    def _run(self, arguments: Sequence[str], out: Path, what: str) -> None:
        """Run the compiler; its output file becomes ``out`` only when it succeeds."""
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".rpython-") as scratch:
            result = Path(scratch) / out.name
            self._command([*arguments, "-o", str(result)], what)
            if not result.exists():
                raise BuildError(f"{what}: the C compiler wrote nothing")
            put_in_place(result, out)

    def _command(self, arguments: Sequence[str], what: str, folder: Path | None = None) -> None:
        command = [*self.command, *arguments]
        try:
            status, output = self.processes.run(command, folder)
        except OSError as e:
            raise BuildError(
                f"cannot run the C compiler {self.command[0]!r}: {e.strerror}",
                hint="install gcc, or give CC the name of a compiler; `rpython doctor` looks at it",
                where=what,
            ) from e
        if status != 0:
            for reason in _EXHAUSTED:
                if reason in output:
                    raise BuildError(f"{what}: {reason}")
            raise BuildError(
                f"{what}: the C compiler failed with status {status}\n{output}",
                where=shlex.join(command),
            )

    @contextlib.contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor]:
        """Threads to run compilers in; when something goes wrong, those that run are ended."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                yield pool
            except BaseException:
                self.processes.stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
