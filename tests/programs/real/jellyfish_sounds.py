"""jellyfish==0.5.6: distances and sounds of words, in Python."""

from jellyfish import _jellyfish as jelly


def main():
    for left, right in (("jellyfish", "smellyfish"), ("dixon", "dicksonx"), ("martha", "marhta")):
        print(
            jelly.levenshtein_distance(left, right), jelly.damerau_levenshtein_distance(left, right)
        )
        print(round(jelly.jaro_winkler(left, right), 6), jelly.hamming_distance(left, right))
    for word in ("Ann", "Smith", "Washington", "Tymczak"):
        print(jelly.soundex(word), jelly.nysiis(word), jelly.metaphone(word))
        print(jelly.match_rating_codex(word))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
