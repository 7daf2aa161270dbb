"""Standard input as text or bytes, files left open, the environment, other programs."""

import os
import sys


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


def entry_point(argv: list[str]) -> int:
    if argv[1] == "text":
        text()
    elif argv[1] == "binary":
        binary()
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
