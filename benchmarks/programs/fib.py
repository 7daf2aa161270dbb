"""The Fibonacci number that the command line asks for, the slow way."""

import sys


def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def entry_point(argv: list[str]) -> int:
    print(fib(int(argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
