"""snowballstemmer==3.1.1: stems of English and German words."""

import snowballstemmer


def main():
    english, german = snowballstemmer.stemmer("english"), snowballstemmer.stemmer("german")
    print(english.stemWords("running quickly the relational generously happiness".split()))
    print(german.stemWords("aufeinanderfolgenden Häuser liebevoll".split()))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
