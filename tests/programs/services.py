"""Start a service of the examples, under CPython or natively, and talk to it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from programs import EXAMPLES, ROOT, build_example

SECONDS = 20


class Service:
    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def talk(self, *pieces: bytes, ends: bool = True) -> bytes:
        """What it answers on one connection to what is sent piece by piece; ``ends``: is it told
        that nothing more comes?"""
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for piece in pieces:
                client.sendall(piece)
            if ends:
                client.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: client.recv(65536), b""))

    def finish(self) -> str:
        """Its output after the first line; it must end by itself, without an error."""
        output, errors = self.process.communicate(timeout=SECONDS)
        assert (self.process.returncode, errors) == (0, "")
        return output


@contextmanager
def service(program: str, way: str, directory: Path, *args: object) -> Iterator[Service]:
    """``args``: those of the program."""
    command: list[str | Path] = [sys.executable, EXAMPLES / f"{program}.py"]
    if way == "native":
        command = [build_example(program, directory)]
    process = subprocess.Popen(
        [*map(str, command), *map(str, args)], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield Service(process, int(process.stdout.readline().removeprefix("port ")))
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
