"""porter2stemmer==1.0: Porter's second algorithm."""

from porter2stemmer import Porter2Stemmer


def main():
    stemmer = Porter2Stemmer()
    for word in "consistency running happily relational skies dying generously".split():
        print(stemmer.stem(word))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
