"""plistlib: property lists."""

import plistlib


def main():
    print(plistlib.dumps({"a": 1, "b": [True, "x"]}).decode())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
