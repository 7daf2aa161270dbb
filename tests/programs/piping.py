"""Programs whose standard streams are closed, for ``failing.py``."""

import sys


class Refused(Exception):
    """Of another module than the program's."""


def prints_little() -> int:
    print("a line")
    return 0


def prints_and_flushes() -> int:
    for _ in range(10):
        print("a line", flush=True)
    return 0


def prints_much() -> int:
    for i in range(20000):
        print("a line", i)
    return 0


def catches_broken_pipe() -> int:
    try:
        for _ in range(10):
            print("a line", flush=True)
    except BrokenPipeError as e:
        sys.stderr.write(f"{e.errno} {e}\n")
    return 6


def prints_and_fails() -> int:
    print("a line")
    return int("x")


def prints_and_exits() -> int:
    print("a line")
    sys.exit(5)


def writes_errors() -> int:
    sys.stderr.write("to nobody\n")
    return 2


def asks() -> int:
    print(input("? "))
    return 0


PIPED = {
    f.__name__: f for f in (
        prints_little, prints_and_flushes, prints_much, catches_broken_pipe, prints_and_fails,
        prints_and_exits, writes_errors, asks,
    )
}  # fmt: skip
