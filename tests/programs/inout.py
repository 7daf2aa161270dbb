"""Standard input as text or bytes, files left open, the environment, other programs."""

import io
import os
import sys
import time
from collections.abc import Iterable
from typing import TextIO


def text() -> None:
    out = sys.stdout
    out.write(repr(sys.stdin.read(3)) + "\n")
    out.write(repr(sys.stdin.readline()) + "\n")
    out.write(repr(input("more? ")) + "\n")
    for line in sys.stdin:
        out.write(repr(line) + "\n")
        break
    out.writelines([repr(line) + "\n" for line in sys.stdin.readlines()])
    print(sys.stdin.isatty(), sys.stdin.fileno(), out.writable(), file=sys.stderr)


def binary() -> None:
    data = sys.stdin.buffer
    out = sys.stdout.buffer
    out.write(data.readline())
    out.write(repr(data.read(4)).encode() + bytes([10]))
    out.write(data.peek(1)[:1])
    for line in data:
        out.write(line)
        break
    out.writelines(data.readlines())
    out.flush()


def files(path: str) -> None:
    out = open(path, "w")  # noqa: SIM115
    for i in range(3000):
        print(i, "é" * (i % 7), file=out)
    total = 0
    for line in open(path):  # noqa: SIM115
        total += len(line)
    out.write("the end\n")
    print(total, os.environ["RPYTHON3_TEST"], os.getenv("RPYTHON3_NONE"))


def emit(out: TextIO, number: int) -> None:
    out.write(f"{number}\n")
    print("printed", number, file=out)


def size(file: Iterable[str]) -> int:
    return sum(len(line) for line in file)


def streams(path: str) -> None:
    out = sys.stdout if path == "-" else open(path, "w")  # noqa: SIM115
    emit(out, 1)
    emit(sys.stdout, 2)
    emit(sys.stderr, 3)
    memory = io.StringIO()
    emit(memory, 4)
    print(*memory.getvalue().split(), sep="|", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        stream.write(f"to {stream.name} {stream.fileno()} {stream.closed}\n")
    if path != "-":
        out.close()
        with open(path) as file:
            print(size(file), size(memory), size(io.StringIO("x\ny")), size(sys.stdin))
    print(out is sys.stdout, isinstance(out, io.TextIOBase), isinstance(memory, io.StringIO))
    for stream in (sys.stdout, sys.stdin):
        try:
            print(stream.write(f"{stream.readable()} {stream.writable()}\n"))
            print(repr(stream.read(1)))
        except io.UnsupportedOperation as error:
            print(stream.name, error)


def mixed(lines: int) -> None:
    """CPython keeps text and bytes apart until one of them is flushed."""
    for i in range(lines):
        print("text", i, "é" * (i % 50))
        if i % 3 == 0:
            sys.stdout.buffer.write(b"bytes %d\n" % i)
        if i % 40 == 39:
            sys.stdout.write("x" * 9000 + "\n")
        if i % 70 == 69:
            sys.stdout.buffer.flush()
        if i % 200 == 199:
            sys.stdout.flush()


def zone() -> None:
    winter, summer = time.localtime(1700000000), time.localtime(1720000000)
    print(winter, time.strftime("%H:%M %z %Z", winter), time.strftime("%H:%M %z %Z", summer))
    print(time.strftime("%z %Z", (2024, 7, 1, 12, 0, 0, 0, 1, 1)), time.ctime(0))
    print(time.strftime("%z %Z") in ("+0100 CET", "+0200 CEST"))


def entry_point(argv: list[str]) -> int:
    if argv[1] == "text":
        text()
    elif argv[1] == "streams":
        streams(argv[2])
    elif argv[1] == "mixed":
        mixed(int(argv[2]))
    elif argv[1] == "binary":
        binary()
    elif argv[1] == "zone":
        zone()
    elif argv[1] == "exec":
        print("before", flush=True)
        os.execv("/bin/echo", ["echo", "after", *argv[2:]])
    else:
        files(argv[2])
        sys.exit(3)
    return 0


def target(driver: object, args: list[str]) -> object:
    return entry_point


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
