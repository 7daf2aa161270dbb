"""A program that does nothing."""

import sys


def entry_point(argv: list[str]) -> int:
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
