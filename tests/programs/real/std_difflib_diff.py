"""difflib: unified and context diffs, close matches."""

import difflib

A = "one two three four five six".split()
B = "one too three four six seven".split()


def main():
    print("\n".join(difflib.unified_diff(A, B, "a", "b", lineterm="")))
    print("\n".join(difflib.ndiff(A, B)))
    print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
