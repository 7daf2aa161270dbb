"""What ``subprocess`` does for text and bytes alike: start a process, exchange bytes with it."""

from __future__ import annotations

import errno
import os
import select
import time
from typing import Any

from rpython.stdlib._registry import per_arguments

PIPE, STDOUT, DEVNULL, INHERITED = -1, -2, -3, -4
_ROOM = 32768
_PIECE = 512
"""As much as a pipe takes at once where it takes something."""


@per_arguments
def descriptor_of(x: Any) -> int:
    """One of a file, or one of the numbers above."""
    if x is None:
        return INHERITED
    return x if isinstance(x, int) else int(x.fileno())


@per_arguments
def arguments_of(args: Any, shell: bool) -> list[str]:
    if isinstance(args, str):
        return ["/bin/sh", "-c", args] if shell else [args]
    words = [word_of(arg) for arg in args]
    return ["/bin/sh", "-c", *words] if shell else words


@per_arguments
def word_of(arg: Any) -> str:
    """A text or a path."""
    if isinstance(arg, str):
        return arg
    return str(os.fspath(arg))


class Ends:
    """Our ends of the pipes of a process, -1 where there is none."""

    def __init__(self) -> None:
        self.stdin = self.stdout = self.stderr = -1


def start(
    words: list[str], ends: Ends, stdin: int, stdout: int, stderr: int, cwd: str | None,
    env: dict[str, str] | None, start_new_session: bool,
) -> int:  # fmt: skip
    """The process.  Raises OSError where it cannot be started."""
    if not words:
        raise IndexError("list index out of range")
    opened: list[int] = []
    theirs = [
        _end(stdin, 0, ends, opened), _end(stdout, 1, ends, opened), _end(stderr, 2, ends, opened),
    ]  # fmt: skip
    if stderr == STDOUT:
        theirs[2] = 1 if theirs[1] == INHERITED else theirs[1]
    told, tells = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _become(words, theirs, cwd, env, start_new_session)
        except OSError as error:
            os.write(tells, f"{error.errno} {error.filename or ''}".encode())
        os._exit(255)
    os.close(tells)
    for fd in opened:
        os.close(fd)
    message = os.read(told, 5000).decode()
    os.close(told)
    if message:
        os.waitpid(pid, 0)
        for fd in (ends.stdin, ends.stdout, ends.stderr):
            if fd >= 0:
                os.close(fd)
        number, _, name = message.partition(" ")
        raise OSError(int(number), os.strerror(int(number)), name)
    return pid


def _end(given: int, number: int, ends: Ends, opened: list[int]) -> int:
    """The descriptor that the process has for its own of that number."""
    if given == DEVNULL:
        fd = os.open(os.devnull, os.O_RDWR)
        opened.append(fd)
        return fd
    if given != PIPE:
        return given
    reads, writes = os.pipe()
    if number == 0:
        ends.stdin = writes
        opened.append(reads)
        return reads
    if number == 1:
        ends.stdout = reads
    else:
        ends.stderr = reads
    opened.append(writes)
    return writes


def _become(
    words: list[str], theirs: list[int], cwd: str | None, env: dict[str, str] | None,
    start_new_session: bool,
) -> None:  # fmt: skip
    """In the new process.  Raises OSError."""
    for number in range(3):
        if 0 <= theirs[number] < number:  # it would be overwritten
            theirs[number] = os.dup(theirs[number])
    for number in range(3):
        if theirs[number] == number:
            os.set_inheritable(number, True)
        elif theirs[number] >= 0:
            os.dup2(theirs[number], number)
    if cwd is not None:
        os.chdir(cwd)
    if start_new_session:
        os.setsid()
    _run(words, env)


def _run(words: list[str], env: dict[str, str] | None) -> None:
    """Raises OSError."""
    name = words[0]
    places = [name]
    if "/" not in name:
        path = os.environ.get("PATH") if env is None else env.get("PATH")
        directories = (os.defpath if path is None else path).split(":")
        places = [os.path.join(directory, name) for directory in directories]
    number = errno.ENOENT
    for place in places:
        try:
            if env is None:
                os.execv(place, words)
            else:
                os.execve(place, words, env)
        except OSError as error:
            if error.errno is not None and error.errno not in (errno.ENOENT, errno.ENOTDIR):
                number = error.errno
    raise OSError(number, os.strerror(number), name)


class Exchange:
    """Bytes for a process, and what it writes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.written = 0
        self.out: list[bytes] = []
        self.err: list[bytes] = []


def go_on(exchange: Exchange, ends: Ends, deadline: float) -> bool:
    """Until all is written, and the process closes its ends; False where it is too late before.
    Ends that are done with are closed, and -1 from then on."""
    while ends.stdin >= 0 or ends.stdout >= 0 or ends.stderr >= 0:
        if ends.stdin >= 0 and exchange.written >= len(exchange.data):
            ends.stdin = _closed(ends.stdin)
            continue
        readers = [fd for fd in (ends.stdout, ends.stderr) if fd >= 0]
        writers = [fd for fd in (ends.stdin,) if fd >= 0]
        timeout = -1.0 if deadline < 0 else max(deadline - time.monotonic(), 0.0)
        if timeout < 0:
            ready, writable, _ = select.select(readers, writers, [])
        else:
            ready, writable, _ = select.select(readers, writers, [], timeout)
            if not ready and not writable and time.monotonic() >= deadline:
                return False
        if writable:
            _feed(exchange, ends)
        for fd in ready:
            piece = os.read(fd, _ROOM)
            if fd == ends.stdout:
                exchange.out.append(piece)
                if not piece:
                    ends.stdout = _closed(fd)
            else:
                exchange.err.append(piece)
                if not piece:
                    ends.stderr = _closed(fd)
    return True


def _feed(exchange: Exchange, ends: Ends) -> None:
    piece = exchange.data[exchange.written : exchange.written + _PIECE]
    try:
        exchange.written += os.write(ends.stdin, piece)
    except BrokenPipeError:
        ends.stdin = _closed(ends.stdin)


def _closed(fd: int) -> int:
    os.close(fd)
    return -1


# -- text ---------------------------------------------------------------------------------------


def _is_latin1(encoding: str) -> bool:
    return encoding.lower() in ("latin-1", "latin1", "iso-8859-1")


def _require_utf8(encoding: str) -> None:
    if encoding.lower() not in ("utf-8", "utf8"):
        raise NotImplementedError(f"subprocess with the encoding {encoding!r}")


def decoded(data: bytes, encoding: str, errors: str) -> str:
    if _is_latin1(encoding):
        return data.decode("latin-1")
    _require_utf8(encoding)
    if errors == "strict":
        return data.decode("utf-8")
    if errors == "replace":
        return data.decode("utf-8", "replace")
    if errors == "ignore":
        return data.decode("utf-8", "ignore")
    if errors == "surrogateescape":
        return data.decode("utf-8", "surrogateescape")
    raise NotImplementedError(f"subprocess with errors={errors!r}")


def encoded(text: str, encoding: str, errors: str) -> bytes:
    if _is_latin1(encoding):
        return text.encode("latin-1")
    _require_utf8(encoding)
    if errors == "surrogateescape":
        return text.encode("utf-8", "surrogateescape")
    return text.encode("utf-8")
