"""Profile-guided builds: compile, run the user's command, compile again with the counts.

The C files are compiled twice: first with counters in them, for a program that the user's
command then runs, and again with what the counters say.  All of that happens in a directory
of the build, where the compiler finds the counts under the name of each object.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from rpython.backend_c.compiler import CompileJob, Compiler
from rpython.translator.ir.errors import BuildError

_COUNT = ("-fprofile-generate",)
# Threads may have lost a count; functions that never ran are no reason to complain.
_USE = ("-fprofile-use", "-fprofile-correction", "-Wno-missing-profile")


def shell_line(command: str, program: Path) -> str:
    """A line for the shell: ``command``, in which ``{}`` stands for the program; without it, that
    gives the arguments of the program."""
    quoted = shlex.quote(str(program))
    return command.replace("{}", quoted) if "{}" in command else f"{quoted} {command}"


def profiled_objects(
    compiler: Compiler,
    jobs: Sequence[CompileJob],
    link_flags: Sequence[str],
    command: str,
    folder: Path,
    name: str,
) -> list[Path]:
    """Compile the jobs for what ``command`` does with the program; returns the objects.

    ``command``: as for ``shell_line``; the program is called ``name`` and stands in ``folder``.
    Raises BuildError, also when the command fails.
    """
    if not compiler.is_gcc():
        raise BuildError(
            f"a profile needs GCC, not {shlex.join(compiler.command)}",
            hint="leave --pgo out, or set CC=gcc",
        )
    folder.mkdir()
    program = folder / name
    objects = compiler.compile_in(folder, jobs, _COUNT)
    compiler.link(objects, [*_COUNT, *link_flags], program)
    line = shell_line(command, program)
    status, output = compiler.processes.run(["/bin/sh", "-c", line])
    if status != 0:
        raise BuildError(
            f"the command for the profile failed with status {status}\n{output[-2000:]}",
            where=line,
        )
    if not any(folder.glob("*.gcda")):
        raise BuildError("the command for the profile did not run the program", where=line)
    return compiler.compile_in(folder, jobs, _USE)
