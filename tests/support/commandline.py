"""Running the command line: in a process of its own, or in a fork of one that has it loaded."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from rpython.backend_c.options import BuildOptions

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "rpython.translator.commandline.cli")

TARGET = """
import sys

def inner(n):
    if n > 3:
        raise ValueError("too many")
    if n == 3:
        sys.exit(7)
    return n

def entry_point(argv):
    return inner(len(argv))

if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
"""
"""A program whose exit status and errors depend on the number of its arguments."""


@cache
def _server(process: int) -> socket.socket:
    """The socket of the server that this process, and none that it forked, has started."""
    ours, other = socket.socketpair()
    subprocess.Popen(
        [sys.executable, "-m", "tests.support.commandserver"],
        cwd=ROOT, stdin=other, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    other.close()
    return ours


def rpython_in(
    folder: Path, *words: str | Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """What the command line says and does in ``folder``.

    The process is forked from one that has the toolchain loaded: ``fresh_rpython`` is for tests
    of what loading does.
    """
    connection = _server(os.getpid())
    request = {
        "folder": str(folder),
        "words": list(map(str, words)),
        "environment": dict(os.environ) if environment is None else environment,
    }
    with (
        open(os.devnull) as nothing,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        files = [file.fileno() for file in (nothing, output, errors)]
        message = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(connection, [message], files)
        connection.sendall(message[sent:])
        status = int(connection.makefile().readline())
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess(list(request["words"]), status, *texts)


def rpython(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """The same with executables of ``rpython run`` of its own."""
    return rpython_in(folder, *words, environment=own_cache(folder))


def fresh_rpython(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """``rpython`` in a process that loads the toolchain."""
    return subprocess.run(
        [*COMMAND, *words],
        cwd=folder, env=own_cache(folder), capture_output=True, text=True, check=False,
    )  # fmt: skip


def own_cache(folder: Path) -> dict[str, str]:
    """An environment with a cache below ``folder``, which shares with the usual one what does not
    depend on where the program lies."""
    usual = BuildOptions().cache.parent
    own = folder / "cache" / usual.name
    if not own.exists():
        own.mkdir(parents=True)
        for part in ("cdef", "csources", "helpers", "objects"):
            (usual / part).mkdir(parents=True, exist_ok=True)
            (own / part).symlink_to(usual / part)
    return {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
