"""docopt==0.6.2: a command line described by its help."""

from docopt import docopt

HELP = """Naval Fate.

Usage:
  naval_fate.py ship new <name>...
  naval_fate.py ship <name> move <x> <y> [--speed=<kn>]
  naval_fate.py (-h | --help)

Options:
  -h --help     Show this screen.
  --speed=<kn>  Speed in knots [default: 10].
"""


def main():
    print(docopt(HELP, ["ship", "Titanic", "move", "1", "2", "--speed=15"]))
    print(docopt(HELP, ["ship", "new", "a", "b"]))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
