"""strsimpy==0.2.1: how similar texts are."""

from strsimpy.jaro_winkler import JaroWinkler
from strsimpy.levenshtein import Levenshtein
from strsimpy.longest_common_subsequence import LongestCommonSubsequence
from strsimpy.ngram import NGram


def main():
    pairs = [("My string", "My tsring"), ("kitten", "sitting"), ("", "abc"), ("AGCAT", "GAC")]
    for first, second in pairs:
        print(
            Levenshtein().distance(first, second),
            LongestCommonSubsequence().distance(first, second),
        )
        print(
            round(JaroWinkler().similarity(first, second), 6),
            round(NGram(2).distance(first, second), 6),
        )


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
