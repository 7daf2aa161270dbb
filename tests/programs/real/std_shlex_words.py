"""shlex: words of a shell."""

import shlex


def main():
    print(shlex.split("cp 'a b' \"c d\" e\\ f # no"), shlex.quote("it's"), shlex.join(["a b", "c"]))
    print(list(shlex.shlex("a = b + 'c d'")))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
