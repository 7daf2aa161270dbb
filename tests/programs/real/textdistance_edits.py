"""textdistance==4.6.3: distances between words."""

import textdistance

PAIRS = [("kitten", "sitting"), ("flaw", "lawn"), ("arrow", "arow"), ("same", "same")]


def main():
    for left, right in PAIRS:
        print(textdistance.levenshtein(left, right), textdistance.hamming(left, right))
        print(round(textdistance.jaro_winkler(left, right), 6))
        print(textdistance.damerau_levenshtein(left, right))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
