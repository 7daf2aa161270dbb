"""Methods of the standard streams that are written in Python.  Each stream has functions of its
own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any


def _per_arguments(function: Any) -> Any:
    function._rpython_per_arguments_ = True
    return function


@cache
def method_of(stream: Any, fd: int, name: str) -> Callable[..., Any]:
    """The function that stands for a method of a standard stream."""

    def writelines(lines: Any) -> None:
        for line in lines:
            stream.write(line)

    def readlines(hint: int = -1) -> list[Any]:
        lines: list[Any] = []
        size = 0
        while True:
            line = stream.readline()
            if not line:
                return lines
            lines.append(line)
            size += len(line)
            if 0 < hint < size:
                return lines

    def isatty() -> bool:
        return os.isatty(fd)

    def fileno() -> int:
        return fd

    def reads() -> bool:
        return fd == 0

    def writes() -> bool:
        return fd != 0

    functions = {
        "writelines": writelines, "readlines": readlines, "isatty": isatty, "fileno": fileno,
        "readable": reads, "writable": writes,
    }  # fmt: skip
    found: Callable[..., Any] = _per_arguments(functions[name])
    return found


def read_text(size: int) -> str:
    """``sys.stdin.read(size)``"""
    if size < 0:
        return sys.stdin.read()
    pieces: list[str] = []
    stdin: Any = sys.stdin.buffer
    while size > 0:
        data = stdin.read(1)
        if not data:
            break
        lead = data[0]
        if lead >= 0xC2:
            for _ in range(3 if lead >= 0xF0 else 2 if lead >= 0xE0 else 1):
                following = stdin.peek(1)[:1]
                if not following or following[0] & 0xC0 != 0x80:
                    break
                data += stdin.read(1)
        pieces.append(data.decode())
        size -= 1
    return "".join(pieces)
