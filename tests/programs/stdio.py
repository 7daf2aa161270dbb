"""``create_stdio`` again and again, files that nobody closes, and ``print`` between them."""

import sys

from rpython.rlib.rfile import RFile, create_file, create_stdio


class Kept:
    def __init__(self) -> None:
        self.file: RFile | None = None


KEPT = Kept()


def say(text: str) -> None:
    create_stdio()[1].write(text)


def leave_open(path: str) -> None:
    dropped = create_file(path + ".dropped", "w")
    dropped.write("dropped\n")
    KEPT.file = create_file(path + ".kept", "w")
    KEPT.file.write("kept\n")


def entry_point(argv: list[str]) -> int:
    leave_open(argv[1])
    stdin, stdout, stderr = create_stdio()
    for i in range(int(argv[2])):
        print("printed", i, end=" ")
        say("\xe9 \xff" if i % 3 == 0 else "said, ")
        stdout.write("written\n" if i % 5 == 0 else "")
    stdout.close()
    try:
        stdout.write("closed")
    except ValueError as error:
        print(error)
    stderr.write("to stderr, ")
    create_stdio()[2].write("at once")
    print(repr(stdin.readline()), repr(stdin.read(3)), repr(create_stdio()[0].readline(4)))
    print(repr(create_stdio()[0].read()), repr(stdin.read(1)), repr(stdin.readline()))
    try:
        print(stdin.tell())
        stdin.seek(2)
        print(repr(create_stdio()[0].read()))
    except OSError as error:
        print(error.errno)
    say("the end, without a newline")
    return 0


def target(driver: object, args: list[str]) -> object:
    return entry_point


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
