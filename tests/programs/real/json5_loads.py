"""json5==0.12.0: JSON as people write it."""

import json5


def main():
    print(json5.loads("{a: 1, 'b': [1.5, null, +2], // comment\n c: \"x\",}"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
