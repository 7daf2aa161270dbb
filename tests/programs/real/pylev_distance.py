"""pylev==1.4.0: Levenshtein's distance."""

import pylev


def main():
    for left, right in (("kitten", "sitting"), ("", "abc"), ("flaw", "lawn"), ("same", "same")):
        print(pylev.levenshtein(left, right), pylev.recursive_levenshtein(left[:4], right[:4]))
        print(pylev.damerau_levenshtein(left, right), pylev.wf_levenshtein(left, right))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
