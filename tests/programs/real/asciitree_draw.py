"""asciitree==1.0.0: a tree of dicts as text."""

from asciitree import LeftAligned


def main():
    tree = {"root": {"sometimes": {"you": {}}, "just": {"want": {}}, "more": {}}}
    print(LeftAligned()(tree))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
