"""ahocorasick-python==0.0.9: many words sought at once."""

import ahocorasick


def main():
    tree = ahocorasick.AhoCorasick("abc", "bc", "she", "hers")
    print(sorted(tree.search("abcushers")))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
