"""pyphen==0.17.2: where words may be broken."""

import pyphen

GERMAN = pyphen.Pyphen(lang="de_DE")
ENGLISH = pyphen.Pyphen(lang="en_US")


def main():
    for word in ("Autobahnraststätte", "Silbentrennung", "kurz"):
        print(GERMAN.inserted(word), GERMAN.positions(word))
    print(ENGLISH.inserted("hyphenation"), ENGLISH.wrap("algorithm", 6))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
