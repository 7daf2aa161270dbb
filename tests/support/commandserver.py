"""A process that has the toolchain loaded and forks one for each command line.

It reads requests from the socket that is its standard input: a line of JSON with the words, the
folder and the environment, and with it the files for standard input, output and errors.  It answers
with the exit status.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys

from rpython.translator.commandline import cli
from rpython.translator.commandline.commandmodel import COMMANDS

LONGEST = 1 << 20


def serve(connection: socket.socket) -> int:
    """Answer until the other side closes.  Returns an exit status, in the children as well."""
    while True:
        message, files, _, _ = socket.recv_fds(connection, LONGEST, 3)
        if not message:
            return 0
        while not message.endswith(b"\n"):
            message += connection.recv(LONGEST)
        child = os.fork()
        if child == 0:
            connection.close()
            return _run(json.loads(message), files)
        for file in files:
            os.close(file)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(f"{status}\n".encode())


def _run(request: dict[str, object], files: list[int]) -> int:
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    folder = str(request["folder"])
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    sys.path[0] = folder
    sys.argv[1:] = request["words"]  # type: ignore[call-overload]
    return cli.main()


if __name__ == "__main__":
    for name in COMMANDS:
        importlib.import_module(f"rpython.translator.commands.{name}")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(serve(socket.socket(fileno=os.dup(0))))
